-- +goose Up
CREATE TABLE file_chunks (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    file_id BINARY(16) NOT NULL,
    position INTEGER NOT NULL,
    -- At most 1 MiB: some engines bound the size of a row.
    content MEDIUMBLOB NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY file_chunks_position (company_id, file_id, position),
    CONSTRAINT file_chunks_file FOREIGN KEY (company_id, file_id) REFERENCES files (company_id, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
