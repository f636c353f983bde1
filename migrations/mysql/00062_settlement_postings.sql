-- +goose Up
CREATE TABLE settlement_postings (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    settlement_id BINARY(16) NOT NULL,
    posting_date DATE NOT NULL,
    exchange_rate DECIMAL(22,10) NOT NULL,
    commission_percent DECIMAL(22,10) NULL,
    net_minor BIGINT NOT NULL,
    receivable_minor BIGINT NOT NULL,
    commission_minor BIGINT NOT NULL,
    seller_minor BIGINT NOT NULL,
    fee_minor BIGINT NOT NULL,
    suspense_minor BIGINT NOT NULL,
    -- Null when no line has an amount.
    journal_transaction_id BINARY(16) NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY settlement_postings_settlement (company_id, settlement_id),
    KEY settlement_postings_journal_transaction (company_id, journal_transaction_id),
    CONSTRAINT settlement_postings_settlement_exists FOREIGN KEY (company_id, settlement_id) REFERENCES settlements (company_id, id),
    CONSTRAINT settlement_postings_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT settlement_postings_net CHECK (net_minor = receivable_minor + commission_minor + seller_minor + suspense_minor - fee_minor)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
