package httpapi

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/vienkart/vienkart/internal/httpapi/contract"
)

// contractFile is the wire contract, in the folder beside the repository.
const contractFile = "../../../shared/contract/openapi.json"

// openContract reads the contract; without the folder a check under CI fails and any other is skipped.
func openContract(t *testing.T) *contract.Document {
	t.Helper()
	if _, err := os.Stat(contractFile); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("CI needs the contract: %s", err)
		}
		t.Skipf("NOT CHECKED: the wire contract is not beside the repository: %s", err)
	}
	d, err := contract.Open(contractFile)
	require.NoError(t, err)
	return d
}

func TestContract(t *testing.T) {
	t.Parallel()
	theirs := openContract(t)
	document, err := Document()
	require.NoError(t, err)
	ours, err := contract.Parse(document)
	require.NoError(t, err)
	report := contract.Compare(theirs, ours)
	for _, d := range report.Deviations {
		t.Error(d)
	}
	t.Logf("%d of %d operations served", len(report.Served), report.Total)
}

func TestRouteTable(t *testing.T) {
	t.Parallel()
	for _, o := range routes(Dependencies{}) {
		t.Run(o.Path, func(t *testing.T) {
			t.Parallel()
			require.Regexp(t, `^/v1(/[a-z0-9]+(-[a-z0-9]+)*){2,}$`, o.Path)
			require.NotEmpty(t, o.Summary)
			require.Empty(t, firstFault(reflect.Zero(o.Request).Interface()), "a tag of the request cannot be kept")
			require.Empty(t, firstFault(reflect.Zero(o.Response).Interface()), "a tag of the answer cannot be kept")
		})
	}
}

// firstFault is the first tag inside a struct that the validator cannot keep.
func firstFault(object any) string {
	found := map[reflect.Type]bool{}
	t := reflect.TypeOf(object)
	reach(t, found)
	if t.Kind() == reflect.Struct {
		found[t] = true
	}
	types := slices.SortedFunc(maps.Keys(found), func(a, b reflect.Type) int { return len(a.String()) - len(b.String()) })
	for _, inner := range types {
		for _, m := range membersOf(inner) {
			if m.fault != nil {
				return fmt.Sprint(m.fault)
			}
		}
	}
	return ""
}
