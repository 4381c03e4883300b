package adjudicator_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
)

// silent lets the time of a seat's first decision of a kind be over.
func silent(t testing.TB, c *club, g *rules.Game, id, seat, kind string) {
	t.Helper()
	names := g.SeatNames(rules.Setup{Seats: 5})
	for _, d := range owedIn(t, c, g, id) {
		if names[d.Seat] == seat && d.Kind == kind {
			c.now = c.now.Add(time.Minute)
			if err := c.adj.AnswerBySilence(t.Context(), id, d.ID); err != nil {
				t.Fatal(err)
			}
			c.deliver()
			return
		}
	}
	t.Fatalf("%s is not asked to %s", seat, kind)
}

// readRecord reads a match's full record.
func readRecord(t testing.TB, c *club, id string) *record.Record {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(c.export(id, true)))
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestSilence: a missed deadline is answered as the game says, the record says how,
// and replay finds the same answer. While others may still answer it is told to
// nobody.
func TestSilence(t *testing.T) {
	t.Parallel()
	c, id := begun(t, council.Game(), councillors...)
	had, public := mails(c), c.export(id, false)
	silent(t, c, council.Game(), id, "smith", "name")
	if !bytes.Equal(public, c.export(id, false)) || fmt.Sprint(had) != fmt.Sprint(mails(c)) {
		t.Error("the silence of one is told while others may answer")
	}
	silent(t, c, council.Game(), id, "baker", "name")
	says(t, c, "baker NAME Tanner", "miller NAME Miller", "weaver NAME Weaver")
	c.reopen()
	says(t, c, "tanner NAME Tanner")
	rec := readRecord(t, c, id)
	entry := rec.Entries()[1]
	var how []string
	for _, a := range entry.Answers {
		how = append(how, string(a.Seat)+":"+a.Silence)
	}
	if want := "miller: baker: smith:lot weaver: tanner:"; strings.Join(how, " ") != want {
		t.Errorf("silence in the record: %v, want %s", how, want)
	}
	if o := entry.Chance[0]; o.Draw != entry.Answers[2].Orders[0] || o.To != "smith" || *o.N != 5 || o.Hidden {
		t.Errorf("the lot in the record: %+v", o)
	}
	if l := c.last("weaver"); !strings.Contains(oneLine(l.Text), "The Smith did not answer in time, so this order was drawn at random: "+entry.Answers[2].Orders[0]+".") {
		t.Errorf("the letter does not tell of the lot:\n%s", l.Text)
	}
	all(t, c, councillors, "VOTE NO")
	silent(t, c, council.Game(), id, "miller", "hold")
	all(t, c, councillors[1:], "HOLD")
	chair := owedIn(t, c, council.Game(), id)[0]
	silent(t, c, council.Game(), id, councillors[chair.Seat], "fine")
	golden(t, "council/silence.txt", c.last("miller").Text)
	if e := readRecord(t, c, id).Entries(); e[len(e)-1].Silence != record.SilenceLot {
		t.Errorf("the entry of the fine: %+v", e[len(e)-1])
	}
	if l := c.sends("miller", "HISTORY"); strings.Count(oneLine(l.Text), "did not answer in time,") != 2 {
		t.Errorf("the history does not tell who was silent:\n%s", l.Text)
	}
	verified(t, c, council.Game(), id)
	tampered(t, c, id)
}

// tampered: silence is what the lot, or the rule, says, also without a chain.
func tampered(t *testing.T, c *club, id string) {
	t.Helper()
	for name, change := range map[string]func([]*record.Entry){
		"another lot":    func(e []*record.Entry) { e[1].Answers[2].Orders[0] = "NAME " + "Thatcher" },
		"no lot":         func(e []*record.Entry) { e[1].Answers[2].Silence = "" },
		"default":        func(e []*record.Entry) { e[1].Answers[2].Silence = record.SilenceDefault },
		"lot for hold":   func(e []*record.Entry) { e[3].Answers[0].Silence = record.SilenceLot },
		"call":           func(e []*record.Entry) { e[3].Answers[0].Orders[0] = "CALL" },
		"another fine":   func(e []*record.Entry) { e[4].Chance[0].Draw = "FINE Thatcher" },
		"another option": func(e []*record.Entry) { *e[4].Chance[0].N = 3 },
	} {
		rec := readRecord(t, c, id)
		change(rec.Entries())
		for _, entry := range rec.Entries() {
			entry.Prev, entry.Hash, entry.Sealed, entry.State = "", "", "", ""
		}
		if _, err := record.Replay(rec, council.Game(), nil); err == nil {
			t.Errorf("%s: it is played again", name)
		}
	}
}

// TestSilentBallot: a ballot that a lot has cast cannot be told from another, by
// nobody.
func TestSilentBallot(t *testing.T) {
	t.Parallel()
	play := func(last func(c *club, id string)) (*club, string) {
		c, id := council5(t)
		says(t, c, "miller VOTE YES", "baker VOTE NO", "weaver VOTE YES", "tanner VOTE NO")
		had := mails(c)
		last(c, id)
		for _, s := range councillors {
			if n := mails(c)[address(s)] - had[address(s)]; n != 1 {
				t.Errorf("%s got %d letters, want 1", s, n)
			}
		}
		return c, id
	}
	c, id := play(func(c *club, id string) { silent(t, c, council.Game(), id, "smith", "vote") })
	vote := "VOTE NO"
	if strings.Contains(c.last("miller").Text, "3 YES") {
		vote = "VOTE YES"
	}
	d, other := play(func(c *club, _ string) { says(t, c, "smith "+vote) })
	for _, hidden := range []bool{false, true} {
		if !bytes.Equal(c.export(id, hidden), d.export(other, hidden)) {
			t.Errorf("the records differ:\n%s\n%s", c.export(id, hidden), d.export(other, hidden))
		}
	}
	for _, s := range []string{"miller", "baker", "weaver", "tanner"} {
		if !slices.Equal(c.bytes[address(s)], d.bytes[address(s)]) {
			t.Errorf("the letters of %s differ", s)
		}
	}
	if text := c.last("smith").Text; strings.Contains(text, " lot") || strings.Contains(text, "in time") {
		t.Errorf("the silent seat is told:\n%s", text)
	}
	verified(t, c, council.Game(), id)

	// Before the others have voted nobody gets a letter, and the seat may vote.
	c, id = council5(t)
	had := fmt.Sprint(mails(c))
	silent(t, c, council.Game(), id, "smith", "vote")
	if fmt.Sprint(mails(c)) != had {
		t.Error("a ballot by lot is told")
	}
	all(t, c, councillors, "VOTE YES")
	if !strings.Contains(c.last("miller").Text, "5 YES, 0 NO") {
		t.Errorf("a late ballot does not count:\n%s", c.last("miller").Text)
	}
}

// TestPrivateSilence: what a lot has answered in private is hidden like an answer.
func TestPrivateSilence(t *testing.T) {
	t.Parallel()
	c, id := ballotsOut(t)
	var seat string
	for _, d := range owedIn(t, c, rulestest.Game(), id) {
		if d.Kind == "keep" {
			seat = orchards[d.Seat]
			break
		}
	}
	had := mails(c)
	d := owedIn(t, c, rulestest.Game(), id)[slices.IndexFunc(owedIn(t, c, rulestest.Game(), id), func(d rules.Decision) bool { return d.Kind == "keep" })]
	if err := c.adj.AnswerBySilence(t.Context(), id, d.ID); err != nil {
		t.Fatal(err)
	}
	c.deliver()
	for _, s := range orchards {
		want := 0
		if s == seat {
			want = 1
		}
		if n := mails(c)[address(s)] - had[address(s)]; n != want {
			t.Errorf("%s got %d letters, want %d", s, n, want)
		}
	}
	if !strings.Contains(c.last(seat).Text, "so this order was drawn at random.") {
		t.Errorf("the seat is not told:\n%s", c.last(seat).Text)
	}
	lines := bytes.Split(bytes.TrimSpace(c.export(id, false)), []byte("\n"))
	last := lines[len(lines)-1]
	for _, bad := range []string{"KEEP", `"n":`, `"i":`, `"draw"`} {
		if bytes.Contains(last, []byte(bad)) {
			t.Errorf("the public record shows %s: %s", bad, last)
		}
	}
	verified(t, c, rulestest.Game(), id)
	rec, err := record.Read(bytes.NewReader(c.export(id, false)))
	if err != nil {
		t.Fatal(err)
	}
	if err := record.VerifyChain(rec); err != nil {
		t.Errorf("chain of the public record: %v", err)
	}
}

// TestSilenceRefused: nobody answers for a seat that is waited for, or to a question
// that is closed.
func TestSilenceRefused(t *testing.T) {
	t.Parallel()
	c, id := begun(t, rulestest.Game(), orchards...)
	d := owedIn(t, c, rulestest.Game(), id)[0]
	before := c.export(id, true)
	if err := c.adj.AnswerBySilence(t.Context(), id, d.ID); !errors.Is(err, gate.ErrMustAnswer) {
		t.Errorf("a question that waits: %v", err)
	}
	if err := c.adj.AnswerBySilence(t.Context(), id, d.ID+1); !errors.Is(err, adjudicator.ErrDecisionClosed) {
		t.Errorf("a closed question: %v", err)
	}
	if !bytes.Equal(before, c.export(id, true)) {
		t.Error("a refused silence has moved the match")
	}
}
