package engine_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// scene is a position made for a test: an empty map in the first action round of
// a turn, with what the test puts there.
func scene(t testing.TB, side engine.Side, changes ...func(*engine.Position)) *engine.Position {
	t.Helper()
	p := engine.NewPosition()
	for s := engine.Space(1); s < engine.Spaces; s++ {
		p.SetSupport(engine.Democrat, s, 0)
		p.SetSupport(engine.Communist, s, 0)
	}
	p.Phase, p.Round = engine.PhaseRounds, 1
	p.StandAt(engine.MatchDemocrat)
	if side == engine.Democrat {
		p.StandAt(engine.MatchAnnounce)
	}
	// A card each, so that the round after the one looked at asks again.
	holds(engine.Democrat, 29)(p)
	holds(engine.Communist, engine.TearGas)(p)
	for _, c := range changes {
		c(p)
	}
	r := engine.NewRun(p, gate.NoChance{})
	r.Round(side)
	if err := p.Advance(r); err != nil {
		t.Fatal(err)
	}
	return p
}

// sp puts support points into a space.
func sp(name string, democrat, communist int) func(*engine.Position) {
	return func(p *engine.Position) {
		p.SetSupport(engine.Democrat, engine.FindSpace(name), democrat)
		p.SetSupport(engine.Communist, engine.FindSpace(name), communist)
	}
}

// lay puts cards into a pile, wherever they were.
func lay(to engine.Pile, cards ...engine.Card) func(*engine.Position) {
	return func(p *engine.Position) {
		for _, c := range cards {
			for from := range engine.Piles {
				p.Piles[from].Drop(c)
			}
			p.Piles[to].Add(c)
		}
	}
}

// holds gives a side cards.
func holds(side engine.Side, cards ...engine.Card) func(*engine.Position) {
	return lay(engine.HandPile(side), cards...)
}

// lasting puts cards into play, in force.
func lasting(cards ...engine.Card) func(*engine.Position) {
	return func(p *engine.Position) {
		lay(engine.PileInPlay, cards...)(p)
		for _, c := range cards {
			p.Effects.Cards.Add(c)
			p.Effects.PastEvents.Add(c)
		}
	}
}

// happened says that events have taken place.
func happened(cards ...engine.Card) func(*engine.Position) {
	return func(p *engine.Position) {
		for _, c := range cards {
			p.Effects.PastEvents.Add(c)
		}
	}
}

// boxes sets the markers on the Tiananmen track.
func boxes(democrat, communist int8) func(*engine.Position) {
	return func(p *engine.Position) {
		p.Tiananmen[engine.Democrat].Box, p.Tiananmen[engine.Communist].Box = democrat, communist
	}
}

// by makes the rules those of a revision.
func by(revision uint8) func(*engine.Position) {
	return func(p *engine.Position) { p.Keep(revision) }
}

func turn(n int8) func(*engine.Position)  { return func(p *engine.Position) { p.Turn = n } }
func vpAt(n int16) func(*engine.Position) { return func(p *engine.Position) { p.VP = n } }

// prudent puts a side under one Prudence (card 8).
func prudent(s engine.Side) func(*engine.Position) {
	return func(p *engine.Position) { p.Effects.Prudence[s]++ }
}

// ruined destroys a space (card 69).
func ruined(name string) func(*engine.Position) {
	return func(p *engine.Position) {
		sp(name, 0, 0)(p)
		p.Destroyed = engine.FindSpace(name)
	}
}

// refuge lays the Tyrant's marker (card 97) after that event.
func refuge(name string) func(*engine.Position) {
	return func(p *engine.Position) {
		p.Effects.Refuge, p.Effects.TyrantGone, p.Effects.CrowdStruck = engine.FindSpace(name), true, true
	}
}

// script is chance that a test tells: dice are numbers, draws are cards by
// number (Card) or by name (string).
type script struct {
	t    testing.TB
	list []any
}

func (s *script) next(what string) any {
	s.t.Helper()
	if len(s.list) == 0 {
		s.t.Fatalf("%s is asked of chance, and the test has nothing left", what)
	}
	v := s.list[0]
	s.list = s.list[1:]
	return v
}

func (s *script) Roll(reason rules.Reason) (int, error) {
	s.t.Helper()
	v, ok := s.next("a die for " + dawn1989.Game().Reason(reason)).(int)
	if !ok {
		s.t.Fatalf("a die for %s is asked, the test has %v", dawn1989.Game().Reason(reason), v)
	}
	return v, nil
}

func (s *script) Draw(d rules.Draw) (int, error) {
	s.t.Helper()
	v := s.next(d.Kind)
	for i, e := range d.Pile {
		if name := dawn1989.Game().Element(d.Kind, e); fmt.Sprint(name) == fmt.Sprint(v) {
			return i, nil
		}
		if c, ok := v.(engine.Card); ok && d.Kind == engine.DrawStrategy && engine.Card(e) == c {
			return i, nil
		}
	}
	s.t.Fatalf("%s: the test draws %v, which is not in the pile", d.Kind, v)
	return 0, nil
}

// parser reads orders. It is made at the first use: the names of cards are there
// when the package has started.
var parser = sync.OnceValue(func() *order.Parser { return order.New(dawn1989.Game()) })

// carry gives orders, each by whoever is asked, and fails when one is refused or
// when chance is left over. It returns the position and what happened.
func carry(t testing.TB, p *engine.Position, chance []any, orders ...string) *engine.Position {
	t.Helper()
	s := &script{t, chance}
	for _, text := range orders {
		next, err := try(t, p, s, text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		p = next
		sound(t, p)
	}
	if len(s.list) > 0 {
		t.Fatalf("chance is left over: %v", s.list)
	}
	return p
}

func try(t testing.TB, p *engine.Position, c rules.Chance, text string) (*engine.Position, error) {
	t.Helper()
	o, err := parser().ParseOrder(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	decisions := p.OpenDecisions(nil)
	if len(decisions) == 0 {
		return nil, fmt.Errorf("nobody is asked")
	}
	answers, err := dawn1989.Game().Answers(o, decisions)
	if err != nil {
		return nil, err
	}
	var pos rules.Position = p
	for i, a := range answers {
		decisions := pos.OpenDecisions(nil)
		if len(decisions) == 0 {
			// The match has ended in the middle of the line.
			break
		}
		r, err := gate.Execute(pos, decisions[0].Seat, a, c)
		if i > 0 && errors.As(err, new(*gate.NotAskedError)) {
			// What is said for later lapses when it is not asked for.
			break
		}
		if err != nil {
			return nil, err
		}
		pos = r.Position
		if r.Stalled {
			break
		}
	}
	return pos.(*engine.Position), nil
}

// mustRefuse fails unless an order is refused.
func mustRefuse(t testing.TB, p *engine.Position, text string) {
	t.Helper()
	if _, err := try(t, p, gate.NoChance{}, text); err == nil {
		t.Errorf("%s is not refused", text)
	}
}

// has checks the support points in a space.
func has(t testing.TB, p *engine.Position, name string, democrat, communist int) {
	t.Helper()
	s := engine.FindSpace(name)
	if d, c := int(p.Support[engine.Democrat][s]), int(p.Support[engine.Communist][s]); d != democrat || c != communist {
		t.Errorf("%s has %d of the Democrat and %d of the Communist, want %d and %d", name, d, c, democrat, communist)
	}
}

func hasVP(t testing.TB, p *engine.Position, vp int) {
	t.Helper()
	if int(p.VP) != vp {
		t.Errorf("VP %d, want %d", p.VP, vp)
	}
}

// lies checks that a card lies in a pile.
func lies(t testing.TB, p *engine.Position, c engine.Card, in engine.Pile) {
	t.Helper()
	if !p.Piles[in].Has(c) {
		for pile := range engine.Piles {
			if p.Piles[pile].Has(c) {
				t.Errorf("%v lies in pile %d, want %d", c, pile, in)
			}
		}
	}
}

// asked checks what is asked of whom.
func mustAsk(t testing.TB, p *engine.Position, ask engine.QuestionKind, side engine.Side) {
	t.Helper()
	if p.Question.Kind != ask || p.Question.Side != side {
		t.Errorf("%v is asked of the %v, want %v of the %v", p.Question.Kind, p.Question.Side, ask, side)
	}
}

// offers reports whether an atom is an option.
func offers(p *engine.Position, a rules.Atom) bool { return slices.Contains(p.LegalAtoms(nil), a) }

// illegalAtom is the atom that the gate refused, if that is what happened.
func illegalAtom(err error) (rules.Atom, bool) {
	var illegal *gate.IllegalError
	if !errors.As(err, &illegal) {
		return 0, false
	}
	return illegal.Atom, true
}
