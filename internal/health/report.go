package health

// State is how a check, or the whole server, stands.
type State string

// The states of a check. Degraded is for people to look at; only Failing takes the server out of service.
const (
	OK       State = "ok"
	Degraded State = "degraded"
	Failing  State = "failing"
)

// Check is one thing that was looked at.
type Check struct {
	Name  string `json:"name"`
	State State  `json:"status"`
	// Detail says what is wrong and where to read on; empty when nothing is.
	Detail string `json:"detail,omitzero"`
}

// Status is the whole server.
type Status string

// The statuses. A degraded server is ready.
const (
	Ready           Status = "ready"
	ReadyDegraded   Status = "degraded"
	Unavailable     Status = "unavailable"
	drainingCheck          = "shutdown"
	drainingMessage        = "the server is stopping; ask another one"
)

// Report is what was found.
type Report struct {
	Status Status  `json:"status"`
	Checks []Check `json:"checks"`
}

func reportOf(checks ...Check) Report {
	r := Report{Status: Ready, Checks: checks}
	for _, c := range checks {
		switch {
		case c.State == Failing:
			r.Status = Unavailable
		case c.State == Degraded && r.Status == Ready:
			r.Status = ReadyDegraded
		}
	}
	return r
}

// Serves reports whether requests may be sent here.
func (r Report) Serves() bool { return r.Status != Unavailable }
