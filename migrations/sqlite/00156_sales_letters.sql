-- +goose Up
CREATE TABLE sales_letters (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    invoice_id BLOB NOT NULL,
    recipient TEXT NOT NULL,
    locale TEXT NOT NULL,
    -- The same in every attempt, so that a mail server or a reader that sees two knows them for one.
    message_id TEXT NOT NULL,
    status TEXT NOT NULL,
    -- Attempts begun, those cut off by a crash too; failures are those with a bad end.
    attempts INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    next_attempt_at TEXT NOT NULL,
    -- Who sends it now, and since when.
    claim BLOB NULL,
    claimed_at TEXT NULL,
    last_error TEXT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    ended_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT sales_letters_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT sales_letters_of FOREIGN KEY (company_id, invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_letters_status CHECK (status IN ('queued', 'sent', 'failed')),
    CONSTRAINT sales_letters_end CHECK ((status = 'queued') = (ended_at IS NULL)),
    CONSTRAINT sales_letters_counts CHECK (failures >= 0 AND attempts >= failures),
    CONSTRAINT sales_letters_claim CHECK ((claim IS NULL) = (claimed_at IS NULL) AND (claim IS NULL OR status = 'queued'))
) STRICT;

CREATE INDEX sales_letters_invoice ON sales_letters (company_id, invoice_id, created_at);
CREATE INDEX sales_letters_waiting ON sales_letters (company_id, status);
CREATE INDEX sales_letters_due ON sales_letters (status, next_attempt_at);
