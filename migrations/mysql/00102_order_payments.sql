-- +goose Up
CREATE TABLE order_payments (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    order_id BINARY(16) NOT NULL,
    currency CHAR(3) NOT NULL,
    amount_minor BIGINT NOT NULL,
    base_minor BIGINT NOT NULL,
    journal_transaction_id BINARY(16) NOT NULL,
    paid_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY order_payments_order (company_id, order_id),
    CONSTRAINT order_payments_order_exists FOREIGN KEY (company_id, order_id) REFERENCES orders (company_id, id),
    CONSTRAINT order_payments_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT order_payments_amount CHECK (amount_minor > 0 AND base_minor >= 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
