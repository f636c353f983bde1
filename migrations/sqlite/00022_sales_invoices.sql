-- +goose Up
CREATE TABLE sales_invoices (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    partner_id BLOB NOT NULL,
    type TEXT NOT NULL,
    currency TEXT NOT NULL,
    series_id BLOB NOT NULL,
    series TEXT NOT NULL,
    number INTEGER NOT NULL,
    full_number TEXT NOT NULL,
    issue_date TEXT NOT NULL,
    due_date TEXT NOT NULL,
    supply_date TEXT NULL,
    credited_invoice_id BLOB NULL,
    vat_scheme TEXT NOT NULL,
    vat_country_code TEXT NULL,
    deemed_supplier INTEGER NOT NULL,
    notes TEXT NULL,
    -- Units of the currency for one unit of the base currency. Null for a proforma, which books nothing.
    exchange_rate TEXT NULL,
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    -- Null for a proforma, which posts nothing.
    journal_transaction_id BLOB NULL,
    created_at TEXT NOT NULL,
    issued_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT sales_invoices_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT sales_invoices_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT sales_invoices_series FOREIGN KEY (company_id, series_id) REFERENCES number_series (company_id, id),
    CONSTRAINT sales_invoices_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT sales_invoices_credits FOREIGN KEY (company_id, credited_invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT sales_invoices_type CHECK (type IN ('invoice', 'credit_note', 'proforma', 'advance')),
    CONSTRAINT sales_invoices_posted CHECK ((type = 'proforma') = (journal_transaction_id IS NULL)),
    CONSTRAINT sales_invoices_rate CHECK ((type = 'proforma') = (exchange_rate IS NULL)),
    CONSTRAINT sales_invoices_amounts CHECK (net_minor >= 0 AND vat_minor >= 0),
    CONSTRAINT sales_invoices_sum CHECK (net_minor + vat_minor = gross_minor)
) STRICT;

CREATE UNIQUE INDEX sales_invoices_number ON sales_invoices (company_id, series_id, number);
CREATE UNIQUE INDEX sales_invoices_full_number ON sales_invoices (company_id, full_number);
CREATE INDEX sales_invoices_date ON sales_invoices (company_id, issue_date);
CREATE INDEX sales_invoices_partner ON sales_invoices (company_id, partner_id, issue_date);
CREATE INDEX sales_invoices_credited ON sales_invoices (company_id, credited_invoice_id);

-- +goose StatementBegin
CREATE TRIGGER sales_invoices_no_update BEFORE UPDATE ON sales_invoices
BEGIN
    SELECT RAISE(ABORT, 'sales_invoices is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER sales_invoices_no_delete BEFORE DELETE ON sales_invoices
BEGIN
    SELECT RAISE(ABORT, 'sales_invoices is append-only: a row is never deleted');
END;
-- +goose StatementEnd
