-- +goose Up
CREATE TABLE account_turnovers (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    account_id BINARY(16) NOT NULL,
    -- A locked month: its rows are written by the lock and deleted by the unlock.
    year SMALLINT NOT NULL,
    month TINYINT NOT NULL,
    base_debit_minor BIGINT NOT NULL,
    base_credit_minor BIGINT NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY account_turnovers_month (company_id, year, month, account_id),
    KEY account_turnovers_account (company_id, account_id),
    CONSTRAINT account_turnovers_account_exists FOREIGN KEY (company_id, account_id) REFERENCES ledger_accounts (company_id, id),
    CONSTRAINT account_turnovers_period FOREIGN KEY (company_id, year, month) REFERENCES ledger_periods (company_id, year, month),
    CONSTRAINT account_turnovers_amounts CHECK (base_debit_minor >= 0 AND base_credit_minor >= 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
