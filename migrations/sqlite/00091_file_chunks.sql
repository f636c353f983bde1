-- +goose Up
CREATE TABLE file_chunks (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    file_id BLOB NOT NULL,
    position INTEGER NOT NULL,
    -- At most 1 MiB: some engines bound the size of a row.
    content BLOB NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT file_chunks_file FOREIGN KEY (company_id, file_id) REFERENCES files (company_id, id)
) STRICT;

CREATE UNIQUE INDEX file_chunks_position ON file_chunks (company_id, file_id, position);
