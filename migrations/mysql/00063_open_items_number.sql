-- +goose Up
CREATE INDEX open_items_number ON open_items (company_id, document_number);
