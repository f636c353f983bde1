-- +goose Up
CREATE TABLE bank_matches (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    transaction_id BLOB NOT NULL,
    document_type TEXT NOT NULL,
    document_id BLOB NOT NULL,
    -- What the transaction settled of the document; the rest of it was paid too much.
    settled_minor INTEGER NOT NULL,
    journal_transaction_id BLOB NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT bank_matches_transaction_exists FOREIGN KEY (company_id, transaction_id) REFERENCES bank_transactions (company_id, id),
    CONSTRAINT bank_matches_item FOREIGN KEY (company_id, document_id) REFERENCES open_items (company_id, document_id),
    CONSTRAINT bank_matches_journal FOREIGN KEY (company_id, journal_transaction_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT bank_matches_settled CHECK (settled_minor > 0)
) STRICT;

CREATE UNIQUE INDEX bank_matches_transaction ON bank_matches (company_id, transaction_id);
CREATE INDEX bank_matches_document ON bank_matches (company_id, document_id);
CREATE INDEX bank_matches_posted ON bank_matches (company_id, journal_transaction_id);

-- +goose StatementBegin
CREATE TRIGGER bank_matches_no_update BEFORE UPDATE ON bank_matches
BEGIN
    SELECT RAISE(ABORT, 'bank_matches is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bank_matches_no_delete BEFORE DELETE ON bank_matches
BEGIN
    SELECT RAISE(ABORT, 'bank_matches is append-only: a row is never deleted');
END;
-- +goose StatementEnd
