package adjudicator_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/mail/message"
	"samizdat/rules"
)

// packs packs the entries of a match that runs, and reports whether they could be.
func (c *club) packs(id string) bool {
	c.t.Helper()
	a, err := c.db.Upkeep.Archiver()
	if err != nil {
		c.t.Fatal(err)
	}
	done, err := a.PackHistory(c.t.Context(), id, c.now)
	if err != nil {
		c.t.Fatal(err)
	}
	return done
}

// TestPackedAnyLetters: a match whose entries are packed before every letter goes on as its twin does where none
// ever are: letters of every sort come, while some of ours wait, are dropped for the next, or are asked for again.
func TestPackedAnyLetters(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.N(2, 20)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			packedAnyLetters(t, rand.New(rand.NewPCG(seed, 7)))
		})
	}
}

// someOrder is a letter that answers what is asked, or mostly another.
func someOrder(t *testing.T, c *club, id string, rnd *rand.Rand) (seat int, text string) {
	t.Helper()
	pos, err := rulestest.Game().Decode(c.position(id))
	if err != nil {
		t.Fatal(err)
	}
	if owed := pos.OpenDecisions(nil); len(owed) > 0 && rnd.IntN(3) > 0 {
		d := owed[rnd.IntN(len(owed))]
		return int(d.Seat), rulestest.Game().FormatOrder(rulestest.Pick(pos, d, rnd.IntN))
	}
	seat = rnd.IntN(len(orchards))
	return seat, strings.ReplaceAll(anyText(t, c, rulestest.Game(), id, rules.Seat(seat), rnd), "RESIGN", "STATUS")
}

func packedAnyLetters(t *testing.T, rnd *rand.Rand) {
	t.Helper()
	c, id := begun(t, rulestest.Game(), orchards...)
	d := c.twin()
	both := []*club{c, d}
	for _, c := range both {
		c.adj.LetterOptions.Confirmations = 2 * time.Minute
		for _, s := range orchards {
			c.sends(s, "FORMAT LOUD")
		}
		clear(c.bytes)
	}
	var old []message.Draft
	packed, dropped := 0, 0
	for range long.N(120, 300) {
		if d.packs(id) {
			packed++
		}
		seat, text := someOrder(t, c, id, rnd)
		switch number := rnd.Int64N(c.stored(id).Seats[seat].LastLetter + 3); rnd.IntN(30) {
		case 0:
			text = "TAKEBACK"
		case 1:
			text = "HISTORY"
		case 2:
			text = fmt.Sprintf("RESEND %d", number)
		case 3:
			act := match.Directive{Verb: match.DirectorUndo, Entry: 1 + rnd.IntN(c.stored(id).EntryCount), Why: "it went wrong"}
			var said [2]string
			for i, c := range both {
				_, err := c.adj.ExecuteDirective(t.Context(), id, act, true)
				said[i] = fmt.Sprint(err)
			}
			if said[0] != said[1] {
				t.Fatalf("the director is told %q, and %q where it is packed", said[0], said[1])
			}
		}
		m := c.letter(orchards[seat], text)
		d.uid = c.uid
		if len(old) > 0 && rnd.IntN(6) == 0 {
			m = old[rnd.IntN(len(old))] // The same letter again, or an answer to an older one.
			if rnd.IntN(3) > 0 {
				m.Text, m.MessageID = text, fmt.Sprintf("%d.again@x.test", c.uid)
			}
		}
		old = append(old, m)
		by, maximum := time.Duration(rnd.IntN(4))*time.Minute, rnd.IntN(6)
		for _, c := range both {
			if _, err := c.try(m); err != nil {
				t.Fatalf("%q: %v", m.Text, err)
			}
			c.goOut(c.now.Add(by), maximum)
		}
		if diff := cmp.Diff(c.bytes, d.bytes); diff != "" {
			t.Fatalf("behind %q letters are not the same (-in rows +packed):\n%s", m.Text, diff)
		}
		clear(c.bytes)
		clear(d.bytes)
	}
	if diff := sameRead(c.readable(id), d.readable(id)); diff != "" {
		t.Errorf("of it is read (-in rows +packed):\n%s", diff)
	}
	for i := range orchards {
		for n := range c.stored(id).Seats[i].LastLetter + 3 {
			was, knew, err := c.db.Sent(t.Context(), id, rules.Seat(i), n)
			if err != nil {
				t.Fatal(err)
			}
			is, knows, err := d.db.Sent(t.Context(), id, rules.Seat(i), n)
			if err != nil || knew != knows || !reflect.DeepEqual(was, is) && (len(was.Decisions) > 0 || len(is.Decisions) > 0 || was.EntryCount != is.EntryCount) {
				t.Errorf("letter %d to seat %d is %+v, %t, and packed %+v, %t, %v", n, i, was, knew, is, knows, err)
			}
			if !knew && 1 < n && n <= c.stored(id).Seats[i].LastLetter {
				dropped++
			}
		}
	}
	d.goOut(d.now.Add(time.Hour), 1000)
	verified(t, d, rulestest.Game(), id)
	if packed < 5 || dropped == 0 {
		t.Errorf("it was packed %d times, and %d letters were dropped", packed, dropped)
	}
}
