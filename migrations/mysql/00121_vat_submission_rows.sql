-- +goose Up
CREATE TABLE vat_submission_rows (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    submission_id BINARY(16) NOT NULL,
    -- The row of the register that is in the file.
    register_row_id BINARY(16) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY vat_submission_rows_row (company_id, submission_id, register_row_id),
    CONSTRAINT vat_submission_rows_submission FOREIGN KEY (company_id, submission_id) REFERENCES vat_submissions (company_id, id),
    CONSTRAINT vat_submission_rows_register FOREIGN KEY (company_id, register_row_id) REFERENCES vat_register (company_id, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
