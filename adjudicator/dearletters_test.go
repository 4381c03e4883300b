package adjudicator_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/long"
	"samizdat/mail"
	"samizdat/rules/dawn1989"
)

// processor is the processor time that the program has taken.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// dear are the questions that take longest to answer, in the orders' words and in others.
var dear = []string{
	"STATS", "HISTORY", "HISTORY 1", "HISTORY 2", "HISTORY 3", "RECORD", "POSITION", "MAP BIG", "MAP", "RESEND 3", "RESEND 20", "RESEND 40", "RESEND 60",
	"HELP", "HELP ALL", "HELP PLACE", "STATUS", "SHOW ORDERS", "RULES support checks", "CARD 1", "CARD Lech Walesa", "RULES suport cheks about everything",
	"could you please tell me what card Walesa does again?", "what happened last turn?", "HAND", "DISCARDS", "PREVIEW", "PLAY 36 OPS PLACE Gdansk, Lodz",
	"Should I play thirty six for the event first after all of this time?", "ASK is that so?", "WITNESS",
}

// TestDearLetters: a letter of any mixture of questions takes less than 50 ms of processor, however often it asks them.
// It is not parallel: what other tests take must not count.
func TestDearLetters(t *testing.T) {
	limit := 50 * time.Millisecond
	if long.Raced {
		limit *= 20
	}
	c := newClub(t, dawn1989.Game())
	c.rand = rand.NewChaCha8([32]byte{7})
	c.reopen()
	id := c.match("1989", nil, dawnSeats...)
	copyOrders(t, c, dawn1989.Game(), id, dawnSeats, 180, rand.New(rand.NewPCG(1, 1)))
	rnd := rand.New(rand.NewPCG(1, 2))
	texts := map[string]string{}
	for _, q := range dear {
		texts["398 "+q] = strings.Repeat(q+"\n", min(398, 16000/(len(q)+1)))
	}
	for i := range 20 {
		var b, more strings.Builder
		for n := 0; n < 398 && b.Len() < 15<<10; n++ {
			b.WriteString(dear[rnd.IntN(len(dear))] + "\n")
		}
		for more.Len() < 100<<10 {
			more.WriteString(dear[rnd.IntN(len(dear))] + "\n")
		}
		texts[fmt.Sprint("mixture ", i)], texts[fmt.Sprint("mixture of 100 kB ", i)] = b.String(), more.String()
		texts[fmt.Sprint("mixture above a quote ", i)] = b.String() + "\n> " + strings.ReplaceAll(more.String(), "\n", "\n> ")
	}
	for name, text := range texts {
		if took := c.takes(t, text, limit); took >= limit {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// takes is the processor time that a letter takes, the least of five tries that are not under the limit: other programs
// slow some of them down.
func (c *club) takes(t *testing.T, text string, limit time.Duration) time.Duration {
	t.Helper()
	minimum := time.Hour
	for try := 0; try < 5 && minimum >= limit; try++ {
		raw, err := c.letter(dawnSeats[0], text).Render()
		if err != nil {
			t.Fatal(err)
		}
		began := processor(t)
		c.handleRaw(t, raw)
		minimum = min(minimum, processor(t)-began)
		c.outgoing(t)
	}
	return minimum
}

// TestLargeLetters: 1 MB of anything takes less than 100 ms of processor. It is not parallel, as TestDearLetters.
func TestLargeLetters(t *testing.T) {
	limit := 100 * time.Millisecond
	if long.Raced {
		limit *= 20
	}
	c := newClub(t, dawn1989.Game())
	id := c.match("1989", nil, dawnSeats...)
	copyOrders(t, c, dawn1989.Game(), id, dawnSeats, 60, rand.New(rand.NewPCG(1, 1)))
	var names, numbers strings.Builder
	all := dawn1989.Game().Names()
	for i := 0; names.Len() < 1<<20; i++ {
		names.WriteString(all[i%len(all)].Text + "\n")
		fmt.Fprintf(&numbers, "%d x%d twenty-%d\n", i%130, i%7, i%10)
	}
	const most = 1 << 20
	quoted := strings.Builder{}
	for i := 0; quoted.Len() < most; i++ {
		quoted.WriteString(strings.Repeat(">", i%40) + " PLACE Lodz 2\n")
	}
	filled := func(of string) string { return strings.Repeat(of, most/len(of)) }
	for name, text := range map[string]string{
		"one line": filled("Lodz 2 Krakow "), "many lines": filled("PLACE Lodz 2\n"), "empty lines": filled("\n"), "names": names.String()[:most], "numbers": numbers.String(),
		"names in a line": strings.ReplaceAll(names.String()[:most], "\n", ", "), "numbers in a line": strings.ReplaceAll(numbers.String(), "\n", " "),
		"punctuation": filled(".,;:!?()[]{}<>*~|/-"), "dashes": filled("-- \n"), "brackets": filled("("), "accents": filled("Łódź, "), "combining": filled("e\u0301"),
		"quotes": quoted.String(), "comments": filled("/* // */ ~~a~~ "), "orders": filled("PLAY 36 OPS PLACE Lodz, Krakow AND Praha\n"), "words": filled("abc defgh ijklm\n"),
	} {
		took := c.takes(t, text, limit)
		if t.Logf("%s: %v", name, took); took >= limit {
			t.Errorf("%s: %v", name, took)
		}
	}
}

// TestDroppedAnswers: an answer that is left out is not composed, and what was asked is not looked up.
func TestDroppedAnswers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"STATS\nHISTORY 1\nRECORD", "Hello?\nSTATS", "PLACE Nowhere\nRECORD"} {
		c, _ := sampleAfter(t, 50)
		seen, drawn := &counting{}, &counted{Codec: c.codec}
		c.store = func(s exchange.Store) exchange.Store { seen.Store = s; return seen }
		c.reopen()
		now := func() time.Time { return c.now }
		c.adj.ReplyLimits = mail.NewRateLimiter(mail.Rate{Burst: 3, Every: time.Hour}, mail.Rate{Burst: 1000, Every: time.Second}, now)
		c.adj.Codec = drawn
		for i := range 6 {
			seen.history, drawn.n = 0, 0
			had, told := c.letters(dawnSeats[0]), len(c.notices[address(dawnSeats[0])])
			c.receive(c.letter(dawnSeats[0], text))
			drawn.n -= len(c.notices[address(dawnSeats[0])]) - told // It says when to ask again, and nothing else.
			if answered := c.letters(dawnSeats[0]) > had; answered != (i < 3) || !answered && (seen.history > 0 || drawn.n > 0) {
				t.Errorf("%q, letter %d: answered %v, %d histories read, %d letters composed", text, i, answered, seen.history, drawn.n)
			}
		}
	}
}

// answerCounted counts the letters that are composed.
type counted struct {
	exchange.Codec
	n int
}

func (p *counted) Render(outgoing exchange.OutgoingLetter) (exchange.RenderedMessage, error) {
	p.n++
	return p.Codec.Render(outgoing)
}
