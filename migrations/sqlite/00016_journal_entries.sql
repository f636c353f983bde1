-- +goose Up
CREATE TABLE journal_entries (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    transaction_id BLOB NOT NULL,
    line_no INTEGER NOT NULL,
    -- The transaction's date again, so that an account's balance on a day is one range of one index.
    transaction_date TEXT NOT NULL,
    account_id BLOB NOT NULL,
    currency TEXT NOT NULL,
    debit_minor INTEGER NOT NULL,
    credit_minor INTEGER NOT NULL,
    base_debit_minor INTEGER NOT NULL,
    base_credit_minor INTEGER NOT NULL,
    description TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT journal_entries_transaction FOREIGN KEY (company_id, transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT journal_entries_account_exists FOREIGN KEY (company_id, account_id) REFERENCES ledger_accounts (company_id, id),
    CONSTRAINT journal_entries_one_side CHECK (debit_minor >= 0 AND credit_minor >= 0 AND (debit_minor = 0 OR credit_minor = 0) AND debit_minor + credit_minor > 0),
    CONSTRAINT journal_entries_base_side CHECK (base_debit_minor >= 0 AND base_credit_minor >= 0 AND (debit_minor > 0 OR base_debit_minor = 0) AND (credit_minor > 0 OR base_credit_minor = 0))
) STRICT;

CREATE UNIQUE INDEX journal_entries_line ON journal_entries (company_id, transaction_id, line_no);
-- With the amounts, so that sums over days never touch the rows.
CREATE INDEX journal_entries_account ON journal_entries (company_id, account_id, transaction_date, base_debit_minor, base_credit_minor);

-- +goose StatementBegin
CREATE TRIGGER journal_entries_no_update BEFORE UPDATE ON journal_entries
BEGIN
    SELECT RAISE(ABORT, 'journal_entries is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER journal_entries_no_delete BEFORE DELETE ON journal_entries
BEGIN
    SELECT RAISE(ABORT, 'journal_entries is append-only: a row is never deleted');
END;
-- +goose StatementEnd
