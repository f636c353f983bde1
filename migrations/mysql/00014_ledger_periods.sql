-- +goose Up
CREATE TABLE ledger_periods (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    year SMALLINT NOT NULL,
    month TINYINT NOT NULL,
    status VARCHAR(8) NOT NULL,
    locked_at DATETIME(6) NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY ledger_periods_month (company_id, year, month),
    CONSTRAINT ledger_periods_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT ledger_periods_calendar CHECK (month BETWEEN 1 AND 12),
    CONSTRAINT ledger_periods_status CHECK (status IN ('open', 'locked')),
    CONSTRAINT ledger_periods_locked CHECK ((status = 'locked') = (locked_at IS NOT NULL))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
