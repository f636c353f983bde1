-- +goose Up
DROP INDEX open_items_open ON open_items;
