-- +goose Up
CREATE TABLE partner_redactions (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    partner_id BLOB NOT NULL,
    -- The last day on which the law asks for what documents say of the person, the day itself when none does.
    keep_until TEXT NOT NULL,
    requested_at TEXT NOT NULL,
    -- When the rows that only grow were redacted too.
    finished_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT partner_redactions_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id)
) STRICT;

CREATE UNIQUE INDEX partner_redactions_partner ON partner_redactions (company_id, partner_id);
CREATE INDEX partner_redactions_due ON partner_redactions (finished_at, keep_until);
