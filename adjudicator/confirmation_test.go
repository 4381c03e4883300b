package adjudicator_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/storage"
	"samizdat/testdata"
)

// TestQuiet: who wants no letters that ask nothing gets none, and nothing is lost: the
// letters that ask tell everything once, in its order. Nobody else is sent another byte.
func TestQuiet(t *testing.T) {
	t.Parallel()
	var enemy [2][]exchange.OutgoingLetter
	for i, format := range []string{"FORMAT LOUD", "FORMAT QUIET"} {
		c, a, _ := pageClub(t)
		c.adj.LetterOptions = conversation.LetterOptions{}
		c.receive(c.letter("communist", format))
		from := len(a.letters[address("communist")])
		for n, f := range txtar.Parse(testdata.SampleLetters).Files[:42] {
			_, seat, _ := strings.Cut(f.Name, " ")
			c.receive(c.letter(seat, string(f.Data)))
			if last := a.last(seat); strings.Contains(last.Body, ": refused") {
				t.Fatalf("letter %d was refused:\n%s", n, last.Body)
			}
		}
		enemy[i] = a.letters[address("democrat")]
		var asking []string
		short := 0
		for _, outgoing := range a.letters[address("communist")][from:] {
			if len(outgoing.Decisions) > 0 {
				asking = append(asking, bullets(part(outgoing.Body, "WHAT HAPPENED"))...)
			} else {
				short++
			}
		}
		if quiet := format == "FORMAT QUIET"; quiet != (short == 0) {
			t.Errorf("%s: %d letters ask nothing", format, short)
		}
		var history []string
		c.receive(c.letter("communist", "HISTORY 1"))
		for _, l := range bullets(part(c.last("communist").Text, "WHAT HAPPENED IN TURN 1")) {
			history = append(history, strings.TrimPrefix(l, "- "))
		}
		for j := range asking {
			asking[j] = strings.TrimPrefix(asking[j], "- ")
		}
		// "The play of 33 Sajudis continues." begins a part of a play, and letters and HISTORY have other parts.
		goesOn := func(sentence string) bool { return strings.HasSuffix(sentence, " continues.") }
		history, asking = slices.DeleteFunc(history, goesOn), slices.DeleteFunc(asking, goesOn)
		// The deal was told before, and the last of it is to be told yet.
		at := max(0, slices.Index(history, asking[0]))
		if d := cmp.Diff(history[at:min(at+len(asking), len(history))], asking); d != "" || len(asking) < len(history)*3/4 {
			t.Errorf("%s: what has happened, and what letters that ask have told of it:\n%s", format, d)
		}
	}
	for i, outgoing := range enemy[0] {
		if diff := cmp.Diff(unhashedLetter(outgoing), unhashedLetter(enemy[1][i])); diff != "" {
			t.Fatalf("letter %d to the enemy tells who is quiet:\n%s", i+1, diff)
		}
	}
}

// TestQuietIsTold: refusals, answers, messages, what was not read, requests and the end
// come to those who want no other letters.
func TestQuietIsTold(t *testing.T) {
	t.Parallel()
	c, _ := sampleClub(t)
	c.sends("communist", "FORMAT QUIET")
	sampleLetters(t, c, 0)
	c.receive(c.letter("communist", "PLACE Miskolc, Debrecen"))
	had := c.got("communist")
	for _, tt := range []struct{ seat, text, want string }{
		{"communist", "PLACE Budapest 2", "refused"},
		{"communist", "HAND", "YOUR HAND"},
		{"communist", "STATUS", "THE MAP"},
		{"communist", "MAP", "THE MAP"},
		{"communist", "Thanks, and good luck to everybody!", "ignored"},
		{"communist", "GRACE 1 hour", "done"},
		{"democrat", "MESSAGE\nHello\nEND MESSAGE", "Hello"},
		{"communist", "TAKEBACK", "The Democrat has been asked"},
		{"democrat", "TAKEBACK NO", "declined"},
	} {
		c.receive(c.letter(tt.seat, tt.text))
		if n := c.got("communist") - had; n != 1 || !strings.Contains(c.last("communist").Text, tt.want) {
			t.Errorf("%s of the %s leads to %d letters, the last:\n%s", tt.text, tt.seat, n, c.last("communist").Text)
		}
		had = c.got("communist")
	}
}

// TestQuietBallot: what is said of a ballot, and when, does not depend on the others.
func TestQuietBallot(t *testing.T) {
	t.Parallel()
	c, id := begun(t, council.Game(), councillors...)
	for _, s := range councillors {
		c.sends(s, "FORMAT QUIET")
	}
	all(t, c, councillors[:4], "NAME smith")
	had := c.got("baker")
	c.receive(c.letter("tanner", "NAME smith"))
	if n := c.got("baker") - had; n != 1 || !strings.Contains(c.last("baker").Text, "YOUR DECISION") {
		t.Errorf("the Baker has %d letters:\n%s", n, c.last("baker").Text)
	}
	for i, s := range councillors {
		had := map[string]int{}
		for _, o := range councillors {
			had[o] = c.got(o)
		}
		c.receive(c.letter(s, "VOTE YES"))
		for _, o := range councillors {
			n := c.got(o) - had[o]
			if isLast := i == len(councillors)-1; o == s && n != 1 || o != s && !isLast && n != 0 {
				t.Errorf("the vote of %s leads to %d letters to %s", s, n, o)
			}
		}
	}
	verified(t, c, council.Game(), id)
}

// TestConfirmationIsSmall: whatever a player writes while nothing is asked of him, the
// answer is small.
func TestConfirmationIsSmall(t *testing.T) {
	t.Parallel()
	c, a, _ := pageClub(t)
	sampleLetters(t, c, 1)
	for _, text := range []string{
		strings.Repeat("What a lovely evening it was, and how I like this game of ours, my friend.\n\n", 40),
		strings.Repeat("PLACE Krakow 2\n", 60),
		strings.Repeat("Ł", 3000) + "\n\nPLACE Łódź",
		"RESIGN\nFORMAT UTF8\nGRACE 1 hour\nDELAY 1 hour\nPLACE Miskolc",
	} {
		c.sends("communist", text)
		outgoing := a.last("communist")
		checkLetter(t, exchange.OutgoingLetter{Addressee: exchange.Addressee{Match: outgoing.Match}, Heading: exchange.Heading{Subject: outgoing.Subject}, Content: exchange.Content{Body: outgoing.Body, HTML: outgoing.HTML}, Raw: outgoing.Raw})
	}
	// What another has written is never cut.
	c.sends("democrat", "MESSAGE\n"+strings.Repeat("It rains here again, and the trams do not run.\n", 60)+"END MESSAGE")
	if outgoing := a.last("communist"); strings.Count(outgoing.Body, "It rains here") != 60 || strings.Contains(outgoing.Body, "THE MAP") {
		t.Errorf("the message came as\n%s", outgoing.Body)
	}
}

// TestConfirmationWaits: a letter that only confirms waits, and one that asks its reader something
// takes its place. A refusal does not wait, and goes out behind what was before it.
func TestConfirmationWaits(t *testing.T) {
	t.Parallel()
	c, id := sampleClub(t)
	c.sends("democrat", "FORMAT LOUD")
	c.sends("communist", "FORMAT LOUD")
	c.adj.LetterOptions.Confirmations = time.Minute
	c.deliver()
	outbox := c.db.Outbox("x@club.test")
	waits := func(at time.Time, want ...string) {
		t.Helper()
		due, err := outbox.Due(t.Context(), at, 100)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range due {
			subject := message.Read(o.Raw).Subject
			first, _, _ := strings.Cut(subject, ":")
			got = append(got, o.To+" "+first)
		}
		slices.Sort(got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("after %v:\n%s", at.Sub(c.now), d)
		}
	}
	democrat, communist := address("democrat"), address("communist")
	handle(t, c, c.letter("communist", "PLACE Miskolc, Debrecen"))
	waits(c.now, democrat+" Your move")
	waits(c.now.Add(time.Minute), communist+" Waiting", democrat+" Your move")
	handle(t, c, c.letter("communist", "PLACE Budapest 2"))
	waits(c.now, communist+" Refused", communist+" Waiting", democrat+" Your move")
	c.deliver()
	handle(t, c, c.letter("democrat", "PLACE Poznan, Wroclaw, Szeged"))
	waits(c.now, communist+" Your move")
	c.deliver()
	handle(t, c, c.letter("communist", "PLACE Debrecen 2, Bydgoszcz"))
	c.uid++
	letters := c.stored(id).Seats[1].LastLetter
	c.mailbox[democrat] = append(c.mailbox[democrat], read(t, outbox, c.now))
	handle(t, c, c.letter("democrat", "PLACE Poznan 2, Szeged 2"))
	waits(c.now.Add(time.Minute), communist+" Your move", democrat+" Waiting")
	if sent, err := c.db.Letters(t.Context(), id, 1); err != nil || slices.ContainsFunc(sent, func(s exchange.SentLetter) bool { return s.Number == letters }) {
		t.Errorf("a letter that was never sent is among those that were: %v, %v", sent, err)
	}
	c.deliver()
	asked := c.last("communist")
	again := c.sends("communist", fmt.Sprintf("RESEND %d", letters))
	wants(t, again.Text, fmt.Sprintf("Letter %d was not sent: before it went out you were asked something, and letter %d told "+
		"you everything in it.", letters, letters+1))
	sentences := bullets(part(asked.Text, "WHAT HAPPENED"))
	want := []string{"- The Communist places 2 support points in Debrecen and 1 in Bydgoszcz.", "- The Democrat places 2 " +
		"support points in Poznan and 2 in Szeged."}
	if len(sentences) != 2 || !strings.HasPrefix(sentences[0], want[0]) || !strings.HasPrefix(sentences[1], want[1]) {
		t.Errorf("the letter that took the other's place tells %q", sentences)
	}
}

// read is the letter that is due first, as its reader gets it.
func read(t *testing.T, o *storage.Outbox, now time.Time) message.Letter {
	t.Helper()
	due, err := o.Due(t.Context(), now, 1)
	if err != nil || len(due) == 0 {
		t.Fatalf("nothing is due: %v", err)
	}
	if err := o.MarkSent(t.Context(), []int64{due[0].ID}, now); err != nil {
		t.Fatal(err)
	}
	return message.Read(due[0].Raw)
}

// untold is a store of matches from before it was noted what letters have told.
type untold struct{ exchange.Store }

// Match implements exchange.Store.
func (s untold) Match(ctx context.Context, id string) (*match.Match, error) {
	m, err := s.Store.Match(ctx, id)
	if err == nil {
		for i := range m.Seats {
			m.Seats[i].EntriesWhenAsked, m.Seats[i].Confirm = 0, match.ConfirmNone
		}
	}
	return m, err
}

// TestQuietUntold: where it is not known what the letters have told, none is left out, since
// the next one could not make up for it.
func TestQuietUntold(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 8)
	c.store = func(s exchange.Store) exchange.Store { return untold{s} }
	c.reopen()
	had := len(c.mailbox[address("communist")])
	c.sends("democrat", "PLAY 40 EVENT")
	if got := c.mailbox[address("communist")]; len(got) != had+1 {
		t.Error("the Communist is not told what was played")
	}
}

// TestQuietUnanswered: what stands in an answer that was left out is told by the next letter.
func TestQuietUnanswered(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 9)
	c.sends("democrat", "FORMAT QUIET")
	sampleLetter(t, c, 9)
	c.adj.ReplyLimits = never{}
	had := len(c.mailbox[address("democrat")])
	c.receive(c.letter("democrat", "STATUS"))
	c.adj.ReplyLimits = nil
	sampleLetter(t, c, 10)
	sampleLetter(t, c, 11)
	if got := len(c.mailbox[address("democrat")]) - had; got != 1 {
		t.Fatalf("%d letters, want 1", got)
	}
	wants(t, c.last("democrat").Text, "The Communist plays 1 Legacy of Martial Law")
}

// TestConfirmationsTellNews: each letter of orders is confirmed to its writer at once, and the letter says how to end that; the
// other player reads of it in the letter that asks him.
func TestConfirmationsTellNews(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after         int
		seat, text    string
		format        string
		writer, other int // how many letters each gets
	}{
		"what it says":         {0, "communist", "PLACE Miskolc, Debrecen", "", 1, 1},
		"in small letters":     {0, "communist", "place  Miskolc, debrecen", "", 1, 1},
		"in other words":       {0, "communist", "Debrecen, Miskolc", "", 1, 1},
		"beside talk":          {0, "communist", "PLACE Miskolc, Debrecen\n\nGood luck!", "", 1, 1},
		"every order":          {0, "communist", "PLACE Miskolc, Debrecen", "FORMAT LOUD", 1, 1},
		"no order":             {11, "communist", "CHECK Gdansk", "FORMAT QUIET", 0, 1},
		"as at first":          {0, "communist", "PLACE Miskolc, Debrecen", "FORMAT LOUD\nFORMAT NORMAL", 1, 1},
		"a die":                {11, "communist", "CHECK Gdansk", "", 1, 1},
		"goes on":              {9, "communist", "PLAY 1 EVENT", "", 1, 0},
		"goes on, every order": {9, "communist", "PLAY 1 EVENT", "FORMAT LOUD", 1, 1},
		"refused":              {0, "communist", "PLACE Budapest 2", "", 1, 0},
		"not asked":            {0, "democrat", "PLACE Budapest 2", "", 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := sampleAfter(t, tt.after)
			if tt.format != "" {
				c.sends("communist", tt.format)
				c.sends("democrat", tt.format)
			}
			c.adj.LetterOptions.Confirmations = time.Millisecond
			other := map[string]string{"communist": "democrat", "democrat": "communist"}[tt.seat]
			writer, others := c.got(tt.seat), c.got(other)
			c.receive(c.letter(tt.seat, tt.text))
			if w, o := c.got(tt.seat)-writer, c.got(other)-others; w != tt.writer || o != tt.other {
				t.Errorf("the writer got %d letters and the other %d, want %d and %d:\n%s", w, o, tt.writer, tt.other, c.last(tt.seat).Text)
			}
		})
	}
}

// TestOrderConfirmed: a letter of orders is confirmed by what was done, whose move it is and how to get no such letters. After sixty
// letters it is confirmed only while the other player is away.
func TestOrderConfirmed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		many bool
		away string
		want int
	}{"at first": {false, "HAND", 1}, "later": {true, "HAND", 0}, "away": {true, "VACATION 1989-06-04 TO 1989-06-20", 1}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := sampleClub(t)
			if tt.many {
				c.store = func(s exchange.Store) exchange.Store { return manyLetters{s} }
				c.reopen()
			}
			c.adj.LetterOptions.Confirmations = time.Millisecond
			c.receive(c.letter("democrat", tt.away))
			had := c.got("communist")
			c.receive(c.letter("communist", "PLACE Miskolc, Debrecen"))
			if n := c.got("communist") - had; n != tt.want {
				t.Fatalf("%d letters, want %d:\n%s", n, tt.want, c.last("democrat").Text)
			}
			if d := c.last("communist"); tt.want > 0 {
				wants(t, d.Subject+"\n"+d.Text, "Waiting: 1989 v. the Democrat", "The match is waiting for the Democrat.",
					"- PLACE Miskolc, Debrecen: done", "FORMAT QUIET")
			}
		})
	}
}

// manyLetters is a store of matches whose seats have got sixty letters.
type manyLetters struct{ exchange.Store }

// Match implements exchange.Store.
func (s manyLetters) Match(ctx context.Context, id string) (*match.Match, error) {
	m, err := s.Store.Match(ctx, id)
	if err == nil {
		for i := range m.Seats {
			m.Seats[i].LastLetter = max(m.Seats[i].LastLetter, 60)
		}
	}
	return m, err
}

// TestConfirmationOfTurn: at a larger table all hear when the turn goes to another, and not
// before.
func TestConfirmationOfTurn(t *testing.T) {
	t.Parallel()
	c, id, _, _ := inTurn(t, rulestest.Game())
	c.adj.LetterOptions.Confirmations = time.Millisecond
	passed, went := 0, 0
	for passed < 3 || went == 0 {
		asked := func() (rules.Position, rules.Decision) {
			pos, err := rulestest.Game().Decode(c.position(id))
			if err != nil {
				t.Fatal(err)
			}
			return pos, pos.OpenDecisions(nil)[0]
		}
		pos, d := asked()
		if d.Sealed {
			t.Fatalf("the turn went to another %d times, and stayed %d times", passed, went)
		}
		had := map[string]int{}
		for _, s := range orchards {
			had[s] = c.got(s)
		}
		c.receive(c.letter(orchards[d.Seat], rulestest.Game().FormatOrder(rulestest.Pick(pos, d, func(int) int { return 0 }))))
		_, after := asked()
		next, want := after.Seat, 1
		if next == d.Seat {
			want, went = 0, went+1
		} else {
			passed++
		}
		for i, s := range orchards {
			if seat := rules.Seat(i); seat != d.Seat && seat != next && c.got(s)-had[s] != want {
				t.Errorf("after the %s the %s is asked, and the %s gets %d letters", orchards[d.Seat], orchards[next], s, c.got(s)-had[s])
			}
		}
	}
}
