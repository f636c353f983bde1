-- +goose Up
CREATE TABLE purchase_invoice_lines (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    invoice_id BINARY(16) NOT NULL,
    sort_order SMALLINT NOT NULL,
    description VARCHAR(1000) NOT NULL,
    unit VARCHAR(20) NOT NULL,
    quantity DECIMAL(22,10) NOT NULL,
    unit_price DECIMAL(22,10) NOT NULL,
    price_includes_vat BOOLEAN NOT NULL,
    vat_rate DECIMAL(22,10) NOT NULL,
    vat_code VARCHAR(6) NULL,
    account_code VARCHAR(20) NOT NULL,
    net_minor BIGINT NOT NULL,
    vat_minor BIGINT NOT NULL,
    gross_minor BIGINT NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY purchase_invoice_lines_order (company_id, invoice_id, sort_order),
    CONSTRAINT purchase_invoice_lines_invoice FOREIGN KEY (company_id, invoice_id) REFERENCES purchase_invoices (company_id, id),
    CONSTRAINT purchase_invoice_lines_sum CHECK (net_minor + vat_minor = gross_minor)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
