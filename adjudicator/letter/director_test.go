package letter

import (
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// directed is what a letter about a match says.
type directed = DirectorOrders[match.Directive]

// TestDirector: what letters say, and what they do not.
func TestDirector(t *testing.T) {
	t.Parallel()
	const why = "it is so"
	act := func(directive match.Directive) directed {
		directive.Why = why
		return directed{Directives: []match.Directive{directive}, Entry: -1}
	}
	for _, x := range []struct {
		text string
		want directed
	}{
		{"PAUSE BECAUSE it is so", act(match.Directive{Verb: match.DirectorPause})},
		{"pause for 2 weeks because it is so", act(match.Directive{Verb: match.DirectorPause, Duration: 14 * 24 * time.Hour})},
		{"Hello,\n\nPause 36h.\nbecause it\nis so\n\nDora", act(match.Directive{Verb: match.DirectorPause, Duration: 36 * time.Hour})},
		{"RESUME\nWHY: it is so", act(match.Directive{Verb: match.DirectorResume})},
		{"EXTEND the democrat by 2 days\nREASON: it is so", act(match.Directive{Verb: match.DirectorExtend, Seat: "democrat", Duration: 48 * time.Hour})},
		{"EXTEND 2 90 min\n\nbecause it is so", act(match.Directive{Verb: match.DirectorExtend, Seat: "2", Duration: 90 * time.Minute})},
		{"REPLACE democrat WITH Ann <ann@x.org>, because it is so", act(match.Directive{Verb: match.DirectorReplace, Seat: "democrat", Address: "Ann <ann@x.org>"})},
		{"replace 1 by ann@x.org BECAUSE it is so", act(match.Directive{Verb: match.DirectorReplace, Seat: "1", Address: "ann@x.org"})},
		{"UNDO TO 12 BECAUSE it is so\n\nThank you.\nDora", act(match.Directive{Verb: match.DirectorUndo, Entry: 12})},
		{"undo to entry #7; because it is so", act(match.Directive{Verb: match.DirectorUndo, Entry: 7})},
		{"Annul the match because it is so", act(match.Directive{Verb: match.DirectorAnnul})},
		{"RULE draw BECAUSE it is so", act(match.Directive{Verb: match.DirectorRule, Draw: true})},
		{"RULE NOBODY BECAUSE it is so", act(match.Directive{Verb: match.DirectorRule, Nobody: true})},
		{"RULE the smith, the baker and the miller win BECAUSE it is so", act(match.Directive{Verb: match.DirectorRule, Winners: []string{"smith", "baker", "miller"}})},
		{"Rule winner: democrat because it is so", act(match.Directive{Verb: match.DirectorRule, Winners: []string{"democrat"}})},
		{"CANCEL the invitation BECAUSE it is so", act(match.Directive{Verb: match.DirectorCancel})},
		{"TELL ALL: The server moves,\nbecause it must.\n\nDora", directed{Directives: []match.Directive{{Verb: match.DirectorTell, Text: "The server moves,\nbecause it must."}}, Entry: -1}},
		{"Dear referee,\nplease PAUSE because it is so\n\nKind regards, Dora", act(match.Directive{Verb: match.DirectorPause})},
		{"Hi all,\n\nI would like to RESUME\nWHY: it is so\n\nDora", act(match.Directive{Verb: match.DirectorResume})},
		{"Hello,\n\nplease send STATUS, thanks", directed{Status: true, Entry: -1}},
		{"YES", directed{Yes: true, Entry: -1}},
		{"Yes, please.\n\nDora", directed{Yes: true, Entry: -1}},
		{"No.", directed{No: true, Entry: -1}},
		{"STATUS\nHISTORY 40\nHELP", directed{Status: true, Help: true, History: true, Entry: 40}},
		{"Yes, I have read that.", directed{Entry: -1, Doubts: []string{"Yes, I have read that."}}},
		{"Nora", directed{Entry: -1, Doubts: []string{"Nora"}}},
		{"Should we annul it because of that?", directed{Entry: -1, Doubts: []string{"Should we annul it because of that?"}}},
		{"UNDO TO 12", directed{Entry: -1, RefusedLines: []Line{{Text: "UNDO TO 12", Kind: KindUnreadable, Why: "UNDO needs BECAUSE and a reason: the players will read the reason, and it stays in the record."}}}},
		{"UNDO 12 BECAUSE it is so", directed{Entry: -1, RefusedLines: []Line{{Text: "UNDO 12 BECAUSE it is so", Kind: KindUnreadable, Why: "The order is written like this: UNDO TO 12 BECAUSE, and then your reason; write numbers in figures."}}}},
		{"ANNUL? BECAUSE it is so", directed{Entry: -1, RefusedLines: []Line{{Text: "ANNUL? BECAUSE it is so", Kind: KindUnreadable, Why: "The order is written like this: ANNUL BECAUSE, and then your reason."}}}},
		{"RULE the smith probably BECAUSE it is so", directed{Entry: -1, RefusedLines: []Line{{Text: "RULE the smith probably BECAUSE it is so", Kind: KindUnreadable, Why: "After RULE write the seats that win, or DRAW, or NOBODY."}}}},
		{"TELL ALL", directed{Entry: -1, RefusedLines: []Line{{Text: "TELL ALL", Kind: KindUnreadable, Why: "Write the text after TELL ALL."}}}},
		{"TELL the smith that he is late", directed{Entry: -1, RefusedLines: []Line{{Text: "TELL the smith that he is late", Kind: KindUnreadable, Why: "The order is written like this: TELL ALL the text."}}}},
		{"EXTEND smith BY 0 days BECAUSE it is so", directed{Entry: -1, RefusedLines: []Line{{Text: "EXTEND smith BY 0 days BECAUSE it is so", Kind: KindUnreadable, Why: "Write a time from 1 minute to 366 days."}}}},
		{"ANNUL BECAUSE " + strings.Repeat("x", 501), directed{Entry: -1, RefusedLines: []Line{{Text: "ANNUL BECAUSE " + strings.Repeat("x", 501), Kind: KindUnreadable, Why: "The reason has more than 500 characters."}}}},
	} {
		if d := cmp.Diff(x.want, ReadDirectorLetter(x.text, "Dora Dawson"), cmp.AllowUnexported(Line{}, Command{}, rules.Order{})); d != "" {
			t.Errorf("%q (-want +got):\n%s", x.text, d)
		}
	}
}

// TestWritten: an act is read again as it is written, on the command line too.
func TestWritten(t *testing.T) {
	t.Parallel()
	for _, f := range Forms(RoleDirector) {
		directive, err := ParseDirective(f.Order, "it is so")
		if err != nil {
			t.Errorf("%s: %v", f.Order, err)
			continue
		}
		b, err := ParseDirective(directive.String(), "it is so")
		if err != nil || !cmp.Equal(directive, b) {
			t.Errorf("%s is written %s, and that is read as %+v, %v", f.Order, directive, b, err)
		}
	}
	for _, text := range []string{"", "resign", "undo", "undo to", "rule", "rule a draw or the smith", "extend", "extend smith", "replace smith", "replace smith with ann", "tell", "pause 3"} {
		if directive, err := ParseDirective(text, "it is so"); err == nil {
			t.Errorf("%q is read as %+v", text, directive)
		}
	}
}

// TestDirectedMatch: which match a letter asks to direct.
func TestDirectedMatch(t *testing.T) {
	t.Parallel()
	for _, x := range []struct{ text, subject, want string }{
		{"DIRECT mabcdefg", "", "mabcdefg"}, {"Hello,\n\ndirect match [mabcdefg].", "", "mabcdefg"}, {"", "Re: DIRECT mabcdefg", "mabcdefg"},
		{"direct me to mabcdefg", "", ""}, {"DIRECT", "", ""}, {"I want to DIRECT mabcdefg", "", ""}, {"> DIRECT mabcdefg", "", ""},
	} {
		if got := DirectedMatch(x.text, x.subject); got != x.want {
			t.Errorf("%q, %q: %q, want %q", x.text, x.subject, got, x.want)
		}
	}
}
