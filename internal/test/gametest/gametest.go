// Package gametest checks that a game keeps the contract of package rules. The test of a game calls
// Check; docs/games.md explains how to add a game.
package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/internal/playout"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/rules"
)

// widest is the limit of columns in a letter.
const widest = 78

// maxAnswers is the limit of answers to a question that are formatted and parsed again.
const maxAnswers = 6

// Check plays random matches at tables of every size and checks at every position that
//
//   - it is read back as it was written, and a copy is independent of it;
//   - options ascend, other atoms are refused, and answers are written as orders that are read as
//     the same answers;
//   - all texts are there, and fit a letter;
//   - a hidden outcome does not change the views and events of other seats, and an outcome for a seat that no
//     other seat sees is hidden;
//   - chance may fail anywhere, and Resume goes on from there as if it had not;
//
// that matches end, and that every robot answers legally.
func Check(t *testing.T, g *rules.Game) {
	t.Helper()
	least, most := g.Seats()
	for seats := least; seats <= most; seats++ {
		t.Run(fmt.Sprintf("%d seats", seats), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(long.N(3, 20)) {
				c := &checker{T: t, game: g, parser: order.New(g), seats: seats, rnd: rand.New(rand.NewPCG(seed, uint64(seats)))}
				c.match()
			}
			games := map[string]int{rules.RandomName: long.N(5, 100)}
			for _, r := range g.Robots {
				games[r.Name] = long.N(5, 100)
				if r.IsSlow {
					games[r.Name] = long.N(0, 2)
				}
			}
			for robot, n := range games {
				if n == 0 {
					continue
				}
				sum, err := playout.Run(t.Context(), playout.Plan{Game: g, Robots: []string{robot}, Seats: seats, Matches: n, Seed: 1})
				if err != nil || sum.Illegal > 0 || sum.Stuck > 0 {
					t.Errorf("%s robots: %v, %+v", robot, err, sum)
				}
			}
		})
	}
}

// checker plays one match.
type checker struct {
	*testing.T
	game   *rules.Game
	parser *order.Parser
	rnd    *rand.Rand
	seats  int
	pos    rules.Position
}

func (c *checker) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *checker) match() {
	c.Helper()
	setup, err := rules.NewSetup(c.game, c.seats)
	c.must(err)
	c.pos, err = c.game.Begin(setup)
	c.must(err)
	unknown := setup
	unknown.Options = map[string]string{"no-such-option": "yes"}
	if _, err := c.game.Begin(unknown); err == nil {
		c.Fatal("Begin takes an option that it does not know")
	}
	if names := c.game.SeatNames(setup); len(names) != c.seats {
		c.Fatalf("%d seats have the names %q", c.seats, names)
	}
	events := c.step(rules.Position.Resume)
	for range playout.MaxDecisions {
		c.position(events)
		owed := c.pos.OpenDecisions(nil)
		if len(owed) == 0 {
			if r, over := c.pos.Result(); !over || r.Reason == "" {
				c.Fatalf("OpenDecisions is empty and Stalled is %t, but Result is %t, %+v", c.pos.Stalled(), over, r)
			}
			return
		}
		events = c.answer(owed)
	}
	c.Fatal("the match does not end")
}

// answer answers an open decision, or all of a sealed group.
func (c *checker) answer(owed []rules.Decision) (events []rules.Event) {
	c.Helper()
	d := owed[c.rnd.IntN(len(owed))]
	if !d.Sealed {
		return c.apply(d)
	}
	group := slices.DeleteFunc(slices.Clone(owed), func(o rules.Decision) bool { return !o.Sealed || o.Group != d.Group })
	if !d.Ballot {
		for _, o := range group {
			events = append(events, c.apply(o)...)
		}
		return events
	}
	var ballots []rules.Ballot
	for _, o := range group {
		ballots = append(ballots, rules.Ballot{Decision: o, Atom: rulestest.Pick(c.pos, o, c.rnd.IntN)[0]})
	}
	outcome, err := c.game.Ballots.CountBallots(ballots)
	c.must(err)
	return c.step(func(p rules.Position, chance rules.Chance, dst []rules.Event) ([]rules.Event, error) {
		return c.game.Ballots.ApplyOutcome(p, d.Group, outcome, chance, dst)
	})
}

func (c *checker) apply(d rules.Decision) (events []rules.Event) {
	c.Helper()
	for _, a := range rulestest.Pick(c.pos, d, c.rnd.IntN) {
		for _, o := range c.pos.OpenDecisions(nil) {
			if o.Seat == d.Seat && o.Midway {
				d = o
			}
		}
		events = append(events, c.step(func(p rules.Position, chance rules.Chance, dst []rules.Event) ([]rules.Event, error) {
			return p.Apply(d.ID, a, chance, dst)
		})...)
	}
	return events
}

// position checks a position at rest.
func (c *checker) position(events []rules.Event) {
	c.Helper()
	data := c.json(c.pos)
	read, err := c.game.Decode([]byte(data))
	c.must(err)
	if _, err := c.game.Decode([]byte(`{"noSuchField":1,` + strings.TrimPrefix(data, "{"))); err == nil {
		c.Fatal("Decode takes a field that it does not know")
	}
	if again := c.json(read); again != data {
		c.Fatalf("a position is read back as\n%s\nand was\n%s", again, data)
	}
	if !slices.Equal(read.OpenDecisions(nil), c.pos.OpenDecisions(nil)) {
		c.Fatalf("a position that is read back asks %+v, and asked %+v", read.OpenDecisions(nil), c.pos.OpenDecisions(nil))
	}
	if lines, err := c.game.Compare(c.pos, []byte(data)); err != nil || len(lines) > 0 {
		c.Fatalf("a position differs from itself: %q, %v", lines, err)
	}
	for seat := rules.NoSeat; int(seat) < c.seats; seat++ {
		c.letter(c.pos.View(seat), events)
	}
	for _, d := range c.pos.OpenDecisions(nil) {
		c.question(d)
	}
	if after := c.json(c.pos); after != data {
		c.Fatalf("looking at a position changed it to\n%s\nfrom\n%s", after, data)
	}
}

func (c *checker) json(m json.Marshaler) string {
	c.Helper()
	data, err := m.MarshalJSON()
	c.must(err)
	return string(data)
}

// letter checks the texts that a seat reads.
func (c *checker) letter(v rules.View, events []rules.Event) {
	c.Helper()
	if c.game.DecodeView != nil {
		read, err := c.game.DecodeView([]byte(c.json(v)), v.Seat())
		c.must(err)
		if got, want := c.json(read), c.json(v); got != want {
			c.Fatalf("a view is read back as\n%s\nand was\n%s", got, want)
		}
	}
	heard := slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(v.Seat()) })
	text := append(c.game.Sentences(v, heard), c.game.Status(v))
	for _, s := range c.game.Sections(v) {
		if s.Title == "" || len(s.Lines) == 0 {
			c.Fatalf("seat %d has the empty section %q", v.Seat(), s.Title)
		}
		for _, line := range s.Lines {
			if n := utf8.RuneCountInString(line); n > widest || strings.TrimRight(line, " ") != line {
				c.Fatalf("%s has a line of %d columns, or with spaces at its end: %q", s.Title, n, line)
			}
		}
	}
	if c.game.Turn != nil && c.game.Turn(v) < 1 {
		c.Fatalf("turn %d", c.game.Turn(v))
	}
	for _, line := range text {
		if line == "" || strings.Contains(line, "%!") {
			c.Fatalf("seat %d is told %q", v.Seat(), line)
		}
	}
}

// question checks the text of a decision and its answers.
func (c *checker) question(d rules.Decision) {
	c.Helper()
	options := c.pos.Options(nil, d.ID)
	c.decision(d)
	if len(options) == 0 || options[0] == 0 || !slices.IsSorted(options) {
		c.Fatalf("the options of %q do not ascend from more than 0: %x", d.Kind, options)
	}
	v := c.pos.View(d.Seat)
	if c.game.Desk != nil {
		supposed := c.game.Desk.ImaginePositions(v)
		if got := supposed[0].Options(nil, d.ID); !slices.Equal(got, options) {
			c.Fatalf("%q has the options %x in a position that is made from the view, and %x", d.Kind, got, options)
		}
	}
	prompt := c.game.Prompt(v, d, options)
	if prompt.Question == "" || len(prompt.Forms) == 0 {
		c.Fatalf("Question or Forms of the prompt of %q are empty: %+v", d.Kind, prompt)
	}
	lines := slices.Clone(prompt.Forms)
	for range maxAnswers {
		line := c.game.FormatOrder(rulestest.Pick(c.pos, d, c.rnd.IntN))
		lines = append(lines, line)
		if got := c.game.FormatOrder(c.read(d, line).Atoms); got != line {
			c.Fatalf("the order %q is read as %q", line, got)
		}
	}
	for _, line := range lines {
		if _, err := gate.Check(c.pos, d.Seat, c.read(d, line)); err != nil {
			c.Fatalf("%q answers %q, and is refused: %v", line, d.Kind, err)
		}
	}
	const none = 0xfffffff7
	if _, err := c.pos.Clone().Apply(d.ID, none, gate.NoChance{}, nil); err == nil || errors.Is(err, rules.ErrNoOutcome) {
		c.Fatalf("%q takes an atom that is no option", d.Kind)
	}
	if why := c.game.Refusal(v, d, options[0], options[1:]); len(options) > 1 && why == "" {
		c.Fatalf("nothing is said of why %x is refused", options[0])
	}
}

// decision checks the fields of a decision.
func (c *checker) decision(d rules.Decision) {
	c.Helper()
	if d.Min < 0 || d.Max < max(1, d.Min) {
		c.Fatalf("%q takes at least %d and at most %d atoms", d.Kind, d.Min, d.Max)
	}
	if d.Silence == rules.SilenceWaits && c.game.Resigned != nil && !d.Midway {
		c.Fatalf("%q waits for ever if its player resigns: Silence must not be SilenceWaits in a game with Resigned", d.Kind)
	}
}

// read parses an order as a line of a letter.
func (c *checker) read(d rules.Decision, line string) rules.Answer {
	c.Helper()
	o, err := c.parser.ParseOrder(line)
	c.must(err)
	answers, err := c.game.Answers(o, []rules.Decision{d})
	c.must(err)
	return answers[0]
}

// move is a step of the game: an answer or a resumption.
type move func(p rules.Position, c rules.Chance, dst []rules.Event) ([]rules.Event, error)

// step makes a move and checks each of its chance outcomes.
func (c *checker) step(do move) []rules.Event {
	c.Helper()
	before, dice := c.pos.Clone(), &outcomes{rnd: c.rnd}
	was := c.json(before)
	events, err := do(c.pos, dice, nil)
	c.must(err)
	if c.json(before) != was {
		c.Fatal("a move changed a copy of its position")
	}
	for i, m := range dice.made {
		if pile, ok := strings.CutPrefix(m.kind, "draw "); m.kind != rules.KindLot && m.kind != rules.KindRoll && (!ok || pile == "") {
			c.Fatalf("the kind of draw %q must be \"draw \" and the name of a pile, or %q", m.kind, rules.KindLot)
		}
		if c.game.Reason(m.reason) == "" {
			c.Fatalf("Reason(%d) of %q is empty", m.reason, m.kind)
		}
		c.stalls(before.Clone(), do, dice.made, i, events)
		c.hides(before, do, dice.made[:i+1])
	}
	return events
}

// stalls checks that a move without outcome number at stalls, and that Resume completes it with the
// same result.
func (c *checker) stalls(p rules.Position, do move, dice []made, at int, all []rules.Event) {
	c.Helper()
	events, err := do(p, &outcomes{made: dice[:at], given: true}, nil)
	if !errors.Is(err, rules.ErrNoOutcome) || !p.Stalled() || len(p.OpenDecisions(nil)) > 0 {
		c.Fatalf("without outcome %d: %v; stalled %t", at, err, p.Stalled())
	}
	p, err = c.game.Decode([]byte(c.json(p)))
	c.must(err)
	events, err = p.Resume(&outcomes{made: dice[at:], given: true}, events)
	c.must(err)
	if got, want := c.json(p), c.json(c.pos); got != want || !slices.Equal(events, all) {
		c.Fatalf("resumed at outcome %d it reaches\n%s\nand not\n%s", at, got, want)
	}
}

// hides checks that the last outcome, if hidden, changes no view and no event of another seat. If it is for a seat and not hidden,
// it must change some: otherwise a record shows what only that seat may know.
func (c *checker) hides(before rules.Position, do move, dice []made) {
	c.Helper()
	last := dice[len(dice)-1]
	other := slices.IndexFunc(last.pile, func(e int16) bool { return e != last.pile[last.index] })
	if !last.hidden && last.to == rules.NoSeat || other < 0 {
		return
	}
	twin := slices.Clone(dice)
	twin[len(twin)-1].index = other
	shown := func(dice []made) (p rules.Position, events []rules.Event) {
		p = before.Clone()
		events, err := do(p, &outcomes{made: dice, given: true}, nil)
		if err != nil && !errors.Is(err, rules.ErrNoOutcome) {
			c.Fatal(err)
		}
		return p, events
	}
	one, told := shown(dice)
	two, toldTwo := shown(twin)
	seen := false
	for seat := rules.NoSeat; int(seat) < c.seats; seat++ {
		if seat == last.to || seat == last.hand {
			continue
		}
		own := func(events []rules.Event) []rules.Event {
			return slices.DeleteFunc(slices.Clone(events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
		}
		a, b := c.json(one.View(seat)), c.json(two.View(seat))
		switch differs := a != b || !slices.Equal(own(told), own(toldTwo)); {
		case differs && last.hidden:
			c.Fatalf("seat %d can tell what was drawn for seat %d by its view:\n%s\nand\n%s\nor by its events:\n%v\nand\n%v", seat, last.to,
				a, b, own(told), own(toldTwo))
		case differs:
			seen = true
		}
	}
	if !last.hidden && !seen {
		c.Fatalf("the draw %q for seat %d stands open in records, but no other seat sees it: set Draw.Hidden", last.kind, last.to)
	}
}

// made is a chance outcome.
type made struct {
	roll   int
	kind   string
	reason rules.Reason
	// index is the index drawn from pile; the other fields are those of rules.Draw.
	index    int
	pile     []int16
	to, hand rules.Seat
	hidden   bool
}

// outcomes is a source of chance. With given it returns the outcomes in made and then
// rules.ErrNoOutcome; otherwise it records random outcomes in made.
type outcomes struct {
	rnd   *rand.Rand
	made  []made
	given bool
}

// next returns the next outcome.
func (o *outcomes) next(make func() made) (made, error) {
	if !o.given {
		o.made = append(o.made, make())
		return o.made[len(o.made)-1], nil
	}
	if len(o.made) == 0 {
		return made{}, rules.ErrNoOutcome
	}
	m := o.made[0]
	o.made = o.made[1:]
	return m, nil
}

// Roll implements rules.Chance.
func (o *outcomes) Roll(reason rules.Reason) (int, error) {
	m, err := o.next(func() made {
		return made{roll: 1 + o.rnd.IntN(6), kind: rules.KindRoll, reason: reason, to: rules.NoSeat, hand: rules.NoSeat}
	})
	return m.roll, err
}

// Draw implements rules.Chance.
func (o *outcomes) Draw(d rules.Draw) (int, error) {
	m, err := o.next(func() made {
		return made{kind: d.Kind, reason: d.For, index: o.rnd.IntN(len(d.Pile)), pile: slices.Clone(d.Pile), to: d.To, hand: d.From, hidden: d.Hidden}
	})
	return m.index, err
}
