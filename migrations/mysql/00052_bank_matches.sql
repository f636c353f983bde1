-- +goose Up
CREATE TABLE bank_matches (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    transaction_id BINARY(16) NOT NULL,
    document_type VARCHAR(32) NOT NULL,
    document_id BINARY(16) NOT NULL,
    -- What the transaction settled of the document; the rest of it was paid too much.
    settled_minor BIGINT NOT NULL,
    journal_transaction_id BINARY(16) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY bank_matches_transaction (company_id, transaction_id),
    KEY bank_matches_document (company_id, document_id),
    KEY bank_matches_posted (company_id, journal_transaction_id),
    CONSTRAINT bank_matches_transaction_exists FOREIGN KEY (company_id, transaction_id) REFERENCES bank_transactions (company_id, id),
    CONSTRAINT bank_matches_item FOREIGN KEY (company_id, document_id) REFERENCES open_items (company_id, document_id),
    CONSTRAINT bank_matches_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT bank_matches_settled CHECK (settled_minor > 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
