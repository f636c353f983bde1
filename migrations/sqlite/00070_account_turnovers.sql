-- +goose Up
CREATE TABLE account_turnovers (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    account_id BLOB NOT NULL,
    -- A locked month: its rows are written by the lock and deleted by the unlock.
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    base_debit_minor INTEGER NOT NULL,
    base_credit_minor INTEGER NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT account_turnovers_account_exists FOREIGN KEY (company_id, account_id) REFERENCES ledger_accounts (company_id, id),
    CONSTRAINT account_turnovers_period FOREIGN KEY (company_id, year, month) REFERENCES ledger_periods (company_id, year, month),
    CONSTRAINT account_turnovers_amounts CHECK (base_debit_minor >= 0 AND base_credit_minor >= 0)
) STRICT;

CREATE UNIQUE INDEX account_turnovers_month ON account_turnovers (company_id, year, month, account_id);
CREATE INDEX account_turnovers_account ON account_turnovers (company_id, account_id);
