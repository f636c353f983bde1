-- +goose Up
CREATE TABLE asset_disposals (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    asset_id BLOB NOT NULL,
    disposal_date TEXT NOT NULL,
    reason TEXT NOT NULL,
    expense_account_code TEXT NOT NULL,
    cost_minor INTEGER NOT NULL,
    accumulated_minor INTEGER NOT NULL,
    journal_transaction_id BLOB NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT asset_disposals_asset_exists FOREIGN KEY (company_id, asset_id) REFERENCES assets (company_id, id),
    CONSTRAINT asset_disposals_account FOREIGN KEY (company_id, expense_account_code) REFERENCES ledger_accounts (company_id, code),
    CONSTRAINT asset_disposals_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT asset_disposals_amounts CHECK (cost_minor > 0 AND accumulated_minor >= 0 AND accumulated_minor <= cost_minor)
) STRICT;

CREATE UNIQUE INDEX asset_disposals_asset ON asset_disposals (company_id, asset_id);

-- +goose StatementBegin
CREATE TRIGGER asset_disposals_no_update BEFORE UPDATE ON asset_disposals
BEGIN
    SELECT RAISE(ABORT, 'asset_disposals is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER asset_disposals_no_delete BEFORE DELETE ON asset_disposals
BEGIN
    SELECT RAISE(ABORT, 'asset_disposals is append-only: a row is never deleted');
END;
-- +goose StatementEnd
