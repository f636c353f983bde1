-- +goose Up
CREATE TABLE sales_draft_lines (
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
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT sales_draft_lines_draft FOREIGN KEY (company_id, draft_id) REFERENCES sales_drafts (company_id, id) ON DELETE CASCADE,
    CONSTRAINT sales_draft_lines_sum CHECK (net_minor + vat_minor = gross_minor)
) STRICT;

CREATE UNIQUE INDEX sales_draft_lines_order ON sales_draft_lines (company_id, draft_id, sort_order);
