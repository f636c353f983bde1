-- +goose Up
CREATE TABLE settlements (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    bank_account_id BINARY(16) NOT NULL,
    provider VARCHAR(20) NOT NULL,
    payout_id VARCHAR(100) NOT NULL,
    -- Null where the report does not say when the money arrives.
    payout_date DATE NULL,
    format VARCHAR(32) NOT NULL,
    currency CHAR(3) NOT NULL,
    gross_minor BIGINT NOT NULL,
    fee_minor BIGINT NOT NULL,
    net_minor BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    updated_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY settlements_payout (company_id, provider, payout_id),
    KEY settlements_bank_account (company_id, bank_account_id),
    CONSTRAINT settlements_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT settlements_bank_account_exists FOREIGN KEY (company_id, bank_account_id) REFERENCES bank_accounts (company_id, id),
    CONSTRAINT settlements_net CHECK (net_minor = gross_minor - fee_minor)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
