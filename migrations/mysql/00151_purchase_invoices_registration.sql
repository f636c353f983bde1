-- +goose Up
-- SAF-T reads what was registered between two days, a page at a time.
CREATE INDEX purchase_invoices_registration ON purchase_invoices (company_id, registration_date, id);
