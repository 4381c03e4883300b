package daemon

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/config"
	"samizdat/mail/message"
	"samizdat/rules"
)

// TestArchiver: matches that are over are archived when their letters have gone out, and the
// letters that came in go when they have been kept for long enough. Those that run stay.
func TestArchiver(t *testing.T) {
	t.Parallel()
	cfg := local(t)
	cfg.Letters = conversation.LetterOptions{}
	var log bytes.Buffer
	d, _ := otherDaemon(t, cfg, "", &log)
	ids := begun(t, d, 3)
	over := ids[:2]
	for _, id := range over {
		if _, err := d.Adjudicator.Receive(t.Context(), letterTo(id, 0, "ada@x.test", "RESIGN "+id)); err != nil {
			t.Fatal(err)
		}
	}
	a := &archiver{db: d.DB, keepDuration: 30 * 24 * time.Hour, log: slog.New(slog.NewTextHandler(&log, nil))}
	now := time.Now()
	pass := func(at time.Time, unarchived int) {
		t.Helper()
		if err := a.archiveAll(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		if n, err := d.DB.Upkeep.CountUnarchived(t.Context()); err != nil || n != unarchived {
			t.Errorf("%d matches are not archived, want %d, %v", n, unarchived, err)
		}
	}
	pass(now, 2)
	box := d.DB.Outbox("")
	due, err := box.Due(t.Context(), now.Add(time.Hour), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range due {
		if err := box.MarkSent(t.Context(), []int64{l.ID}, now); err != nil {
			t.Fatal(err)
		}
	}
	pass(now, 0)
	if !strings.Contains(log.String(), "archived=2") {
		t.Errorf("the log:\n%s", log.String())
	}
	if !knowsFirst(t, d, over[0]) {
		t.Error("letters are gone at once")
	}
	pass(now.Add(29*24*time.Hour), 0)
	if !knowsFirst(t, d, over[0]) {
		t.Error("letters are gone too early")
	}
	pass(now.Add(31*24*time.Hour), 0)
	if knowsFirst(t, d, over[0]) || knowsFirst(t, d, over[1]) || !knowsFirst(t, d, ids[2]) {
		t.Error("other letters are gone than those of the matches that are over")
	}
}

// knowsFirst reports whether the letter with which the first player has joined changes nothing
// when it comes once more.
func knowsFirst(t *testing.T, d *Daemon, id string) bool {
	t.Helper()
	m, err := d.DB.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	was := m.Version
	if _, err := d.Adjudicator.Receive(t.Context(), letterTo(id, 0, "ada@x.test", "JOIN")); err != nil {
		t.Fatal(err)
	}
	if m, err = d.DB.Match(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	return m.Version == was
}

// begun begins some matches, and returns their names in order.
func begun(t *testing.T, d *Daemon, n int) []string {
	t.Helper()
	var ids []string
	for range n {
		players := []string{"ada@x.test", "ben@x.test"}
		m, err := d.Adjudicator.CreateMatch(t.Context(), adjudicator.Invitation{Game: games[0].Name(), Players: players})
		if err != nil {
			t.Fatal(err)
		}
		for i, from := range players {
			if _, err := d.Adjudicator.Receive(t.Context(), letterTo(m.ID, i, from, "JOIN")); err != nil {
				t.Fatal(err)
			}
		}
		ids = append(ids, m.ID)
	}
	slices.Sort(ids)
	return ids
}

// letterTo is a letter of a seat that answers the first to it.
func letterTo(match string, seat int, from, orders string) exchange.Letter {
	return exchange.Letter{
		Sender:      exchange.Sender{From: from, SignedBy: func([]byte) bool { return true }, Token: &exchange.Token{Match: match, Seat: rules.Seat(seat), Number: 1}},
		Header:      exchange.Header{MessageID: match + from + orders},
		DecodedText: exchange.DecodedText{Text: orders},
	}
}

// spoiled is a store in which the positions of some matches are not what their histories lead
// to, and others cannot be read.
type spoiled struct {
	exchange.Store
	other  []string
	broken string
}

func (s *spoiled) Match(ctx context.Context, id string) (*match.Match, error) {
	m, err := s.Store.Match(ctx, id)
	switch {
	case err != nil:
	case id == s.broken:
		return nil, errors.New("the disk is on fire")
	case slices.Contains(s.other, id):
		m.Position = bytes.Replace(m.Position, []byte(`"vp":0`), []byte(`"vp":1`), 1)
	}
	return m, err
}

// otherDaemon opens the database with another build.
func otherDaemon(t *testing.T, cfg config.Config, build string, log *bytes.Buffer) (*Daemon, *spoiled) {
	t.Helper()
	d, err := Open(t.Context(), cfg, games, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() }) // nothing is written any more
	s := &spoiled{Store: d.DB}
	d.Adjudicator.Store, d.Adjudicator.Build = s, build
	return d, s
}

// buildsOf are the builds that have stored the matches.
func buildsOf(t *testing.T, d *Daemon, ids []string) (out []string) {
	t.Helper()
	for _, id := range ids {
		m, err := d.DB.Match(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m.Build)
	}
	return out
}

// TestRebuild: another build plays all running matches again. Those that come out otherwise
// are stopped, and the operator gets one letter that names them and tells nothing hidden.
// What could not be read is tried again. The build after that takes all of them up.
func TestRebuild(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	cfg := local(t)
	cfg.Operator = "op@x.test"
	d, _ := otherDaemon(t, cfg, "one", &log)
	ids := begun(t, d, 5)

	d, s := otherDaemon(t, cfg, "two", &log)
	s.other, s.broken = ids[1:3], ids[3]
	woken := 0
	if n := d.CountMatchesToRebuild(t.Context()); n != 5 {
		t.Errorf("%d matches are to be played again", n)
	}
	if err := d.newRebuilder(func() { woken++ }).rebuildAll(t.Context()); err == nil || !strings.Contains(err.Error(), "on fire") {
		t.Errorf("a match that cannot be read: %v", err)
	}
	if got := buildsOf(t, d, ids); !slices.Equal(got, []string{"two", "one", "one", "one", "two"}) {
		t.Errorf("after a pass: %q", got)
	}
	s.broken = ""
	for range 2 {
		if err := d.newRebuilder(func() { woken++ }).rebuildAll(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if got := buildsOf(t, d, ids); !slices.Equal(got, []string{"two", "one", "one", "two", "two"}) || woken != 1 {
		t.Errorf("after all: %q, sender woken %d times", got, woken)
	}
	var told []message.Letter
	for _, l := range noticesOf(t, d) {
		if l.Subject == "Matches are stopped" {
			told = append(told, l)
		}
	}
	if len(told) != 1 || !strings.Contains(told[0].Text, ids[1]) || !strings.Contains(told[0].Text, ids[2]) || strings.Contains(told[0].Text, ids[0]) {
		t.Errorf("the letters to the operator: %v", told)
	}
	if stats, err := d.DB.Operator.Stats(t.Context()); err != nil || stats.Stopped != 2 {
		t.Errorf("stopped: %+v, %v", stats, err)
	}

	d, _ = otherDaemon(t, cfg, "three", &log)
	if err := d.newRebuilder(nil).rebuildAll(t.Context()); err != nil {
		t.Error(err)
	}
	if stats, err := d.DB.Operator.Stats(t.Context()); err != nil || stats.Stopped != 0 || slices.Contains(buildsOf(t, d, ids), "one") {
		t.Errorf("under a build that is right: %+v, %v", stats, err)
	}
}

// TestStoppedMail: a letter to a match that is stopped stays where it is, whether it comes
// before the match was played again or after, and moves nothing. Letters to others go on.
func TestStoppedMail(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	cfg := local(t)
	d, _ := otherDaemon(t, cfg, "one", &log)
	ids := begun(t, d, 2)
	d, s := otherDaemon(t, cfg, "two", &log)
	s.other = ids[:1]
	waits := func(when string) {
		t.Helper()
		_, err := d.Adjudicator.Receive(t.Context(), letterTo(ids[0], 0, "ada@x.test", "STATUS"))
		if differs := (*adjudicator.DivergenceError)(nil); !errors.As(err, &differs) || !differs.InPlay {
			t.Errorf("%s: %v", when, err)
		}
		if _, err := d.Adjudicator.Receive(t.Context(), letterTo(ids[1], 0, "ada@x.test", "STATUS "+when)); err != nil {
			t.Errorf("another match %s: %v", when, err)
		}
	}
	waits("before")
	if err := d.newRebuilder(nil).rebuildAll(t.Context()); err != nil {
		t.Error(err)
	}
	s.other = nil // It is not played again with each letter.
	waits("after")
}
