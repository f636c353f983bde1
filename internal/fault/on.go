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

// Header asks for a fault at a moment or before a statement of the request, counted from 1: kill-before-commit,
// freeze-before-commit, hold-before-commit=300ms, kill-statement=7.
const Header = "Vienkart-Fault"

// Variable arms the moments of work in the background, in the environment: kill-webhook-after-send:3 kills the process
// when it gets there for the third time.
const Variable = "VIENKART_FAULT"

type armedKey struct{}

// armed is what a request asks for, and how many statements it has come to.
type armed struct {
	action, value string
	statements    atomic.Int64
}

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
	wish := header.Get(Header)
	if wish == "" {
		return ctx
	}
	a := &armed{}
	a.action, a.value, _ = strings.Cut(wish, "=")
	return context.WithValue(ctx, armedKey{}, a)
}

// Point kills this process as kill -9 does, freezes it as kill -STOP does, or waits, when the request or the environment
// asked for it here.
func Point(ctx context.Context, m Moment) {
	if background.action == "kill-"+string(m) && background.passed.Add(1) == background.nth {
		signal(syscall.SIGKILL)
	}
	a, ok := ctx.Value(armedKey{}).(*armed)
	if !ok {
		return
	}
	switch a.action {
	case "kill-" + string(m):
		signal(syscall.SIGKILL)
	case "freeze-" + string(m):
		signal(syscall.SIGSTOP)
	case "hold-" + string(m):
		d, err := time.ParseDuration(a.value)
		if err != nil {
			panic(err)
		}
		time.Sleep(d)
	}
}

// Statement is called before each statement of a request goes to the database, and once more after a commit. It kills the
// process at the one whose number the request named.
func Statement(ctx context.Context) {
	a, ok := ctx.Value(armedKey{}).(*armed)
	if !ok || a.action != "kill-statement" {
		return
	}
	nth, err := strconv.ParseInt(a.value, 10, 64)
	if err != nil {
		panic(err)
	}
	if a.statements.Add(1) == nth {
		signal(syscall.SIGKILL)
	}
}

// signal sends this process a signal that it cannot catch, and waits for it: it may reach the other threads first.
func signal(s syscall.Signal) {
	_ = syscall.Kill(os.Getpid(), s)
	if s == syscall.SIGKILL {
		select {}
	}
	time.Sleep(100 * time.Millisecond)
}
