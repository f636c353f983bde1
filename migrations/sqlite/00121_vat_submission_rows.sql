-- +goose Up
CREATE TABLE vat_submission_rows (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    submission_id BLOB NOT NULL,
    -- The row of the register that is in the file.
    register_row_id BLOB NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT vat_submission_rows_submission FOREIGN KEY (company_id, submission_id) REFERENCES vat_submissions (company_id, id),
    CONSTRAINT vat_submission_rows_register FOREIGN KEY (company_id, register_row_id) REFERENCES vat_register (company_id, id)
) STRICT;

CREATE UNIQUE INDEX vat_submission_rows_row ON vat_submission_rows (company_id, submission_id, register_row_id);

-- +goose StatementBegin
CREATE TRIGGER vat_submission_rows_no_update BEFORE UPDATE ON vat_submission_rows
BEGIN
    SELECT RAISE(ABORT, 'vat_submission_rows is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER vat_submission_rows_no_delete BEFORE DELETE ON vat_submission_rows
BEGIN
    SELECT RAISE(ABORT, 'vat_submission_rows is append-only: a row is never deleted');
END;
-- +goose StatementEnd
