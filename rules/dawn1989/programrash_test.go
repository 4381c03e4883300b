package dawn1989

import (
	"testing"

	"samizdat/rules"
)

// TestRashExactly: what has to be confirmed is an answer after which a Scoring Card
// cannot be got rid of any more, where another answer would have left a way.
func TestRashExactly(t *testing.T) {
	t.Parallel()
	poland, hungary := scoringCard[Poland], scoringCard[Hungary]
	round := func(n int8) func(p *Position) { return func(p *Position) { p.round = n } }
	extra := func(p *Position) { p.force.extraRound = true }
	announced := func(c Card) func(p *Position) { return func(p *Position) { p.force.announced = c } }
	for name, test := range map[string]struct {
		p     *Position
		order string
		want  bool
	}{
		"the last round":          {scene(t, Communist, round(7), holds(Communist, poland, 14)), "PLAY 14 EVENT", true},
		"the last round, scoring": {scene(t, Communist, round(7), holds(Communist, poland, 14)), "PLAY 22 EVENT", false},
		"a round is left":         {scene(t, Communist, round(6), holds(Communist, poland, 14)), "PLAY 14 EVENT", false},
		"nothing held":            {scene(t, Communist, round(7), holds(Communist, 14)), "PLAY 14 EVENT", false},
		"two, and lost anyway":    {scene(t, Communist, round(7), holds(Communist, poland, hungary, 14)), "PLAY 14 EVENT", false},
		"two, in time":            {scene(t, Communist, round(6), holds(Communist, poland, hungary, 14)), "PLAY 14 EVENT", true},
		"an eighth round":         {scene(t, Communist, round(7), extra, holds(Communist, poland, 14)), "PLAY 14 EVENT", false},
		"not the Democrat's":      {scene(t, Democrat, round(7), extra, holds(Democrat, poland, 14)), "PLAY 14 EVENT", true},
		"card 15 gives it":        {scene(t, Communist, round(7), holds(Communist, poland, Honecker)), "PLAY 15 EVENT", false},
		"card 15 for Ops":         {scene(t, Communist, round(7), holds(Communist, poland, Honecker)), "PLAY 15 OPS TIANANMEN", true},
		"card 15, the Democrat's": {scene(t, Democrat, round(7), holds(Democrat, poland, Honecker)), "PLAY 15 OPS EVENT FIRST", true},
		"card 75 may exchange":    {scene(t, Democrat, round(7), holds(Democrat, poland, ExitVisas)), "PLAY 75 EVENT", false},
		"card 75 for Ops":         {scene(t, Democrat, round(7), holds(Democrat, poland, ExitVisas)), "PLAY 75 OPS TIANANMEN", true},
		"card 75, the enemy's":    {scene(t, Communist, round(7), holds(Communist, poland, ExitVisas)), "PLAY 75 OPS EVENT FIRST", true},
		"card 77 puts one aside":  {scene(t, Democrat, round(7), holds(Democrat, poland, Samizdat)), "PLAY 77 EVENT", false},
		"card 77 and two":         {scene(t, Democrat, round(6), holds(Democrat, poland, hungary, Samizdat)), "PLAY 77 EVENT", false},
		"General Strike":          {scene(t, Communist, round(7), lasting(GeneralStrike), holds(Communist, poland, 14)), "PLAY 14 STRIKE", true},
		"General Strike, scoring": {scene(t, Communist, round(7), lasting(GeneralStrike), holds(Communist, poland, 14)), "PLAY 22 EVENT", false},
		"Stasi leaves no choice":  {scene(t, Democrat, round(7), lasting(Stasi), announced(14), holds(Democrat, poland, 14)), "PLAY 14 EVENT", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.p.question.Ask == AskNothing {
				t.Fatal("nothing is asked")
			}
			d := test.p.Owed(nil)[0]
			o := written(t, test.p, test.order)
			why := Game{}.Rash(test.p.View(d.Seat), d, o)
			if (why != "") != test.want {
				t.Errorf("%s: %q", test.order, why)
			}
		})
	}
}

// TestRashInEvents: whoever plays card 75 or 77 with a Scoring Card in hand, or takes
// one for box 3, is asked to confirm what leaves him with it.
func TestRashInEvents(t *testing.T) {
	t.Parallel()
	poland := scoringCard[Poland]
	last := func(p *Position) { p.round = 7 }
	for _, test := range []struct {
		p     *Position
		begin string
		order string
		want  bool
	}{
		{scene(t, Democrat, last, holds(Democrat, poland, ExitVisas, 14)), "PLAY 75 EVENT", "DISCARD 14", true},
		{scene(t, Democrat, last, holds(Democrat, poland, ExitVisas, 14)), "PLAY 75 EVENT", "DISCARD 14, 22", false},
		{scene(t, Democrat, last, holds(Democrat, poland, ExitVisas, 14)), "PLAY 75 EVENT", "PASS", true},
		{scene(t, Democrat, holds(Democrat, poland, ExitVisas, 14)), "PLAY 75 EVENT", "PASS", false},
		{scene(t, Democrat, last, holds(Democrat, poland, Samizdat, 14)), "PLAY 77 EVENT", "CHOOSE 14", true},
		{scene(t, Democrat, last, holds(Democrat, poland, Samizdat, 14)), "PLAY 77 EVENT", "CHOOSE 22", false},
		{scene(t, Democrat, last, holds(Democrat, poland, Samizdat, 14)), "PLAY 77 EVENT", "PASS", true},
	} {
		p := carry(t, test.p, nil, test.begin)
		d := p.Owed(nil)[0]
		if why := (Game{}).Rash(p.View(d.Seat), d, written(t, p, test.order)); (why != "") != test.want {
			t.Errorf("%s, %s: %q", test.begin, test.order, why)
		}
	}
	for _, test := range []struct {
		round int8
		order string
		want  bool
	}{{7, "TAKE 22", true}, {7, "TAKE 40", false}, {6, "TAKE 22", false}} {
		p := scene(t, Communist, holds(Communist, 14), boxes(0, 2), func(p *Position) { p.round = test.round })
		x := Run{Chance: &script{t, []any{6, poland, Card(40), Card(12)}}}
		if err := p.Decide(&x, play(14, PlayTiananmen)); err != nil {
			t.Fatal(err)
		}
		d := p.Owed(nil)[0]
		if why := (Game{}).Rash(p.View(d.Seat), d, written(t, p, test.order)); (why != "") != test.want {
			t.Errorf("box 3 in round %d, %s: %q", test.round, test.order, why)
		}
	}
}

// written reads an order as atoms.
func written(t *testing.T, p *Position, text string) []rules.Atom {
	t.Helper()
	o, err := parser().Order(text)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := Game{}.Answers(o, p.Owed(nil))
	if err != nil {
		t.Fatal(err)
	}
	return answers[0].Atoms
}
