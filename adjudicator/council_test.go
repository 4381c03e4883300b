package adjudicator_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
)

var councillors = []string{"miller", "baker", "smith", "weaver", "tanner"}

// councilOf are the players of a council of n.
func councilOf(n int) []string { return council.Game().SeatNames(rules.Setup{Seats: n}) }

// owedIn are the open decisions of a match.
func owedIn(t testing.TB, c *club, g *rules.Game, id string) []rules.Decision {
	t.Helper()
	pos, err := g.Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	return pos.OpenDecisions(nil)
}

// says lets seats answer what they are all asked, in this order: each line is a
// seat and its order.
func says(t testing.TB, c *club, lines ...string) {
	t.Helper()
	for _, l := range lines {
		seat, order, _ := strings.Cut(l, " ")
		if a := c.sends(seat, order); strings.Contains(a.Text, ": refused") || strings.Contains(a.Text, ": ignored") {
			t.Fatalf("%s: %s is not taken:\n%s", seat, order, a.Text)
		}
	}
}

// all lets every seat say the same.
func all(t testing.TB, c *club, seats []string, order string) {
	t.Helper()
	for _, s := range seats {
		says(t, c, s+" "+order)
	}
}

// council5 is a council of five in its first vote.
func council5(t testing.TB) (*club, string) {
	t.Helper()
	return copyOf(t, "the first vote of a council", func() (*club, string) {
		c, id := begun(t, council.Game(), councillors...)
		all(t, c, councillors, "NAME smith")
		return c, id
	})
}

// TestCouncil plays a whole council of every size by mail, copying orders out of
// the letters, and checks the record.
func TestCouncil(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3, 5, 12} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			c := newClub(t, council.Game())
			seats := councilOf(n)
			id := c.match("council", nil, seats...)
			for range 100 {
				owed := owedIn(t, c, council.Game(), id)
				if len(owed) == 0 {
					break
				}
				for i, d := range owed {
					form := map[string][]string{"name": {"NAME Baker"}, "vote": {"VOTE YES", "VOTE NO"}, "hold": {"HOLD"}, "fine": {"FINE Miller", "FINE Baker"}}[d.Kind]
					if d.Kind == "fine" && d.Seat == 0 {
						form = form[1:]
					}
					if d.Kind == "fine" {
						form = form[:1]
					}
					l := c.last(seats[d.Seat])
					if !strings.Contains(l.Text, form[i%len(form)]) {
						t.Fatalf("the letter of %s does not show %s:\n%s", seats[d.Seat], form, l.Text)
					}
					says(t, c, seats[d.Seat]+" "+form[i%len(form)])
					narrow(t, c.last(seats[d.Seat]).Text)
				}
			}
			for _, s := range seats {
				if text := c.last(s).Text; !strings.Contains(text, "The match is over") {
					t.Errorf("the last letter of %s:\n%s", s, text)
				}
			}
			verified(t, c, council.Game(), id)
			if public := c.export(id, false); bytes.Contains(public, []byte("VOTE")) {
				t.Errorf("the record tells of ballots:\n%s", public)
			}
		})
	}
}

// TestBallotsTellNothing plays the same council twice, with other ballots and the
// same counts: every letter to everybody, observers too, every record and the log are
// the same to the byte.
func TestBallotsTellNothing(t *testing.T) {
	t.Parallel()
	play := func(first, second []string) (seen []string) {
		var log bytes.Buffer
		c := newClub(t, council.Game())
		open := func() {
			c.adj.LetterOptions.HTML = true
			c.adj.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug,
				ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				}}))
		}
		open()
		id := c.inviteObserved(openly, "council", nil, councillors...)
		c.joinAll(councillors...)
		c.watches("olga", id)
		all(t, c, councillors, "NAME smith")
		see := func() {
			seen = append(seen, string(c.export(id, false)), string(c.export(id, true)), log.String())
			for _, s := range councillors {
				seen = append(seen, c.bytes[address(s)]...)
			}
			// The keys of observers are not from the same source in two databases.
			for _, l := range c.mailbox[address("olga")] {
				seen = append(seen, l.Subject+"\n"+l.Text)
			}
		}
		vote := func(round []string) {
			for i, v := range round {
				s := councillors[i]
				if i == 1 {
					// A mind that is changed, questions, and a letter that is late to it.
					other := map[string]string{"YES": "NO", "NO": "YES"}[v]
					says(t, c, s+" VOTE "+other, s+" STATUS", s+" SHOW ORDERS")
					c.reopen()
					open()
				}
				says(t, c, s+" vote "+strings.ToLower(v))
				see()
			}
		}
		vote(first)
		all(t, c, councillors, "HOLD")
		says(t, c, "smith FINE Baker")
		vote(second)
		all(t, c, councillors, "HOLD")
		says(t, c, "miller HISTORY", "weaver FINE Baker")
		see()
		verified(t, c, council.Game(), id)
		if c.got("olga") < 5 {
			t.Errorf("the observer got %d letters", c.got("olga"))
		}
		return seen
	}
	a := play([]string{"YES", "YES", "YES", "NO", "NO"}, []string{"NO", "NO", "YES", "NO", "NO"})
	b := play([]string{"NO", "YES", "NO", "YES", "YES"}, []string{"NO", "NO", "NO", "YES", "NO"})
	if len(a) != len(b) {
		t.Fatalf("%d and %d letters and records", len(a), len(b))
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("other ballots, other bytes (%d):\n%s\n---\n%s", i, a[i], b[i])
		}
	}
	for _, x := range a {
		if strings.Contains(x, "vote yes") || strings.Contains(x, "vote no") {
			t.Fatalf("a ballot is quoted:\n%s", x)
		}
	}
}

// TestTallyIsReplayed: what is published of ballots is bound by the chain, and a
// count that they cannot have is refused.
func TestTallyIsReplayed(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	for i, s := range councillors {
		says(t, c, s+" VOTE "+[]string{"YES", "NO"}[i%2])
	}
	read := func() *record.Record {
		rec, err := record.Read(bytes.NewReader(c.export(id, true)))
		if err != nil {
			t.Fatal(err)
		}
		return rec
	}
	rec := read()
	last := rec.Entries()[len(rec.Entries())-1]
	if last.Tally == nil || string(last.Tally.Outcome) != `{"no":2,"yes":3}` || last.Letter != "" || last.Seat != "" || len(last.Answers) > 0 {
		t.Fatalf("the entry of the count: %+v", last)
	}
	for _, outcome := range []string{`{"no":1,"yes":4}`, `{"no":3,"yes":3}`, `{}`, `[]`, `{"no":2,"yes":3,"miller":1}`} {
		rec := read()
		rec.Entries()[len(rec.Entries())-1].Tally.Outcome = []byte(outcome)
		if err := record.VerifyChain(rec); err == nil {
			t.Errorf("the chain holds with %s", outcome)
		}
		for _, s := range rec.Entries() {
			s.Prev, s.Hash, s.Sealed = "", "", ""
		}
		// A count that could be right leads on; only the chain binds it.
		if _, err := record.Replay(rec, council.Game(), nil); (err == nil) != (outcome == `{"no":1,"yes":4}`) {
			t.Errorf("%s is played again: %v", outcome, err)
		}
	}
}

// TestBallotKept: a ballot counts only in its group, may be replaced, and is in the
// database no longer than until it is counted.
func TestBallotKept(t *testing.T) {
	t.Parallel()
	c, id := council5(t)
	golden(t, "council/ballot.txt", c.sends("miller", "VOTE YES").Text)
	golden(t, "council/replaced.txt", c.sends("miller", "VOTE NO").Text)
	if l := c.sends("miller", "GRACE 10 minutes\nVOTE YES"); !strings.Contains(oneLine(l.Text), "Your ballot is in") {
		t.Errorf("a ballot with GRACE:\n%s", l.Text)
	}
	for _, s := range councillors[1:] {
		says(t, c, s+" VOTE YES")
	}
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(m.Pending, func(h match.PendingAnswer) bool { return h.Decision != 0 }) {
		t.Errorf("ballots are kept after the count: %+v", m.Pending)
	}
	golden(t, "council/counted.txt", c.last("tanner").Text)
}

// TestBallotLetterNotKept: a letter that may hold a ballot is not kept with its
// receipt.
func TestBallotLetterNotKept(t *testing.T) {
	t.Parallel()
	c, _ := council5(t)
	var last exchange.Change
	c.store = func(s exchange.Store) exchange.Store { return watching{s, &last} }
	c.reopen()
	says(t, c, "miller VOTE YES")
	if r := last.Receipt; r == nil || len(r.Raw) > 0 {
		t.Errorf("the receipt of a ballot keeps the letter: %+v", r)
	}
	for _, s := range councillors[1:] {
		says(t, c, s+" VOTE YES")
	}
	says(t, c, "miller HOLD")
	if r := last.Receipt; len(r.Raw) == 0 {
		t.Errorf("the receipt of another order does not keep the letter: %+v", r)
	}
}

// observing notes the last change.
type watching struct {
	exchange.Store
	last *exchange.Change
}

func (w watching) Apply(ctx context.Context, c exchange.Change) error {
	*w.last = c
	return w.Store.Apply(ctx, c)
}

// TestNobodyWins: a match that nobody wins is no draw, and several may win one.
func TestNobodyWins(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, second string
		want         map[string][2]string
	}{
		{"nobody", "NO", map[string][2]string{
			"miller": {"nobody wins", "The match is over: nobody wins. The water is at its mark, which was no player's aim."},
			"tanner": {"nobody wins", "The match is over: nobody wins. The water is at its mark, which was no player's aim."}}},
		{"several", "YES", map[string][2]string{
			"miller": {"you won", "The match is over: you won, together with the Weaver. The water level is 2."},
			"tanner": {"you lost", "The match is over: you lost. The Miller and the Weaver have won. The water level is 2."}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, id := council5(t)
			all(t, c, councillors, "VOTE YES")
			all(t, c, councillors, "HOLD")
			says(t, c, "smith FINE Baker")
			all(t, c, councillors, "VOTE "+tt.second)
			all(t, c, councillors, "HOLD")
			says(t, c, "weaver FINE Baker")
			for seat, want := range tt.want {
				l := c.last(seat)
				if subject := strings.ToUpper(want[0][:1]) + want[0][1:] + ": Council, round 2 [" + id + "]"; l.Subject != subject {
					t.Errorf("subject of %s: %s, want %s", seat, l.Subject, subject)
				}
				if !strings.Contains(oneLine(l.Text), want[1]) {
					t.Errorf("the last letter of %s does not say %q:\n%s", seat, want[1], l.Text)
				}
			}
			verified(t, c, council.Game(), id)
		})
	}
}

// TestBallotBehindAnOrder: a ballot behind the order that leads to it is not repeated
// either, nor kept with the letter, and is never held back.
func TestBallotBehindAnOrder(t *testing.T) {
	t.Parallel()
	c, _ := council5(t)
	all(t, c, councillors, "VOTE YES")
	all(t, c, councillors, "HOLD")
	says(t, c, "smith GRACE 10 minutes")
	if text := c.sends("smith", "FINE Baker\nVOTE YES").Text; strings.Contains(text, "VOTE YES: saved") || !strings.Contains(text, "FINE Baker: not reached") {
		t.Errorf("a ballot is held back:\n%s", text)
	}
	says(t, c, "smith GRACE OFF")
	var last exchange.Change
	c.store = func(s exchange.Store) exchange.Store { return watching{s, &last} }
	c.reopen()
	text := c.sends("smith", "FINE Baker\nVOTE YES").Text
	if strings.Contains(text, "VOTE YES:") || !strings.Contains(text, "FINE Baker: done") || !strings.Contains(text, "Your ballot is in.") {
		t.Errorf("a ballot after an order:\n%s", text)
	}
	if len(last.Receipt.Raw) > 0 {
		t.Error("its letter is kept")
	}
}
