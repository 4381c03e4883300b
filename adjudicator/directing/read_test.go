package directing

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// small is talk that knows a few words.
type small struct{}

func (small) Harmless(row string) bool  { return strings.HasPrefix(row, "Hello") || row == "Thank you." }
func (small) Signature(row string) bool { return row == "Dora" }

// TestRead: what letters say, and what they do not.
func TestRead(t *testing.T) {
	t.Parallel()
	const why = "it is so"
	act := func(a Act) Letter { a.Why = why; return Letter{Acts: []Act{a}, Entry: -1} }
	for _, x := range []struct {
		text string
		want Letter
	}{
		{"PAUSE BECAUSE it is so", act(Act{Verb: Pause})},
		{"pause for 2 weeks because it is so", act(Act{Verb: Pause, Span: 14 * 24 * time.Hour})},
		{"Hello,\n\nPause 36h.\nbecause it\nis so\n\nDora", act(Act{Verb: Pause, Span: 36 * time.Hour})},
		{"RESUME\nWHY: it is so", act(Act{Verb: Resume})},
		{"EXTEND the democrat by 2 days\nREASON: it is so", act(Act{Verb: Extend, Seat: "democrat", Span: 48 * time.Hour})},
		{"EXTEND 2 90 min\n\nbecause it is so", act(Act{Verb: Extend, Seat: "2", Span: 90 * time.Minute})},
		{"REPLACE democrat WITH Ann <ann@x.org>, because it is so", act(Act{Verb: Replace, Seat: "democrat", Address: "Ann <ann@x.org>"})},
		{"replace 1 by ann@x.org BECAUSE it is so", act(Act{Verb: Replace, Seat: "1", Address: "ann@x.org"})},
		{"UNDO TO 12 BECAUSE it is so\n\nThank you.\nDora", act(Act{Verb: Undo, Entry: 12})},
		{"undo to entry #7; because it is so", act(Act{Verb: Undo, Entry: 7})},
		{"Annul the match because it is so", act(Act{Verb: Annul})},
		{"RULE draw BECAUSE it is so", act(Act{Verb: Rule, Draw: true})},
		{"RULE NOBODY BECAUSE it is so", act(Act{Verb: Rule, Nobody: true})},
		{"RULE the smith, the baker and the miller win BECAUSE it is so", act(Act{Verb: Rule, Winners: []string{"smith", "baker", "miller"}})},
		{"Rule winner: democrat because it is so", act(Act{Verb: Rule, Winners: []string{"democrat"}})},
		{"CANCEL the invitation BECAUSE it is so", act(Act{Verb: Cancel})},
		{"TELL ALL: The server moves,\nbecause it must.\n\nDora", Letter{Acts: []Act{{Verb: Tell, Text: "The server moves,\nbecause it must."}}, Entry: -1}},
		{"YES", Letter{Yes: true, Entry: -1}},
		{"Yes, please.\n\nDora", Letter{Yes: true, Entry: -1}},
		{"No.", Letter{No: true, Entry: -1}},
		{"STATUS\nHISTORY 40\nHELP", Letter{Status: true, Help: true, History: true, Entry: 40}},
		{"Yes, I have read that.", Letter{Entry: -1, Doubts: []string{"Yes, I have read that."}}},
		{"Dora", Letter{Entry: -1, Doubts: []string{"Dora"}}},
		{"Should we annul it because of that?", Letter{Entry: -1, Doubts: []string{"Should we annul it because of that?"}}},
		{"UNDO TO 12", Letter{Entry: -1, Refused: []Refusal{{"UNDO TO 12", "It wants a reason: the players are told it, and the record keeps it."}}}},
		{"UNDO 12 BECAUSE it is so", Letter{Entry: -1, Refused: []Refusal{{"UNDO 12 BECAUSE it is so", "Write UNDO TO 12."}}}},
		{"ANNUL? BECAUSE it is so", Letter{Entry: -1, Refused: []Refusal{{"ANNUL? BECAUSE it is so", "Write ANNUL."}}}},
		{"RULE the smith probably BECAUSE it is so", Letter{Entry: -1, Refused: []Refusal{{"RULE the smith probably BECAUSE it is so", "It wants the seats that win, or DRAW, or NOBODY."}}}},
		{"TELL ALL", Letter{Entry: -1, Refused: []Refusal{{"TELL ALL", "It wants the text behind it."}}}},
		{"TELL the smith that he is late", Letter{Entry: -1, Refused: []Refusal{{"TELL the smith that he is late", "Write TELL ALL the text."}}}},
		{"EXTEND smith BY 0 days BECAUSE it is so", Letter{Entry: -1, Refused: []Refusal{{"EXTEND smith BY 0 days BECAUSE it is so", "It can be from 1 minute to 366 days."}}}},
		{"ANNUL BECAUSE " + strings.Repeat("x", 501), Letter{Entry: -1, Refused: []Refusal{{"ANNUL BECAUSE " + strings.Repeat("x", 501), "The reason has more than 500 characters."}}}},
	} {
		if d := cmp.Diff(x.want, Read(x.text, small{})); d != "" {
			t.Errorf("%q (-want +got):\n%s", x.text, d)
		}
	}
}

// TestWritten: an act is read again as it is written, on the command line too.
func TestWritten(t *testing.T) {
	t.Parallel()
	for _, f := range Forms() {
		a, err := Parse(f.Act, "it is so")
		if err != nil {
			t.Errorf("%s: %v", f.Act, err)
			continue
		}
		b, err := Parse(a.String(), "it is so")
		if err != nil || !cmp.Equal(a, b) {
			t.Errorf("%s is written %s, and that is read as %+v, %v", f.Act, a, b, err)
		}
	}
	for _, text := range []string{"", "resign", "undo", "undo to", "rule", "rule a draw or the smith", "extend", "extend smith", "replace smith", "replace smith with ann", "tell", "pause 3"} {
		if a, err := Parse(text, "it is so"); err == nil {
			t.Errorf("%q is read as %+v", text, a)
		}
	}
}

// TestMatch: which match a letter asks to direct.
func TestMatch(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ text, subject, want string }{
		{"DIRECT mabcdefg", "", "mabcdefg"}, {"Hello,\n\ndirect match [mabcdefg].", "", "mabcdefg"}, {"", "Re: DIRECT mabcdefg", "mabcdefg"},
		{"direct me to mabcdefg", "", ""}, {"DIRECT", "", ""}, {"I want to DIRECT mabcdefg", "", ""}, {"> DIRECT mabcdefg", "", ""},
	} {
		if got := Match(x.text, x.subject); got != x.want {
			t.Errorf("%q, %q: %q, want %q", x.text, x.subject, got, x.want)
		}
	}
}
