-- +goose Up
CREATE TABLE bank_payment_exports (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    bank_account_id BINARY(16) NOT NULL,
    message_id VARCHAR(35) NOT NULL,
    execution_date DATE NOT NULL,
    transaction_count INTEGER NOT NULL,
    currency CHAR(3) NOT NULL,
    total_minor BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY bank_payment_exports_message (company_id, message_id),
    KEY bank_payment_exports_account (company_id, bank_account_id),
    CONSTRAINT bank_payment_exports_account_exists FOREIGN KEY (company_id, bank_account_id) REFERENCES bank_accounts (company_id, id),
    CONSTRAINT bank_payment_exports_total CHECK (transaction_count > 0 AND total_minor > 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
