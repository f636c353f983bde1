-- +goose Up
CREATE TABLE journal_transactions (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    transaction_date TEXT NOT NULL,
    description TEXT NULL,
    document_type TEXT NULL,
    document_id BLOB NULL,
    reverses_id BLOB NULL,
    posted_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT journal_transactions_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT journal_transactions_reverses FOREIGN KEY (company_id, reverses_id) REFERENCES journal_transactions (company_id, id),
    CONSTRAINT journal_transactions_document CHECK ((document_type IS NULL) = (document_id IS NULL))
) STRICT;

CREATE UNIQUE INDEX journal_transactions_reversal ON journal_transactions (company_id, reverses_id);
CREATE INDEX journal_transactions_date ON journal_transactions (company_id, transaction_date);
CREATE INDEX journal_transactions_document ON journal_transactions (company_id, document_id);

-- +goose StatementBegin
CREATE TRIGGER journal_transactions_no_update BEFORE UPDATE ON journal_transactions
BEGIN
    SELECT RAISE(ABORT, 'journal_transactions is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER journal_transactions_no_delete BEFORE DELETE ON journal_transactions
BEGIN
    SELECT RAISE(ABORT, 'journal_transactions is append-only: a row is never deleted');
END;
-- +goose StatementEnd
