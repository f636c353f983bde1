// Package migrations holds the schema: numbered files per dialect, forward only, embedded in the binary.
//
// Owns: the schema and the list of tables whose rows are never changed.
//
// Does not own: running them (package database).
//
// Invariants: both dialects have the same numbers and the same tables; a MySQL file holds one DDL statement, since each
// commits by itself.
package migrations

import "embed"

// Files has the folders mysql and sqlite.
//
//go:embed mysql/*.sql sqlite/*.sql
var Files embed.FS

// AppendOnly are the tables whose rows are never updated or deleted: on MySQL the serving user lacks the privilege, on
// SQLite triggers refuse it.
var AppendOnly = []string{
	"audit_log",
	"journal_transactions",
	"journal_entries",
	"open_item_allocations",
	"vat_register",
	"sales_invoices",
	"sales_invoice_lines",
	"sales_advance_applications",
	"sales_cancellations",
	"purchase_invoices",
	"purchase_invoice_lines",
	"asset_modernizations",
	"asset_depreciation_runs",
	"asset_depreciations",
	"asset_disposals",
	"export_files",
	"export_file_chunks",
	"bank_transactions",
	"bank_matches",
	"bank_payment_exports",
	"bank_payment_orders",
	"settlement_postings",
	"order_lines",
	"order_payments",
	"vat_submission_rows",
	"vat_submission_payments",
}
