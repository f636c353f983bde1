-- +goose Up
CREATE TABLE ledger_periods (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    year INTEGER NOT NULL,
    month INTEGER NOT NULL,
    status TEXT NOT NULL,
    locked_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT ledger_periods_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT ledger_periods_calendar CHECK (month BETWEEN 1 AND 12),
    CONSTRAINT ledger_periods_status CHECK (status IN ('open', 'locked')),
    CONSTRAINT ledger_periods_locked CHECK ((status = 'locked') = (locked_at IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX ledger_periods_month ON ledger_periods (company_id, year, month);
