package main

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
	"samizdat/storage"
)

// TestObserveByMail: somebody watches a match over the network, from the first letter
// to the referee to the last from him.
func TestObserveByMail(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("the letters took too long"))
	defer cancel()
	seats := []string{"democrat", "communist", "ann"}
	cfg := config.Local(t.TempDir(), seats)
	cfg.DatabaseLocation = pgtest.Where(t, cfg.DSN(), cfg.KeyFile(), storage.Open)
	err := demo.WithPlayers(ctx, cfg, games, seats, func(d *daemon.Daemon, p *demo.Players) error {
		p.Seats = seats[:2]
		m, err := d.Adjudicator.CreateMatch(ctx, adjudicator.Invitation{Game: "1989", Players: p.Addresses(), ObserverPolicy: match.ObserverPolicy{Allowed: true}})
		if err != nil {
			return err
		}
		ann := p.Clients["ann"]
		ann.Last = message.Letter{ReplyTo: []string{d.Config.Address}, Subject: "watching"}
		for _, step := range []struct{ send, want string }{
			{"OBSERVE " + m.ID, "to watch the match"},
			{"YES", "It has not begun."},
		} {
			if err := p.Send("ann", step.send); err != nil {
				return err
			}
			if l, err := ann.Next(ctx); err != nil || !strings.Contains(l.Text, step.want) {
				t.Errorf("%s: %v, answered with\n%s", step.send, err, l.Text)
			}
		}
		if err := p.Join(ctx, ""); err != nil {
			return err
		}
		l, err := ann.Next(ctx)
		if err != nil {
			return err
		}
		if !strings.Contains(l.Text, "Turn 1 of 10, set-up") || strings.Contains(l.Text, "YOUR HAND") {
			t.Errorf("the match begins with\n%s", l.Text)
		}
		if err := p.Send("ann", "UNOBSERVE"); err != nil {
			return err
		}
		if l, err = ann.Next(ctx); err == nil && !strings.Contains(l.Text, "stopped watching") {
			t.Errorf("UNOBSERVE is answered with\n%s", l.Text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
