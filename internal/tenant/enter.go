package tenant

import "context"

// Enter gives the transaction as the calling user's role in another company of that user; the caller's own company is
// the transaction itself. The scopes of the token stay: they narrow the role there as they do here.
// Error: not_found, also for a company that exists and has no such member.
func Enter(ctx context.Context, tx Tx, company ID) (Tx, error) {
	h := tx.handle()
	if company == h.scope.s.company.ID {
		return tx, nil
	}
	companies, err := CompaniesOfUser(ctx, tx)
	if err != nil {
		return Tx{}, err
	}
	for _, c := range companies {
		if c.ID == company && c.Status != CompanyDeleted {
			inside := *h.scope.s
			inside.company, inside.role = c.Company, c.Role
			moved := *h
			moved.scope = Scope{&inside}
			return Tx{ReadTx{&moved}}, nil
		}
	}
	return Tx{}, NotFound("company", company)
}
