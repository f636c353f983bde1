-- +goose Up
CREATE TABLE partner_redactions (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    partner_id BINARY(16) NOT NULL,
    -- The last day on which the law asks for what documents say of the person, the day itself when none does.
    keep_until DATE NOT NULL,
    requested_at DATETIME(6) NOT NULL,
    -- When the rows that only grow were redacted too.
    finished_at DATETIME(6) NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY partner_redactions_partner (company_id, partner_id),
    KEY partner_redactions_due (finished_at, keep_until),
    CONSTRAINT partner_redactions_partner_exists FOREIGN KEY (company_id, partner_id) REFERENCES partners (company_id, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
