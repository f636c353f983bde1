-- +goose Up
CREATE TABLE journal_entries (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    transaction_id BINARY(16) NOT NULL,
    line_no SMALLINT NOT NULL,
    -- The transaction's date again, so that an account's balance on a day is one range of one index.
    transaction_date DATE NOT NULL,
    account_id BINARY(16) NOT NULL,
    currency CHAR(3) NOT NULL,
    debit_minor BIGINT NOT NULL,
    credit_minor BIGINT NOT NULL,
    base_debit_minor BIGINT NOT NULL,
    base_credit_minor BIGINT NOT NULL,
    description VARCHAR(500) NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY journal_entries_line (company_id, transaction_id, line_no),
    -- With the amounts, so that sums over days never touch the rows.
    KEY journal_entries_account (company_id, account_id, transaction_date, base_debit_minor, base_credit_minor),
    CONSTRAINT journal_entries_transaction FOREIGN KEY (company_id, transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT journal_entries_account_exists FOREIGN KEY (company_id, account_id) REFERENCES ledger_accounts (company_id, id),
    CONSTRAINT journal_entries_one_side CHECK (debit_minor >= 0 AND credit_minor >= 0 AND (debit_minor = 0 OR credit_minor = 0) AND debit_minor + credit_minor > 0),
    CONSTRAINT journal_entries_base_side CHECK (base_debit_minor >= 0 AND base_credit_minor >= 0 AND (debit_minor > 0 OR base_debit_minor = 0) AND (credit_minor > 0 OR base_credit_minor = 0))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
