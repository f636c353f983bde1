-- +goose Up
CREATE TABLE purchase_numbers (
    company_id BINARY(16) NOT NULL,
    -- The document that holds the number, from its draft on.
    id BINARY(16) NOT NULL,
    partner_id BINARY(16) NOT NULL,
    normalized_number VARCHAR(70) NOT NULL,
    -- Letters and digits alone, without leading zeros: what two numbers share that look alike.
    similar_key VARCHAR(70) NOT NULL,
    -- 0, or the next one for a document that an admin booked under a number already in use.
    sequence SMALLINT NOT NULL,
    duplicate_of_id BINARY(16) NULL,
    duplicate_reason VARCHAR(500) NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY purchase_numbers_number (company_id, partner_id, normalized_number, sequence),
    KEY purchase_numbers_similar (company_id, partner_id, similar_key),
    KEY purchase_numbers_duplicate (company_id, duplicate_of_id),
    CONSTRAINT purchase_numbers_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id),
    CONSTRAINT purchase_numbers_duplicate_exists FOREIGN KEY (company_id, duplicate_of_id) REFERENCES purchase_numbers (company_id, id),
    CONSTRAINT purchase_numbers_duplicate_named CHECK ((sequence = 0) = (duplicate_of_id IS NULL) AND (sequence = 0) = (duplicate_reason IS NULL))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
