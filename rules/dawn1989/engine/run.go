package engine

import "samizdat/rules"

// Run is what a caller lends to the engine for one or many steps: a source of
// chance, a buffer that collects events, and scratch space. It may be used
// again for other positions; nothing of a position stays in it.
type Run struct {
	Chance rules.Chance
	Events []rules.Event

	p    *Position
	pile [Cards]int16
	// atoms is for listing what a step can be answered with.
	atoms []rules.Atom
}

// procedures runs the top frame one step, answers takes an answer to the top
// frame's question, and optionsOf lists the legal atoms. They are filled in at
// start-up since the procedures themselves start others.
var (
	procedures [procs]func(*Run, *Frame) error
	answers    [procs]func(*Run, *Frame, rules.Atom)
	optionsOf  [procs]func(*Position, *Frame, []rules.Atom) []rules.Atom
)

func init() {
	procedures = [procs]func(*Run, *Frame) error{runMatch, runRound, runOps, runEvent, runStruggle, runAward}
	answers = [procs]func(*Run, *Frame, rules.Atom){answerMatch, answerRound, answerOps, answerEvent, answerStruggle, answerAward}
	optionsOf = [procs]func(*Position, *Frame, []rules.Atom) []rules.Atom{
		matchOptions, roundOptions, opsOptions, eventOptions, struggleOptions, awardOptions}
}

// Advance plays on until a question is open, the match is over, or chance fails. A
// step that asks for an outcome does so before it changes anything, so that it
// can be taken again when the outcome is there.
func (p *Position) Advance(x *Run) error {
	p.stalled = true
	for p.Question.Kind == AskNothing && p.Ending == NotOver {
		if err := p.Step(x); err != nil {
			return err
		}
	}
	p.stalled = false
	return nil
}

// Decide answers the open question with an atom, which must be one of the
// Options, and plays on.
func (p *Position) Decide(x *Run, a rules.Atom) error {
	p.AnswerQuestion(x, a)
	if p.Question.Kind != AskNothing {
		return nil
	}
	return p.Advance(x)
}

// LegalAtoms appends the legal atoms of the open question, in ascending order.
func (p *Position) LegalAtoms(dst []rules.Atom) []rules.Atom {
	if p.Question.Kind == AskNothing || p.Ending != NotOver {
		return dst
	}
	f := &p.stack[p.depth-1]
	return optionsOf[f.Proc](p, f, dst)
}

// Step runs the top procedure one step.
func (p *Position) Step(x *Run) error {
	x.p = p
	f := &p.stack[p.depth-1]
	return procedures[f.Proc](x, f)
}

// AnswerQuestion answers the open question and does not play on.
func (p *Position) AnswerQuestion(x *Run, a rules.Atom) {
	x.p = p
	f := &p.stack[p.depth-1]
	answers[f.Proc](x, f, a)
}

// StartEvent begins the event of a card, carried out by a side.
func (p *Position) StartEvent(x *Run, c Card, side Side) {
	x.p = p
	x.begin(c, side)
}

// TopFrame is the procedure that runs, or asks.
func (p *Position) TopFrame() *Frame { return &p.stack[max(1, p.depth)-1] }

// Depth is how many procedures are under way.
func (p *Position) Depth() int8 { return p.depth }

// push begins a procedure and returns its frame.
func (x *Run) push(f Frame) *Frame {
	p := x.p
	p.stack[p.depth] = f
	p.depth++
	return &p.stack[p.depth-1]
}

// pop ends the top procedure.
func (x *Run) pop() {
	x.p.depth--
	x.p.stack[x.p.depth] = Frame{}
}

// ask opens a question.
func (x *Run) ask(q Question) {
	x.p.lastID++
	q.ID = x.p.lastID
	x.p.Question = q
}

// gave counts one atom of an answer and closes the question with the last.
func (x *Run) gave() (last bool) {
	q := &x.p.Question
	q.Given++
	q.Remaining--
	if q.Remaining <= 0 {
		x.close()
		return true
	}
	return false
}

// close closes the open question.
func (x *Run) close() { x.p.Question = Question{} }

// say tells everybody that something happened.
func (x *Run) say(kind rules.EventKind, args ...int) { x.tell(rules.Everyone, kind, args...) }

// secret tells one side what happened, and everybody else the same with a
// number hidden.
func (x *Run) secret(side Side, hide, as int, kind rules.EventKind, args ...int) {
	me := rules.Only(x.p.SeatOfSide[side])
	x.tell(me, kind, args...)
	x.tell(rules.Everyone&^me, kind, args...)
	x.Events[len(x.Events)-1].Args[hide] = int16(as)
}

func (x *Run) tell(to rules.Seats, kind rules.EventKind, args ...int) {
	e := rules.Event{Kind: kind, Seat: rules.NoSeat, Audience: to}
	for i, a := range args {
		e.Args[i] = int16(a)
	}
	x.Events = append(x.Events, e)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// roll asks for a die.
func (x *Run) roll(what, arg int) (int, error) { return x.Chance.Roll(Reason(what, arg)) }

// drawFrom asks for a card out of a pile.
func (x *Run) drawFrom(set CardSet, d rules.Draw) (Card, error) {
	n := 0
	for c := set.Next(); c != 0; c = set.Next() {
		x.pile[n] = int16(c)
		n++
	}
	d.Kind, d.Pile = drawStrategy, x.pile[:n]
	i, err := x.Chance.Draw(d)
	if err != nil {
		return 0, err
	}
	return Card(x.pile[i]), nil
}

// The kinds of draws, which are part of an outcome's place for ever.
const (
	drawStrategy = "draw strategy"
	drawStruggle = "draw struggle"
)

// deal draws a card from the draw deck for a side into a pile that only it may
// see. It returns 0 when there is nothing to draw. Rule 4.3: a draw that
// empties the deck makes the discards the new deck at once.
func (x *Run) deal(side Side, to Pile, why int) (Card, error) {
	p := x.p
	if p.Piles[PileDeck].Empty() {
		x.reshuffle()
	}
	if p.Piles[PileDeck].Empty() {
		return 0, nil
	}
	c, err := x.drawFrom(p.Piles[PileDeck], rules.Draw{To: p.SeatOfSide[side], Hand: rules.NoSeat, Hidden: true, For: Reason(why, 0)})
	if err != nil {
		return 0, err
	}
	p.Move(c, PileDeck, to)
	x.secret(side, 0, 0, EvDealt, int(c), int(side))
	if p.Piles[PileDeck].Empty() {
		x.reshuffle()
	}
	return c, nil
}

func (x *Run) reshuffle() {
	p := x.p
	if p.Piles[PileDiscard].Empty() {
		return
	}
	x.say(EvReshuffled, p.Piles[PileDiscard].Len())
	p.Piles[PileDeck] = p.Piles[PileDeck].Or(p.Piles[PileDiscard])
	p.Piles[PileDiscard] = CardSet{}
}

// place puts support points of a side into a space. Like remove it does nothing
// once the match is over: a capture may end it between two points of one act.
func (x *Run) place(side Side, s Space, n int) {
	p := x.p
	if n <= 0 || p.Ending != NotOver {
		return
	}
	p.SetSupport(side, s, int(p.Support[side][s])+n)
	x.say(EvPlaced, int(side), int(s), n, int(p.Support[Democrat][s]), int(p.Support[Communist][s]))
	x.capture()
}

// remove takes support points of a side out of a space.
func (x *Run) remove(side Side, s Space, n int) {
	p := x.p
	n = min(n, int(p.Support[side][s]))
	if n <= 0 || p.Ending != NotOver {
		return
	}
	p.SetSupport(side, s, int(p.Support[side][s])-n)
	x.say(EvRemoved, int(side), int(s), n, int(p.Support[Democrat][s]), int(p.Support[Communist][s]))
	x.capture()
}

// capture scores the Tyrant's capture when the Democrat controls the refuge
// (rule 7.6.5, card 97).
func (x *Run) capture() {
	p := x.p
	if s := p.Effects.Refuge; s != 0 && p.Controlled[Democrat].Has(s) {
		p.Effects.Refuge = 0
		x.say(EvCaptured, int(s))
		x.vp(2, WhyCapture, int(TyrantIsGone))
	}
}

// Proc is a procedure of the rules that can be under way.
type Proc uint8

// The procedures.
const (
	// ProcMatch runs set-up and the turns; it is always at the bottom.
	ProcMatch Proc = iota
	// ProcRound is an action round.
	ProcRound
	// ProcOps is a card's Operations.
	ProcOps
	// ProcEvent is a card's event.
	ProcEvent
	// ProcStruggle is a power struggle with its aftermath.
	ProcStruggle
	// ProcAward is what a box of the Tiananmen track gives at once.
	ProcAward
	procs
)

var procNames = [...]string{"match", "round", "ops", "event", "struggle", "award"}

// frames is the most procedures that can be under way at once: the match, a
// round, an event, events that it plays, and one procedure of the last. Only
// cards 6, 20, 36, 46, 67, 71 and 89 play others, and each of them once.
const frames = 12

// Frame is one procedure under way.
type Frame struct {
	Proc Proc
	// Step is where the procedure stands. In JSON it is a label.
	Step uint8
	Card Card
	// Side carries the procedure out.
	Side Side
	// Mode is how the card is played.
	Mode Mode
	// With is the second card in use: of a play with Common European Home, or the one
	// that was given up for Deutsche Marks.
	With Card
	// Source is what a question of the procedure names as its source.
	Source Source
	// N counts what the step counts: points spent, checks made.
	N int8
	// Country and Space were chosen by an earlier step, or bound it.
	Country Country
	Space   Space
	// Border: so far every point went to East Germany, or the bonus of card 58
	// is claimed.
	Border bool
	// Midway: the question belongs to the answer under way (a PLAY line).
	Midway bool
	// Open: granted Operations may be a Tiananmen attempt.
	Open bool
	// May: granted Operations may be declined. Take: instead, one of the enemy's
	// cards with red titles may be taken (card 46).
	May, Take bool
	// Result is what a die or a draw came to in an earlier step: points to
	// place, cards to draw, the value of Operations that no card gives.
	Result int8
	// Won counts the rounds of a contest that each side has won.
	Won [2]int8
}
