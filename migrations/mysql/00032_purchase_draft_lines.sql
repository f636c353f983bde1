-- +goose Up
CREATE TABLE purchase_draft_lines (
    company_id BINARY(16) NOT NULL,
    id BINARY(16) NOT NULL,
    draft_id BINARY(16) NOT NULL,
    sort_order SMALLINT NOT NULL,
    description VARCHAR(1000) NOT NULL,
    unit VARCHAR(20) NOT NULL,
    quantity DECIMAL(22,10) NOT NULL,
    unit_price DECIMAL(22,10) NOT NULL,
    price_includes_vat BOOLEAN NOT NULL,
    vat_rate DECIMAL(22,10) NOT NULL,
    vat_code VARCHAR(6) NULL,
    -- Whether the code was named by the caller; one that was not is chosen again when the draft changes.
    vat_code_named BOOLEAN NOT NULL,
    account_code VARCHAR(20) NULL,
    net_minor BIGINT NOT NULL,
    vat_minor BIGINT NOT NULL,
    gross_minor BIGINT NOT NULL,
    PRIMARY KEY (company_id, id),
    UNIQUE KEY purchase_draft_lines_order (company_id, draft_id, sort_order),
    CONSTRAINT purchase_draft_lines_draft FOREIGN KEY (company_id, draft_id) REFERENCES purchase_drafts (company_id, id) ON DELETE CASCADE,
    CONSTRAINT purchase_draft_lines_sum CHECK (net_minor + vat_minor = gross_minor)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
