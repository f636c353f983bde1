-- +goose Up
CREATE TABLE number_series (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    document_type TEXT NOT NULL,
    prefix TEXT NOT NULL,
    year INTEGER NOT NULL,
    first_number INTEGER NOT NULL,
    next_number INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT number_series_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT number_series_numbers CHECK (first_number >= 1 AND next_number >= first_number)
) STRICT;

CREATE UNIQUE INDEX number_series_prefix ON number_series (company_id, document_type, prefix, year);
