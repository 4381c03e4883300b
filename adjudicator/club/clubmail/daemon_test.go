package clubmail_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// TestByMail: the daemon answers letters to the club, over real wires.
func TestByMail(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	people := []string{"ada", "ben"}
	cfg := config.Local(t.TempDir(), people)
	cfg.DatabaseLocation = pgtest.Where(t, cfg.DSN(), cfg.KeyFile(), storage.Open)
	cfg.Club.Registration = club.RegistrationOpen
	err := demo.WithPlayers(ctx, cfg, rules.Games{dawn1989.Game()}, people, func(d *daemon.Daemon, p *demo.Players) error {
		for _, name := range people {
			c := p.Clients[name]
			raw, err := message.Draft{From: c.Address, To: cfg.Address, Subject: "Hello", MessageID: name + "@samizdat.local", Date: time.Now(), Text: "REGISTER " + name}.Render()
			if err != nil {
				return err
			}
			if err := c.Send(cfg.Address, raw); err != nil {
				return err
			}
			if err := p.Read(ctx, name); err != nil {
				return err
			}
			for _, text := range []string{"YES", "WHO"} {
				if err := p.Send(name, text); err != nil {
					return err
				}
				if err := p.Read(ctx, name); err != nil {
					return err
				}
			}
		}
		if got := p.Clients["ben"].Last.Text; !strings.Contains(got, "MEMBERS: 2") || !strings.Contains(got, "ada") {
			t.Errorf("Ben reads:\n%s", got)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
