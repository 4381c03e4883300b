package message

import (
	"strings"
	"testing"
)

func TestOrderText(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "EVENT 24\n", "EVENT 24\n"},
		{"mark alone", Mark + "\nEVENT 24\n", ""},
		{"mark with bold stars", "EVENT 24\n*" + Mark + "*\nEVENT 99\n", "EVENT 24\n"},
		{"mark folded", "EVENT 24\n=== Samizdat reads nothing\nbelow this line ===\nEVENT 99\n", "EVENT 24\n"},
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
		if got := OrderText(tt.in, referee); got != tt.want {
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
		read := ReadOrders(tt.in, referee)
		orders, doubtful := read.Text, read.Doubtful
		if orders != tt.orders || len(doubtful) != tt.doubtful {
			t.Errorf("%s: got %q, doubtful %q", tt.name, orders, doubtful)
		}
	}
}
