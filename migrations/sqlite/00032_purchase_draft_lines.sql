-- +goose Up
CREATE TABLE purchase_draft_lines (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    draft_id BLOB NOT NULL,
    sort_order INTEGER NOT NULL,
    description TEXT NOT NULL,
    unit TEXT NOT NULL,
    quantity TEXT NOT NULL,
    unit_price TEXT NOT NULL,
    price_includes_vat INTEGER NOT NULL,
    vat_rate TEXT NOT NULL,
    vat_code TEXT NULL,
    -- Whether the code was named by the caller; one that was not is chosen again when the draft changes.
    vat_code_named INTEGER NOT NULL,
    account_code TEXT NULL,
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT purchase_draft_lines_draft FOREIGN KEY (company_id, draft_id) REFERENCES purchase_drafts (company_id, id) ON DELETE CASCADE,
    CONSTRAINT purchase_draft_lines_sum CHECK (net_minor + vat_minor = gross_minor)
) STRICT;

CREATE UNIQUE INDEX purchase_draft_lines_order ON purchase_draft_lines (company_id, draft_id, sort_order);
