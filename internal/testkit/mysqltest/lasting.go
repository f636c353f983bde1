package mysqltest

import "context"

// LastingDatabase makes a database that no test drops: one per test process serves all its tests, each in a company of
// its own. A private server takes it along when it ends.
func (s *Server) LastingDatabase(ctx context.Context) (Database, error) { return s.create(ctx) }
