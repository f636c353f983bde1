-- +goose Up
CREATE TABLE audit_log (
    company_id BINARY(16) NOT NULL,
    id BIGINT NOT NULL,
    actor_type VARCHAR(8) NOT NULL,
    actor_id VARCHAR(255) NOT NULL,
    action VARCHAR(64) NOT NULL,
    entity VARCHAR(64) NOT NULL,
    entity_id VARCHAR(64) NULL,
    diff MEDIUMTEXT NULL,
    request_id VARCHAR(64) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    KEY audit_log_entity (company_id, entity, entity_id),
    CONSTRAINT audit_log_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT audit_log_actor CHECK (actor_type IN ('user', 'api_key', 'system'))
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
