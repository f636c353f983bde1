package idempotency

import (
	"context"
	"fmt"

	"github.com/vienkart/vienkart/internal/tenant"
)

// ForgetRequests empties the payloads of refused requests that met an object, whose content must not be kept. That they were
// refused, by whom and why stays.
func ForgetRequests(ctx context.Context, tx tenant.Tx, objectID tenant.ID) error {
	empty := packRequest(Request{Method: "POST", Body: mustCanonicalize(`{}`)})
	_, err := tenant.Exec(ctx, tx, `UPDATE idempotency_rejections SET refused_request = ?, first_request = CASE WHEN first_request IS NULL THEN NULL ELSE ? END
		WHERE company_id = @company AND existing_id = ?`, empty, empty, objectID.String())
	if err != nil {
		return fmt.Errorf("emptying refused requests: %w", err)
	}
	return nil
}

func mustCanonicalize(body string) Canonical {
	c, err := Canonicalize([]byte(body), Limits{})
	if err != nil {
		panic(fmt.Sprintf("idempotency: %s does not parse: %v", body, err))
	}
	return c
}
