-- +goose Up
CREATE TABLE exchange_rates (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    currency CHAR(3) NOT NULL,
    rate_date DATE NOT NULL,
    -- Units of the currency for one unit of the base currency, as the European Central Bank quotes.
    rate DECIMAL(22,10) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY exchange_rates_date (company_id, currency, rate_date),
    CONSTRAINT exchange_rates_company FOREIGN KEY (company_id) REFERENCES companies (id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
