-- +goose Up
CREATE TABLE vat_register (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    direction TEXT NOT NULL,
    -- The date that puts the row into a period: issue of a sale, registration of a purchase.
    register_date TEXT NOT NULL,
    document_type TEXT NOT NULL,
    document_id BLOB NOT NULL,
    document_number TEXT NOT NULL,
    document_date TEXT NOT NULL,
    supply_date TEXT NULL,
    -- i.SAF invoice type: SF, DS, KS or AN.
    invoice_type TEXT NOT NULL,
    event TEXT NOT NULL,
    -- Cash accounting, Art 14(9) of the VAT law: T in i.SAF.
    special_taxation INTEGER NOT NULL,
    -- The document itself, or the advance that is taken off an invoice.
    source_id BLOB NOT NULL,
    partner_id BLOB NOT NULL,
    partner_name TEXT NOT NULL,
    partner_code TEXT NULL,
    partner_vat_code TEXT NULL,
    partner_country TEXT NULL,
    adjusts_number TEXT NULL,
    adjusts_date TEXT NULL,
    vat_scheme TEXT NULL,
    vat_code TEXT NULL,
    rate TEXT NOT NULL,
    currency TEXT NOT NULL,
    net_minor INTEGER NOT NULL,
    vat_minor INTEGER NOT NULL,
    base_net_minor INTEGER NOT NULL,
    base_vat_minor INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT vat_register_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT vat_register_partner FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT vat_register_direction CHECK (direction IN ('sales', 'purchases')),
    CONSTRAINT vat_register_type CHECK (invoice_type IN ('SF', 'DS', 'KS', 'AN')),
    CONSTRAINT vat_register_event CHECK (event IN ('recorded', 'cancelled', 'advance_applied'))
) STRICT;

CREATE UNIQUE INDEX vat_register_document ON vat_register (company_id, document_id, event, source_id, vat_code, rate);
CREATE INDEX vat_register_period ON vat_register (company_id, register_date, direction, document_number, document_id);

-- +goose StatementBegin
CREATE TRIGGER vat_register_no_update BEFORE UPDATE ON vat_register
BEGIN
    SELECT RAISE(ABORT, 'vat_register is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER vat_register_no_delete BEFORE DELETE ON vat_register
BEGIN
    SELECT RAISE(ABORT, 'vat_register is append-only: a row is never deleted');
END;
-- +goose StatementEnd
