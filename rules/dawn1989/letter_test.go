package dawn1989_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"samizdat/adjudicator/gate"
	"samizdat/internal/test/long"
	"samizdat/rules"
)

// luck is chance for tests, the same on every run.
type luck struct{ r *rand.Rand }

func (l luck) Roll(rules.Reason) (int, error)   { return 1 + l.r.IntN(6), nil }
func (l luck) Draw(d rules.Draw) (int, error)   { return l.r.IntN(len(d.Pile)), nil }
func newLuck(seed uint64) luck                  { return luck{rand.New(rand.NewPCG(seed, 110))} }
func pick(l luck, list []rules.Atom) rules.Atom { return list[l.r.IntN(len(list))] }

// TestLetters plays matches at random. At every question the letter is legible,
// its first example is legal, an answer survives being written and read, and a
// wrong answer is refused with a reason.
func TestLetters(t *testing.T) {
	t.Parallel()
	for seed := range uint64(long.N(5, 40)) {
		l := newLuck(seed)
		pos, err := game.Begin(rules.Setup{Seats: 2, Revision: 1, Options: map[string]string{"extra": "1"}})
		if err != nil {
			t.Fatal(err)
		}
		events, err := pos.Resume(l, nil)
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; ; n++ {
			told(t, pos, events)
			if n%9 == 0 {
				legible(t, pos)
			}
			decisions := pos.OpenDecisions(nil)
			if len(decisions) == 0 {
				break
			}
			d := decisions[0]
			options := pos.Options(nil, d.ID)
			asked(t, pos, d, options)
			if len(options) == 0 {
				break
			}
			refusedAtRandom(t, l, pos, d, options)
			atoms := answerAtRandom(t, l, pos, d)
			line := game.FormatOrder(atoms)
			if s := sameAnswer(line, d); s != line {
				t.Fatalf("seed %d: %q is read as %q", seed, line, s)
			}
			r, err := gate.Execute(pos, d.Seat, rules.Answer{Atoms: atoms}, l)
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, line, err)
			}
			pos, events = r.Position, r.Events
		}
	}
}

// answerAtRandom gives atoms until nothing is midway. Raised stakes are sorted,
// as their line is.
func answerAtRandom(t *testing.T, l luck, pos rules.Position, d rules.Decision) []rules.Atom {
	t.Helper()
	pos = pos.Clone()
	var out []rules.Atom
	for {
		a := pick(l, pos.Options(nil, d.ID))
		out = append(out, a)
		if _, err := pos.Apply(d.ID, a, gate.NoChance{}, nil); err != nil {
			if errors.Is(err, rules.ErrNoOutcome) {
				return out
			}
			t.Fatal(err)
		}
		next := pos.OpenDecisions(nil)
		if len(next) == 0 || !next[0].Midway || next[0].Seat != d.Seat {
			return out
		}
		d = next[0]
	}
}

// sameAnswer reads a line and writes it again.
func sameAnswer(line string, d rules.Decision) string {
	o, err := parser.ParseOrder(line)
	if err != nil {
		return err.Error()
	}
	answers, err := game.Answers(o, []rules.Decision{d})
	if err != nil {
		return err.Error()
	}
	if !parser.IsOrder(line) {
		return "talk"
	}
	return game.FormatOrder(answers[0].Atoms)
}

// saysMay: a card's text says "may" where its event asks what can be declined.
func saysMay(t *testing.T, pos rules.Position, d rules.Decision, options []rules.Atom) {
	t.Helper()
	n, err := strconv.Atoi(d.Source)
	if err != nil || d.Kind == "strike" || !slices.ContainsFunc(options, func(a rules.Atom) bool { return game.FormatOrder([]rules.Atom{a}) == "PASS" }) {
		return
	}
	text := strings.Join(game.Cards(pos.View(d.Seat), rules.Name{Kind: rules.CardName, Code: n}), " ")
	if !strings.Contains(text, " may ") {
		t.Errorf("what card %d asks can be declined: %s", n, text)
	}
}

// asked holds a prompt against the rules of prompts.
func asked(t *testing.T, pos rules.Position, d rules.Decision, options []rules.Atom) {
	t.Helper()
	pr := game.Prompt(pos.View(d.Seat), d, options)
	if pr.Question == "" {
		t.Fatalf("no question for %s", d.Kind)
	}
	if len(options) > 0 && len(pr.Forms) == 0 {
		t.Fatalf("no form for %s", d.Kind)
	}
	if lines := len(pr.Notes) + len(pr.Forms); lines > 30 {
		t.Errorf("%d lines:\n%s", lines, promptText(pr))
	}
	narrow(t, append(pr.Notes, pr.Forms...))
	saysMay(t, pos, d, options)
	lines := pr.Forms
	for _, o := range pr.ItemOrders {
		lines = append(lines, o.Order)
	}
	for i, f := range lines {
		o, err := parser.ParseOrder(f)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		answers, err := game.Answers(o, []rules.Decision{d})
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if _, err := gate.Check(pos, d.Seat, answers[0]); err != nil {
			t.Fatalf("form %d, %s, is refused: %v\n%s", i, f, err, promptText(pr))
		}
		if reason := game.Warning(pos.View(d.Seat), d, answers[0].Atoms); reason != "" && i > 0 {
			t.Errorf("form %d, %s, is rash: %s", i, f, reason)
		}
	}
}

// refusedAtRandom tries an atom that is not an option.
func refusedAtRandom(t *testing.T, l luck, pos rules.Position, d rules.Decision, options []rules.Atom) {
	t.Helper()
	for range 5 {
		verb, fl, value := 1+l.r.Uint32N(15), l.r.Uint32N(11), l.r.Uint32N(111)
		switch verb {
		case 1:
		case 11, 12, 13:
			value %= 20
			fl %= 5
		case 8:
			fl = 1 + fl%4
			value = 1 + value%[]uint32{75, 6, 110, 4}[fl-1]
		case 3:
			fl, value = fl%2, 1+value%75
		default:
			fl, value = 0, 1+value%75
		}
		a := rules.Atom(verb<<24 | fl<<16 | value)
		isLegal := false
		for _, o := range options {
			isLegal = isLegal || o == a
		}
		if isLegal || verb == 1 && (fl == 0 || value == 0) {
			continue
		}
		text := game.Refusal(pos.View(d.Seat), d, a, options)
		if text == "" || !strings.HasSuffix(text, ".") || strings.Contains(text, "%!") {
			t.Fatalf("%s to %s (%x): %q", game.FormatOrder([]rules.Atom{a}), d.Kind, a, text)
		}
	}
}

// told holds sentences against the rules of sentences.
func told(t *testing.T, pos rules.Position, events []rules.Event) {
	t.Helper()
	for _, seat := range seats {
		for _, s := range game.Sentences(pos.View(seat), events) {
			if !strings.HasSuffix(s, ".") || strings.Contains(s, "%!") || strings.Contains(s, "  ") {
				t.Fatalf("%q", s)
			}
		}
	}
}

// legible holds the standing parts of a letter against their width.
func legible(t *testing.T, pos rules.Position) {
	t.Helper()
	for _, seat := range seats {
		v := pos.View(seat)
		narrow(t, []string{game.Status(v)})
		for _, s := range game.Sections(v) {
			if s.Title == "" || len(s.Lines) == 0 {
				t.Fatalf("an empty section: %+v", s)
			}
			narrow(t, s.Lines)
		}
	}
}

func narrow(t *testing.T, lines []string) {
	t.Helper()
	for _, l := range lines {
		if n := utf8.RuneCountInString(l); n > columns || strings.TrimRight(l, " ") != l || strings.Contains(l, "\n") || strings.Contains(l, "%!") {
			t.Fatalf("%d columns: %q", n, l)
		}
	}
}
