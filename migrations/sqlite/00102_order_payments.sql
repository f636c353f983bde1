-- +goose Up
CREATE TABLE order_payments (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    order_id BLOB NOT NULL,
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    base_minor INTEGER NOT NULL,
    journal_transaction_id BLOB NOT NULL,
    paid_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT order_payments_order_exists FOREIGN KEY (company_id, order_id) REFERENCES orders (company_id, id),
    CONSTRAINT order_payments_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT order_payments_amount CHECK (amount_minor > 0 AND base_minor >= 0)
) STRICT;

CREATE UNIQUE INDEX order_payments_order ON order_payments (company_id, order_id);

-- +goose StatementBegin
CREATE TRIGGER order_payments_no_update BEFORE UPDATE ON order_payments
BEGIN
    SELECT RAISE(ABORT, 'order_payments is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER order_payments_no_delete BEFORE DELETE ON order_payments
BEGIN
    SELECT RAISE(ABORT, 'order_payments is append-only: a row is never deleted');
END;
-- +goose StatementEnd
