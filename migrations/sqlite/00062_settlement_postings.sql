-- +goose Up
CREATE TABLE settlement_postings (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    settlement_id BLOB NOT NULL,
    posting_date TEXT NOT NULL,
    exchange_rate TEXT NOT NULL,
    commission_percent TEXT NULL,
    net_minor INTEGER NOT NULL,
    receivable_minor INTEGER NOT NULL,
    commission_minor INTEGER NOT NULL,
    seller_minor INTEGER NOT NULL,
    fee_minor INTEGER NOT NULL,
    suspense_minor INTEGER NOT NULL,
    -- Null when no line has an amount.
    journal_transaction_id BLOB NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT settlement_postings_settlement_exists FOREIGN KEY (company_id, settlement_id) REFERENCES settlements (company_id, id),
    CONSTRAINT settlement_postings_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT settlement_postings_net CHECK (net_minor = receivable_minor + commission_minor + seller_minor + suspense_minor - fee_minor)
) STRICT;

CREATE UNIQUE INDEX settlement_postings_settlement ON settlement_postings (company_id, settlement_id);
CREATE INDEX settlement_postings_journal_transaction ON settlement_postings (company_id, journal_transaction_id);

-- +goose StatementBegin
CREATE TRIGGER settlement_postings_no_update BEFORE UPDATE ON settlement_postings
BEGIN
    SELECT RAISE(ABORT, 'settlement_postings is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER settlement_postings_no_delete BEFORE DELETE ON settlement_postings
BEGIN
    SELECT RAISE(ABORT, 'settlement_postings is append-only: a row is never deleted');
END;
-- +goose StatementEnd
