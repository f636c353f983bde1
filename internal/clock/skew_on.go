//go:build faults

package clock

import (
	"os"
	"time"
)

// SkewVariable names the variable by which a test sets the clock of a server process wrong, such as -5h.
const SkewVariable = "VIENKART_FAULT_CLOCK"

// skew is how wrong the clock of this process is.
var skew = func() time.Duration {
	text := os.Getenv(SkewVariable)
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}()
