-- +goose Up
-- Whether vat_minor is the VAT that the document states, and not what its rate comes to.
ALTER TABLE purchase_draft_lines ADD COLUMN vat_stated BOOLEAN NOT NULL DEFAULT FALSE;
