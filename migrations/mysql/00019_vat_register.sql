-- +goose Up
CREATE TABLE vat_register (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    direction VARCHAR(9) NOT NULL,
    -- The date that puts the row into a period: issue of a sale, registration of a purchase.
    register_date DATE NOT NULL,
    document_type VARCHAR(32) NOT NULL,
    document_id BINARY(16) NOT NULL,
    document_number VARCHAR(70) NOT NULL,
    document_date DATE NOT NULL,
    supply_date DATE NULL,
    -- i.SAF invoice type: SF, DS, KS or AN.
    invoice_type CHAR(2) NOT NULL,
    event VARCHAR(16) NOT NULL,
    -- Cash accounting, Art 14(9) of the VAT law: T in i.SAF.
    special_taxation BOOLEAN NOT NULL,
    -- The document itself, or the advance that is taken off an invoice.
    source_id BINARY(16) NOT NULL,
    partner_id BINARY(16) NOT NULL,
    partner_name VARCHAR(255) NOT NULL,
    partner_code VARCHAR(35) NULL,
    partner_vat_code VARCHAR(35) NULL,
    partner_country CHAR(2) NULL,
    adjusts_number VARCHAR(70) NULL,
    adjusts_date DATE NULL,
    vat_scheme VARCHAR(24) NULL,
    vat_code VARCHAR(6) NULL,
    rate DECIMAL(22,10) NOT NULL,
    currency CHAR(3) NOT NULL,
    net_minor BIGINT NOT NULL,
    vat_minor BIGINT NOT NULL,
    base_net_minor BIGINT NOT NULL,
    base_vat_minor BIGINT NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY vat_register_document (company_id, document_id, event, source_id, vat_code, rate),
    KEY vat_register_period (company_id, register_date, direction, document_number, document_id),
    CONSTRAINT vat_register_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT vat_register_partner FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT vat_register_direction CHECK (direction IN ('sales', 'purchases')),
    CONSTRAINT vat_register_type CHECK (invoice_type IN ('SF', 'DS', 'KS', 'AN')),
    CONSTRAINT vat_register_event CHECK (event IN ('recorded', 'cancelled', 'advance_applied'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
