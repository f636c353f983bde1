-- +goose Up
CREATE TABLE outbox_events (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    event_type VARCHAR(64) NOT NULL,
    object_type VARCHAR(64) NOT NULL,
    object_id BINARY(16) NOT NULL,
    -- The bytes sent, fixed at commit.
    payload MEDIUMBLOB NOT NULL,
    created_at DATETIME(6) NOT NULL,
    -- When its deliveries were written, one per subscription that wants it.
    fanned_out_at DATETIME(6) NULL,
    PRIMARY KEY (company_id, id),
    KEY outbox_events_waiting (fanned_out_at, id),
    KEY outbox_events_object (company_id, object_id),
    CONSTRAINT outbox_events_company FOREIGN KEY (company_id) REFERENCES companies (id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
