-- +goose Up
CREATE INDEX open_items_owed ON open_items (company_id, open_minor, kind, currency, document_id);
