-- +goose Up
CREATE TABLE user_passwords (
    user_id BLOB NOT NULL,
    -- Argon2id in the PHC string form, with salt and parameters.
    hash TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (user_id),
    CONSTRAINT user_passwords_user FOREIGN KEY (user_id) REFERENCES users (id)
) STRICT;
