-- +goose Up
CREATE TABLE audit_log (
    company_id BLOB NOT NULL,
    id INTEGER NOT NULL,
    actor_type TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    action TEXT NOT NULL,
    entity TEXT NOT NULL,
    entity_id TEXT NULL,
    diff TEXT NULL,
    request_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT audit_log_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT audit_log_actor CHECK (actor_type IN ('user', 'api_key', 'system'))
) STRICT;

CREATE INDEX audit_log_entity ON audit_log (company_id, entity, entity_id);

-- +goose StatementBegin
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'audit_log is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
BEGIN
    SELECT RAISE(ABORT, 'audit_log is append-only: a row is never deleted');
END;
-- +goose StatementEnd
