-- +goose Up
CREATE TABLE bank_transactions (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    bank_account_id BINARY(16) NOT NULL,
    transaction_date DATE NOT NULL,
    currency CHAR(3) NOT NULL,
    -- Positive for money that came in.
    amount_minor BIGINT NOT NULL,
    counterparty_name VARCHAR(255) NULL,
    counterparty_iban VARCHAR(34) NULL,
    description VARCHAR(2000) NULL,
    external_id VARCHAR(255) NULL,
    -- SHA-256 of the external id: a lookup key of one width. A line without an external id is never a duplicate.
    external_id_hash BINARY(32) NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY bank_transactions_external_id (company_id, bank_account_id, external_id_hash),
    KEY bank_transactions_date (company_id, transaction_date),
    KEY bank_transactions_account (company_id, bank_account_id, transaction_date),
    KEY bank_transactions_counterparty (company_id, counterparty_iban),
    CONSTRAINT bank_transactions_account_exists FOREIGN KEY (company_id, bank_account_id) REFERENCES bank_accounts (company_id, id),
    CONSTRAINT bank_transactions_amount CHECK (amount_minor <> 0),
    CONSTRAINT bank_transactions_external CHECK ((external_id IS NULL) = (external_id_hash IS NULL))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
