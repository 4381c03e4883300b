package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/storage"
)

// begun is the canonical JSON of a position of 1989 after the first deal.
func begun(t *testing.T) []byte {
	t.Helper()
	g := dawn1989.Game{}
	pos, err := g.Begin(rules.Setup{Seats: 2, Revision: g.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	data, err := pos.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestPrintMatches: what waits longest comes first, what is over last, and a match that
// cannot be read hides no other.
func TestPrintMatches(t *testing.T) {
	t.Parallel()
	at := func(day int) time.Time { return time.Date(1989, 6, day, 12, 0, 0, 0, time.UTC) }
	stalled := begun(t)
	ended := bytes.Replace(stalled, []byte(`"pending":[{"kind":"chance"}]`), []byte(`"pending":[],"result":{"winner":"communist","ending":"automatic victory"}`), 1)
	seats := []storage.ListedSeat{{Name: "democrat", Address: "ada@x.test"}, {Name: "communist", Address: "ben@x.test"}}
	invited := func(id string, day int) storage.Listed {
		return storage.Listed{ID: id, Game: "1989", State: adjudicator.Inviting, Since: at(day), Seats: seats}
	}
	var out strings.Builder
	err := printMatches(&out, []storage.Listed{
		invited("mnewer22", 5), invited("molder22", 3),
		{ID: "mstalled", Game: "1989", State: adjudicator.Playing, Since: at(6), Seats: seats, Position: stalled},
		{ID: "mbroken2", Game: "1989", State: adjudicator.Playing, Since: at(7), Seats: seats, Position: []byte("{")},
		{ID: "movrold2", Game: "1989", State: adjudicator.Over, Since: at(1), Seats: seats, Position: ended},
		{ID: "movrnew2", Game: "1989", State: adjudicator.Over, Since: at(2), Seats: seats, Position: ended},
		{ID: "munknown", Game: "1830", State: adjudicator.Playing, Since: at(8), Seats: seats},
	}, true, true)
	if err == nil || !strings.Contains(err.Error(), "match mbroken2: ") || !strings.Contains(err.Error(), "match munknown: no game is called") {
		t.Errorf("what cannot be read: %v", err)
	}
	const want = `MATCH     GAME  STATE     SINCE             TO MOVE              ASKED             RESULT                                ADDRESSES
mstalled  1989  running   1989-06-06 12:00  chance               -                 -                                     ADDR
mbroken2  1989  running   1989-06-07 12:00  ?                    -                 -                                     ADDR
munknown  1830  running   1989-06-08 12:00  ?                    -                 -                                     ADDR
molder22  1989  inviting  1989-06-03 12:00  democrat, communist  1989-06-03 12:00  -                                     ADDR
mnewer22  1989  inviting  1989-06-05 12:00  democrat, communist  1989-06-05 12:00  -                                     ADDR
movrnew2  1989  over      1989-06-02 12:00  -                    -                 won by communist (automatic victory)  ADDR
movrold2  1989  over      1989-06-01 12:00  -                    -                 won by communist (automatic victory)  ADDR
`
	const shown = "democrat=ada@x.test communist=ben@x.test\n"
	if got := strings.ReplaceAll(out.String(), shown, "ADDR\n"); got != want {
		t.Errorf("the list:\n%s\nwant:\n%s", got, want)
	}
	for all, want := range map[bool]string{false: "--all lists", true: "no match yet"} {
		out.Reset()
		if err := printMatches(&out, nil, all, false); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("no match: %q, %v", out.String(), err)
		}
	}
}

// TestResultWords: who has won, and how.
func TestResultWords(t *testing.T) {
	t.Parallel()
	seats := []storage.ListedSeat{{Name: "north"}, {Name: "east"}, {Name: "west"}}
	for want, r := range map[string]rules.Result{
		"won by east":                   {Winners: rules.Only(1)},
		"won by north, west (most sun)": {Winners: rules.Only(0) | rules.Only(2), Reason: "most sun"},
		"a draw (no rain)":              {Reason: "no rain"},
	} {
		if got := resultWords(r, seats); got != want {
			t.Errorf("%+v: %q, want %q", r, got, want)
		}
	}
}

// TestMatchesAndResendWhileServing: other processes list the matches and write to a
// player while the daemon serves. He gets the letter, and it can be answered.
func TestMatchesAndResendWhileServing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("the letters took too long"))
	defer cancel()
	dir := t.TempDir()
	seats := []string{"democrat", "communist"}
	cfg := config.Local(dir, seats)
	cfg.Letters.Pictures = false
	config := filepath.Join(dir, "samizdat.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "data: %s\naddress: %s\nletters: {pictures: false}\n", cfg.Data, cfg.Address), 0o600); err != nil {
		t.Fatal(err)
	}
	says := func(args ...string) string {
		t.Helper()
		out, err := program(ctx, append(args, "--config", config)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", args, err, out)
		}
		return string(out)
	}
	err := demo.WithPlayers(ctx, cfg, games, seats, func(d *daemon.Daemon, p *demo.Players) error {
		m, err := d.Adjudicator.New(ctx, adjudicator.Invitation{Game: "1989", Players: p.Addresses()})
		if err != nil {
			return err
		}
		if err := p.Join(ctx, ""); err != nil {
			return err
		}
		line := regexp.MustCompile(`(?m)^` + m.ID + ` +1989 +running +\S+ \S+ +(democrat|communist)( +\S+ \S+) +-$`)
		found := line.FindStringSubmatch(says("matches"))
		if found == nil || !strings.Contains(found[2], time.Now().UTC().Format("2006-")) {
			t.Fatalf("the list:\n%s", says("matches"))
		}
		mover := p.Clients[found[1]]
		had := mover.Last
		if out := says("resend", m.ID, found[1]); !strings.Contains(out, "goes to "+mover.Address) {
			t.Errorf("resend says %s", out)
		}
		l, err := mover.Next(ctx)
		if err != nil {
			return err
		}
		if l.MessageID == had.MessageID || !strings.Contains(l.Text, "It is your move.") || !strings.Contains(l.Text, "in case others to you were") {
			t.Errorf("the letter:\n%s", l.Text)
		}
		if err := p.Send(found[1], "STATUS"); err != nil {
			return err
		}
		if l, err = mover.Next(ctx); err == nil && !strings.Contains(l.Text, "STATUS: done") {
			t.Errorf("STATUS in reply to it is answered with\n%s", l.Text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
