-- +goose Up
CREATE TABLE assets (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    group_id BLOB NOT NULL,
    code TEXT NOT NULL,
    name TEXT NOT NULL,
    acquisition_date TEXT NOT NULL,
    depreciation_start_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    cost_minor INTEGER NOT NULL,
    salvage_minor INTEGER NOT NULL,
    useful_life_months INTEGER NOT NULL,
    -- What was depreciated before the asset was entered here, and in how many months; it is never posted.
    opening_minor INTEGER NOT NULL,
    opening_months INTEGER NOT NULL,
    notes TEXT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT assets_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT assets_group_exists FOREIGN KEY (company_id, group_id) REFERENCES asset_groups (company_id, id),
    CONSTRAINT assets_cost CHECK (cost_minor > 0 AND salvage_minor >= 0 AND salvage_minor <= cost_minor),
    CONSTRAINT assets_life CHECK (useful_life_months BETWEEN 1 AND 1200),
    CONSTRAINT assets_opening CHECK (opening_months >= 0 AND opening_months <= useful_life_months AND opening_minor >= 0 AND opening_minor <= cost_minor - salvage_minor),
    CONSTRAINT assets_opening_months CHECK (opening_minor = 0 OR opening_months > 0),
    CONSTRAINT assets_opening_whole CHECK (opening_months < useful_life_months OR opening_minor = cost_minor - salvage_minor)
) STRICT;

CREATE UNIQUE INDEX assets_code ON assets (company_id, code);
CREATE INDEX assets_group ON assets (company_id, group_id);
