-- +goose Up
CREATE TABLE open_items (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    kind TEXT NOT NULL,
    document_type TEXT NOT NULL,
    document_id BLOB NOT NULL,
    document_number TEXT NOT NULL,
    partner_id BLOB NOT NULL,
    account_id BLOB NOT NULL,
    document_date TEXT NOT NULL,
    due_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    base_amount_minor INTEGER NOT NULL,
    open_minor INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT open_items_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT open_items_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT open_items_account FOREIGN KEY (company_id, account_id) REFERENCES ledger_accounts (company_id, id),
    CONSTRAINT open_items_kind CHECK (kind IN ('receivable', 'payable')),
    CONSTRAINT open_items_open CHECK (open_minor >= 0 AND open_minor <= amount_minor)
) STRICT;

CREATE UNIQUE INDEX open_items_document ON open_items (company_id, document_id);
CREATE INDEX open_items_partner ON open_items (company_id, partner_id, due_date);
