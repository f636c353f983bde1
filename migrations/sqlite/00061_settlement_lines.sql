-- +goose Up
CREATE TABLE settlement_lines (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    settlement_id BLOB NOT NULL,
    line_no INTEGER NOT NULL,
    provider TEXT NOT NULL,
    external_id TEXT NOT NULL,
    category TEXT NOT NULL,
    line_date TEXT NOT NULL,
    gross_minor INTEGER NOT NULL,
    fee_minor INTEGER NOT NULL,
    net_minor INTEGER NOT NULL,
    description TEXT NULL,
    source_id TEXT NULL,
    charge_id TEXT NULL,
    reference TEXT NULL,
    -- none, matched by the server, manual, or cleared by hand, which a later import keeps.
    match_state TEXT NOT NULL,
    invoice_id BLOB NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT settlement_lines_settlement_exists FOREIGN KEY (company_id, settlement_id) REFERENCES settlements (company_id, id),
    CONSTRAINT settlement_lines_item FOREIGN KEY (company_id, invoice_id) REFERENCES open_items (company_id, document_id),
    CONSTRAINT settlement_lines_net CHECK (net_minor = gross_minor - fee_minor),
    CONSTRAINT settlement_lines_match CHECK (match_state IN ('none', 'matched', 'manual', 'cleared') AND (match_state IN ('matched', 'manual')) = (invoice_id IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX settlement_lines_external_id ON settlement_lines (company_id, provider, external_id);
CREATE INDEX settlement_lines_settlement ON settlement_lines (company_id, settlement_id, line_no);
CREATE INDEX settlement_lines_charge ON settlement_lines (company_id, charge_id);
CREATE INDEX settlement_lines_invoice ON settlement_lines (company_id, invoice_id);
