package adjudicator_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"samizdat/adjudicator/letter"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// examplesIn are the orders that a letter gives as examples, joined where they are broken.
func examplesIn(text, heading string) []string {
	var out []string
	order := false
	for line := range strings.Lines(part(text, heading)) {
		line = strings.TrimRight(line, "\n")
		switch rest := strings.TrimLeft(line, " "); len(line) - len(rest) {
		case 4:
			out, order = append(out, rest), true
		case 6:
			// What an example means begins with a capital and small letters.
			if order && (len(rest) < 2 || rest[1] < 'a' || rest[1] > 'z' || !strings.Contains("PRCMTDAKEG", rest[:1]) || strings.HasSuffix(out[len(out)-1], ",")) {
				out[len(out)-1] += " " + rest
			} else {
				order = false
			}
		}
	}
	return out
}

// TestHelpExamples plays with the examples of HELP: each that is sent is accepted.
func TestHelpExamples(t *testing.T) {
	t.Parallel()
	kinds := map[string]bool{}
	for seed := range uint64(long.N(1, 20)) {
		c := newClub(t, dawn1989.Game())
		g := dawn1989.Game()
		id := c.match("1989", nil, dawnSeats...)
		rnd := rand.New(rand.NewPCG(seed, 7))
		answerOften(t, c, g, id, dawnSeats, 30+int(seed)*60, rnd)
		for range long.N(25, 200) {
			pos, err := g.Decode(c.position(id))
			if err != nil {
				t.Fatal(err)
			}
			owed := pos.OpenDecisions(nil)
			if len(owed) == 0 {
				break
			}
			d := owed[0]
			seat := dawnSeats[d.Seat]
			help := c.sends(seat, "HELP").Text
			narrow(t, help)
			examples := examplesIn(help, "EXAMPLES")
			if len(examples) == 0 {
				// All that could be shown would lose the match.
				c.sends(seat, g.FormatOrder(rulestest.Pick(pos, d, rnd.IntN))+" SURELY")
				continue
			}
			kinds[d.Kind] = true
			line := examples[rnd.IntN(len(examples))]
			if a := c.sends(seat, line).Text; !strings.Contains(strings.ReplaceAll(a, "\n  ", " "), "\n- "+line+": done") {
				t.Fatalf("seed %d: %q of %q is answered with\n%.900s", seed, line, examples, a)
			}
		}
	}
	if len(kinds) < 4 {
		t.Errorf("only %v was asked", kinds)
	}
}

// TestHelpPages: every page can be asked for by its names, the game's orders are all
// explained, and pages have examples where they are about what is asked.
func TestHelpPages(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 9)
	pages := letter.Manual(dawn1989.Game())
	var lines []string
	for _, p := range pages {
		lines = append(lines, "HELP "+p.Name)
	}
	var text string
	for some := range slices.Chunk(lines, 10) {
		a := c.sends("communist", strings.Join(some, "\n")).Text
		narrow(t, a)
		for _, l := range some {
			if !strings.Contains(a, "\n- "+l+": done\n  See below.") {
				t.Errorf("%s is answered with\n%.1500s", l, a)
			}
		}
		text += a
	}
	text = strings.Join(strings.Fields(text), " ")
	for _, want := range []string{"EXAMPLES FOR PLAY", "HELP: MESSAGE", "goes to the other players under your name", "HELP: ORDERS AHEAD", "HELP: ALL", "Ambiguous names are never guessed."} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is nowhere", want)
		}
	}
	for _, k := range dawn1989.Game().Keywords() {
		if k.IsVerb && !slices.ContainsFunc(pages, func(p rules.Topic) bool { return p.Name == k.Word || slices.Contains(p.Aliases, k.Word) }) {
			t.Errorf("no page is on %s", k.Word)
		}
	}
	for ask, want := range map[string]string{"help attack": "HELP: STRUGGLE", "Help with message please": "HELP: MESSAGE", "HELP ahead": "HELP: ORDERS AHEAD",
		"HELP MESAGE": "HELP: MESSAGE", "HELP then": "HELP: THEN", "HELP nonsense": `There is no page on "nonsense"`, "help me": "HOW TO WRITE ORDERS"} {
		if a := c.sends("communist", ask).Text; !strings.Contains(a, want) {
			t.Errorf("%s is answered with\n%.900s", ask, a)
		}
	}
}

// TestHelpForms: what HELP shows of the orders in every match can be written as it stands.
func TestHelpForms(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 9)
	for _, f := range letter.Help(dawn1989.Game()) {
		switch {
		case strings.Contains(f.Order, "..."), f.Order == "MESSAGE", f.Order == "PREVIEW", f.Order == "TAKEBACK", slices.Contains([]string{"RESIGN", "ABORT", "PAUSE 5 days", "CLAIM", "GIVE 3 days", "NUDGE"}, f.Order):
			continue // Forms with something to fill in, what stands beside other orders, what is asked about, and what needs a clock.
		}
		if a := c.sends("communist", f.Order).Text; !strings.Contains(a, "\n- "+f.Order+": done") {
			t.Errorf("%s is answered with\n%.900s", f.Order, a)
		}
	}
}

// TestHelpOnTheRules: who asks HELP for a part of the game's rules is told where it stands.
func TestHelpOnTheRules(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 0)
	for ask, want := range map[string]string{
		"HELP scoring":  "RULES scoring explains the rules of the game.",
		"HELP PRESENCE": "RULES scoring explains the rules of the game.",
		"HELP banana":   `There is no page on "banana".`,
	} {
		if text := oneLine(c.sends("communist", ask).Text); !strings.Contains(text, want) {
			t.Errorf("%s is not answered with %q:\n%s", ask, want, text)
		}
	}
}
