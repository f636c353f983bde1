-- +goose Up
CREATE TABLE user_passwords (
    user_id BINARY(16) NOT NULL,
    -- Argon2id in the PHC string form, with salt and parameters.
    hash VARCHAR(255) NOT NULL,
    changed_at DATETIME(6) NOT NULL,
    PRIMARY KEY (user_id),
    CONSTRAINT user_passwords_user FOREIGN KEY (user_id) REFERENCES users (id)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
