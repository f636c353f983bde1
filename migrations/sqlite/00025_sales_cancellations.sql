-- +goose Up
CREATE TABLE sales_cancellations (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    invoice_id BLOB NOT NULL,
    reason TEXT NOT NULL,
    -- Null for a proforma, which posted nothing.
    journal_transaction_id BLOB NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT sales_cancellations_invoice_exists FOREIGN KEY (company_id, invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_cancellations_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id)
) STRICT;

CREATE UNIQUE INDEX sales_cancellations_invoice ON sales_cancellations (company_id, invoice_id);

-- +goose StatementBegin
CREATE TRIGGER sales_cancellations_no_update BEFORE UPDATE ON sales_cancellations
BEGIN
    SELECT RAISE(ABORT, 'sales_cancellations is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sales_cancellations_no_delete BEFORE DELETE ON sales_cancellations
BEGIN
    SELECT RAISE(ABORT, 'sales_cancellations is append-only: a row is never deleted');
END;
-- +goose StatementEnd
