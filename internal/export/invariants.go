package export

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every row this package stores.
var Invariants = []tenant.Invariant{
	{
		Name: "a completed export job has a file of each of its formats, and no other job has any",
		Broken: `SELECT j.company_id, HEX(j.id) AS subject FROM export_jobs j LEFT JOIN export_files f
			ON f.company_id = j.company_id AND f.job_id = j.id GROUP BY j.company_id, j.id, j.status, j.formats
			HAVING COUNT(f.id) <> CASE WHEN j.status = 'completed' THEN LENGTH(j.formats) - LENGTH(REPLACE(j.formats, ',', '')) + 1 ELSE 0 END`,
	},
	{
		Name: "the chunks of an export file come to its size",
		Broken: `SELECT f.company_id, HEX(f.id) AS subject FROM export_files f LEFT JOIN export_file_chunks c
			ON c.company_id = f.company_id AND c.file_id = f.content_id GROUP BY f.company_id, f.id, f.size_bytes
			HAVING COALESCE(SUM(LENGTH(c.content)), 0) <> f.size_bytes`,
	},
}
