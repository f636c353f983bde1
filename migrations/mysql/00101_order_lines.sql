-- +goose Up
CREATE TABLE order_lines (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    order_id BINARY(16) NOT NULL,
    sort_order SMALLINT NOT NULL,
    description VARCHAR(1000) NOT NULL,
    quantity DECIMAL(22,10) NOT NULL,
    unit_price DECIMAL(22,10) NOT NULL,
    vat_rate DECIMAL(22,10) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY order_lines_order (company_id, order_id, sort_order),
    CONSTRAINT order_lines_order_exists FOREIGN KEY (company_id, order_id) REFERENCES orders (company_id, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
