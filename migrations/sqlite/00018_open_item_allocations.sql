-- +goose Up
CREATE TABLE open_item_allocations (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    open_item_id BLOB NOT NULL,
    -- What settles it: payment, credit_note, advance, reversal, settlement. Negative amounts reopen.
    source_type TEXT NOT NULL,
    source_id BLOB NOT NULL,
    amount_minor INTEGER NOT NULL,
    allocation_date TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT open_item_allocations_item_exists FOREIGN KEY (company_id, open_item_id) REFERENCES open_items (company_id, id),
    CONSTRAINT open_item_allocations_amount CHECK (amount_minor <> 0)
) STRICT;

CREATE INDEX open_item_allocations_item ON open_item_allocations (company_id, open_item_id);
CREATE INDEX open_item_allocations_source ON open_item_allocations (company_id, source_id);

-- +goose StatementBegin
CREATE TRIGGER open_item_allocations_no_update BEFORE UPDATE ON open_item_allocations
BEGIN
    SELECT RAISE(ABORT, 'open_item_allocations is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER open_item_allocations_no_delete BEFORE DELETE ON open_item_allocations
BEGIN
    SELECT RAISE(ABORT, 'open_item_allocations is append-only: a row is never deleted');
END;
-- +goose StatementEnd
