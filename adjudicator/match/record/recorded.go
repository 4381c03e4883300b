package record

import (
	"cmp"
	"fmt"
	"slices"

	"samizdat/rules"
)

// Recorded is a rules.Chance with the outcomes of a list: those of an entry, or the dice of a game
// at a table. After the last outcome it returns rules.ErrNoOutcome. If the game asks for another
// kind of outcome than the next, it returns a *Mismatch.
//
// An outcome matches by its kind, by its element, which must be in the pile, and by I, N, To and
// Hand if present. For is not compared.
type Recorded struct {
	list  []Outcome
	next  int
	words OutcomeNames
	// exact compares To, Hand and Hidden even if they are missing.
	exact bool
}

var _ rules.Chance = (*Recorded)(nil)

// NewRecorded returns the outcomes of a list.
func NewRecorded(list []Outcome, words OutcomeNames) *Recorded {
	return &Recorded{list: list, words: words}
}

// Unused returns the outcomes that were not used.
func (r *Recorded) Unused() []Outcome { return r.list[r.next:] }

// MismatchError reports a recorded outcome that does not match the game's request.
type MismatchError struct {
	// Index is the index of the outcome in the list.
	Index int
	// Problem describes the difference.
	Problem string
}

func (e *MismatchError) Error() string { return fmt.Sprintf("outcome %d: %s", e.Index+1, e.Problem) }

// Roll returns the next roll.
func (r *Recorded) Roll(why rules.Reason) (int, error) {
	o, err := r.take(rules.KindRoll, r.words.Game.Reason(why))
	if err != nil {
		return 0, err
	}
	r.next++
	return o.Roll, nil
}

// Draw returns the index of the next recorded element in the pile.
func (r *Recorded) Draw(d rules.Draw) (int, error) {
	o, err := r.take(d.Kind, r.words.Game.Reason(d.For))
	if err != nil {
		return 0, err
	}
	i, err := r.find(o, d)
	if err != nil {
		return 0, err
	}
	r.next++
	return i, nil
}

// take returns the next outcome, checks its kind, and does not use it up.
func (r *Recorded) take(kind, reason string) (Outcome, error) {
	if r.next == len(r.list) {
		return Outcome{}, rules.ErrNoOutcome
	}
	o := r.list[r.next]
	if o.kind() != kind {
		return o, r.mismatch("the game asks for a %s (%s), the record has a %s", kind, reason, o.kind())
	}
	return o, nil
}

func (r *Recorded) find(o Outcome, d rules.Draw) (int, error) {
	same := func(code int16) bool { return r.words.element(d.Kind, code) == o.Draw }
	i := slices.IndexFunc(d.Pile, same)
	switch to, hand := r.words.seat(d.To), r.words.seat(d.Hand); {
	case o.Draw == nil:
		return 0, r.mismatch("the record does not show this hidden draw: only a full record can be played again")
	case i < 0:
		return 0, r.mismatch("%v cannot be drawn: it is not among the %d of %q", o.Draw, len(d.Pile), o.From)
	case o.N != nil && *o.N != len(d.Pile):
		return 0, r.mismatch("drawn out of %d, but the pile %q has %d", *o.N, o.From, len(d.Pile))
	case o.I != nil && (*o.I < 0 || *o.I >= len(d.Pile) || !same(d.Pile[*o.I])):
		return 0, r.mismatch("%v is at place %d of the pile, not at %d", o.Draw, i, *o.I)
	case o.To != "" && o.To != to:
		return 0, r.mismatch("drawn for %s, but the game deals to %s", o.To, seatOrNone(to))
	case r.exact && (o.To != to || o.Hand != hand || o.Hidden != d.Hidden):
		return 0, r.mismatch("the game draws for %s, out of the hand of %s, hidden: %t; the record says otherwise", seatOrNone(to),
			seatOrNone(hand), d.Hidden)
	case o.Hand != "" && o.Hand != hand:
		return 0, r.mismatch("drawn out of the hand of %s, but the game draws from %s", o.Hand, seatOrNone(hand))
	}
	if o.I != nil {
		return *o.I, nil
	}
	return i, nil
}

func (r *Recorded) mismatch(format string, a ...any) error {
	return &MismatchError{Index: r.next, Problem: fmt.Sprintf(format, a...)}
}

func seatOrNone(seat string) string { return cmp.Or(seat, "nobody") }
