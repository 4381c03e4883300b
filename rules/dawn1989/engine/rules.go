// Package engine implements the rules of 1989: Dawn of Freedom. It has no sentences for players. Sides, cards, spaces
// and kinds of questions have the names that are used in records.
//
// Rule numbers in comments refer to the rulebook of the second edition, and card numbers are printed on the cards. If a
// card and the rulebook differ, the card is right.
//
// A Position is a value without pointers. It keeps the running procedures of the rules, for example an event inside
// an action round, on a stack of frames (run.go). So it can stop at any question or outcome of chance, be stored, and
// continue in another process. The files follow the rulebook:
//
//	board.go, cards.go                the map and both decks, read from data/
//	position.go, run.go, rules.go     the state, its execution, the interfaces of package rules
//	turn.go, round.go, question.go    rules 3 to 5: set-up, the turn, an action round
//	operations.go, check.go           rule 6: Ops value, placement, support checks
//	tiananmen.go                      rule 6.3: the Tiananmen Square Track and its awards
//	event.go, eventcards.go, step*.go rule 7: the steps of events, and the events of the cards
//	struggle.go, strugglehands.go     rule 8: power struggles
//	scoring.go                        rules 9 and 10
//	json.go, codec.go, members.go     the JSON of positions and views
//	view.go, deal.go, eventkinds.go   views, possible positions of a view, events
//
// A View contains a copy of the Position without the facts hidden from its seat. Texts and maps are made from this
// copy, and robots try answers on it. Only Apply and Resume change a match.
package engine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"samizdat/rules"
)

// Rules implements rules.Engine, and the fields of rules.Game that need no sentences for players.
type Rules struct{}

// Name implements rules.Engine.
func (Rules) Name() string { return "1989" }

// Title implements rules.Engine.
func (Rules) Title() string { return "1989: Dawn of Freedom" }

// Credit implements rules.Engine.
func (Rules) Credit() string {
	return "1989: Dawn of Freedom is a game by Jason Matthews and Ted Torgerson, published by GMT Games."
}

// Seats implements rules.Engine: always two.
func (Rules) Seats() (minimum, maximum int) { return 2, 2 }

// SeatNames implements rules.Engine. Seat 0 plays the Democrat and seat 1 the Communist, unless the players bid for
// sides.
func (Rules) SeatNames(s rules.Setup) []string {
	if s.Options[OptionBidding] == bidYes {
		return []string{"first", "second"}
	}
	return []string{"democrat", "communist"}
}

// The options of a match. A match without options is the standard match.
const (
	// OptionExtra is the number of extra support points for the Democrat in set-up: "2" in a "+2" match.
	OptionExtra = "extra"
	// OptionBidding is "yes" if the players bid for their sides (rule 13).
	OptionBidding = "bidding"
	bidYes        = "yes"
)

// Begin implements rules.Engine. The position waits for the first card of the deal.
func (Rules) Begin(s rules.Setup) (rules.Position, error) {
	if s.Seats != 2 {
		return nil, fmt.Errorf("1989 has 2 seats, not %d", s.Seats)
	}
	if s.Revision < oldestRevision || s.Revision > newestRevision {
		return nil, fmt.Errorf("unknown rules revision %d of 1989; the known revisions are %d to %d", s.Revision, oldestRevision, newestRevision)
	}
	p := newPosition(uint8(s.Revision))
	for name, v := range s.Options {
		n, err := strconv.Atoi(v)
		switch {
		case name == OptionExtra && err == nil && n >= 0 && n <= 9:
			p.ExtraPoints = int8(n)
		case name == OptionBidding && v == bidYes:
			p.stack[0].Step = matchBids
		default:
			return nil, fmt.Errorf("invalid option %s=%s of 1989; the options are %s=0 to %[3]s=9, and %s=%s", name, v, OptionExtra, OptionBidding, bidYes)
		}
	}
	if p.ExtraPoints > 0 && p.stack[0].Step == matchBids {
		return nil, fmt.Errorf("options %s and %s exclude each other: the winning bid sets the extra points", OptionExtra, OptionBidding)
	}
	return p, nil
}

// newPosition returns the position before the deal (rules 3.1 to 3.5).
func newPosition(revision uint8) *Position {
	p := &Position{revision: revision, SeatOfSide: [2]rules.Seat{Democrat: 0, Communist: 1}, Turn: 1, stalled: true}
	for s := Space(1); s < Spaces; s++ {
		for side := Democrat; side <= Communist; side++ {
			p.SetSupport(side, s, s.Info().Setup[side])
		}
	}
	p.Piles[PileDeck] = InPeriod[Early]
	p.Piles[PileFuture] = InPeriod[Middle].Or(InPeriod[Late])
	for c := EastGermany; c < Countries; c++ {
		p.Power[c].Holder = Communist
	}
	p.stack[0] = Frame{Proc: ProcMatch, Side: Communist}
	p.depth = 1
	return p
}

var _ rules.Position = (*Position)(nil)

// Clone implements rules.Position.
func (p *Position) Clone() rules.Position {
	q := *p
	return &q
}

// OpenDecisions implements rules.Position. There are two open decisions while both players bid for sides, otherwise
// at most one.
func (p *Position) OpenDecisions(dst []rules.Decision) []rules.Decision {
	q := &p.Question
	if q.Kind == AskNothing || p.Ending != NotOver {
		return dst
	}
	if q.Kind == AskBid {
		return p.appendBidDecisions(dst)
	}
	d := rules.Decision{
		ID: rules.DecisionID(q.ID), Seat: p.SeatOfSide[q.Side], Kind: q.Kind.String(), Source: q.Source.String(),
		Min: int(q.Remaining), Max: int(q.Remaining), Midway: q.Midway || q.Given > 0, Private: q.Secret, Play: p.playNumber,
	}
	if q.Kind == AskAlternative || q.UpTo {
		d.Min = 1
		if q.UpTo && q.Given > 0 {
			d.Stop, d.Min = atomStop, 0
		}
	}
	if q.Kind == AskOps || q.Kind == AskGrant {
		// A support point costs two Ops where the enemy controls, so the answer may be complete after fewer atoms than
		// Ops.
		d.Min = min(1, d.Max)
		if f := &p.stack[p.depth-1]; p.mayStopPlacing(f) {
			d.Stop, d.Min, d.Max = atomStop, 0, 1
		}
	}
	return append(dst, d)
}

// Options implements rules.Position.
func (p *Position) Options(dst []rules.Atom, id rules.DecisionID) []rules.Atom {
	if p.Question.Kind == AskBid {
		q := *p
		q.selectBid(id)
		p = &q
	}
	if uint32(id) != p.Question.ID {
		return dst
	}
	return p.LegalAtoms(dst)
}

// errNotLegal is the error for an atom that is not in Options, which callers check first.
var errNotLegal = errors.New("not a legal option")

var runPool = sync.Pool{New: func() any { return &Run{atoms: make([]rules.Atom, 0, MaxOptions)} }}

func withRun(c rules.Chance, dst []rules.Event, play func(r *Run) error) ([]rules.Event, error) {
	r := runPool.Get().(*Run)
	defer runPool.Put(r)
	r.Chance, r.Events = c, dst
	err := play(r)
	dst = r.Events
	r.p, r.Chance, r.Events = nil, nil, nil
	return dst, err
}

// Apply implements rules.Position.
func (p *Position) Apply(id rules.DecisionID, a rules.Atom, c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	return withRun(c, dst, func(r *Run) error {
		r.atoms = p.Options(r.atoms[:0], id)
		if _, isLegal := slices.BinarySearch(r.atoms, a); !isLegal {
			return fmt.Errorf("decision %d: %w", id, errNotLegal)
		}
		p.selectBid(id)
		return p.Decide(r, a)
	})
}

// Resume implements rules.Position.
func (p *Position) Resume(c rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	if !p.stalled {
		return dst, nil
	}
	return withRun(c, dst, p.Advance)
}

// Stalled implements rules.Position.
func (p *Position) Stalled() bool { return p.stalled }

// Result implements rules.Position.
func (p *Position) Result() (rules.Result, bool) {
	return rules.Result{Winners: p.Winners, Reason: p.Ending.String()}, p.Ending != NotOver
}

// Element implements rules.Engine: a strategy card by its number, a power struggle card by the name of its kind.
func (Rules) Element(kind string, code int16) any {
	if kind == drawStruggle {
		return StruggleCard(code).String()
	}
	return int(code)
}

// Bidding for sides (rule 13). Each player makes a sealed bid: a side, and a number of support points for the enemy
// in return. Until the sides are known, seat 0 counts as the Democrat and seat 1 as the Communist. In this code, a
// chair is the number of a seat that has no side yet.

// Bid is a player's bid. For example, with "BID COMMUNIST GIVE 2" a player asks for the Communist and gives the
// Democrat 2 points.
type Bid struct {
	Received bool
	// Side is the side that the player wants to play.
	Side Side
	// Points are the support points that the enemy of Side gets.
	Points int8
}

// MaxBid is the largest number of points in a bid.
const MaxBid = 20

// collectBids asks both chairs for their bids, and assigns the sides after the second bid.
func (r *Run) collectBids(f *Frame) error {
	p := r.p
	if p.Phase != PhaseBid {
		p.Phase = PhaseBid
		p.playNumber++
		p.lastID += uint32(len(p.Bids))
	}
	for chair := range p.Bids {
		if !p.Bids[chair].Received {
			p.Question = p.bidQuestion(chair)
			return nil
		}
	}
	for chair, b := range p.Bids {
		r.emit(EvBid, chair, int(b.Side), int(b.Points))
	}
	a, b := p.Bids[0], p.Bids[1]
	switch {
	case a.Side != b.Side:
		r.assignSides(f, 0, a.Side, 0)
	case a.Points > b.Points:
		r.assignSides(f, 0, a.Side, a.Points)
	case b.Points > a.Points:
		r.assignSides(f, 1, b.Side, b.Points)
	default:
		f.Step, f.EarlierResult = matchBidsRoll, 0
	}
	return nil
}

// bidQuestion returns the question to a chair. Both questions are open at the same time, with consecutive IDs.
func (p *Position) bidQuestion(chair int) Question {
	return Question{Kind: AskBid, Side: Side(chair), Source: SourceBid, Remaining: 1, ID: p.lastID - uint32(len(p.Bids)-1-chair)}
}

// assignSides gives chair the side to play. The support points go to the enemy of the side for which chair bid. They
// go there even if chair won the dice after equal bids and then chose the other side.
func (r *Run) assignSides(f *Frame, chair int, side Side, points int8) {
	p := r.p
	p.SeatOfSide[side], p.SeatOfSide[side.Enemy()] = rules.Seat(chair), rules.Seat(1-chair)
	if p.ExtraPoints = points; points > 0 {
		p.ExtraSide = p.Bids[chair].Side.Enemy()
	}
	r.emit(EvSides, int(p.SeatOfSide[Democrat]), int(p.ExtraPoints), int(p.ExtraSide))
	f.Step, f.Side, f.EarlierResult = matchDeal, Communist, 0
}

// rollBids decides between equal bids for the same side: both chairs roll, one chair in each call, and the chair with
// the higher die chooses a side. After a tie both roll again (ruling 1).
func (r *Run) rollBids(f *Frame) error {
	chair := boolToInt(f.EarlierResult != 0)
	die, err := r.roll(ReasonBid, chair)
	if err != nil {
		return err
	}
	if chair == 0 {
		f.EarlierResult = int8(die)
		return nil
	}
	first := int(f.EarlierResult)
	f.EarlierResult = 0
	r.emit(EvBidRoll, first, die)
	if first == die {
		return nil
	}
	r.ask(Question{Kind: AskSide, Side: Side(boolToInt(die > first)), Source: SourceBid, Remaining: 1})
	return nil
}

func (r *Run) answerBid(f *Frame, a rules.Atom) {
	p := r.p
	chair := int(p.Question.Side)
	r.closeQuestion()
	if AtomVerb(a) == VerbBid {
		p.Bids[chair] = Bid{Received: true, Side: Side(AtomFlag(a)), Points: int8(AtomValue(a))}
		return
	}
	r.assignSides(f, chair, Side(AtomValue(a)), p.Bids[0].Points)
}

func appendBidAtoms(p *Position, dst []rules.Atom) []rules.Atom {
	for side := Democrat; side <= Communist; side++ {
		if p.Question.Kind == AskSide {
			dst = append(dst, NewAtom(VerbChoose, uint8(ChooseSide), int(side)))
			continue
		}
		for n := range MaxBid + 1 {
			dst = append(dst, NewAtom(VerbBid, uint8(side), n))
		}
	}
	return dst
}

// appendBidDecisions appends a decision for each chair without a bid. The answers are sealed and opened together.
func (p *Position) appendBidDecisions(dst []rules.Decision) []rules.Decision {
	group := uint32(p.bidQuestion(0).ID)
	for chair := range p.Bids {
		if p.Bids[chair].Received {
			continue
		}
		q := p.bidQuestion(chair)
		dst = append(dst, rules.Decision{ID: rules.DecisionID(q.ID), Seat: rules.Seat(chair), Kind: q.Kind.String(),
			Source: q.Source.String(), Min: 1, Max: 1, Sealed: true, Group: group, Play: p.playNumber})
	}
	return dst
}

// selectBid sets Question to the open bid with this decision ID. It changes no position that has another open
// question.
func (p *Position) selectBid(id rules.DecisionID) {
	for chair := range p.Bids {
		if q := p.bidQuestion(chair); p.Question.Kind == AskBid && q.ID == uint32(id) && !p.Bids[chair].Received {
			p.Question = q
		}
	}
}

// simulation implements rules.Simulation with reusable buffers.
type simulation struct {
	// start is the position before the deal, and pos the current position.
	start, pos    Position
	run           Run
	view          View
	isViewCurrent bool
	options       []rules.Atom
	decision      rules.Decision
}

// MaxOptions is an upper bound for the number of options of a question: three for each space.
const MaxOptions = 3 * Spaces

// NewSimulation implements rules.Game.NewSimulation: all matches of the simulation have the set-up s.
func (g Rules) NewSimulation(s rules.Setup) (rules.Simulation, error) {
	pos, err := g.Begin(s)
	if err != nil {
		return nil, err
	}
	return &simulation{start: *pos.(*Position), options: make([]rules.Atom, 0, MaxOptions)}, nil
}

func (sim *simulation) Begin(c rules.Chance) error {
	sim.pos, sim.isViewCurrent = sim.start, false
	sim.run.Chance, sim.run.Events = c, sim.run.Events[:0]
	return sim.pos.Advance(&sim.run)
}

func (sim *simulation) Ask() (rules.Decision, []rules.Atom, bool) {
	q := &sim.pos.Question
	if q.Kind == AskNothing || sim.pos.Ending != NotOver {
		return rules.Decision{}, nil, false
	}
	sim.options = sim.pos.LegalAtoms(sim.options[:0])
	// Robots need only these fields. OpenDecisions sets all fields.
	sim.decision = rules.Decision{
		ID: rules.DecisionID(q.ID), Seat: sim.pos.SeatOfSide[q.Side], Kind: q.Kind.String(), Source: sourceNames[q.Source],
		Min: int(q.Remaining), Max: int(q.Remaining), Midway: q.Midway || q.Given > 0, Private: q.Secret, Play: sim.pos.playNumber,
	}
	return sim.decision, sim.options, true
}

func (sim *simulation) View() rules.View {
	if !sim.isViewCurrent {
		sim.pos.fillView(&sim.view, sim.pos.SeatOfSide[sim.pos.Question.Side])
		sim.isViewCurrent = true
	}
	return &sim.view
}

func (sim *simulation) Answer(a rules.Atom) error {
	sim.isViewCurrent = false
	sim.run.Events = sim.run.Events[:0]
	return sim.pos.Decide(&sim.run, a)
}

// Statistics implements rules.Simulation: it adds none.
func (sim *simulation) Statistics(dst []rules.Statistic) []rules.Statistic { return dst }

func (sim *simulation) Turn() int { return int(sim.pos.Turn) }

func (sim *simulation) Result() (rules.Result, bool) { return sim.pos.Result() }
