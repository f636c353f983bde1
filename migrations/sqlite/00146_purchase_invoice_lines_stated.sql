-- +goose Up
-- Whether vat_minor is the VAT that the document states, and not what its rate comes to.
ALTER TABLE purchase_invoice_lines ADD COLUMN vat_stated INTEGER NOT NULL DEFAULT 0;
