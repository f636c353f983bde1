-- +goose Up
CREATE TABLE journal_transactions (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    transaction_date DATE NOT NULL,
    description VARCHAR(500) NULL,
    document_type VARCHAR(32) NULL,
    document_id BINARY(16) NULL,
    reverses_id BINARY(16) NULL,
    posted_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY journal_transactions_reversal (company_id, reverses_id),
    KEY journal_transactions_date (company_id, transaction_date),
    KEY journal_transactions_document (company_id, document_id),
    CONSTRAINT journal_transactions_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT journal_transactions_reverses FOREIGN KEY (company_id, reverses_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT journal_transactions_document CHECK ((document_type IS NULL) = (document_id IS NULL))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
