//go:build !faults

package fault

import (
	"context"
	"net/http"
)

// Point does nothing in a release build.
func Point(context.Context, Moment) {}

// Arm does nothing in a release build.
func Arm(ctx context.Context, _ http.Header) context.Context { return ctx }
