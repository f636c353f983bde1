-- +goose Up
CREATE TABLE assets (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    group_id BINARY(16) NOT NULL,
    code VARCHAR(50) NOT NULL,
    name VARCHAR(255) NOT NULL,
    acquisition_date DATE NOT NULL,
    depreciation_start_date DATE NOT NULL,
    currency CHAR(3) NOT NULL,
    cost_minor BIGINT NOT NULL,
    salvage_minor BIGINT NOT NULL,
    useful_life_months SMALLINT NOT NULL,
    -- What was depreciated before the asset was entered here, and in how many months; it is never posted.
    opening_minor BIGINT NOT NULL,
    opening_months SMALLINT NOT NULL,
    notes VARCHAR(2000) NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY assets_code (company_id, code),
    KEY assets_group (company_id, group_id),
    CONSTRAINT assets_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT assets_group_exists FOREIGN KEY (company_id, group_id) REFERENCES asset_groups (company_id, id),
    CONSTRAINT assets_cost CHECK (cost_minor > 0 AND salvage_minor >= 0 AND salvage_minor <= cost_minor),
    CONSTRAINT assets_life CHECK (useful_life_months BETWEEN 1 AND 1200),
    CONSTRAINT assets_opening CHECK (opening_months >= 0 AND opening_months <= useful_life_months AND opening_minor >= 0 AND opening_minor <= cost_minor - salvage_minor),
    CONSTRAINT assets_opening_months CHECK (opening_minor = 0 OR opening_months > 0),
    CONSTRAINT assets_opening_whole CHECK (opening_months < useful_life_months OR opening_minor = cost_minor - salvage_minor)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
