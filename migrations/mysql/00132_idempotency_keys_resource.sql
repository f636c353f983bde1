-- +goose Up
CREATE INDEX idempotency_keys_resource ON idempotency_keys (company_id, resource_id);
