-- +goose Up
CREATE TABLE vat_submission_payments (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    submission_id BLOB NOT NULL,
    -- The settlement of an open item that is in the file.
    allocation_id BLOB NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT vat_submission_payments_submission FOREIGN KEY (company_id, submission_id) REFERENCES vat_submissions (company_id, id),
    CONSTRAINT vat_submission_payments_settles FOREIGN KEY (company_id, allocation_id) REFERENCES open_item_allocations (company_id, id)
) STRICT;

CREATE UNIQUE INDEX vat_submission_payments_allocation ON vat_submission_payments (company_id, submission_id, allocation_id);

-- +goose StatementBegin
CREATE TRIGGER vat_submission_payments_no_update BEFORE UPDATE ON vat_submission_payments
BEGIN
    SELECT RAISE(ABORT, 'vat_submission_payments is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER vat_submission_payments_no_delete BEFORE DELETE ON vat_submission_payments
BEGIN
    SELECT RAISE(ABORT, 'vat_submission_payments is append-only: a row is never deleted');
END;
-- +goose StatementEnd
