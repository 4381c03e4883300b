package adjudicator_test

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// archive archives a match, and reports whether it could be.
func (c *club) archive(id string) bool {
	c.t.Helper()
	a, err := c.db.Upkeep.Archiver()
	if err != nil {
		c.t.Fatal(err)
	}
	done, err := a.Archive(c.t.Context(), id, c.now)
	if err != nil {
		c.t.Fatal(err)
	}
	return done
}

// readable is all that is read of a match.
type readable struct {
	Match        *match.Match
	Whole, Shown []byte
	History      []record.Entry
	Letters      [][]exchange.SentLetter
}

func (c *club) readable(id string) readable {
	c.t.Helper()
	r := readable{Match: c.stored(id), Whole: c.export(id, true), Shown: c.export(id, false)}
	if len(r.Match.Pending) == 0 {
		r.Match.Pending = nil // as it is read back
	}
	var err error
	if r.History, err = c.db.History(c.t.Context(), id); err != nil {
		c.t.Fatal(err)
	}
	for i := range r.Match.Seats {
		l, err := c.db.Letters(c.t.Context(), id, rules.Seat(i))
		if err != nil {
			c.t.Fatal(err)
		}
		r.Letters = append(r.Letters, l)
	}
	return r
}

// sameRead are the differences between what is read of a match and what was. Names of
// letters are not archived: they can be made again.
func sameRead(was, is readable) string {
	if reflect.DeepEqual(was, is) {
		return "" // To look for differences takes long.
	}
	return cmp.Diff(was, is, cmpopts.EquateEmpty(), cmp.Exporter(func(reflect.Type) bool { return true }))
}

// archived archives a match that is over, and fails when anything that is read of it changes.
func archived(t *testing.T, c *club, id string) {
	t.Helper()
	if !c.stored(id).IsPublished() {
		return
	}
	was := c.readable(id)
	if !c.archive(id) {
		t.Fatalf("%s is over, and is not archived", id)
	}
	if d := sameRead(was, c.readable(id)); d != "" {
		t.Errorf("of %s is read (-before +archived):\n%s", id, d)
	}
}

// twin is another club with the same matches and letters.
func (c *club) twin() *club {
	c.t.Helper()
	d := newClub(c.t, c.games...)
	if err := d.db.Close(); err != nil {
		c.t.Fatal(err)
	}
	key, err := os.ReadFile(filepath.Join(c.dir, "club.key"))
	if err != nil {
		c.t.Fatal(err)
	}
	if err := furnish(d.dir, map[string][]byte{"club.key": key}); err != nil {
		c.t.Fatal(err)
	}
	c.copyTo(d.dir)
	d.now, d.uid, d.mailbox = c.now, c.uid, maps.Clone(c.mailbox)
	for _, c := range []*club{c, d} {
		c.rand = &shared{r: rand.NewChaCha8([32]byte{4})}
	}
	d.open()
	c.reopen()
	return d
}

// ended is a match that was played to its end.
func ended(t *testing.T, c *club) (id string) {
	t.Helper()
	id = c.match("orchards", nil, orchards...)
	if _, over := copyOrders(t, c, rulestest.Game(), id, orchards, 400, rand.New(rand.NewPCG(3, 1))); !over {
		t.Fatal("the match does not end")
	}
	return id
}

// TestArchivedMatch: every letter about a match that is over is answered as if it were not
// archived, and so is what comes after that; what came then is archived too.
func TestArchivedMatch(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	id := ended(t, c)
	d := c.twin()
	if !d.archive(id) {
		t.Fatal("it is not archived")
	}
	for _, text := range []string{"STATUS", "HISTORY", "HISTORY 1", "RESEND 3", "RESEND 1", "RESEND 99", "RECORD", "STATS", "PICK 1", "TAKEBACK", "SIGN-OFF", "talk", "NAME Ann", "MAP", "OBSERVE"} {
		for _, seat := range orchards[:2] {
			c.sends(seat, text)
			d.sends(seat, text)
			if before, is := c.bytes[address(seat)], d.bytes[address(seat)]; before[len(before)-1] != is[len(is)-1] {
				t.Fatalf("%q is answered otherwise:\n%s", text, cmp.Diff(before[len(before)-1], is[len(is)-1]))
			}
		}
		if text == "RECORD" && !d.archive(id) {
			t.Error("what came later is not archived")
		}
	}
	for _, c := range []*club{c, d} {
		if _, err := c.adj.Resend(t.Context(), id, 0); err != nil {
			t.Fatal(err)
		}
		c.deliver()
	}
	if diff := sameRead(c.readable(id), d.readable(id)); diff != "" {
		t.Errorf("of it is read (-whole +archived):\n%s", diff)
	}
}

// TestNotArchived: what goes on, waits, or may be taken up again is not archived.
func TestNotArchived(t *testing.T) {
	t.Parallel()
	c := newClub(t, rulestest.Game())
	id := c.inviteObserved(openly, "orchards", nil, orchards...)
	not := func(reason string) {
		t.Helper()
		if c.archive(id) {
			t.Errorf("it is archived although %s", reason)
		}
	}
	not("it has not begun")
	c.joinAll(orchards...)
	not("it runs")
	direct := func(text string) {
		t.Helper()
		a, err := letter.ParseDirective(text, "it went wrong")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.adj.ExecuteDirective(t.Context(), id, a, true); err != nil {
			t.Fatal(err)
		}
	}
	copyOrders(t, c, rulestest.Game(), id, orchards, 4, rand.New(rand.NewPCG(3, 1)))
	direct("annul")
	not("letters wait")
	c.deliver()
	not("the director may undo it")
	direct("rule draw")
	c.deliver()
	not("the director may rule otherwise")
	direct("undo to 1")
	c.deliver()
	if c.stored(id).State != match.Playing {
		t.Error("it was not undone")
	}
	not("it runs again")
	direct("annul")
	c.deliver()
	file := c.backup()
	was := c.export(id, true)
	if n := c.due(8 * 24 * time.Hour); n != 1 {
		t.Errorf("%d things were due after the week", n)
	}
	archived(t, c, id)
	a, err := letter.ParseDirective("undo to 1", "too late")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.adj.ExecuteDirective(t.Context(), id, a, true); err == nil {
		t.Error("it is undone although its end is final")
	}
	c.restore(file, "")
	if !bytes.Equal(was, c.export(id, true)) {
		t.Error("a backup from before has another record")
	}
	c.reopen()
	if pgtest.Used() { // Nobody knows there what has been published since.
		not("its end is not final in the backup")
		return
	}
	if _, err := c.adj.ExecuteDirective(t.Context(), id, a, true); err == nil {
		t.Error("after a restore it is undone although its secret is published")
	}
}

// TestTakenUpAgain: a match that is archived and then goes on, though its end was final, goes
// on as one that is not.
func TestTakenUpAgain(t *testing.T) {
	t.Parallel()
	c, id := begun(t, rulestest.Game(), orchards...)
	copyOrders(t, c, rulestest.Game(), id, orchards, 6, rand.New(rand.NewPCG(3, 1)))
	direct := func(c *club, act match.Directive) {
		t.Helper()
		act.Why = "it went wrong"
		if _, err := c.adj.ExecuteDirective(t.Context(), id, act, true); err != nil {
			t.Fatal(err)
		}
		c.deliver()
	}
	final := func(c *club, at time.Time) {
		t.Helper()
		m := c.stored(id)
		m.Ended.Final = at
		if err := c.db.Apply(t.Context(), exchange.Change{Match: m}); err != nil {
			t.Fatal(err)
		}
	}
	direct(c, match.Directive{Verb: match.DirectorAnnul})
	final(c, time.Time{})
	d := c.twin()
	if !d.archive(id) {
		t.Fatal("it is not archived")
	}
	for _, c := range []*club{c, d} {
		final(c, c.now.Add(time.Hour))
		direct(c, match.Directive{Verb: match.DirectorUndo, Entry: 3})
		if c.stored(id).State != match.Playing {
			t.Fatal("it does not go on")
		}
		if c.archive(id) {
			t.Error("it is archived while it runs")
		}
		if _, over := copyOrders(t, c, rulestest.Game(), id, orchards, 400, rand.New(rand.NewPCG(5, 1))); !over {
			t.Fatal("it does not end again")
		}
	}
	if diff := sameRead(c.readable(id), d.readable(id)); diff != "" {
		t.Errorf("of it is read (-whole +archived):\n%s", diff)
	}
	verified(t, d, rulestest.Game(), id)
}

// TestPackedHistory: a match that runs goes on as if its entries were not packed, whatever is asked of it, also
// when it is taken back to one of them, and comes to the same end.
func TestPackedHistory(t *testing.T) {
	t.Parallel()
	c, id := begun(t, rulestest.Game(), orchards...)
	copyOrders(t, c, rulestest.Game(), id, orchards, 10, rand.New(rand.NewPCG(3, 1)))
	d := c.twin()
	pack := func() {
		t.Helper()
		was := d.readable(id)
		a, err := d.db.Upkeep.Archiver()
		if err != nil {
			t.Fatal(err)
		}
		if done, err := a.PackHistory(t.Context(), id, d.now); err != nil || !done {
			t.Fatalf("its entries are not packed, %v, %v, %v", err, d.stored(id).State, d.stored(id).Summary)
		}
		if diff := sameRead(was, d.readable(id)); diff != "" {
			t.Errorf("of it is read (-before +packed):\n%s", diff)
		}
	}
	pack()
	alike := func(seat, text string) {
		t.Helper()
		c.sends(seat, text)
		d.sends(seat, text)
		before, is := c.bytes[address(seat)], d.bytes[address(seat)]
		if before[len(before)-1] != is[len(is)-1] {
			t.Fatalf("%q is answered otherwise:\n%s", text, cmp.Diff(before[len(before)-1], is[len(is)-1]))
		}
	}
	for _, text := range []string{"STATUS", "HISTORY", "HISTORY 1", "RESEND 3", "RESEND 1", "RESEND 99", "RECORD", "STATS", "talk", "TAKEBACK"} {
		for _, seat := range orchards {
			alike(seat, text)
		}
	}
	back := match.Directive{Verb: match.DirectorUndo, Entry: 5, Why: "it went wrong"}
	for _, c := range []*club{c, d} {
		if _, err := c.adj.ExecuteDirective(t.Context(), id, back, true); err != nil {
			t.Fatal(err)
		}
		c.deliver()
		copyOrders(t, c, rulestest.Game(), id, orchards, 4, rand.New(rand.NewPCG(4, 1)))
	}
	alike(orchards[0], "HISTORY")
	pack()
	alike(orchards[1], "HISTORY 3")
	for _, c := range []*club{c, d} {
		if _, over := copyOrders(t, c, rulestest.Game(), id, orchards, 400, rand.New(rand.NewPCG(5, 1))); !over {
			t.Fatal("it does not end")
		}
	}
	if diff := sameRead(c.readable(id), d.readable(id)); diff != "" {
		t.Errorf("of it is read (-whole +packed):\n%s", diff)
	}
	archived(t, d, id)
	verified(t, d, rulestest.Game(), id)
}
