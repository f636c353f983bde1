-- +goose Up
-- What the books lack for the files of a completed job, as a list of texts in JSON.
ALTER TABLE export_jobs ADD COLUMN warnings MEDIUMTEXT NULL;
