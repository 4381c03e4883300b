package message

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrderText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "EVENT 24\n", "EVENT 24\n"},
		{"mark alone", Mark + "\nEVENT 24\n", ""},
		{"mark of an earlier letter", "EVENT 24\n" + oldMark + "\nEVENT 99\n", "EVENT 24\n"},
		{"mark with bold stars", "EVENT 24\n*" + Mark + "*\nEVENT 99\n", "EVENT 24\n"},
		{"mark folded", "EVENT 24\n=== Samizdat reads nothing\nbelow this line ===\nEVENT 99\n", "EVENT 24\n"},
		{"new mark folded", "EVENT 24\n=== Write above this line. Samizdat\nreads nothing below it. ===\nEVENT 99\n", "EVENT 24\n"},
		{"mark without decoration", "EVENT 24\nsamizdat reads nothing  below this line\nEVENT 99\n", "EVENT 24\n"},
		{"mark quoted, answers between", "> " + Mark + "\n> Question one?\n\nEVENT 24\n\n> Question two?\n\nEVENT 25\n", "EVENT 24\n\nEVENT 25\n"},
		{"answer without blank lines", "> " + Mark + "\n> One?\nEVENT 24\n> Two?\nEVENT 25\n", "EVENT 24\n\nEVENT 25\n"},
		{"nested quotes", ">> EVENT 1\n> > EVENT 2\n >EVENT 3\nEVENT 24\n", "EVENT 24\n"},
		{"indented comparison is no quote", "      > EVENT 3\n", "      > EVENT 3\n"},
		{"signature without its space", "EVENT 24\n--\nEVENT 99\n", "EVENT 24\n"},
		{"two dashes before an order", "-- EVENT 24\n", "-- EVENT 24\n"},
		{"telephone", "EVENT 24\n\nSent from my iPhone\n", "EVENT 24\n"},
		{"attribution at the end", "EVENT 24\n\nOn 21 Nov 2026, at 10:00, Samizdat <j@d> wrote:\n", "EVENT 24\n"},
		{"attribution over four lines", "EVENT 24\nOn Saturday, 21 November 2026 at\n10:00:00 CET, the referee\nof the game Samizdat\n<j@d> wrote:\n> x\n", "EVENT 24\n"},
		{"chat that says wrote", "On Monday you wrote: this is fine\nEVENT 24\n", "On Monday you wrote: this is fine\nEVENT 24\n"},
		{"an order that begins like a header", "DE: Leipzig\nEVENT 24\n", "DE: Leipzig\nEVENT 24\n"},
		{"two fields are no header", "From: here\nTo: there\nEVENT 24\n", "From: here\nTo: there\nEVENT 24\n"},
		{"dashes are no divider", "--- my orders ---\nEVENT 24\n", "--- my orders ---\nEVENT 24\n"},
		{"forwarded", "EVENT 24\n\nBegin forwarded message:\n\nFrom: a\nTo: b\n\nEVENT 99\n", "EVENT 24\n"},
		{"divider with marked quotes", "-----Original Message-----\nFrom: a\nSent: b\n\n> EVENT 1\n\nEVENT 24\n", "EVENT 24\n"},
		{"chinese", "EVENT 24\n\n在 2026年11月21日，Samizdat <j@d> 写道：\n> x\n", "EVENT 24\n"},
		{"swedish", "EVENT 24\n\nDen lör 21 nov. 2026 kl 10:00 skrev Samizdat <j@d>:\n> x\n", "EVENT 24\n"},
		{"old gmail", "EVENT 24\n2026-11-21 10:00 GMT+01:00 Samizdat <j@d>:\n> x\n", "EVENT 24\n"},
		{"crlf", "EVENT 24\r\n> x\r\nEVENT 25\r\n", "EVENT 24\n\nEVENT 25\n"},
	}
	for _, tt := range tests {
		if got := OrderText(tt.in, testReferee); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestDoubtfulLines(t *testing.T) {
	t.Parallel()
	long := "> " + strings.Repeat("word ", 14) + "word"
	tests := []struct {
		name, in, orders string
		doubtful         int
	}{
		{"broken off", long + "\nEVENT 99\n> more\n", "", 1},
		{"blank line between", long + "\n\nEVENT 24\n\n> more\n", "EVENT 24\n", 0},
		{"below a short line", "> What now?\nEVENT 24\n> more\n", "EVENT 24\n", 0},
		{"at the end", long + "\nEVENT 24\n", "EVENT 24\n", 0},
		{"two lines", long + "\nEVENT 24\nEVENT 25\n> more\n", "EVENT 24\nEVENT 25\n", 0},
	}
	for _, tt := range tests {
		read := ReadOrders(tt.in, testReferee)
		orders, doubtful := read.Text, read.Doubtful
		if orders != tt.orders || len(doubtful) != tt.doubtful {
			t.Errorf("%s: got %q, doubtful %q", tt.name, orders, doubtful)
		}
	}
}

// testReferee is the sender of the letters that are answered.
var testReferee = Referee{Addresses: []string{"judge@example.net", "judge@demo.example", "judge@club.example", "j@d"}, Names: []string{"Samizdat"}}

// openAttributions stand for what programs write above a quote.
var attributions = []string{
	"On Sat, 21 Nov 2026 at 10:02, NAME <judge@example.net> wrote:",
	"On 21/11/2026 10:02, NAME wrote:",
	"On Sat, 21 Nov 2026 at 10:02, NAME\n<judge@example.net> wrote:",
	"On Saturday, November 21, 2026,\nNAME <judge@example.net>\nwrote:",
	"Am 21.11.2026 um 10:02 schrieb NAME:",
	"Am 21.11.2026 um 10:02 schrieb NAME\n<judge@example.net>:",
	"Le sam. 21 nov. 2026 à 10:02, NAME <judge@example.net> a écrit :",
	"W dniu 21.11.2026 o 10:02, NAME pisze:",
	"sob., 21 lis 2026 o 10:02 NAME <judge@example.net> napisał(a):",
	"NAME kirjoitti 21.11.2026 klo 10.02:",
	"NAME kirjoitti\n21.11.2026 klo 10.02:",
	"NAME <judge@example.net> schrieb am Sa., 21. Nov. 2026, 10:02:",
	"2026-11-21 10:02 GMT+01:00 NAME <judge@example.net>:",
	"NAME <judge@example.net> wrote on 21 Nov 2026 10:02:",
}

// TestLineAboveAttribution: an order right above an attribution is none of it. Without
// it half a letter would be carried out, and nobody would know.
func TestLineAboveAttribution(t *testing.T) {
	t.Parallel()
	lines := []string{
		"OPS PLACE Poznan 2, Lodz", "DISCARD 35", "DISCARD 12, 35", "ELSE", "Elite", "36 event", "2 in Krakow", "40 event",
		"1. PLAY 14 EVENT", "2. CHECK Gdansk", "ADDRESS new@example.org", "Option 1 please", "on 36: event", "Am 36 event",
		"samizdat check", "36 - ops - 2 Krakow - 1 Lodz - event after", "PLACE:", "MESSAGE",
	}
	for _, a := range attributions {
		a = strings.ReplaceAll(a, "NAME", "Samizdat")
		for _, line := range lines {
			want := "PLAY 36 OPS EVENT FIRST\n" + line + "\n"
			for _, gap := range []string{"", "\n"} {
				if got := OrderText(want+gap+a+"\n> PLAY 99 EVENT\n", testReferee); got != want {
					t.Errorf("%q above %q: got %q", line, a, got)
				}
			}
			if got := OrderText(want+a+"\n\n"+Mark+"\nPLAY 99 EVENT\n", testReferee); got != want {
				t.Errorf("%q above %q and an unmarked copy: got %q", line, a, got)
			}
		}
	}
}

// TestRefereesName: what introduces a copy does not depend on the referee's name.
func TestRefereesName(t *testing.T) {
	t.Parallel()
	for _, a := range attributions {
		for _, name := range []string{"Samizdat", "Referee", "Judge, the", "1989 Club", "Élodie"} {
			line := strings.ReplaceAll(a, "NAME", name)
			us := Referee{Addresses: testReferee.Addresses, Names: []string{name}}
			if got := OrderText(line+"\n> EVENT 99\n\nEVENT 24\n", us); got != "EVENT 24\n" {
				t.Errorf("%s: above a quote: %q", line, got)
			}
			if got := OrderText("EVENT 24\n\n"+line+"\n\n"+Mark+"\nEVENT 99\n", us); got != "EVENT 24\n" {
				t.Errorf("%s: above a copy: %q", line, got)
			}
		}
	}
}

// TestLeftOutBelowAttribution: what is taken for a copy of another letter is named,
// unless our mark or a mark of a quote shows that it is one.
func TestLeftOutBelowAttribution(t *testing.T) {
	t.Parallel()
	const above = "PLAY 14 EVENT\n\nOn 21/11/2026 10:02, Samizdat wrote:\n"
	var many strings.Builder
	var ten []string
	for i := range 30 {
		fmt.Fprintf(&many, "PLACE Lodz %d\n\n", i)
		if i < 10 {
			ten = append(ten, fmt.Sprintf("PLACE Lodz %d", i))
		}
	}
	tests := []struct {
		name, text string
		doubtful   []string
	}{
		{"a copy without our mark", above + "\nPLAY 36 EVENT\n----\nCHECK Gdansk\n", []string{"PLAY 36 EVENT", "CHECK Gdansk"}},
		{"our mark", above + "\n" + Mark + "\n\nPLAY 36 EVENT\n", nil},
		{"our mark further below", above + "\nPLAY 36 EVENT\n\n> " + Mark + "\n", nil},
		{"a quote", above + "> PLAY 36 EVENT\n", nil},
		{"a signature below", above + "\nPLAY 36 EVENT\n-- \nAnn\n", []string{"PLAY 36 EVENT"}},
		{"many lines", above + "\n" + many.String(), ten},
		{"nothing", above, nil},
	}
	for _, tt := range tests {
		read := ReadOrders(tt.text, testReferee)
		orders, doubtful := read.Text, read.Doubtful
		if orders != "PLAY 14 EVENT\n" {
			t.Errorf("%s: orders %q", tt.name, orders)
		}
		if d := cmp.Diff(tt.doubtful, doubtful); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, d)
		}
	}
}

// TestLeftOutClosing: a line that reads like a telephone's is named when the writer's
// text goes on below it.
func TestLeftOutClosing(t *testing.T) {
	t.Parallel()
	const ad = "Sent from my iPhone"
	tests := []struct {
		name, text, orders string
		doubtful           []string
	}{
		{"at the end", "PASS\n\n" + ad + "\n", "PASS\n", nil},
		{"above a quote", "PASS\n\n" + ad + "\n\n> x\n\nPLAY 36 EVENT\n", "PASS\n\nPLAY 36 EVENT\n", nil},
		{"above a signature", "PASS\n" + ad + "\n-- \nAnn\n", "PASS\n", nil},
		{
			"in a message", "MESSAGE\nSent with love from my mobile home\nEND MESSAGE\n", "MESSAGE\nEND MESSAGE\n",
			[]string{"Sent with love from my mobile home"},
		},
	}
	for _, tt := range tests {
		read := ReadOrders(tt.text, testReferee)
		orders, doubtful := read.Text, read.Doubtful
		if orders != tt.orders {
			t.Errorf("%s: orders %q, want %q", tt.name, orders, tt.orders)
		}
		if d := cmp.Diff(tt.doubtful, doubtful); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tt.name, d)
		}
	}
}

// TestManyLines: of a text that is too long to tell quotes from orders nothing is read.
func TestManyLines(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a quote":     "PLAY 36 EVENT\n\nOn 21/11/2026 10:02, Samizdat wrote:\n" + strings.Repeat("> PLAY 99 EVENT\n", maxLines),
		"a copy":      "PLAY 36 EVENT\n\n" + Mark + "\n" + strings.Repeat("\nPLAY 99 EVENT\n", maxLines/2),
		"blank lines": strings.Repeat("\n", maxLines) + "PLAY 36 EVENT",
		"form feeds":  strings.Repeat("\f", maxLines) + "PLAY 36 EVENT",
	} {
		if orders := ReadOrders(text, testReferee); orders.Text != "" || !orders.TooLong {
			t.Errorf("%s: %.80q is read, too much: %v", name, orders.Text, orders.TooLong)
		}
	}
	most := "PLAY 36 EVENT" + strings.Repeat("\n", maxLines-1)
	if orders := ReadOrders(most, testReferee); orders.Text != "PLAY 36 EVENT\n" || orders.TooLong {
		t.Errorf("of as many lines as are read: %q, too much: %v", orders.Text, orders.TooLong)
	}
}
