package robot_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match/ahead"
	"samizdat/adjudicator/order"
	"samizdat/internal/playout"
	"samizdat/internal/test/long"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// counts is what is counted in matches with conditional orders.
type counts struct {
	decisions, orders, handovers int
	// changes counts how often another seat answers, by hand or by a conditional order.
	changes, fired, dropped int
	saved                   saved
}

// saved is how many hand-overs conditional orders have saved, by their sort.
type saved struct{ answers, plans, lookAhead int }

// writing plays matches in which the seats write, and counts who has to.
type writing struct {
	reader *ahead.Interpreter
	parser *order.Parser
	game   *rules.Game
	pos    rules.Position
	chance rules.Chance
	robots []rules.Robot
	// lines are the conditional orders of all seats; later are the rest of orders that
	// were carried out, for their play.
	lines []ahead.Line
	later []later
	// letters is what each seat has written and nobody has needed yet.
	letters []letter
	// asked is the seat that wrote last, last the seat of the last answer of any
	// kind, and kind what gave it.
	asked, last rules.Seat
	kind        *int
	events      []rules.Event
}

// later is an answer for a later question of its play.
type later struct {
	seat   rules.Seat
	play   uint32
	answer rules.Answer
}

func newWriting(g *rules.Game) (*writing, error) {
	parser := order.New(g)
	r := ahead.New(g, parser)
	if r == nil {
		return nil, fmt.Errorf("%s takes no orders ahead", g.Title())
	}
	return &writing{reader: r, parser: parser, game: g}, nil
}

// play plays one match to its end.
func (w *writing) play(m *counts, robots []rules.Robot, seed uint64, setup rules.Setup) (err error) {
	if w.pos, err = w.game.Begin(setup); err != nil {
		return err
	}
	w.chance, w.robots = newDice(seed), robots
	w.lines, w.later, w.asked, w.last, w.kind = nil, nil, rules.NoSeat, rules.NoSeat, nil
	w.letters = make([]letter, len(robots))
	if w.events, err = w.pos.Resume(w.chance, nil); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	for {
		decisions := w.pos.OpenDecisions(nil)
		if len(decisions) == 0 {
			break
		}
		if m.decisions > playout.MaxDecisions {
			return fmt.Errorf("not over after %d decisions", m.decisions)
		}
		if err := w.step(m, decisions[0]); err != nil {
			return err
		}
	}
	if _, over := w.pos.Result(); !over {
		return errors.New("no decision is open and the match is not over")
	}
	return nil
}

// step answers one question, by a conditional order or by hand.
func (w *writing) step(m *counts, d rules.Decision) error {
	w.lines, _ = w.reader.Review(w.pos, w.events, w.lines)
	w.events = w.events[:0]
	m.orders++
	if a, ok := w.rest(d); ok {
		w.count(m, d.Seat, w.kind)
		return w.give(m, d, a.Atoms)
	}
	if err := w.open(d); err != nil {
		return err
	}
	f, kept, dropped := w.reader.Fire(w.pos, w.lines)
	w.lines = kept
	for f == nil && len(dropped) > 0 {
		m.dropped++
		f, w.lines, dropped = w.reader.Fire(w.pos, w.lines)
	}
	if f != nil {
		m.fired++
		w.count(m, d.Seat, m.sort(f))
		if err := w.give(m, d, f.Answer.Atoms); err != nil {
			return fmt.Errorf("%s: %w", f.Line.Text, err)
		}
		for _, a := range f.LaterAnswers {
			w.later = append(w.later, later{d.Seat, d.Play, a})
		}
		return nil
	}
	w.count(m, d.Seat, nil)
	atoms, err := playout.Answer(w.pos, d, w.robots[d.Seat])
	if err != nil {
		return fmt.Errorf("seat %d: %w", d.Seat, err)
	}
	if err := w.give(m, d, atoms); err != nil {
		return fmt.Errorf("%s: %w", w.game.FormatOrder(atoms), err)
	}
	return w.write(d.Seat)
}

// rest takes the rest of an order that was carried out, if it fits.
func (w *writing) rest(d rules.Decision) (rules.Answer, bool) {
	w.later = slices.DeleteFunc(w.later, func(l later) bool { return l.play != d.Play })
	i := slices.IndexFunc(w.later, func(l later) bool { return l.seat == d.Seat && l.answer.Fits(d) })
	if i < 0 {
		return rules.Answer{}, false
	}
	a := w.later[i].answer
	w.later = slices.Delete(w.later, i, i+1)
	return ahead.CompleteAnswer(w.pos, d, a)
}

// give answers a question.
func (w *writing) give(m *counts, d rules.Decision, atoms []rules.Atom) (err error) {
	id := d.ID
	for _, a := range atoms {
		m.decisions++
		if w.events, err = w.pos.Apply(id, a, w.chance, w.events); err != nil {
			return err
		}
		for _, o := range w.pos.OpenDecisions(nil) {
			if o.Seat == d.Seat && o.Midway {
				id = o.ID
			}
		}
	}
	return nil
}

// count books an answer of a seat: given by hand, or by a conditional order of a kind.
// Every change of the seat would be a hand-over if all were written by hand. What
// does not become one is saved by the kind at which the seat changes.
func (w *writing) count(m *counts, seat rules.Seat, kind *int) {
	before := w.kind
	if seat != w.last && w.last != rules.NoSeat {
		m.changes++
		switch {
		case kind != nil:
			*kind++
		case before != nil:
			*before++
		}
	}
	if kind == nil && seat != w.asked {
		if w.asked != rules.NoSeat {
			m.handovers++
			if before != nil {
				*before--
			}
		}
		w.asked = seat
	}
	w.last, w.kind = seat, kind
}

// sort is where a firing is counted.
func (m *counts) sort(f *ahead.FiredOrder) *int {
	switch {
	case f.Line.Source == "":
		return &m.saved.lookAhead
	case f.Line.Plan:
		return &m.saved.plans
	}
	return &m.saved.answers
}

// conditionalRobot is a robot that writes conditional orders.
type conditionalRobot interface {
	rules.Robot
	// Ahead returns the lines that it would write as things stand, made from the view alone.
	Ahead(v rules.View) []string
}

// foresighted is a robot that can tell later what it would have written: most
// answers ahead are never asked for, and need not be thought out.
type foresighted interface {
	conditionalRobot
	// Plans are the lines that are wanted at once.
	Plans(v rules.View) []string
	// AheadFor are the lines for a source, empty for the next action, that it would
	// write with a view. Together with the plans they are the same as Ahead has.
	// Answers among them have to end with ANYWAY.
	AheadFor(v rules.View, source string) []string
}

// letter is what a seat has written last. What it is made from is the view of
// that moment, also when it is opened later.
type letter struct {
	robot foresighted
	view  rules.View
	// opened are the sources whose lines were read already.
	opened []string
}

// The sources of the two lines that stand for a letter that is not opened. No
// question has such a source. They are dropped as its lines would be: the first
// not by a surprise.
const (
	sealedAnswers = "sealed answers"
	sealedNext    = "sealed next"
)

// write lets a seat that has just written add its conditional orders, in the place of
// those that it had.
func (w *writing) write(seat rules.Seat) error {
	r, ok := w.robots[seat].(conditionalRobot)
	decisions := w.pos.OpenDecisions(nil)
	if !ok || len(decisions) == 0 || decisions[0].Seat == seat {
		return nil
	}
	w.lines, _ = w.reader.Review(w.pos, w.events, w.lines)
	w.events = w.events[:0]
	w.lines = slices.DeleteFunc(w.lines, func(l ahead.Line) bool { return l.Seat == seat })
	w.letters[seat] = letter{}
	view := w.pos.View(seat)
	f, ok := r.(foresighted)
	if !ok {
		return w.read(r.Ahead(view), func(l *ahead.Line) { w.reader.Bind(l, w.pos, seat) })
	}
	w.letters[seat] = letter{robot: f, view: view}
	for _, l := range []ahead.Line{{Source: sealedAnswers, Anyway: true}, {Source: sealedNext}} {
		w.reader.Bind(&l, w.pos, seat)
		w.lines = append(w.lines, l)
	}
	return w.read(f.Plans(view), func(l *ahead.Line) { w.reader.Bind(l, w.pos, seat) })
}

// read reads lines as those of any writer are, and keeps them.
func (w *writing) read(texts []string, arm func(*ahead.Line)) error {
	for _, text := range texts {
		l, err := w.reader.Parse(text)
		if err != nil {
			return fmt.Errorf("the robot writes %q: %w", text, err)
		}
		arm(l)
		w.lines = append(w.lines, *l)
	}
	return nil
}

// open reads what the letter of a seat has for a question, unless it has been
// dropped meanwhile.
func (w *writing) open(d rules.Decision) error {
	if d.Midway || d.Sealed {
		return nil
	}
	var sources []string
	if d.Source != "" {
		sources = append(sources, d.Source)
	}
	if w.game.Ahead.IsAction(d) {
		sources = append(sources, "")
	}
	t := &w.letters[d.Seat]
	for _, source := range sources {
		stands := sealedAnswers
		if source == "" {
			stands = sealedNext
		}
		i := slices.IndexFunc(w.lines, func(l ahead.Line) bool { return l.Seat == d.Seat && l.Source == stands })
		if i < 0 || slices.Contains(t.opened, source) {
			continue
		}
		sealed := w.lines[i]
		t.opened = append(t.opened, source)
		err := w.read(t.robot.AheadFor(t.view, source), func(l *ahead.Line) {
			l.Seat, l.Period, l.Baseline, l.After = sealed.Seat, sealed.Period, sealed.Baseline, sealed.After
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// games and seed make TestPrograms count in as many matches as docs/speed.md tells of.
var (
	games = flag.Int("games", long.N(2, 16), "matches with and without orders ahead")
	seed  = flag.Uint64("seed", 3, "their seed")
)

// sensible is a plan of matches between sensible robots.
func sensible(g *rules.Game, games int, seed uint64) playout.Plan {
	return playout.Plan{Game: g, Robots: []string{"sensible"}, Matches: games, Seed: seed}
}

// playAhead plays the matches of a plan with orders ahead, and sums up what is counted.
func playAhead(t *testing.T, plan playout.Plan) (all counts) {
	t.Helper()
	setup := rules.Setup{Seats: 2, Revision: plan.Game.Revision()}
	w, err := newWriting(plan.Game)
	if err != nil {
		t.Fatal(err)
	}
	for n := range plan.Matches {
		var m counts
		seed := playout.MatchSeed(plan.Seed, n)
		robots := []rules.Robot{foresight(t, plan.Game), foresight(t, plan.Game)}
		if err := w.play(&m, robots, seed, setup); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all.handovers += m.handovers
		all.orders += m.orders
		all.decisions += m.decisions
		all.changes += m.changes
		all.fired += m.fired
		all.dropped += m.dropped
		all.saved.answers += m.saved.answers
		all.saved.plans += m.saved.plans
		all.saved.lookAhead += m.saved.lookAhead
	}
	return all
}

// TestPrograms: with orders ahead nothing is illegal or stuck, a third of the
// hand-overs and more are saved, and what was saved adds up.
func TestPrograms(t *testing.T) {
	t.Parallel()
	plan := sensible(dawn1989.Game(), *games, *seed)
	plain, err := playout.Run(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	got := playAhead(t, plan)
	t.Logf("%d matches: %d hand-overs in plain play; with orders ahead %+v", *games, plain.HandOvers, got)
	if s := got.saved; got.changes-got.handovers != s.answers+s.plans+s.lookAhead {
		t.Errorf("%d hand-overs instead of %d, but saved %+v", got.handovers, got.changes, s)
	}
	for what, all := range map[string]int{"plain": plain.HandOvers, "the same matches": got.changes} {
		if 3*got.handovers > 2*all {
			t.Errorf("%d hand-overs with orders ahead, %d without (%s)", got.handovers, all, what)
		}
	}
	if again := playAhead(t, plan); again != got {
		t.Errorf("two runs of the same plan differ: %+v and %+v", got, again)
	}
}

// eager is the game with robots that write all of their orders ahead at once.
func eager() *rules.Game {
	g := dawn1989.Game()
	write := g.Robots[0].New
	g.Robots[0].New = func(seed uint64) rules.Robot { return struct{ conditionalRobot }{write(seed).(conditionalRobot)} }
	return g
}

// TestLettersOpenedLate: an order ahead that is thought out when it is asked for
// is the one that would have been written.
func TestLettersOpenedLate(t *testing.T) {
	t.Parallel()
	late, early := playAhead(t, sensible(dawn1989.Game(), long.N(1, 3), 12)), playAhead(t, sensible(eager(), long.N(1, 3), 12))
	if diff := cmp.Diff(early, late, cmp.AllowUnexported(counts{}, saved{})); diff != "" {
		t.Errorf("opened late, letters differ:\n%s", diff)
	}
}

// foresight is the sensible robot of the game, or of a test's copy of it.
func foresight(t *testing.T, g *rules.Game) conditionalRobot {
	t.Helper()
	r, err := g.Robot("sensible", 0)
	if err != nil {
		t.Fatal(err)
	}
	return r.(conditionalRobot)
}

// dice are the chance of a match, as package playout rolls them.
type dice struct{ rnd *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))} }

func (d dice) Roll(rules.Reason) (int, error) { return 1 + d.rnd.IntN(6), nil }
func (d dice) Draw(w rules.Draw) (int, error) { return d.rnd.IntN(len(w.Pile)), nil }

// middle is a position in the middle of a match between sensible robots: the first
// question of a kind from a turn on.
func middle(t *testing.T, seed uint64, turn int8, kind engine.QuestionKind) *engine.Position {
	t.Helper()
	g, dice, robot := dawn1989.Game(), newDice(seed), foresight(t, dawn1989.Game())
	pos, err := g.Begin(rules.Setup{Seats: 2, Revision: g.Revision()})
	if err == nil {
		_, err = pos.Resume(dice, nil)
	}
	for err == nil {
		p, d := pos.(*engine.Position), pos.OpenDecisions(nil)[0]
		if p.Turn >= turn && p.Question.Kind == kind && !d.Midway {
			return p
		}
		look := func() rules.View { return pos.View(d.Seat) }
		_, err = pos.Apply(d.ID, robot.Choose(look, d, pos.Options(nil, d.ID)), dice, nil)
	}
	t.Fatal(err)
	return nil
}

// TestAheadSeesItsView: the orders ahead of the sensible robot do not depend on
// cards that are hidden from it, nor on what it thought of before.
func TestAheadSeesItsView(t *testing.T) {
	t.Parallel()
	used := foresight(t, dawn1989.Game())
	written := map[string]int{}
	for seed := range uint64(long.N(2, 4)) {
		for _, kind := range []engine.QuestionKind{engine.AskRound, engine.AskAttack, engine.AskPlace} {
			p := middle(t, seed, int8(2+seed), kind)
			for seat := range rules.Seat(2) {
				v := p.View(seat)
				lines := used.Ahead(v)
				for _, l := range lines {
					written[strings.Fields(l)[0]]++
				}
				for _, w := range dawn1989.Game().Imagine(v) {
					fresh := foresight(t, dawn1989.Game())
					if got := fresh.Ahead(w.View(seat)); !slices.Equal(got, lines) {
						t.Fatalf("seed %d, %v, seat %d: with other hidden cards it writes\n%s\nnot\n%s", seed, kind, seat,
							strings.Join(got, "\n"), strings.Join(lines, "\n"))
					}
				}
			}
		}
	}
	for _, word := range []string{"ANSWER", "NEXT", "ATTACK", "DEFEND"} {
		if written[word] == 0 {
			t.Errorf("it never writes %s: %v", word, written)
		}
	}
}

// TestAheadForEachSource: a line that is asked for by its source is the one that is
// written among all, whatever was asked for before.
func TestAheadForEachSource(t *testing.T) {
	t.Parallel()
	p := middle(t, 3, 3, engine.AskRound)
	for seat := range rules.Seat(2) {
		v := p.View(seat)
		all, one := foresight(t, dawn1989.Game()), foresight(t, dawn1989.Game()).(foresighted)
		whole := all.Ahead(v)
		parts := one.Plans(v)
		var sources []string
		for _, c := range append(v.(*engine.View).HiddenCards(), v.(*engine.View).KnownEnemyCards.List()...) {
			sources = append(sources, engine.Source(c).String())
		}
		sources = append(sources, dawn1989.Game().Ahead.Labels()...)
		sources = append(sources, "")
		slices.Reverse(sources)
		if lines := one.AheadFor(v, "of no use"); lines != nil {
			t.Errorf("a source that there is not: %v", lines)
		}
		for _, s := range sources {
			parts = append(parts, one.AheadFor(v, s)...)
		}
		slices.Sort(whole)
		slices.Sort(parts)
		if !slices.Equal(whole, parts) {
			t.Errorf("seat %d: one by one\n%s\nand all together\n%s", seat, strings.Join(parts, "\n"), strings.Join(whole, "\n"))
		}
	}
}
