-- +goose Up
CREATE TABLE vat_rate_overrides (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    country_code CHAR(2) NOT NULL,
    category VARCHAR(16) NOT NULL,
    rate DECIMAL(22,10) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY vat_rate_overrides_rate (company_id, country_code, category, rate),
    CONSTRAINT vat_rate_overrides_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT vat_rate_overrides_category CHECK (category IN ('standard', 'reduced', 'super_reduced', 'parking'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
