-- +goose Up
CREATE TABLE partners (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    code TEXT NULL,
    vat_code TEXT NULL,
    peppol_id TEXT NULL,
    email TEXT NULL,
    phone TEXT NULL,
    self_employment_cert_no TEXT NULL,
    birth_date TEXT NULL,
    is_customer INTEGER NOT NULL,
    is_supplier INTEGER NOT NULL,
    payment_term_days INTEGER NULL,
    credit_limit_minor INTEGER NULL,
    street TEXT NULL,
    city TEXT NULL,
    postal_code TEXT NULL,
    country_code TEXT NULL,
    notes TEXT NULL,
    -- Digest of name and email where neither code nor VAT number makes a partner unique that is found or created.
    match_key BLOB NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT partners_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT partners_type CHECK (type IN ('company', 'person')),
    CONSTRAINT partners_term CHECK (payment_term_days BETWEEN 0 AND 3650)
) STRICT;

CREATE UNIQUE INDEX partners_code ON partners (company_id, code);
CREATE UNIQUE INDEX partners_vat_code ON partners (company_id, vat_code);
CREATE UNIQUE INDEX partners_match ON partners (company_id, match_key);
CREATE INDEX partners_name ON partners (company_id, name);
