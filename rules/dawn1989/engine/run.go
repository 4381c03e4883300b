package engine

import "samizdat/rules"

// Run holds the resources for executing steps: a source of chance, a buffer of events, and scratch
// space. A Run keeps no state of a position and may be used for another position.
type Run struct {
	Chance rules.Chance
	Events []rules.Event

	p    *Position
	pile [Cards]int16
	// atoms is a buffer for legal atoms.
	atoms []rules.Atom
}

// procedures runs the top frame for one step, answers executes an answer to the top frame's
// question, and optionsOf lists the legal atoms. Initialization at start-up breaks an
// initialization cycle: procedures start other procedures.
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

// Advance plays on until a question is open, the match is over, or chance fails. A step asks for
// its outcome before it changes the position, so after a failure the step can run again.
func (p *Position) Advance(r *Run) error {
	p.stalled = true
	for p.Question.Kind == AskNothing && p.Ending == NotOver {
		if err := p.Step(r); err != nil {
			return err
		}
	}
	p.stalled = false
	return nil
}

// Decide answers the open question with one of the LegalAtoms and plays on.
func (p *Position) Decide(r *Run, a rules.Atom) error {
	p.AnswerQuestion(r, a)
	if p.Question.Kind != AskNothing {
		return nil
	}
	return p.Advance(r)
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
func (p *Position) Step(r *Run) error {
	r.p = p
	f := &p.stack[p.depth-1]
	return procedures[f.Proc](r, f)
}

// AnswerQuestion answers the open question without playing on.
func (p *Position) AnswerQuestion(r *Run, a rules.Atom) {
	r.p = p
	f := &p.stack[p.depth-1]
	answers[f.Proc](r, f, a)
}

// StartEvent begins the event of a card, carried out by a side.
func (p *Position) StartEvent(r *Run, c Card, side Side) {
	r.p = p
	r.beginEvent(c, side)
}

// TopFrame returns the running or asking procedure.
func (p *Position) TopFrame() *Frame { return &p.stack[max(1, p.depth)-1] }

// Depth returns the number of procedures on the stack.
func (p *Position) Depth() int8 { return p.depth }

// push begins a procedure and returns its frame.
func (r *Run) push(f Frame) *Frame {
	p := r.p
	p.stack[p.depth] = f
	p.depth++
	return &p.stack[p.depth-1]
}

func (r *Run) pop() {
	r.p.depth--
	r.p.stack[r.p.depth] = Frame{}
}

func (r *Run) ask(q Question) {
	r.p.lastID++
	q.ID = r.p.lastID
	r.p.Question = q
}

// recordGiven counts an atom of the answer, and closes the question after the last atom.
func (r *Run) recordGiven() (isLast bool) {
	q := &r.p.Question
	q.Given++
	q.Remaining--
	if q.Remaining <= 0 {
		r.closeQuestion()
		return true
	}
	return false
}

func (r *Run) closeQuestion() { r.p.Question = Question{} }

// emit adds a public event.
func (r *Run) emit(kind rules.EventKind, args ...int) { r.emitTo(rules.Everyone, kind, args...) }

// emitSecret adds an event for one side, and a public twin in which the argument with index hide is replaced by as.
func (r *Run) emitSecret(side Side, hide, as int, kind rules.EventKind, args ...int) {
	me := rules.Only(r.p.SeatOfSide[side])
	r.emitTo(me, kind, args...)
	r.emitTo(rules.Everyone&^me, kind, args...)
	r.Events[len(r.Events)-1].Args[hide] = int16(as)
}

func (r *Run) emitTo(to rules.Seats, kind rules.EventKind, args ...int) {
	e := rules.Event{Kind: kind, Seat: rules.NoSeat, Audience: to}
	for i, a := range args {
		e.Args[i] = int16(a)
	}
	r.Events = append(r.Events, e)
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *Run) roll(what, arg int) (int, error) { return r.Chance.Roll(Reason(what, arg)) }

func (r *Run) drawFrom(set CardSet, d rules.Draw) (Card, error) {
	n := 0
	for c := set.Next(); c != 0; c = set.Next() {
		r.pile[n] = int16(c)
		n++
	}
	d.Kind, d.Pile = drawStrategy, r.pile[:n]
	i, err := r.Chance.Draw(d)
	if err != nil {
		return 0, err
	}
	return Card(r.pile[i]), nil
}

// The kinds of draws. They are inputs of the sealed random stream and must never change.
const (
	drawStrategy = "draw strategy"
	drawStruggle = "draw struggle"
)

// deal draws a card from the draw deck into a pile that only its side may see, and returns 0 if no
// card is left. Rule 4.3: a draw that empties the deck makes the discards the new deck at once.
func (r *Run) deal(side Side, to Pile, reason int) (Card, error) {
	p := r.p
	if p.Piles[PileDeck].IsEmpty() {
		r.reshuffle()
	}
	if p.Piles[PileDeck].IsEmpty() {
		return 0, nil
	}
	c, err := r.drawFrom(p.Piles[PileDeck], rules.Draw{To: p.SeatOfSide[side], Hand: rules.NoSeat, Hidden: true, For: Reason(reason, 0)})
	if err != nil {
		return 0, err
	}
	p.Move(c, PileDeck, to)
	r.emitSecret(side, 0, 0, EvDealt, int(c), int(side))
	if p.Piles[PileDeck].IsEmpty() {
		r.reshuffle()
	}
	return c, nil
}

func (r *Run) reshuffle() {
	p := r.p
	if p.Piles[PileDiscard].IsEmpty() {
		return
	}
	r.emit(EvReshuffled, p.Piles[PileDiscard].Len())
	p.Piles[PileDeck] = p.Piles[PileDeck].Or(p.Piles[PileDiscard])
	p.Piles[PileDiscard] = CardSet{}
}

// place adds support points. Like remove it does nothing after the end of the match, which a
// capture may cause between two points.
func (r *Run) place(side Side, s Space, n int) {
	p := r.p
	if n <= 0 || p.Ending != NotOver {
		return
	}
	p.SetSupport(side, s, int(p.Support[side][s])+n)
	r.emit(EvPlaced, int(side), int(s), n, int(p.Support[Democrat][s]), int(p.Support[Communist][s]))
	r.capture()
}

func (r *Run) remove(side Side, s Space, n int) {
	p := r.p
	n = min(n, int(p.Support[side][s]))
	if n <= 0 || p.Ending != NotOver {
		return
	}
	p.SetSupport(side, s, int(p.Support[side][s])-n)
	r.emit(EvRemoved, int(side), int(s), n, int(p.Support[Democrat][s]), int(p.Support[Communist][s]))
	r.capture()
}

// capture scores the Tyrant's capture when the Democrat controls the refuge (rule 7.6.5, card 97).
func (r *Run) capture() {
	p := r.p
	if s := p.Effects.Refuge; s != 0 && p.Controlled[Democrat].Has(s) {
		p.Effects.Refuge = 0
		r.emit(EvCaptured, int(s))
		r.addVP(2, VPFromCapture, int(TyrantIsGone))
	}
}

// Proc is a procedure of the rules that can be under way.
type Proc uint8

// The procedures.
const (
	ProcMatch    Proc = iota // runs set-up and the turns; it is always at the bottom
	ProcRound                // an action round
	ProcOps                  // a card's Operations
	ProcEvent                // a card's event
	ProcStruggle             // a power struggle with its aftermath
	// ProcAward is an immediate award of the Tiananmen track.
	ProcAward
	procs
)

var procNames = [...]string{"match", "round", "ops", "event", "struggle", "award"}

// frames is the maximum depth of the stack: the match, a round, an event, the events that it plays, and a procedure
// of the last event. Only cards 6, 20, 36, 46, 67, 71 and 89 play other events, each at most once.
const frames = 12

// Frame is a procedure on the stack.
type Frame struct {
	Proc Proc
	// Step is the current step; JSON has its label.
	Step uint8
	Card Card
	// Side carries the procedure out.
	Side Side
	// Mode is how the card is played.
	Mode Mode
	// SecondCard is the second card in use: the enemy's card played with Common European Home (card 21),
	// or the card given up for Deutsche Marks (card 20).
	SecondCard Card
	// Source is the source of the procedure's questions.
	Source Source
	// N is a counter of the step, for example of spent points or checks.
	N int8
	// Country and Space were chosen by an earlier step, or limit the step.
	Country Country
	Space   Space
	// Border is set while all points went to East Germany, or if the bonus of card 58 is claimed.
	Border bool
	// Midway reports whether the question belongs to the answer under way (a PLAY line).
	Midway bool
	// Open reports whether granted Operations may be used for a Tiananmen attempt.
	Open bool
	// May reports whether granted Operations may be declined. Take reports whether a red card of the enemy may be
	// taken instead (card 46).
	May, Take bool
	// Result is the result of an earlier die or draw: points to place, cards to draw, or the value
	// of granted Operations.
	Result int8
	// Won counts the rounds of a contest that each side has won.
	Won [2]int8
}
