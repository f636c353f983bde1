-- +goose Up
CREATE TABLE sales_drafts (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    partner_id BLOB NOT NULL,
    type TEXT NOT NULL,
    currency TEXT NOT NULL,
    issue_date TEXT NULL,
    due_date TEXT NULL,
    supply_date TEXT NULL,
    credited_invoice_id BLOB NULL,
    vat_scheme TEXT NOT NULL,
    vat_country_code TEXT NULL,
    deemed_supplier INTEGER NOT NULL,
    notes TEXT NULL,
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT sales_drafts_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT sales_drafts_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT sales_drafts_type CHECK (type IN ('invoice', 'credit_note', 'proforma', 'advance'))
) STRICT;

CREATE INDEX sales_drafts_partner ON sales_drafts (company_id, partner_id);
