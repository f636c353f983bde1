-- +goose Up
CREATE TABLE outbox_events (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    event_type TEXT NOT NULL,
    object_type TEXT NOT NULL,
    object_id BLOB NOT NULL,
    -- The bytes sent, fixed at commit.
    payload BLOB NOT NULL,
    created_at TEXT NOT NULL,
    -- When its deliveries were written, one per subscription that wants it.
    fanned_out_at TEXT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT outbox_events_company FOREIGN KEY (company_id) REFERENCES companies (id)
) STRICT;

CREATE INDEX outbox_events_object ON outbox_events (company_id, object_id);

CREATE INDEX outbox_events_waiting ON outbox_events (fanned_out_at, id);
