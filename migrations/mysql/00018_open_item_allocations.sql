-- +goose Up
CREATE TABLE open_item_allocations (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    open_item_id BINARY(16) NOT NULL,
    -- What settles it: payment, credit_note, advance, reversal, settlement. Negative amounts reopen.
    source_type VARCHAR(32) NOT NULL,
    source_id BINARY(16) NOT NULL,
    amount_minor BIGINT NOT NULL,
    allocation_date DATE NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    KEY open_item_allocations_item (company_id, open_item_id),
    KEY open_item_allocations_source (company_id, source_id),
    CONSTRAINT open_item_allocations_item_exists FOREIGN KEY (company_id, open_item_id) REFERENCES open_items (company_id, id),
    CONSTRAINT open_item_allocations_amount CHECK (amount_minor <> 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
