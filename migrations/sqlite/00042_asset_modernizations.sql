-- +goose Up
CREATE TABLE asset_modernizations (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    asset_id BLOB NOT NULL,
    modernization_date TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    added_life_months INTEGER NOT NULL,
    notes TEXT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT asset_modernizations_asset_exists FOREIGN KEY (company_id, asset_id) REFERENCES assets (company_id, id),
    CONSTRAINT asset_modernizations_amount CHECK (amount_minor > 0),
    CONSTRAINT asset_modernizations_life CHECK (added_life_months BETWEEN 0 AND 1200)
) STRICT;

CREATE INDEX asset_modernizations_asset ON asset_modernizations (company_id, asset_id);

-- +goose StatementBegin
CREATE TRIGGER asset_modernizations_no_update BEFORE UPDATE ON asset_modernizations
BEGIN
    SELECT RAISE(ABORT, 'asset_modernizations is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER asset_modernizations_no_delete BEFORE DELETE ON asset_modernizations
BEGIN
    SELECT RAISE(ABORT, 'asset_modernizations is append-only: a row is never deleted');
END;
-- +goose StatementEnd
