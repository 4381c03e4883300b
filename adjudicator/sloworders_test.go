package adjudicator_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/long"
	"samizdat/mail/message"
)

// TestSlowOrders: no letter takes long to adjudicate, whatever a player writes and
// however often, and none gets more than one answer or a very long one. The limit is far
// above what each takes.
func TestSlowOrders(t *testing.T) {
	long.Only(t)
	t.Parallel()
	const limit = 5 * time.Second
	c, _ := sampleAfter(t, 50)
	seat := dawnSeats[0]
	const n = 16<<10 - 50
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	lines := func(f func(i int) string, m int) string {
		var b strings.Builder
		for i := range m {
			s := f(i)
			if b.Len()+len(s)+1 > n {
				break
			}
			b.WriteString(s + "\n")
		}
		return b.String()
	}
	cases := map[string]string{
		"one word":    rep("a"),
		"words":       rep("a "),
		"place list":  "PLACE " + rep("Gdansk 1, "),
		"place slips": "PLACE " + rep("Gdanks 1, "),
		"place words": "PLACE " + rep("polish cath ch "),
		"place and":   "PLACE " + rep("and "),
		"play ops":    "PLAY 36 OPS PLACE " + rep("Wroclav "),
		"play chars":  "PLAY " + rep("x "),
		"check":       "CHECK " + rep("Bydgosz, "),
		"400 slips":   lines(func(i int) string { return "PLACE Bydgosz 2, Wroclav, Hungarien Catholik Chruch" }, 399),
		"400 long slips": lines(func(i int) string {
			return "I would like to please play thirty-six for ops: two in Bydgosz and one in Wroclav"
		}, 399),
		"400 talk": lines(func(i int) string {
			return "Hold on, should I maybe play thirty six event first after all of this time"
		}, 399),
		"400 previews": lines(func(i int) string { return "PREVIEW" }, 399),
		"preview all":  "PREVIEW\n" + lines(func(i int) string { return fmt.Sprintf("PLAY %d OPS PLACE Gdansk, Lodz", i%110+1) }, 398),
		"history":      lines(func(i int) string { return "HISTORY 1" }, 399),
		"resend":       lines(func(i int) string { return fmt.Sprintf("RESEND %d", i+1) }, 399),
		"historyn":     lines(func(i int) string { return fmt.Sprintf("HISTORY %d", i) }, 399),
		"cards":        lines(func(i int) string { return fmt.Sprintf("CARD %d", i%110+1) }, 399),
		"map":          lines(func(i int) string { return "MAP BIG" }, 399),
		"position":     lines(func(i int) string { return "POSITION" }, 399),
		"rules":        lines(func(i int) string { return "RULES support checks" }, 399),
		"rules slips":  lines(func(i int) string { return "RULES suport cheks about everything there is to kno" }, 399),
		"card slips":   lines(func(i int) string { return "CARD Walensa Lech the electrician" }, 399),
		"status":       lines(func(i int) string { return "STATUS" }, 399),
		"answer":       lines(func(i int) string { return fmt.Sprintf("ANSWER %d REMOVE Praha 2, Brno, Plzen 2 ALWAYS", i%110+1) }, 399),
		"answer if": lines(func(i int) string {
			return fmt.Sprintf("ANSWER %d IF Gdansk MINE AND NOT HAPPENED 2 AND VP -3: REMOVE Praha ELSE ASK", i%110+1)
		}, 399),
		"next": lines(func(i int) string {
			return "NEXT IF Gdansk MINE AND NOT HAPPENED 2: PLAY 35 OPS CHECK Berlin, Halle EVENT AFTER ELSE ASK"
		}, 399),
		"next long":      "NEXT IF " + rep("Gdansk MINE AND ") + ": PLAY 35 EVENT",
		"if nest":        rep("IF Gdansk MINE: "),
		"attack":         "ATTACK " + rep("March-6, "),
		"raise":          "RAISE " + rep("Rally x2, "),
		"raise2":         "RAISE Rally x99999999",
		"place2":         "PLACE Gdansk 99999999, Lodz 99999999",
		"each":           "PLACE " + rep("Gdansk, ") + " 2 each",
		"digits":         "PLACE Gdansk " + rep("9"),
		"play digits":    "PLAY " + rep("9"),
		"semis":          rep(";"),
		"bullets":        rep("- "),
		"message":        rep("MESSAGE\n"),
		"message end":    rep("MESSAGE a END MESSAGE\n"),
		"commas":         "PLACE " + rep(","),
		"trailing comma": rep("PLACE Gdansk,\n"),
		"unicode":        "PLACE " + rep("Łó"),
		"hyphen":         "PLAY " + rep("thirty-"),
		"bid":            "BID " + rep("communist give "),
		"glued":          rep("play36event"),
		"parens":         rep("("),
		"quotes":         rep("\""),
		"format":         rep("FORMAT "),
		"format lines":   lines(func(i int) string { return "FORMAT TEXT" }, 399),
		"new token":      lines(func(i int) string { return "NEW TOKEN" }, 399),
		"address":        lines(func(i int) string { return "ADDRESS" }, 399),
		"big 1MB":        strings.Repeat("PLACE Gdansk\n", 80000),
		"big 1MB fmt":    strings.Repeat("FORMAT TEXT\n", 80000),
		"big line":       strings.Repeat("PLACE ", 170000),
		"show":           lines(func(i int) string { return "SHOW ORDERS" }, 399),
		"numbers":        lines(func(i int) string { return "1." }, 399),
		"takeback":       lines(func(i int) string { return "TAKEBACK" }, 399),
	}
	for name, text := range cases {
		m := c.letter(seat, text)
		raw, err := m.Render()
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		c.handleRaw(t, raw)
		d, answers := time.Since(start), 0
		for _, o := range c.outgoing(t) {
			c.mailbox[o.To] = append(c.mailbox[o.To], message.Read(o.Raw))
			if o.To != address(seat) {
				continue
			}
			if answers++; len(o.Raw) > 200<<10 {
				t.Errorf("%s: an answer of %d bytes", name, len(o.Raw))
			}
		}
		if d > limit || answers != 1 {
			t.Errorf("%s: %d answers in %v", name, answers, d)
		}
	}
}
