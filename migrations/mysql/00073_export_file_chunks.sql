-- +goose Up
CREATE TABLE export_file_chunks (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    file_id BINARY(16) NOT NULL,
    chunk_no INT NOT NULL,
    -- At most a mebibyte, so that a packet stays small.
    content MEDIUMBLOB NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY export_file_chunks_no (company_id, file_id, chunk_no),
    CONSTRAINT export_file_chunks_file FOREIGN KEY (company_id, file_id) REFERENCES export_files (company_id, id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
