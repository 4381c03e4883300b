package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/demo"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/storage"
)

// councilMatch is a match of The Council through the daemon: whatever is said goes by mail.
type councilMatch struct {
	*demo.Players
	t     *testing.T
	d     *daemon.Daemon
	id    string
	seats []string
}

// say lets seats write one after the other. Each is answered, and the last letter tells
// all.
func (m *councilMatch) say(ctx context.Context, text string, seats ...string) {
	m.t.Helper()
	for i, s := range seats {
		if err := m.Send(s, text); err != nil {
			m.t.Fatal(err)
		}
		readers := []string{s}
		if i == len(seats)-1 {
			readers = m.seats
		}
		if err := m.Read(ctx, readers...); err != nil {
			m.t.Fatalf("%s wrote %s: %v", s, text, err)
		}
	}
}

// silent lets the time of a seat be over.
func (m *councilMatch) silent(ctx context.Context, seat string) {
	m.t.Helper()
	stored, err := m.d.DB.Match(ctx, m.id)
	if err != nil {
		m.t.Fatal(err)
	}
	pos, err := council.Game().Decode(stored.Position)
	if err != nil {
		m.t.Fatal(err)
	}
	owed := pos.OpenDecisions(nil)
	i := slices.IndexFunc(owed, func(d rules.Decision) bool { return m.seats[d.Seat] == seat })
	if err := m.d.Adjudicator.AnswerBySilence(ctx, m.id, owed[i].ID); err != nil {
		m.t.Fatal(err)
	}
}

func (m *councilMatch) last(seat string) message.Letter { return m.Clients[seat].Last }

// TestCouncilByMail plays a council of five from the invitations to the record: one
// seat lets its time pass twice, another player takes its place, and nobody wins.
func TestCouncilByMail(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	seats := council.Game().SeatNames(rules.Setup{Seats: 5})
	people := append(slices.Clone(seats), "newcomer")
	cfg := config.Local(t.TempDir(), people)
	cfg.DatabaseLocation = pgtest.Where(t, cfg.DSN(), cfg.KeyFile(), storage.Open)
	err := demo.WithPlayers(ctx, cfg, rules.Games{council.Game()}, people, func(d *daemon.Daemon, p *demo.Players) error {
		invited, err := d.Adjudicator.CreateMatch(ctx, adjudicator.Invitation{Game: "council", Players: p.Addresses()[:5]})
		if err != nil {
			return err
		}
		p.Seats = seats
		m := &councilMatch{Players: p, t: t, d: d, id: invited.ID, seats: seats}
		if err := m.Join(ctx, "some words"); err != nil {
			return err
		}
		m.silent(ctx, "smith")
		m.say(ctx, "NAME Miller", "miller", "baker", "weaver", "tanner")
		if text := m.last("baker").Text; !strings.Contains(text, "The Smith did not answer in time, so this order was drawn at random") {
			t.Errorf("the lot is not told:\n%s", text)
		}
		m.silent(ctx, "smith")
		m.say(ctx, "VOTE YES", "miller", "baker", "weaver", "tanner")
		if text := m.last("baker").Text; !strings.Contains(text, "The ballots are counted:") || strings.Contains(text, "in time") {
			t.Errorf("the count:\n%s", text)
		}
		if err := m.replaceSmith(ctx); err != nil {
			return err
		}
		m.say(ctx, "HOLD", m.seats...)
		m.say(ctx, "FINE Baker", "miller")
		m.say(ctx, "VOTE NO", m.seats...)
		m.say(ctx, "HOLD", m.seats...)
		m.say(ctx, "FINE Weaver", "baker")
		for _, s := range m.seats {
			if l := m.last(s); !strings.HasPrefix(l.Subject, "Nobody wins: ") || !strings.Contains(strings.Join(strings.Fields(l.Text), " "), "no player's aim") {
				t.Errorf("the last letter of %s: %s\n%s", s, l.Subject, l.Text)
			}
		}
		return m.verify(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// replaceSmith puts somebody else into a seat, and lets the player before try to go on.
func (m *councilMatch) replaceSmith(ctx context.Context) error {
	if err := m.d.Adjudicator.Replace(ctx, m.id, 2, m.Clients["newcomer"].Address); err != nil {
		return err
	}
	m.seats = slices.Clone(m.seats)
	before := m.last("smith")
	m.seats[2] = "newcomer"
	if err := m.Read(ctx, append([]string{"smith"}, m.seats...)...); err != nil {
		return err
	}
	if text := m.last("newcomer").Text; !strings.Contains(text, "You have taken over the seat of the Smith") || !strings.Contains(text, "YOUR AIM") {
		m.t.Errorf("the first letter of the newcomer:\n%s", text)
	}
	m.Clients["smith"].Last = before
	return m.Send("smith", "CALL")
}

// verify checks the record.
func (m *councilMatch) verify(ctx context.Context) error {
	rec, err := m.d.Adjudicator.Export(ctx, m.id, false)
	if err != nil {
		return err
	}
	var b strings.Builder
	if err := rec.Write(&b); err != nil {
		return err
	}
	if rec, err = record.Read(strings.NewReader(b.String())); err != nil {
		return err
	}
	if _, err := record.Replay(rec, council.Game(), nil); err != nil {
		return err
	}
	if err := record.VerifyChain(rec); err != nil {
		return err
	}
	for _, bad := range []string{"VOTE", "CALL", "@"} {
		if strings.Contains(b.String(), bad) {
			m.t.Errorf("the record has %s:\n%s", bad, b.String())
		}
	}
	for _, want := range []string{`"player":"player 6"`, `"silence":"lot"`, `"tally":`} {
		if !strings.Contains(b.String(), want) {
			m.t.Errorf("the record lacks %s:\n%s", want, b.String())
		}
	}
	return record.VerifyStream(rec)
}
