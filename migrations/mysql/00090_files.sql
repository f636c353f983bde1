-- +goose Up
CREATE TABLE files (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    -- What the file belongs to: the sort of object and its id, as the API names them.
    entity VARCHAR(64) NOT NULL,
    entity_id VARCHAR(64) NOT NULL,
    file_name VARCHAR(255) NOT NULL,
    mime_type VARCHAR(100) NOT NULL,
    size_bytes BIGINT NOT NULL,
    sha256 BINARY(32) NOT NULL,
    -- Where the content lies: in file_chunks, or in the folder of the server.
    storage VARCHAR(8) NOT NULL,
    created_by VARCHAR(255) NOT NULL,
    created_at DATETIME(6) NOT NULL,
    PRIMARY KEY (company_id, id),
    KEY files_entity (company_id, entity, entity_id),
    CONSTRAINT files_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT files_storage CHECK (storage IN ('database', 'folder')),
    CONSTRAINT files_size CHECK (size_bytes > 0)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
