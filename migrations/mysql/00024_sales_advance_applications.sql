-- +goose Up
CREATE TABLE sales_advance_applications (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    advance_id BINARY(16) NOT NULL,
    invoice_id BINARY(16) NOT NULL,
    application_date DATE NOT NULL,
    journal_transaction_id BINARY(16) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY sales_advance_applications_advance (company_id, advance_id),
    KEY sales_advance_applications_invoice (company_id, invoice_id),
    CONSTRAINT sales_advance_applications_advance_exists FOREIGN KEY (company_id, advance_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_advance_applications_invoice_exists FOREIGN KEY (company_id, invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_advance_applications_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
