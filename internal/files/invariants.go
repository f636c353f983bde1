package files

import "github.com/vienkart/vienkart/internal/tenant"

// Invariants hold for every file whose content lies in the database.
var Invariants = []tenant.Invariant{
	{
		Name: "the content of a file is as long as the file says",
		Broken: `SELECT f.company_id, f.file_name AS subject FROM files f WHERE f.size_bytes <> CASE f.storage WHEN 'folder' THEN f.size_bytes
			ELSE (SELECT COALESCE(SUM(LENGTH(c.content)), 0) FROM file_chunks c WHERE c.company_id = f.company_id AND c.file_id = f.id) END`,
	},
}
