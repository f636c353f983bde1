-- +goose Up
CREATE TABLE export_file_chunks (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    file_id BLOB NOT NULL,
    chunk_no INTEGER NOT NULL,
    -- At most a mebibyte, so that a packet stays small.
    content BLOB NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT export_file_chunks_file FOREIGN KEY (company_id, file_id) REFERENCES export_files (company_id, id)
) STRICT;

CREATE UNIQUE INDEX export_file_chunks_no ON export_file_chunks (company_id, file_id, chunk_no);

-- +goose StatementBegin
CREATE TRIGGER export_file_chunks_no_update BEFORE UPDATE ON export_file_chunks
BEGIN
    SELECT RAISE(ABORT, 'export_file_chunks is append-only: a row is never updated');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER export_file_chunks_no_delete BEFORE DELETE ON export_file_chunks
BEGIN
    SELECT RAISE(ABORT, 'export_file_chunks is append-only: a row is never deleted');
END;
-- +goose StatementEnd
