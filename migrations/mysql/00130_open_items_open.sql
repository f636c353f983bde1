-- +goose Up
CREATE INDEX open_items_open ON open_items (company_id, kind, currency, open_minor);
