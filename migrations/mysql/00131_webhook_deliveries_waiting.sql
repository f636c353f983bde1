-- +goose Up
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (status, next_attempt_at, company_id, subscription_id);
