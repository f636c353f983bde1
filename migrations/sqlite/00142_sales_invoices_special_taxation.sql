-- +goose Up
-- Cash accounting, Art 14(9) of the VAT law: the tax point is the payment.
ALTER TABLE sales_invoices ADD COLUMN special_taxation INTEGER NOT NULL DEFAULT 0;
