-- +goose Up
CREATE TABLE purchase_drafts (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    partner_id BLOB NOT NULL,
    type TEXT NOT NULL,
    document_number TEXT NOT NULL,
    document_date TEXT NOT NULL,
    due_date TEXT NULL,
    supply_date TEXT NULL,
    supply_type TEXT NOT NULL,
    special_taxation INTEGER NOT NULL,
    currency TEXT NOT NULL,
    credited_invoice_id BLOB NULL,
    notes TEXT NULL,
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT purchase_drafts_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT purchase_drafts_number FOREIGN KEY (company_id, id) REFERENCES purchase_numbers (company_id, id),
    CONSTRAINT purchase_drafts_type CHECK (type IN ('invoice', 'credit_note')),
    CONSTRAINT purchase_drafts_supply CHECK (supply_type IN ('goods', 'services')),
    CONSTRAINT purchase_drafts_sum CHECK (net_minor + vat_minor = gross_minor)
) STRICT;

CREATE INDEX purchase_drafts_partner ON purchase_drafts (company_id, partner_id);
