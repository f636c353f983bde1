-- +goose Up
CREATE TABLE asset_modernizations (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    asset_id BINARY(16) NOT NULL,
    modernization_date DATE NOT NULL,
    amount_minor BIGINT NOT NULL,
    added_life_months SMALLINT NOT NULL,
    notes VARCHAR(2000) NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    KEY asset_modernizations_asset (company_id, asset_id),
    CONSTRAINT asset_modernizations_asset_exists FOREIGN KEY (company_id, asset_id) REFERENCES assets (company_id, id),
    CONSTRAINT asset_modernizations_amount CHECK (amount_minor > 0),
    CONSTRAINT asset_modernizations_life CHECK (added_life_months BETWEEN 0 AND 1200)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
