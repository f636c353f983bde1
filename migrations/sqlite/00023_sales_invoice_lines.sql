-- +goose Up
CREATE TABLE sales_invoice_lines (
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
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT sales_invoice_lines_invoice FOREIGN KEY (company_id, invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_invoice_lines_sum CHECK (net_minor + vat_minor = gross_minor)
) STRICT;

CREATE UNIQUE INDEX sales_invoice_lines_order ON sales_invoice_lines (company_id, invoice_id, sort_order);

-- +goose StatementBegin
CREATE TRIGGER sales_invoice_lines_no_update BEFORE UPDATE ON sales_invoice_lines
BEGIN
    SELECT RAISE(ABORT, 'sales_invoice_lines is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sales_invoice_lines_no_delete BEFORE DELETE ON sales_invoice_lines
BEGIN
    SELECT RAISE(ABORT, 'sales_invoice_lines is append-only: a row is never deleted');
END;
-- +goose StatementEnd
