//go:build faults

package fault

import (
	"context"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"
)

// Header asks for a fault: kill-before-commit, kill-after-commit, hold-before-commit=300ms.
const Header = "Vienkart-Fault"

type armedKey struct{}

// Arm keeps what a request asks for.
func Arm(ctx context.Context, header http.Header) context.Context {
	if wish := header.Get(Header); wish != "" {
		return context.WithValue(ctx, armedKey{}, wish)
	}
	return ctx
}

// Point kills this process as kill -9 does, or waits, when the request asked for it here.
func Point(ctx context.Context, m Moment) {
	wish, _ := ctx.Value(armedKey{}).(string)
	action, value, _ := strings.Cut(wish, "=")
	switch action {
	case "kill-" + string(m):
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case "hold-" + string(m):
		d, err := time.ParseDuration(value)
		if err != nil {
			panic(err)
		}
		time.Sleep(d)
	}
}
