-- +goose Up
CREATE TABLE purchase_invoices (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    partner_id BLOB NOT NULL,
    type TEXT NOT NULL,
    document_number TEXT NOT NULL,
    document_date TEXT NOT NULL,
    due_date TEXT NOT NULL,
    supply_date TEXT NULL,
    supply_type TEXT NOT NULL,
    special_taxation INTEGER NOT NULL,
    -- The date that puts the document into a period and into the VAT register.
    registration_date TEXT NOT NULL,
    currency TEXT NOT NULL,
    exchange_rate TEXT NOT NULL,
    credited_invoice_id BLOB NULL,
    notes TEXT NULL,
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    gross_minor INTEGER NOT NULL,
    journal_transaction_id BLOB NOT NULL,
    created_at TEXT NOT NULL,
    registered_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT purchase_invoices_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT purchase_invoices_number FOREIGN KEY (company_id, id) REFERENCES purchase_numbers (company_id, id),
    CONSTRAINT purchase_invoices_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT purchase_invoices_credits FOREIGN KEY (company_id, credited_invoice_id) REFERENCES purchase_invoices (company_id, id),
    CONSTRAINT purchase_invoices_type CHECK (type IN ('invoice', 'credit_note')),
    CONSTRAINT purchase_invoices_supply CHECK (supply_type IN ('goods', 'services')),
    CONSTRAINT purchase_invoices_dates CHECK (registration_date >= document_date),
    CONSTRAINT purchase_invoices_sum CHECK (net_minor + vat_minor = gross_minor AND gross_minor > 0)
) STRICT;

CREATE UNIQUE INDEX purchase_invoices_journal_transaction ON purchase_invoices (company_id, journal_transaction_id);
CREATE INDEX purchase_invoices_date ON purchase_invoices (company_id, document_date);
CREATE INDEX purchase_invoices_partner ON purchase_invoices (company_id, partner_id, document_date);
CREATE INDEX purchase_invoices_credited ON purchase_invoices (company_id, credited_invoice_id);

-- +goose StatementBegin
CREATE TRIGGER purchase_invoices_no_update BEFORE UPDATE ON purchase_invoices
BEGIN
    SELECT RAISE(ABORT, 'purchase_invoices is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER purchase_invoices_no_delete BEFORE DELETE ON purchase_invoices
BEGIN
    SELECT RAISE(ABORT, 'purchase_invoices is append-only: a row is never deleted');
END;
-- +goose StatementEnd
