-- +goose Up
ALTER TABLE companies
    -- First and last day of cash accounting, Art 14(9) of the VAT law. Null: not begun, or not ended.
    ADD COLUMN cash_accounting_from DATE NULL,
    ADD COLUMN cash_accounting_until DATE NULL,
    ADD CONSTRAINT companies_cash_accounting CHECK (cash_accounting_until IS NULL
        OR (cash_accounting_from IS NOT NULL AND cash_accounting_from <= cash_accounting_until));
