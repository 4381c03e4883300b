package revolution1789_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
	"samizdat/rules/revolution1789"
)

var (
	game   = revolution1789.Game()
	parser = order.New(game)
)

// walk plays a random match through the contract, and shows each position that waits for
// answers, with the events since the last.
func walk(t *testing.T, players int, seed uint64, show func(rules.Position, []rules.Event)) {
	t.Helper()
	dice := rulestest.NewDice(seed)
	pos, err := game.Begin(rules.Setup{Seats: players, Revision: game.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	events, err := pos.Resume(dice, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; ; n++ {
		show(pos, events)
		decisions := pos.OpenDecisions(nil)
		if len(decisions) == 0 {
			return
		}
		if n > 1000 {
			t.Fatalf("no end after %d answers", n)
		}
		if events, err = answer(pos, decisions, dice); err != nil {
			t.Fatal(err)
		}
	}
}

// answer answers all open decisions of a group, or the only one.
func answer(pos rules.Position, decisions []rules.Decision, dice *rulestest.Dice) (events []rules.Event, err error) {
	if decisions[0].Ballot {
		var ballots []rules.Ballot
		for _, d := range decisions {
			ballots = append(ballots, rules.Ballot{Decision: d, Atom: rulestest.Pick(pos, d, dice.Intn)[0]})
		}
		teller := revolution1789.Game().Ballots
		outcome, err := teller.CountBallots(ballots)
		if err != nil {
			return nil, err
		}
		return teller.ApplyOutcome(pos, decisions[0].Group, outcome, dice, nil)
	}
	for _, d := range decisions {
		atoms := rulestest.Pick(pos, d, dice.Intn)
		if d.Repeats && dice.Intn(6) > 0 {
			atoms = pos.Options(nil, d.ID)[:1]
		}
		for _, a := range atoms {
			if events, err = pos.Apply(d.ID, a, dice, events); err != nil {
				return events, err
			}
		}
	}
	return events, nil
}

// TestLettersOfRandomMatches: everything that a seat is shown is there and fits a letter, and
// every form that a question offers is a legal answer to it.
func TestLettersOfRandomMatches(t *testing.T) {
	t.Parallel()
	kinds := map[rules.EventKind]bool{}
	for seed := range uint64(3) {
		for players := 4; players <= 12; players += 4 {
			walk(t, players, seed, func(pos rules.Position, events []rules.Event) {
				for _, e := range events {
					kinds[e.Kind] = true
				}
				for s := rules.NoSeat; s < rules.Seat(players); s++ {
					checkLetter(t, pos.View(s), events)
				}
				for _, d := range pos.OpenDecisions(nil) {
					checkQuestion(t, pos, d)
				}
			})
		}
	}
	if len(kinds) < 20 {
		t.Errorf("only %d kinds of events were told", len(kinds))
	}
}

func checkLetter(t *testing.T, v rules.View, events []rules.Event) {
	t.Helper()
	text := append(game.Sentences(v, events), game.Status(v), game.Headline(v), game.Role(v))
	for _, line := range text {
		if line == "" || strings.Contains(line, "%!") {
			t.Fatalf("seat %d is told %q", v.Seat(), line)
		}
	}
	for _, s := range game.Sections(v) {
		for _, line := range s.Lines {
			if utf8.RuneCountInString(line) > 78 || strings.TrimRight(line, " ") != line {
				t.Fatalf("%s: a line of %d columns: %q", s.Title, utf8.RuneCountInString(line), line)
			}
		}
	}
}

func checkQuestion(t *testing.T, pos rules.Position, d rules.Decision) {
	t.Helper()
	options := pos.Options(nil, d.ID)
	p := game.Prompt(pos.View(d.Seat), d, options)
	if p.Question == "" || len(p.Forms) == 0 || len(p.Notes) == 0 {
		t.Fatalf("%s: %+v", d.Kind, p)
	}
	if !strings.HasPrefix(p.TimeoutNote, "If your time runs out") {
		t.Fatalf("%s does not say what silence means: %q", d.Kind, p.TimeoutNote)
	}
	lines := slices.Clone(p.Forms)
	for _, a := range options {
		lines = append(lines, game.FormatOrder([]rules.Atom{a}))
	}
	for _, line := range lines {
		if err := accepted(pos, d, line); err != nil {
			t.Fatalf("%s: %q: %v", d.Kind, line, err)
		}
	}
}

// accepted reads a line as a letter is read, and holds it to what is legal.
func accepted(pos rules.Position, d rules.Decision, line string) error {
	o, err := parser.ParseOrder(line)
	if err != nil {
		return err
	}
	answers, err := game.Answers(o, []rules.Decision{d})
	if err != nil {
		return err
	}
	_, err = gate.Check(pos, d.Seat, answers[0])
	return err
}

// TestOrdersAsPlayersWrite reads orders that are not written as the letters show them.
func TestOrdersAsPlayersWrite(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"seat 2-1":                       "SEAT 1-2",
		"SEAT 1/2 FIRST 2":               "SEAT 1-2 FIRST 2",
		"Seat 7-12.":                     "SEAT 7-12",
		"vote m":                         "VOTE MONARCHY",
		"Vote for the Republic":          "VOTE REPUBLIC",
		"VOTE R":                         "VOTE REPUBLIC",
		"purge cheese":                   "PURGE Cheese",
		"HOLD":                           "HOLD",
		"hold always":                    "HOLD",
		"REVOLUTION GIVE Grape, Lamp":    "REVOLUTION GIVE Grape, Lamp",
		"REVOLUTION GIVE NONE":           "REVOLUTION GIVE NONE",
		"give grape and lamp":            "GIVE Grape, Lamp",
		"give none":                      "GIVE NONE",
		"GIVE AS CALLED":                 "GIVE AS CALLED",
		"name Croissant":                 "NAME Croissant",
		"abstain":                        "ABSTAIN",
		"DECLINE":                        "DECLINE",
		"take 3-9":                       "SEAT 3-9",
		"SEAT 12-6 first 12":             "SEAT 6-12 FIRST 12",
		"REVOLUTION, give bell and drum": "REVOLUTION GIVE Bell, Drum",
	} {
		o, err := parser.ParseOrder(in)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		answers, err := game.Answers(o, nil)
		if err != nil {
			t.Errorf("%q: %v", in, err)
			continue
		}
		if got := game.FormatOrder(answers[0].Atoms); got != want {
			t.Errorf("%q is read as %q, not %q", in, got, want)
		}
	}
	for _, in := range []string{"SEAT", "SEAT 1-9", "VOTE", "VOTE NO", "PURGE", "PURGE Louis XVI", "GIVE", "GIVE NONE, Grape", "SEAT 1-2 FIRST 2 FIRST 1",
		"HOLD ALWAYS UNTIL CHANGE", "VOTE M ALWAYS"} {
		if o, err := parser.ParseOrder(in); err == nil {
			if answers, err := game.Answers(o, nil); err == nil {
				t.Errorf("%q is read as %q", in, game.FormatOrder(answers[0].Atoms))
			}
		}
	}
}

// TestAbout tells every card.
func TestAbout(t *testing.T) {
	t.Parallel()
	pos, err := game.Begin(rules.Setup{Seats: 6, Revision: game.Revision()})
	if err != nil {
		t.Fatal(err)
	}
	cards := 0
	for _, n := range game.Names() {
		if n.Kind != rules.CardName {
			continue
		}
		cards++
		lines := game.Cards(pos.View(rules.NoSeat), n)
		if len(lines) == 0 || !strings.HasPrefix(lines[0], n.Text) {
			t.Errorf("%s: %q", n.Text, lines)
		}
	}
	if cards != 12+14 {
		t.Errorf("%d cards", cards)
	}
}

// TestViewsAreJSON reads back what the contract writes.
func TestViewsAreJSON(t *testing.T) {
	t.Parallel()
	walk(t, 7, 1, func(pos rules.Position, _ []rules.Event) {
		data, err := pos.MarshalJSON()
		if err != nil || !json.Valid(data) {
			t.Fatalf("%s: %v", data, err)
		}
	})
}
