-- +goose Up
CREATE TABLE vat_submission_payments (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    submission_id BINARY(16) NOT NULL,
    -- The settlement of an open item that is in the file.
    allocation_id BINARY(16) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY vat_submission_payments_allocation (company_id, submission_id, allocation_id),
    CONSTRAINT vat_submission_payments_submission FOREIGN KEY (company_id, submission_id) REFERENCES vat_submissions (company_id, id),
    CONSTRAINT vat_submission_payments_settles FOREIGN KEY (company_id, allocation_id) REFERENCES open_item_allocations (company_id, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
