package submission

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every submission.
var Invariants = []tenant.Invariant{
	{
		Name: "a submission has as many rows as its file was made from",
		Broken: `SELECT s.company_id, s.file_name AS subject FROM vat_submissions s WHERE s.row_count <>
			(SELECT COUNT(*) FROM vat_submission_rows r WHERE r.company_id = s.company_id AND r.submission_id = s.id)`,
	},
	{
		Name: "the rows of a submission lie in its period",
		Broken: `SELECT s.company_id, v.document_number AS subject FROM vat_submissions s
			JOIN vat_submission_rows r ON r.company_id = s.company_id AND r.submission_id = s.id
			JOIN vat_register v ON v.company_id = r.company_id AND v.id = r.register_row_id
			WHERE v.register_date < s.period_from OR v.register_date > s.period_to`,
	},
	{
		Name: "the payments of a submission lie in its period",
		Broken: `SELECT s.company_id, s.file_name AS subject FROM vat_submissions s
			JOIN vat_submission_payments p ON p.company_id = s.company_id AND p.submission_id = s.id
			JOIN open_item_allocations a ON a.company_id = p.company_id AND a.id = p.allocation_id
			WHERE a.allocation_date < s.period_from OR a.allocation_date > s.period_to`,
	},
}
