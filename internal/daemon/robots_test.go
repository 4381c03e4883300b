package daemon

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/mailtest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// thinker is a robot that thinks until the test lets it answer.
type thinker struct {
	thinks  func()
	release <-chan struct{}
}

func (r thinker) Choose(_ func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	r.thinks()
	<-r.release
	return options[0]
}

// TestRobotsDelayNoLetters: while a robot thinks, letters of people are handled, however many matches
// wait for their robots. Each robot answers in the end.
func TestRobotsDelayNoLetters(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	thinking, release := make(chan struct{}), make(chan struct{})
	robot := thinker{sync.OnceFunc(func() { close(thinking) }), release}
	game := *dawn1989.Game()
	game.Robots = []rules.RobotMaker{{Name: "slow", IsSlow: true, New: func(uint64) rules.Robot { return robot }}}
	cfg := local(t)
	d, err := Open(ctx, cfg, rules.Games{&game}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	d.tickInterval = 5 * time.Millisecond
	ids, letters := invites(t, d, maxWorkers+2)
	withRobots := ids[1:]
	var joins [][]byte
	for i, id := range withRobots {
		m, err := d.DB.Match(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		m.Seats[1].Robot, m.Seats[1].Joined = "slow", true
		if err := d.DB.Apply(ctx, exchange.Change{Match: m}); err != nil {
			t.Fatal(err)
		}
		joins = append(joins, letters[2*(i+1)])
	}
	in, out := cfg.IMAP, cfg.SMTP.SMTPConfig
	server, err := StartEmbedded(ctx, cfg, &in, &out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	box := mailtest.Mailbox{Server: server.IMAPAddr(), User: in.User, Password: in.Password}
	if err := box.Deliver(joins...); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, in, out) }()
	until := func(what string, is func() bool) {
		t.Helper()
		for !is() {
			select {
			case <-ctx.Done():
				t.Fatal("never: " + what)
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	select {
	case <-thinking:
	case <-ctx.Done():
		t.Fatal("no robot thinks")
	}
	playing := func(ids []string, is func(*match.Match) bool) func() bool {
		return func() bool {
			for _, id := range ids {
				if m, err := d.DB.Match(ctx, id); err != nil || m.State != match.Playing || !is(m) {
					return false
				}
			}
			return true
		}
	}
	thinks := func(m *match.Match) bool { return m.BackgroundJob == match.RobotJob }
	until("all robots are to move", playing(withRobots, thinks))
	if err := box.Deliver(letters[:2]...); err != nil {
		t.Fatal(err)
	}
	until("people play while a robot thinks", playing(ids[:1], func(*match.Match) bool { return true }))
	close(release)
	until("all robots have answered", playing(withRobots, func(m *match.Match) bool { return !thinks(m) }))
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
