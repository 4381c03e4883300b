package engine

import "samizdat/rules"

// Run has the resources for executing steps: a source of chance, the events so far, and buffers. It holds no facts of
// a match, so a Run can be used for one position after another.
type Run struct {
	Chance rules.Chance
	Events []rules.Event

	p     *Position
	pile  [Cards]int16
	atoms []rules.Atom
}

type procedure struct {
	step        func(*Run, *Frame) error
	answer      func(*Run, *Frame, rules.Atom)
	appendAtoms func(*Position, *Frame, []rules.Atom) []rules.Atom
}

// procedures is filled by init: an initializer would be a cycle, because the functions use procedures.
var procedures [procCount]procedure

func init() {
	procedures = [procCount]procedure{ProcMatch: {runMatch, answerMatch, appendMatchAtoms},
		ProcRound: {runRound, answerRound, appendRoundAtoms},
		ProcOps:   {runOps, answerOps, appendOpsAtoms}, ProcEvent: {runEvent, answerEvent, appendEventAtoms},
		ProcStruggle: {runStruggle, answerStruggle, appendStruggleAtoms}, ProcAward: {runAward, answerAward, appendAwardAtoms}}
}

// Advance executes steps until a question is open, the match is over, or chance has no outcome. A step asks for its
// outcome of chance before it changes the position. So if there is no outcome yet, a later call repeats the step.
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

// Decide executes a legal atom of an answer to the open question. After the last atom of the answer it calls Advance.
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
	return procedures[f.Proc].appendAtoms(p, f, dst)
}

// Step executes one step of the procedure on top of the stack.
func (p *Position) Step(r *Run) error {
	r.p = p
	f := &p.stack[p.depth-1]
	return procedures[f.Proc].step(r, f)
}

// AnswerQuestion executes a legal atom of an answer to the open question. Unlike Decide, it does not call Advance.
func (p *Position) AnswerQuestion(r *Run, a rules.Atom) {
	r.p = p
	f := &p.stack[p.depth-1]
	procedures[f.Proc].answer(r, f, a)
}

// StartEvent begins the event of a card. side carries it out.
func (p *Position) StartEvent(r *Run, c Card, side Side) {
	r.p = p
	r.beginEvent(c, side)
}

// TopFrame returns the frame of the current procedure, which is on top of the stack.
func (p *Position) TopFrame() *Frame { return &p.stack[max(1, p.depth)-1] }

// Depth returns the number of procedures on the stack.
func (p *Position) Depth() int8 { return p.depth }

// PlayedCard returns the card that is being played in the present action round, and its player; the card is 0 if none is.
func (p *Position) PlayedCard() (Card, Side) {
	for i := range p.stack[:p.depth] {
		if f := &p.stack[i]; f.Proc == ProcRound {
			return f.Card, f.Side
		}
	}
	return 0, 0
}

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

// countAnsweredAtom counts an executed atom of the answer. After the last atom it closes the question.
func (r *Run) countAnsweredAtom() (isLast bool) {
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

// emitSecret adds a secret event for a side, and its public twin for all other readers. The public twin has
// substitute in place of the argument at index.
func (r *Run) emitSecret(side Side, index, substitute int, kind rules.EventKind, args ...int) {
	owner := rules.Only(r.p.SeatOfSide[side])
	r.emitTo(owner, kind, args...)
	r.emitTo(rules.Everyone&^owner, kind, args...)
	r.Events[len(r.Events)-1].Args[index] = int16(substitute)
}

func (r *Run) emitTo(to rules.Seats, kind rules.EventKind, args ...int) {
	e := rules.Event{Kind: kind, Seat: rules.NoSeat, Audience: to}
	for i, a := range args {
		e.Args[i] = int16(a)
	}
	r.Events = append(r.Events, e)
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *Run) roll(reason, arg int) (int, error) { return r.Chance.Roll(Reason(reason, arg)) }

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

// The kinds of draws. The outcomes of a match are derived from these words, so they must never change.
const (
	drawStrategy = "draw strategy"
	drawStruggle = "draw struggle"
)

// deal moves a random card of the draw deck to the pile to, and tells only the side which card it is. It returns 0 if
// no card is left. If the deck is then empty, the discards become the new deck at once (rule 4.3).
func (r *Run) deal(side Side, to Pile, reason int) (Card, error) {
	p := r.p
	if p.Piles[PileDeck].IsEmpty() {
		r.reshuffle()
	}
	if p.Piles[PileDeck].IsEmpty() {
		return 0, nil
	}
	c, err := r.drawFrom(p.Piles[PileDeck], rules.Draw{To: p.SeatOfSide[side], From: rules.NoSeat, Hidden: true, For: Reason(reason, 0)})
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

// place adds support points. After the end of the match, place and remove have no effect: the capture of the Tyrant
// can end the match between two points of an answer.
func (r *Run) place(side Side, s Space, n int) {
	p := r.p
	if n <= 0 || p.Ending != NotOver {
		return
	}
	p.SetSupport(side, s, int(p.Support[side][s])+n)
	r.emit(EvPlaced, int(side), int(s), n, int(p.Support[Democrat][s]), int(p.Support[Communist][s]))
	r.captureTyrant()
}

func (r *Run) remove(side Side, s Space, n int) {
	p := r.p
	n = min(n, int(p.Support[side][s]))
	if n <= 0 || p.Ending != NotOver {
		return
	}
	p.SetSupport(side, s, int(p.Support[side][s])-n)
	r.emit(EvRemoved, int(side), int(s), n, int(p.Support[Democrat][s]), int(p.Support[Communist][s]))
	r.captureTyrant()
}

// captureTyrant scores the capture of the Tyrant once the Democrat controls the refuge (rule 7.6.5, card 97).
func (r *Run) captureTyrant() {
	p := r.p
	if s := p.Effects.Refuge; s != 0 && p.Controlled[Democrat].Has(s) {
		p.Effects.Refuge = 0
		r.emit(EvCaptured, int(s))
		r.addVP(captureVP, VPFromCapture, int(TyrantIsGone))
	}
}

// Proc is a procedure of the rules, for example an action round. A procedure can start another procedure and
// continues after its end, so they form a stack.
type Proc uint8

// The procedures.
const (
	ProcMatch    Proc = iota // runs set-up and the turns; it is always at the bottom of the stack
	ProcRound                // an action round
	ProcOps                  // a card's Operations
	ProcEvent                // a card's event
	ProcStruggle             // a power struggle with its aftermath
	// ProcAward is an immediate award of the Tiananmen track.
	ProcAward
	procCount
)

var procNames = [...]string{"match", "round", "ops", "event", "struggle", "award"}

// maxDepth is enough for the deepest stack: the match, an action round, an event, events that start inside each
// other, and a procedure of the last event. Only the events of cards 6, 20, 36, 46, 67, 71 and 89 start another
// event, each at most one.
const maxDepth = 12

// Frame is a procedure on the stack.
type Frame struct {
	Proc Proc
	// Step is the number of the current step. In JSON a step has its label, for example "counter".
	Step uint8
	Card Card
	// Side is the side that carries the procedure out.
	Side Side
	Mode Mode
	// SecondCard is the second card on the table: Common European Home (card 21) if it was played with an enemy card,
	// or the card that is handed over because of Deutsche Marks (card 20).
	SecondCard Card
	Source     Source
	// N is a counter of the current step, for example of spent Ops or of support checks.
	N int8
	// Country and Space were chosen in an earlier step. Country may also be the country to which the procedure is
	// limited.
	Country Country
	Space   Space
	// OnlyEastGermany is set in a placement as long as all its points are in East Germany, and for support checks if
	// their answer claims the bonus of card 58.
	OnlyEastGermany bool
	// Midway is set if the Operations belong to the answer that played the card, as in the order PLAY 40 OPS. Their
	// Question then has Midway too.
	Midway bool
	// MayAttempt reports whether Operations that an event grants may be used for a Tiananmen attempt.
	MayAttempt bool
	// MayDecline reports whether Operations that an event grants may be declined. MayTake reports whether the side may
	// instead take a card with a red title from the enemy (card 46).
	MayDecline, MayTake bool
	// EarlierResult is a number that an earlier step found and a later step uses: points to place, cards to draw, a
	// first die, or the value of granted Operations.
	EarlierResult int8
	// RoundsWon says how many rounds of the contest of card 86 each side has won.
	RoundsWon [2]int8
}
