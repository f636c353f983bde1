-- +goose Up
CREATE TABLE bank_payment_orders (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    export_id BINARY(16) NOT NULL,
    open_item_id BINARY(16) NOT NULL,
    -- 1 for the first payment file that holds the document; a higher one was asked for expressly.
    attempt INTEGER NOT NULL,
    amount_minor BIGINT NOT NULL,
    creditor_iban VARCHAR(34) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY bank_payment_orders_attempt (company_id, open_item_id, attempt),
    KEY bank_payment_orders_export (company_id, export_id),
    CONSTRAINT bank_payment_orders_export_exists FOREIGN KEY (company_id, export_id) REFERENCES bank_payment_exports (company_id, id),
    CONSTRAINT bank_payment_orders_item FOREIGN KEY (company_id, open_item_id) REFERENCES open_items (company_id, id),
    CONSTRAINT bank_payment_orders_amount CHECK (attempt > 0 AND amount_minor > 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
