-- +goose Up
CREATE INDEX open_item_allocations_date ON open_item_allocations (company_id, allocation_date, id);
