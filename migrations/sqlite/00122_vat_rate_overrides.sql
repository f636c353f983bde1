-- +goose Up
CREATE TABLE vat_rate_overrides (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    country_code TEXT NOT NULL,
    category TEXT NOT NULL,
    rate TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT vat_rate_overrides_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT vat_rate_overrides_category CHECK (category IN ('standard', 'reduced', 'super_reduced', 'parking'))
) STRICT;

CREATE UNIQUE INDEX vat_rate_overrides_rate ON vat_rate_overrides (company_id, country_code, category, rate);
