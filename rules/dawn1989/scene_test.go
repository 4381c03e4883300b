package dawn1989

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// scene is a position made for a test: an empty map in the first action round of
// a turn, with what the test puts there.
func scene(t testing.TB, side Side, changes ...func(*Position)) *Position {
	t.Helper()
	p := newPosition()
	for s := Space(1); s < spaces; s++ {
		p.set(Democrat, s, 0)
		p.set(Communist, s, 0)
	}
	p.phase, p.round, p.stalled = PhaseRounds, 1, false
	p.stack[0].Step = matchDemocrat
	if side == Democrat {
		p.stack[0].Step = matchAnnounce
	}
	// A card each, so that the round after the one looked at asks again.
	holds(Democrat, 29)(p)
	holds(Communist, TearGas)(p)
	for _, c := range changes {
		c(p)
	}
	x := Run{Chance: gate.NoChance{}, p: p}
	x.round(side)
	if err := p.Go(&x); err != nil {
		t.Fatal(err)
	}
	return p
}

// sp puts support points into a space.
func sp(name string, democrat, communist int) func(*Position) {
	return func(p *Position) {
		p.set(Democrat, space(name), democrat)
		p.set(Communist, space(name), communist)
	}
}

// lay puts cards into a pile, wherever they were.
func lay(to Pile, cards ...Card) func(*Position) {
	return func(p *Position) {
		for _, c := range cards {
			for from := range piles {
				p.piles[from].drop(c)
			}
			p.piles[to].add(c)
		}
	}
}

// holds gives a side cards.
func holds(side Side, cards ...Card) func(*Position) { return lay(hand(side), cards...) }

// lasting puts cards into play, in force.
func lasting(cards ...Card) func(*Position) {
	return func(p *Position) {
		lay(PileInPlay, cards...)(p)
		for _, c := range cards {
			p.force.cards.add(c)
			p.force.happened.add(c)
		}
	}
}

// happened says that events have taken place.
func happened(cards ...Card) func(*Position) {
	return func(p *Position) {
		for _, c := range cards {
			p.force.happened.add(c)
		}
	}
}

// boxes sets the markers on the Tiananmen track.
func boxes(democrat, communist int8) func(*Position) {
	return func(p *Position) { p.tiananmen[Democrat].Box, p.tiananmen[Communist].Box = democrat, communist }
}

func turn(n int8) func(*Position)  { return func(p *Position) { p.turn = n } }
func vpAt(n int16) func(*Position) { return func(p *Position) { p.vp = n } }

// prudent puts a side under one Prudence (card 8).
func prudent(s Side) func(*Position) { return func(p *Position) { p.force.prudence[s]++ } }

// ruined destroys a space (card 69).
func ruined(name string) func(*Position) {
	return func(p *Position) {
		sp(name, 0, 0)(p)
		p.destroyed = space(name)
	}
}

// refuge lays the Tyrant's marker (card 97) after that event.
func refuge(name string) func(*Position) {
	return func(p *Position) {
		p.force.refuge, p.force.tyrantGone, p.force.crowdStruck = space(name), true, true
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

func (s *script) Roll(why rules.Reason) (int, error) {
	s.t.Helper()
	v, ok := s.next("a die for " + Game{}.Reason(why)).(int)
	if !ok {
		s.t.Fatalf("a die for %s is asked, the test has %v", Game{}.Reason(why), v)
	}
	return v, nil
}

func (s *script) Draw(d rules.Draw) (int, error) {
	s.t.Helper()
	v := s.next(d.Kind)
	for i, e := range d.Pile {
		if name := (Game{}).Element(d.Kind, e); fmt.Sprint(name) == fmt.Sprint(v) {
			return i, nil
		}
		if c, ok := v.(Card); ok && d.Kind == drawStrategy && Card(e) == c {
			return i, nil
		}
	}
	s.t.Fatalf("%s: the test draws %v, which is not in the pile", d.Kind, v)
	return 0, nil
}

// parser reads orders. It is made at the first use: the names of cards are there
// when the package has started.
var parser = sync.OnceValue(func() *order.Parser { return order.New(Game{}) })

// carry gives orders, each by whoever is asked, and fails when one is refused or
// when chance is left over. It returns the position and what happened.
func carry(t testing.TB, p *Position, chance []any, orders ...string) *Position {
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

func try(t testing.TB, p *Position, c rules.Chance, text string) (*Position, error) {
	t.Helper()
	o, err := parser().Order(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	owed := p.Owed(nil)
	if len(owed) == 0 {
		return nil, fmt.Errorf("nobody is asked")
	}
	answers, err := Game{}.Answers(o, owed)
	if err != nil {
		return nil, err
	}
	var pos rules.Position = p
	for i, a := range answers {
		owed := pos.Owed(nil)
		if len(owed) == 0 {
			// The match has ended in the middle of the line.
			break
		}
		r, err := gate.Carry(pos, owed[0].Seat, a, c)
		if i > 0 && errors.As(err, new(*gate.NotAsked)) {
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
	return pos.(*Position), nil
}

// mustRefuse fails unless an order is refused.
func mustRefuse(t testing.TB, p *Position, text string) {
	t.Helper()
	if _, err := try(t, p, gate.NoChance{}, text); err == nil {
		t.Errorf("%s is not refused", text)
	}
}

// has checks the support points in a space.
func has(t testing.TB, p *Position, name string, democrat, communist int) {
	t.Helper()
	s := space(name)
	if d, c := int(p.support[Democrat][s]), int(p.support[Communist][s]); d != democrat || c != communist {
		t.Errorf("%s has %d of the Democrat and %d of the Communist, want %d and %d", name, d, c, democrat, communist)
	}
}

func hasVP(t testing.TB, p *Position, vp int) {
	t.Helper()
	if int(p.vp) != vp {
		t.Errorf("VP %d, want %d", p.vp, vp)
	}
}

// lies checks that a card lies in a pile.
func lies(t testing.TB, p *Position, c Card, in Pile) {
	t.Helper()
	if !p.piles[in].has(c) {
		for pile := range piles {
			if p.piles[pile].has(c) {
				t.Errorf("%v lies in pile %d, want %d", c, pile, in)
			}
		}
	}
}

// asked checks what is asked of whom.
func mustAsk(t testing.TB, p *Position, ask Ask, side Side) {
	t.Helper()
	if p.question.Ask != ask || p.question.Side != side {
		t.Errorf("%v is asked of the %v, want %v of the %v", p.question.Ask, p.question.Side, ask, side)
	}
}

// offers reports whether an atom is an option.
func offers(p *Position, a rules.Atom) bool { return slices.Contains(p.Choices(nil), a) }

// illegalAtom is the atom that the gate refused, if that is what happened.
func illegalAtom(err error) (rules.Atom, bool) {
	var illegal *gate.Illegal
	if !errors.As(err, &illegal) {
		return 0, false
	}
	return illegal.Atom, true
}
