package adjudicator_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/rules"
)

var orchards = []string{"north", "east", "west"}

// playOn answers every open question of a match by mail until it is over, with
// the first legal answer each. It returns how many letters that took.
func playOn(t *testing.T, c *club, id string, between func()) int {
	t.Helper()
	g := rulestest.Game()
	letters := 0
	for range 400 {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, over := pos.Result(); over {
			return letters
		}
		owed := pos.OpenDecisions(nil)
		if len(owed) == 0 {
			t.Fatalf("nobody is asked anything: %s", c.position(id))
		}
		// The last that owes, so that sealed answers come in any order.
		d := owed[len(owed)-1]
		line := g.FormatOrder(rulestest.Pick(pos, d, func(n int) int { return 0 }))
		answer := c.sends(orchards[d.Seat], line)
		if strings.Contains(answer.Text, ": refused") {
			t.Fatalf("%s to decision %d was refused:\n%s", line, d.ID, answer.Text)
		}
		narrow(t, answer.Text)
		letters++
		if d.Sealed {
			sealedStays(t, c, id, d)
			return letters + sealedRest(t, c, id)
		}
		between()
	}
	t.Fatal("the match does not end")
	return 0
}

// sealedStays: one sealed answer changes nothing that others could see.
func sealedStays(t *testing.T, c *club, id string, d rules.Decision) {
	t.Helper()
	pos, err := rulestest.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for _, o := range pos.OpenDecisions(nil) {
		open = open || o.ID == d.ID
	}
	if !open {
		t.Errorf("decision %d closed before all sealed answers are in", d.ID)
	}
}

// sealedRest answers what is left when the ballots are out: private questions,
// then a changed mind, then the other ballots.
func sealedRest(t *testing.T, c *club, id string) int {
	t.Helper()
	g := rulestest.Game()
	letters := 0
	voted := map[rules.Seat]bool{}
	for range 20 {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, over := pos.Result(); over {
			return letters
		}
		for _, d := range pos.OpenDecisions(nil) {
			if voted[d.Seat] && d.Sealed {
				continue
			}
			voted[d.Seat] = voted[d.Seat] || d.Sealed
			line := g.FormatOrder(rulestest.Pick(pos, d, func(n int) int { return 0 }))
			if l := c.sends(orchards[d.Seat], line); strings.Contains(l.Text, ": refused") {
				t.Fatalf("%s to decision %d was refused:\n%s", line, d.ID, l.Text)
			}
			letters++
			break
		}
	}
	t.Fatal("the ballots do not close")
	return 0
}

// TestMatch plays a whole match of three by mail, and checks its record.
func TestMatch(t *testing.T) {
	t.Parallel()
	c, id := begun(t, rulestest.Game(), orchards...)
	playOn(t, c, id, func() {})
	rec, err := record.Read(bytes.NewReader(c.export(id, false)))
	if err != nil {
		t.Fatal(err)
	}
	if rec.Header.Secret == "" {
		t.Error("the match is over and its record has no secret")
	}
	if _, err := record.Replay(rec, rulestest.Game(), nil); err != nil {
		t.Errorf("replay: %v", err)
	}
	if err := record.VerifyChain(rec); err != nil {
		t.Errorf("chain: %v", err)
	}
	if err := record.VerifyStream(rec); err != nil {
		t.Errorf("stream: %v", err)
	}
	for _, s := range orchards {
		if l := c.last(s); !strings.Contains(l.Text, "The match is over") {
			t.Errorf("the last letter of %s does not say that the match is over:\n%s", s, l.Text)
		}
	}
}

// TestRestart restarts the daemon after every letter: the record is the same.
func TestRestart(t *testing.T) {
	t.Parallel()
	plain, restarted := newClub(t, rulestest.Game()), newClub(t, rulestest.Game())
	a, b := plain.match("orchards", nil, orchards...), restarted.match("orchards", nil, orchards...)
	playOn(t, plain, a, func() {})
	playOn(t, restarted, b, restarted.reopen)
	if x, y := plain.export(a, true), restarted.export(b, true); !bytes.Equal(x, y) {
		t.Errorf("the records differ\n%s\n%s", x, y)
	}
}

// TestPublicRecord: before the end, an export holds nothing hidden.
func TestPublicRecord(t *testing.T) {
	t.Parallel()
	c, id := begun(t, rulestest.Game(), orchards...)
	rec, err := record.Read(bytes.NewReader(c.export(id, false)))
	if err != nil {
		t.Fatal(err)
	}
	if rec.Header.Secret != "" {
		t.Error("the secret is out before the end")
	}
	for _, entry := range rec.Entries() {
		for _, o := range entry.Chance {
			if o.Hidden && (o.Draw != nil || o.I != nil) {
				t.Errorf("entry %d shows a hidden draw: %+v", entry.Seq, o)
			}
		}
		if entry.State != "" {
			t.Errorf("entry %d shows the state's hash", entry.Seq)
		}
	}
	if err := record.VerifyChain(rec); err != nil {
		t.Errorf("chain of the public record: %v", err)
	}
}

// TestTwice: a letter delivered twice changes nothing the second time, and is
// not answered again.
func TestTwice(t *testing.T) {
	t.Parallel()
	c, id := begun(t, rulestest.Game(), orchards...)
	pos, err := rulestest.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	d := pos.OpenDecisions(nil)[0]
	m := c.letter(orchards[d.Seat], rulestest.Game().FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 })))
	c.receive(m)
	before, letters := c.export(id, true), len(c.mailbox[m.From])
	c.reopen()
	if f := c.receive(m); f != mail.Done {
		t.Errorf("the second delivery is filed in %s", f)
	}
	if after := c.export(id, true); !bytes.Equal(before, after) {
		t.Errorf("the second delivery changed the match:\n%s\n%s", before, after)
	}
	if n := len(c.mailbox[m.From]) - letters; n != 0 {
		t.Errorf("the second delivery got %d answers", n)
	}
}

// failing is a store whose transactions fail, before or after they commit.
type failing struct {
	exchange.Store
	before, after bool
}

var errWeather = errors.New("the disk is full")

func (f *failing) Apply(ctx context.Context, c exchange.Change) error {
	if f.before {
		return errWeather
	}
	if err := f.Store.Apply(ctx, c); err != nil {
		return err
	}
	if f.after {
		return errWeather
	}
	return nil
}

// TestCrash: a letter whose transaction fails leaves nothing behind; one that
// was committed without anybody hearing of it is not carried out again.
func TestCrash(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		before, after bool
	}{{"before the commit", true, false}, {"after the commit", false, true}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := begun(t, rulestest.Game(), orchards...)
			f := &failing{before: tt.before, after: tt.after}
			c.store = func(s exchange.Store) exchange.Store { f.Store = s; return f }
			c.reopen()
			pos, err := rulestest.Game().Decode(c.position(id))
			if err != nil {
				t.Fatal(err)
			}
			d := pos.OpenDecisions(nil)[0]
			m := c.letter(orchards[d.Seat], rulestest.Game().FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 })))
			was := c.export(id, true)
			if _, err := c.try(m); !errors.Is(err, errWeather) {
				t.Fatalf("error %v, want the disk's", err)
			}
			if moved := !bytes.Equal(was, c.export(id, true)); moved != tt.after {
				t.Errorf("moved: %v, want %v", moved, tt.after)
			}
			f.before, f.after = false, false
			c.reopen()
			c.receive(m)
			if n := bytes.Count(c.export(id, true), []byte("\n")); n != bytes.Count(was, []byte("\n"))+1 {
				t.Errorf("%d lines in the record after the second try, want one more than %d", n, bytes.Count(was, []byte("\n")))
			}
		})
	}
}
