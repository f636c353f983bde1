//go:build faults

package fault

import (
	"context"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Header asks for a fault: kill-before-commit, kill-after-commit, hold-before-commit=300ms.
const Header = "Vienkart-Fault"

// Variable arms the moments of work in the background, in the environment: kill-webhook-after-send:3 kills the process
// when it gets there for the third time.
const Variable = "VIENKART_FAULT"

type armedKey struct{}

// background is the wish of the environment.
var background = struct {
	action string
	nth    int64
	passed atomic.Int64
}{}

func init() {
	action, nth, _ := strings.Cut(os.Getenv(Variable), ":")
	background.action, background.nth = action, 1
	if nth == "" {
		return
	}
	var err error
	if background.nth, err = strconv.ParseInt(nth, 10, 64); err != nil {
		panic(err)
	}
}

// Arm keeps what a request asks for.
func Arm(ctx context.Context, header http.Header) context.Context {
	if wish := header.Get(Header); wish != "" {
		return context.WithValue(ctx, armedKey{}, wish)
	}
	return ctx
}

// Point kills this process as kill -9 does, or waits, when the request or the environment asked for it here.
func Point(ctx context.Context, m Moment) {
	if background.action == "kill-"+string(m) && background.passed.Add(1) == background.nth {
		die()
	}
	wish, _ := ctx.Value(armedKey{}).(string)
	action, value, _ := strings.Cut(wish, "=")
	switch action {
	case "kill-" + string(m):
		die()
	case "hold-" + string(m):
		d, err := time.ParseDuration(value)
		if err != nil {
			panic(err)
		}
		time.Sleep(d)
	}
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}
