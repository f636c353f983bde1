-- +goose Up
CREATE TABLE orders (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    channel TEXT NOT NULL,
    external_ref TEXT NULL,
    partner_id BLOB NOT NULL,
    currency TEXT NOT NULL,
    ship_to_country_code TEXT NULL,
    marketplace TEXT NULL,
    notes TEXT NULL,
    vat_scheme TEXT NOT NULL,
    gross_minor INTEGER NOT NULL,
    status TEXT NOT NULL,
    invoice_id BLOB NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT orders_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT orders_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT orders_invoice_exists FOREIGN KEY (company_id, invoice_id) REFERENCES sales_invoices (company_id, id),
    CONSTRAINT orders_status CHECK (status IN ('new', 'reserved', 'fulfilled', 'cancelled')),
    CONSTRAINT orders_fulfilled CHECK ((status = 'fulfilled') = (invoice_id IS NOT NULL)),
    CONSTRAINT orders_gross CHECK (gross_minor > 0)
) STRICT;

CREATE UNIQUE INDEX orders_external_ref ON orders (company_id, channel, external_ref);
CREATE UNIQUE INDEX orders_invoice ON orders (company_id, invoice_id);
CREATE INDEX orders_recent ON orders (company_id, created_at);
CREATE INDEX orders_partner ON orders (company_id, partner_id);
