-- +goose Up
CREATE TABLE number_series (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    document_type VARCHAR(32) NOT NULL,
    prefix VARCHAR(20) NOT NULL,
    year SMALLINT NOT NULL,
    first_number BIGINT NOT NULL,
    next_number BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY number_series_prefix (company_id, document_type, prefix, year),
    CONSTRAINT number_series_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT number_series_numbers CHECK (first_number >= 1 AND next_number >= first_number)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
