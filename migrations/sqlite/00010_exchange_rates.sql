-- +goose Up
CREATE TABLE exchange_rates (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    currency TEXT NOT NULL,
    rate_date TEXT NOT NULL,
    -- Units of the currency for one unit of the base currency, as the European Central Bank quotes.
    rate TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT exchange_rates_company FOREIGN KEY (company_id) REFERENCES companies (id)
) STRICT;

CREATE UNIQUE INDEX exchange_rates_date ON exchange_rates (company_id, currency, rate_date);
