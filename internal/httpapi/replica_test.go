package httpapi

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/tenant"
)

// ofReplica are the operations that a replica may answer. A new one is decided here: it reads much, and nobody reads it to see
// whether what they just did is there.
var ofReplica = []string{
	"/v1/declarations/lt/fr0600/compute", "/v1/declarations/lt/isaf/generate", "/v1/declarations/lt/saft/generate",
	"/v1/declarations/vat/tie-out", "/v1/reports/cash-flow", "/v1/reports/debt-aging", "/v1/reports/eu-purchases",
	"/v1/reports/financial-statements", "/v1/reports/general-journal", "/v1/reports/gl-detail", "/v1/reports/monthly-summary",
	"/v1/reports/partner-balances", "/v1/reports/size-category", "/v1/reports/trial-balance", "/v1/reports/vat-detail",
	"/v1/reports/vat-summary",
}

func TestOperationsOfAReplica(t *testing.T) {
	t.Parallel()
	var found []string
	for _, o := range routes(Dependencies{}) {
		if !o.Report {
			continue
		}
		found = append(found, o.Path)
		require.False(t, o.Mutation || o.Personal || o.IsOpen(), "%s changes something", o.Path)
		require.NotNil(t, o.query, "%s could write", o.Path)
		require.NotEqual(t, reflect.TypeFor[tenant.ListQuery](), o.Request, "%s is a list, which a client reads after its own write", o.Path)
		for _, part := range []string{"/idempotency/", "/account/", "/audit/", "/jobs/", "/submissions/", "/get"} {
			require.NotContains(t, o.Path+"/", part, "the primary alone knows")
		}
		require.True(t, strings.HasPrefix(o.Path, "/v1/reports/") || strings.HasPrefix(o.Path, "/v1/declarations/"), o.Path)
	}
	slices.Sort(found)
	require.Equal(t, ofReplica, found)
}
