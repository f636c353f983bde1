-- +goose Up
CREATE TABLE sales_advance_applications (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    advance_id BLOB NOT NULL,
    invoice_id BLOB NOT NULL,
    application_date TEXT NOT NULL,
    journal_transaction_id BLOB NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT sales_advance_applications_advance_exists FOREIGN KEY (company_id, advance_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_advance_applications_invoice_exists FOREIGN KEY (company_id, invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_advance_applications_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id)
) STRICT;

CREATE UNIQUE INDEX sales_advance_applications_advance ON sales_advance_applications (company_id, advance_id);
CREATE INDEX sales_advance_applications_invoice ON sales_advance_applications (company_id, invoice_id);

-- +goose StatementBegin
CREATE TRIGGER sales_advance_applications_no_update BEFORE UPDATE ON sales_advance_applications
BEGIN
    SELECT RAISE(ABORT, 'sales_advance_applications is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sales_advance_applications_no_delete BEFORE DELETE ON sales_advance_applications
BEGIN
    SELECT RAISE(ABORT, 'sales_advance_applications is append-only: a row is never deleted');
END;
-- +goose StatementEnd
