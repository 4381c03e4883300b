package clubmail_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
)

// TestDigest: whoever wants news gets them on Mondays, once, with how to stop them, and nobody
// else does.
func TestDigest(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben", "Cleo", "Dan")
	h.answers("Dan", "DIGEST WEEKLY\nFORMAT SPOKEN")
	id := h.invites("Ada", "Ben")
	h.plays(id, 6, "Ada", "Ben")
	golden(t, "digest/set.txt", h.answers("Ben", "DIGEST WEEKLY\nDIGEST sometimes\nSETTINGS").Text)
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Announce, Text: "The club meets in the park on Sunday."}, "the director"); err != nil {
		t.Fatal(err)
	}
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Announce, Text: ""}, "the director"); err == nil {
		t.Error("nothing is announced")
	}
	h.resigns(id, "Ada")
	h.answers("Cleo", "OFFER 1989 AS Democrat")
	h.later(time.Minute)
	h.now = time.Date(1989, 6, 5, 5, 59, 0, 0, time.UTC) // a Monday
	had := map[string]int{}
	for _, n := range []string{"Ada", "Ben", "Cleo", "Dan"} {
		had[n] = len(h.mailbox[at(n)])
	}
	h.due()
	if n := len(h.mailbox[at("Ben")]) - had["Ben"]; n != 0 {
		t.Errorf("%d letters before the time", n)
	}
	h.later(time.Minute)
	h.later(time.Minute)
	for n, want := range map[string]int{"Ada": 0, "Ben": 1, "Cleo": 0, "Dan": 1} {
		if got := len(h.mailbox[at(n)]) - had[n]; got != want {
			t.Errorf("%s got %d letters", n, got)
		}
	}
	l := h.last("Ben")
	narrow(t, l.Text)
	golden(t, "digest/news.txt", l.Subject+"\n\n"+l.Text)
	spoken(t, h.last("Dan").Text)
	golden(t, "digest/spoken.txt", h.last("Dan").Text)
	raw := h.raw[at("Ben")]
	if last := raw[len(raw)-1]; !strings.Contains(last, "List-Unsubscribe: <mailto:referee%2Bclub-c2-") || !strings.Contains(strings.ReplaceAll(last, "\r\n ", ""), "body=DIGEST%20OFF>") {
		t.Errorf("how to unsubscribe:\n%s", last[:2000])
	}
	h.answers("Ben", "DIGEST OFF")
	had["Ben"] = len(h.mailbox[at("Ben")])
	h.later(8 * daysOf)
	if n := len(h.mailbox[at("Ben")]) - had["Ben"]; n != 0 {
		t.Errorf("%d letters after DIGEST OFF", n)
	}
	h.answers("Ben", "DIGEST DAILY")
	h.later(25 * time.Hour)
	h.later(25 * time.Hour)
	if n := h.letters("Ben", "Here is the news of The Danzig club"); n != 3 {
		t.Errorf("%d digests in all", n)
	}
}

// signs are those that a screen reader spells, and the columns of a table.
var signs = regexp.MustCompile(`[|*=_~<>#]|--|\S  +\S|\+-|^- `)

// spoken checks that no line of a letter has signs, except orders to copy.
func spoken(t *testing.T, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "    ") && signs.MatchString(line) {
			t.Errorf("not to be read aloud: %q", line)
		}
	}
	narrow(t, text)
}

// TestLateDigest: a digest that comes late tells of all since the last.
func TestLateDigest(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.answers("Ben", "DIGEST DAILY")
	h.later(daysOf)
	if err := h.club.ApplyDirective(t.Context(), club.Directive{Verb: club.Announce, Text: "The club meets in the park on Sunday."}, "the director"); err != nil {
		t.Fatal(err)
	}
	h.later(6 * daysOf)
	if l := h.last("Ben"); !strings.Contains(l.Text, "in the park") || !strings.Contains(l.Subject, "news since 5 June 1989") {
		t.Errorf("%s\n%s", l.Subject, l.Text)
	}
	h.later(time.Minute)
	if n := h.letters("Ben", "Here is the news of The Danzig club"); n != 2 {
		t.Errorf("%d digests in all", n)
	}
}

// TestDigestPlaces: a digest tells the first places of a ladder, and how the ratings there have moved.
func TestDigestPlaces(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.joins("Ada", "Ben")
	h.answers("Ben", "DIGEST WEEKLY")
	id := h.invites("Ada", "Ben")
	for i := range 24 {
		m := h.stored(id)
		m.ID = fmt.Sprintf("mother%c", 'a'+i)
		if err := h.db.Create(t.Context(), m, nil); err != nil {
			t.Fatal(err)
		}
		r := club.Result{Match: m.ID, Game: "1989", Ended: h.now.Add(time.Duration(i) * 12 * time.Hour), Seats: []club.ResultSeat{{Player: 1, Name: "democrat", Won: i%3 > 0}, {Player: 2, Name: "communist", Won: i%3 == 0}}}
		if err := h.db.Apply(t.Context(), exchange.Change{Club: &club.Change{ExaminedMatches: []club.ExaminedMatch{{Match: m.ID, Result: &r}}}}); err != nil {
			t.Fatal(err)
		}
	}
	h.later(8 * daysOf)
	h.later(7 * daysOf)
	_, places, _ := strings.Cut(h.last("Ben").Text, "FIRST ON THE LADDER OF 1989")
	places, _, _ = strings.Cut(places, "WHERE YOU STAND")
	for _, want := range []string{`1  Ada  1\d\d\d  \([+-]\d+\)`, `2  Ben  1\d\d\d  \([+-]\d+\)`} {
		if !regexp.MustCompile(want).MatchString(places) {
			t.Errorf("the places are not as %s:\n%s", want, h.last("Ben").Text)
		}
	}
}
