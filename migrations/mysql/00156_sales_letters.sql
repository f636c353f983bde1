-- +goose Up
CREATE TABLE sales_letters (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    invoice_id BINARY(16) NOT NULL,
    recipient VARCHAR(254) NOT NULL,
    locale CHAR(2) NOT NULL,
    -- The same in every attempt, so that a mail server or a reader that sees two knows them for one.
    message_id VARCHAR(320) NOT NULL,
    status VARCHAR(6) NOT NULL,
    -- Attempts begun, those cut off by a crash too; failures are those with a bad end.
    attempts INT NOT NULL,
    failures INT NOT NULL,
    next_attempt_at DATETIME(6) NOT NULL,
    -- Who sends it now, and since when.
    claim BINARY(16) NULL,
    claimed_at DATETIME(6) NULL,
    last_error VARCHAR(500) NULL,
    created_by VARCHAR(255) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    ended_at DATETIME(6) NULL,
    PRIMARY KEY (company_id, id),
    KEY sales_letters_invoice (company_id, invoice_id, created_at),
    KEY sales_letters_waiting (company_id, status),
    KEY sales_letters_due (status, next_attempt_at),
    CONSTRAINT sales_letters_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT sales_letters_of FOREIGN KEY (company_id, invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_letters_status CHECK (status IN ('queued', 'sent', 'failed')),
    CONSTRAINT sales_letters_end CHECK ((status = 'queued') = (ended_at IS NULL)),
    CONSTRAINT sales_letters_counts CHECK (failures >= 0 AND attempts >= failures),
    CONSTRAINT sales_letters_claim CHECK ((claim IS NULL) = (claimed_at IS NULL) AND (claim IS NULL OR status = 'queued'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
