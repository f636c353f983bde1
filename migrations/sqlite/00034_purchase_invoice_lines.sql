-- +goose Up
CREATE TABLE purchase_invoice_lines (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    invoice_id BLOB NOT NULL,
    sort_order INTEGER NOT NULL,
    description TEXT NOT NULL,
    unit TEXT NOT NULL,
    quantity TEXT NOT NULL,
    unit_price TEXT NOT NULL,
    price_includes_vat INTEGER NOT NULL,
    vat_rate TEXT NOT NULL,
    vat_code TEXT NULL,
    account_code TEXT NOT NULL,
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT purchase_invoice_lines_invoice FOREIGN KEY (company_id, invoice_id) REFERENCES purchase_invoices (company_id, id),
    CONSTRAINT purchase_invoice_lines_sum CHECK (net_minor + vat_minor = gross_minor)
) STRICT;

CREATE UNIQUE INDEX purchase_invoice_lines_order ON purchase_invoice_lines (company_id, invoice_id, sort_order);

-- +goose StatementBegin
CREATE TRIGGER purchase_invoice_lines_no_update BEFORE UPDATE ON purchase_invoice_lines
BEGIN
    SELECT RAISE(ABORT, 'purchase_invoice_lines is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER purchase_invoice_lines_no_delete BEFORE DELETE ON purchase_invoice_lines
BEGIN
    SELECT RAISE(ABORT, 'purchase_invoice_lines is append-only: a row is never deleted');
END;
-- +goose StatementEnd
