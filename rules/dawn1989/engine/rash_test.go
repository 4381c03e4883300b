package engine_test

import (
	"testing"

	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// TestRashExactly: what has to be confirmed is an answer after which a Scoring Card
// cannot be got rid of any more, where another answer would have left a way.
func TestRashExactly(t *testing.T) {
	t.Parallel()
	poland, hungary := engine.ScoringCard[engine.Poland], engine.ScoringCard[engine.Hungary]
	round := func(n int8) func(p *engine.Position) { return func(p *engine.Position) { p.Round = n } }
	extra := func(p *engine.Position) { p.Effects.ExtraRound = true }
	announced := func(c engine.Card) func(p *engine.Position) {
		return func(p *engine.Position) { p.Effects.Announced = c }
	}
	for name, test := range map[string]struct {
		p     *engine.Position
		order string
		want  bool
	}{
		"the last round":          {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, 14)), "PLAY 14 EVENT", true},
		"the last round, scoring": {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, 14)), "PLAY 22 EVENT", false},
		"a round is left":         {scene(t, engine.Communist, round(6), holds(engine.Communist, poland, 14)), "PLAY 14 EVENT", false},
		"nothing held":            {scene(t, engine.Communist, round(7), holds(engine.Communist, 14)), "PLAY 14 EVENT", false},
		"two, and lost anyway":    {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, hungary, 14)), "PLAY 14 EVENT", false},
		"two, in time":            {scene(t, engine.Communist, round(6), holds(engine.Communist, poland, hungary, 14)), "PLAY 14 EVENT", true},
		"an eighth round":         {scene(t, engine.Communist, round(7), extra, holds(engine.Communist, poland, 14)), "PLAY 14 EVENT", false},
		"not the Democrat's":      {scene(t, engine.Democrat, round(7), extra, holds(engine.Democrat, poland, 14)), "PLAY 14 EVENT", true},
		"card 15 gives it":        {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, engine.Honecker)), "PLAY 15 EVENT", false},
		"card 15 for Ops":         {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, engine.Honecker)), "PLAY 15 OPS TIANANMEN", true},
		"card 15, the Democrat's": {scene(t, engine.Democrat, round(7), holds(engine.Democrat, poland, engine.Honecker)), "PLAY 15 OPS EVENT FIRST", true},
		"card 75 may exchange":    {scene(t, engine.Democrat, round(7), holds(engine.Democrat, poland, engine.ExitVisas)), "PLAY 75 EVENT", false},
		"card 75 for Ops":         {scene(t, engine.Democrat, round(7), holds(engine.Democrat, poland, engine.ExitVisas)), "PLAY 75 OPS TIANANMEN", true},
		"card 75, the enemy's":    {scene(t, engine.Communist, round(7), holds(engine.Communist, poland, engine.ExitVisas)), "PLAY 75 OPS EVENT FIRST", true},
		"card 77 puts one aside":  {scene(t, engine.Democrat, round(7), holds(engine.Democrat, poland, engine.Samizdat)), "PLAY 77 EVENT", false},
		"card 77 and two":         {scene(t, engine.Democrat, round(6), holds(engine.Democrat, poland, hungary, engine.Samizdat)), "PLAY 77 EVENT", false},
		"General Strike":          {scene(t, engine.Communist, round(7), lasting(engine.GeneralStrike), holds(engine.Communist, poland, 14)), "PLAY 14 STRIKE", true},
		"General Strike, scoring": {scene(t, engine.Communist, round(7), lasting(engine.GeneralStrike), holds(engine.Communist, poland, 14)), "PLAY 22 EVENT", false},
		"Stasi leaves no choice":  {scene(t, engine.Democrat, round(7), lasting(engine.Stasi), announced(14), holds(engine.Democrat, poland, 14)), "PLAY 14 EVENT", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.p.Question.Ask == engine.AskNothing {
				t.Fatal("nothing is asked")
			}
			d := test.p.Owed(nil)[0]
			o := written(t, test.p, test.order)
			why := dawn1989.Game{}.Rash(test.p.View(d.Seat), d, o)
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
	poland := engine.ScoringCard[engine.Poland]
	last := func(p *engine.Position) { p.Round = 7 }
	for _, test := range []struct {
		p     *engine.Position
		begin string
		order string
		want  bool
	}{
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.ExitVisas, 14)), "PLAY 75 EVENT", "DISCARD 14", true},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.ExitVisas, 14)), "PLAY 75 EVENT", "DISCARD 14, 22", false},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.ExitVisas, 14)), "PLAY 75 EVENT", "PASS", true},
		{scene(t, engine.Democrat, holds(engine.Democrat, poland, engine.ExitVisas, 14)), "PLAY 75 EVENT", "PASS", false},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.Samizdat, 14)), "PLAY 77 EVENT", "CHOOSE 14", true},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.Samizdat, 14)), "PLAY 77 EVENT", "CHOOSE 22", false},
		{scene(t, engine.Democrat, last, holds(engine.Democrat, poland, engine.Samizdat, 14)), "PLAY 77 EVENT", "PASS", true},
	} {
		p := carry(t, test.p, nil, test.begin)
		d := p.Owed(nil)[0]
		if why := (dawn1989.Game{}).Rash(p.View(d.Seat), d, written(t, p, test.order)); (why != "") != test.want {
			t.Errorf("%s, %s: %q", test.begin, test.order, why)
		}
	}
	for _, test := range []struct {
		round int8
		order string
		want  bool
	}{{7, "TAKE 22", true}, {7, "TAKE 40", false}, {6, "TAKE 22", false}} {
		p := scene(t, engine.Communist, holds(engine.Communist, 14), boxes(0, 2), func(p *engine.Position) { p.Round = test.round })
		x := engine.Run{Chance: &script{t, []any{6, poland, engine.Card(40), engine.Card(12)}}}
		if err := p.Decide(&x, engine.AtomPlay(14, engine.PlayTiananmen)); err != nil {
			t.Fatal(err)
		}
		d := p.Owed(nil)[0]
		if why := (dawn1989.Game{}).Rash(p.View(d.Seat), d, written(t, p, test.order)); (why != "") != test.want {
			t.Errorf("box 3 in round %d, %s: %q", test.round, test.order, why)
		}
	}
}

// written reads an order as atoms.
func written(t *testing.T, p *engine.Position, text string) []rules.Atom {
	t.Helper()
	o, err := parser().Order(text)
	if err != nil {
		t.Fatal(err)
	}
	answers, err := dawn1989.Game{}.Answers(o, p.Owed(nil))
	if err != nil {
		t.Fatal(err)
	}
	return answers[0].Atoms
}
