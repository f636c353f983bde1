-- +goose Up
CREATE TABLE purchase_numbers (
    company_id BLOB NOT NULL,
    -- The document that holds the number, from its draft on.
    id BLOB NOT NULL,
    partner_id BLOB NOT NULL,
    normalized_number TEXT NOT NULL,
    -- Letters and digits alone, without leading zeros: what two numbers share that look alike.
    similar_key TEXT NOT NULL,
    -- 0, or the next one for a document that an admin booked under a number already in use.
    sequence INTEGER NOT NULL,
    duplicate_of_id BLOB NULL,
    duplicate_reason TEXT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT purchase_numbers_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT purchase_numbers_duplicate_exists FOREIGN KEY (company_id, duplicate_of_id) REFERENCES purchase_numbers (company_id, id),
    CONSTRAINT purchase_numbers_duplicate_named CHECK ((sequence = 0) = (duplicate_of_id IS NULL) AND (sequence = 0) = (duplicate_reason IS NULL))
) STRICT;

CREATE UNIQUE INDEX purchase_numbers_number ON purchase_numbers (company_id, partner_id, normalized_number, sequence);
CREATE INDEX purchase_numbers_similar ON purchase_numbers (company_id, partner_id, similar_key);
CREATE INDEX purchase_numbers_duplicate ON purchase_numbers (company_id, duplicate_of_id);
