package dawn1989

import "samizdat/rules"

// Run is what a caller lends to the engine for one or many steps: a source of
// chance, a buffer that collects events, and scratch space. It may be used
// again for other positions; nothing of a position stays in it.
type Run struct {
	Chance rules.Chance
	Events []rules.Event

	p    *Position
	pile [cards]int16
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

// Go plays on until a question is open, the match is over, or chance fails. A
// step that asks for an outcome does so before it changes anything, so that it
// can be taken again when the outcome is there.
func (p *Position) Go(x *Run) error {
	x.p = p
	p.stalled = true
	for p.question.Ask == AskNothing && p.ending == NotOver {
		f := &p.stack[p.depth-1]
		if err := procedures[f.Proc](x, f); err != nil {
			return err
		}
	}
	p.stalled = false
	return nil
}

// Decide answers the open question with an atom, which must be one of the
// Options, and plays on.
func (p *Position) Decide(x *Run, a rules.Atom) error {
	x.p = p
	f := &p.stack[p.depth-1]
	answers[f.Proc](x, f, a)
	if p.question.Ask != AskNothing {
		return nil
	}
	return p.Go(x)
}

// Choices appends the legal atoms of the open question, in ascending order.
func (p *Position) Choices(dst []rules.Atom) []rules.Atom {
	if p.question.Ask == AskNothing || p.ending != NotOver {
		return dst
	}
	f := &p.stack[p.depth-1]
	return optionsOf[f.Proc](p, f, dst)
}

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
	x.p.question = q
}

// gave counts one atom of an answer and closes the question with the last.
func (x *Run) gave() (last bool) {
	q := &x.p.question
	q.Given++
	q.Left--
	if q.Left <= 0 {
		x.close()
		return true
	}
	return false
}

// close closes the open question.
func (x *Run) close() { x.p.question = Question{} }

// say tells everybody that something happened.
func (x *Run) say(kind rules.EventKind, args ...int) { x.tell(rules.Everyone, kind, args...) }

// secret tells one side what happened, and everybody else the same with a
// number hidden.
func (x *Run) secret(side Side, hide, as int, kind rules.EventKind, args ...int) {
	me := rules.Only(x.p.sits[side])
	x.tell(me, kind, args...)
	x.tell(rules.Everyone&^me, kind, args...)
	x.Events[len(x.Events)-1].Args[hide] = int16(as)
}

func (x *Run) tell(to rules.Seats, kind rules.EventKind, args ...int) {
	e := rules.Event{Kind: kind, Seat: rules.Nobody, Audience: to}
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
func (x *Run) roll(what, arg int) (int, error) { return x.Chance.Roll(reason(what, arg)) }

// drawFrom asks for a card out of a pile.
func (x *Run) drawFrom(set CardSet, d rules.Draw) (Card, error) {
	n := 0
	for c := set.next(); c != 0; c = set.next() {
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
	if p.piles[PileDeck].empty() {
		x.reshuffle()
	}
	if p.piles[PileDeck].empty() {
		return 0, nil
	}
	c, err := x.drawFrom(p.piles[PileDeck], rules.Draw{To: p.sits[side], Hand: rules.Nobody, Hidden: true, For: reason(why, 0)})
	if err != nil {
		return 0, err
	}
	p.move(c, PileDeck, to)
	x.secret(side, 0, 0, EvDealt, int(c), int(side))
	if p.piles[PileDeck].empty() {
		x.reshuffle()
	}
	return c, nil
}

func (x *Run) reshuffle() {
	p := x.p
	if p.piles[PileDiscard].empty() {
		return
	}
	x.say(EvReshuffled, p.piles[PileDiscard].len())
	p.piles[PileDeck] = p.piles[PileDeck].or(p.piles[PileDiscard])
	p.piles[PileDiscard] = CardSet{}
}

// place puts support points of a side into a space. Like remove it does nothing
// once the match is over: a capture may end it between two points of one act.
func (x *Run) place(side Side, s Space, n int) {
	p := x.p
	if n <= 0 || p.ending != NotOver {
		return
	}
	p.set(side, s, int(p.support[side][s])+n)
	x.say(EvPlaced, int(side), int(s), n, int(p.support[Democrat][s]), int(p.support[Communist][s]))
	x.capture()
}

// remove takes support points of a side out of a space.
func (x *Run) remove(side Side, s Space, n int) {
	p := x.p
	n = min(n, int(p.support[side][s]))
	if n <= 0 || p.ending != NotOver {
		return
	}
	p.set(side, s, int(p.support[side][s])-n)
	x.say(EvRemoved, int(side), int(s), n, int(p.support[Democrat][s]), int(p.support[Communist][s]))
	x.capture()
}

// capture scores the Tyrant's capture when the Democrat controls the refuge
// (rule 7.6.5, card 97).
func (x *Run) capture() {
	p := x.p
	if s := p.force.refuge; s != 0 && p.controls[Democrat].has(s) {
		p.force.refuge = 0
		x.say(EvCaptured, int(s))
		x.vp(2, WhyCapture, int(TyrantIsGone))
	}
}
