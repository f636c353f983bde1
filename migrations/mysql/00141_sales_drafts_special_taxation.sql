-- +goose Up
-- Cash accounting, Art 14(9) of the VAT law: the tax point is the payment.
ALTER TABLE sales_drafts ADD COLUMN special_taxation BOOLEAN NOT NULL DEFAULT FALSE;
