package daemon

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// diary notes what hearing finds out.
type diary struct {
	last  time.Time
	noted []string
	from  time.Time
}

func (d *diary) LastLook(context.Context) (time.Time, error) { return d.last, nil }

func (d *diary) Looked(_ context.Context, at time.Time) error { d.last = at; return nil }

func (d *diary) SetBack(context.Context, time.Time) error { return nil }

func (d *diary) WasDeaf(_ context.Context, since, until time.Time) error {
	d.noted = append(d.noted, fmt.Sprint(since.Sub(d.from), "-", until.Sub(d.from)))
	return nil
}

// TestHearing: we are deaf from the last look before an outage until the first one after it,
// and that is known before a letter is handled that came meanwhile. It outlives a restart.
func TestHearing(t *testing.T) {
	t.Parallel()
	begin := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return begin.Add(time.Duration(minutes) * time.Minute) }
	d := &diary{from: begin}
	h := &hearing{looks: d}
	check := func(what, want string) {
		t.Helper()
		if got := strings.Join(d.noted, " "); got != want {
			t.Errorf("%s: deaf in %q, want %q", what, got, want)
		}
		d.noted = nil
	}
	looks := func(now, looked int) {
		t.Helper()
		if err := h.listens(t.Context(), at(now), at(looked)); err != nil {
			t.Fatal(err)
		}
	}
	looks(0, 0)
	looks(4, 4)
	looks(8, 8)
	check("looks each four minutes", "")
	looks(40, 8)
	check("no look in an outage", "")
	if err := h.takesUp(t.Context(), at(41)); err != nil {
		t.Fatal(err)
	}
	check("a letter after an outage", "8m0s-41m0s")
	looks(42, 41)
	check("a look after an outage", "8m0s-41m0s")
	if !h.hears(at(42)) || h.hears(at(44)) {
		t.Error("somebody has to look each two minutes")
	}
	h = &hearing{looks: d}
	looks(100, 99)
	check("after a restart", "41m0s-1h39m0s")
	looks(10, 10) // the clock was set back
	looks(12, 12)
	check("a clock that was set back", "")
	looks(10_000, 10_000)
	check("a clock that jumps ahead", "12m0s-166h40m0s")
}
