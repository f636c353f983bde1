-- +goose Up
-- Seller and buyer as they stood at the issue, as JSON. Null for what was issued before this column, and for what a server of the
-- release before issues during an update: such a document is printed with its parties as they stand.
ALTER TABLE sales_invoices ADD COLUMN parties TEXT NULL;
