-- +goose Up
CREATE TABLE files (
    company_id BLOB NOT NULL,
    id BLOB NOT NULL,
    -- What the file belongs to: the sort of object and its id, as the API names them.
    entity TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    file_name TEXT NOT NULL,
    mime_type TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    sha256 BLOB NOT NULL,
    -- Where the content lies: in file_chunks, or in the folder of the server.
    storage TEXT NOT NULL,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (company_id, id),
    CONSTRAINT files_company FOREIGN KEY (company_id) REFERENCES companies (id),
    CONSTRAINT files_storage CHECK (storage IN ('database', 'folder')),
    CONSTRAINT files_size CHECK (size_bytes > 0)
) STRICT;

CREATE INDEX files_entity ON files (company_id, entity, entity_id);
