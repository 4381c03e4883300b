package message

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
		read := ReadOrders(tt.text, referee)
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
		read := ReadOrders(tt.text, referee)
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
		if orders := ReadOrders(text, referee); orders.Text != "" || !orders.TooMuch {
			t.Errorf("%s: %.80q is read, too much: %v", name, orders.Text, orders.TooMuch)
		}
	}
	most := "PLAY 36 EVENT" + strings.Repeat("\n", maxLines-1)
	if orders := ReadOrders(most, referee); orders.Text != "PLAY 36 EVENT\n" || orders.TooMuch {
		t.Errorf("of as many lines as are read: %q, too much: %v", orders.Text, orders.TooMuch)
	}
}
