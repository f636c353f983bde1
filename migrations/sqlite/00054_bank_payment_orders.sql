-- +goose Up
CREATE TABLE bank_payment_orders (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    export_id BLOB NOT NULL,
    open_item_id BLOB NOT NULL,
    -- 1 for the first payment file that holds the document; a higher one was asked for expressly.
    attempt INTEGER NOT NULL,
    amount_minor INTEGER NOT NULL,
    creditor_iban TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT bank_payment_orders_export_exists FOREIGN KEY (company_id, export_id) REFERENCES bank_payment_exports (company_id, id),
    CONSTRAINT bank_payment_orders_item FOREIGN KEY (company_id, open_item_id) REFERENCES open_items (company_id, id),
    CONSTRAINT bank_payment_orders_amount CHECK (attempt > 0 AND amount_minor > 0)
) STRICT;

CREATE UNIQUE INDEX bank_payment_orders_attempt ON bank_payment_orders (company_id, open_item_id, attempt);
CREATE INDEX bank_payment_orders_export ON bank_payment_orders (company_id, export_id);

-- +goose StatementBegin
CREATE TRIGGER bank_payment_orders_no_update BEFORE UPDATE ON bank_payment_orders
BEGIN
    SELECT RAISE(ABORT, 'bank_payment_orders is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bank_payment_orders_no_delete BEFORE DELETE ON bank_payment_orders
BEGIN
    SELECT RAISE(ABORT, 'bank_payment_orders is append-only: a row is never deleted');
END;
-- +goose StatementEnd
