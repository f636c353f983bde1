package contract

import (
	"fmt"
	"io"
	"strings"
)

// WriteTo writes the report for people: the count first, then every deviation, then what only we have.
func (r Report) WriteTo(w io.Writer) (int64, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%d of %d operations served, %d deviate\n", len(r.Served), r.Total, r.Deviating())
	for _, d := range r.Deviations {
		fmt.Fprintf(&out, "  %s\n", d)
	}
	if len(r.Extra) > 0 {
		fmt.Fprintf(&out, "%d operations that the contract lacks:\n", len(r.Extra))
	}
	for _, path := range r.Extra {
		fmt.Fprintf(&out, "  %s\n", path)
	}
	n, err := io.WriteString(w, out.String())
	if err != nil {
		return int64(n), fmt.Errorf("writing the report: %w", err)
	}
	return int64(n), nil
}
