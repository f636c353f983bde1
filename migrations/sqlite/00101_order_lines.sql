-- +goose Up
CREATE TABLE order_lines (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    order_id BLOB NOT NULL,
    sort_order INTEGER NOT NULL,
    description TEXT NOT NULL,
    quantity TEXT NOT NULL,
    unit_price TEXT NOT NULL,
    vat_rate TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT order_lines_order_exists FOREIGN KEY (company_id, order_id) REFERENCES orders (company_id, id)
) STRICT;

CREATE UNIQUE INDEX order_lines_order ON order_lines (company_id, order_id, sort_order);

-- +goose StatementBegin
CREATE TRIGGER order_lines_no_update BEFORE UPDATE ON order_lines
BEGIN
    SELECT RAISE(ABORT, 'order_lines is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER order_lines_no_delete BEFORE DELETE ON order_lines
BEGIN
    SELECT RAISE(ABORT, 'order_lines is append-only: a row is never deleted');
END;
-- +goose StatementEnd
