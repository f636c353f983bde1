package httpapi

import (
	"strconv"
	"sync"

	"github.com/labstack/echo/v4"
	"golang.org/x/time/rate"

	"github.com/vienkart/vienkart/internal/tenant"
)

// maxLimited bounds the companies remembered; past it the table starts anew, which at worst lets a burst through.
const maxLimited = 10_000

// limiter counts the requests of each company. Replays do not count (R36).
type limiter struct {
	perSecond rate.Limit
	burst     int
	mu        sync.Mutex
	companies map[tenant.ID]*rate.Limiter
}

func newLimiter(perSecond int) *limiter {
	return &limiter{
		perSecond: rate.Limit(perSecond), burst: perSecond * 2, companies: map[tenant.ID]*rate.Limiter{},
	}
}

// admit takes one request from the company's allowance. Error: rate_limited.
func (l *limiter) admit(c echo.Context, scope tenant.Scope) error {
	if l.perSecond == 0 {
		return nil
	}
	allowance := l.of(scope.Company().ID)
	admitted := allowance.Allow()
	h := c.Response().Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(l.burst))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(max(0, int(allowance.Tokens()))))
	if !admitted {
		return errLimited.New("The company may send %d requests a second; wait a moment and send it again.", l.burst/2)
	}
	return nil
}

func (l *limiter) of(company tenant.ID) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.companies) >= maxLimited {
		clear(l.companies)
	}
	allowance, ok := l.companies[company]
	if !ok {
		allowance = rate.NewLimiter(l.perSecond, l.burst)
		l.companies[company] = allowance
	}
	return allowance
}
