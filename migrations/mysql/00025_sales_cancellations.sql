-- +goose Up
CREATE TABLE sales_cancellations (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    invoice_id BINARY(16) NOT NULL,
    reason VARCHAR(500) NOT NULL,
    -- Null for a proforma, which posted nothing.
    journal_transaction_id BINARY(16) NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY sales_cancellations_invoice (company_id, invoice_id),
    CONSTRAINT sales_cancellations_invoice_exists FOREIGN KEY (company_id, invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_cancellations_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
