package record

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// Visit is what Replay shows after each entry.
type Visit struct {
	Line  int
	Entry *Entry
	// Position is the position after the entry. It must not be changed.
	Position rules.Position
	// Answers are the answers that the entry's orders stand for.
	Answers []gate.ExecutedAnswer
	// Events are what happened.
	Events []rules.Event
	// Automatic means that the engine had settled a forced entry unasked.
	Automatic bool
	// Resigned are the seats whose players have resigned while the match goes on.
	Resigned rules.Seats
}

// Final is where a record ends.
type Final struct {
	Position rules.Position
	// Stalled means that the record's chance ran out: it tells a match that goes
	// on elsewhere, or breaks off.
	Stalled bool
	// Entries is how many entries were played.
	Entries int
}

// ReplayError says which entry of a record cannot be played again, and why.
type ReplayError struct {
	Line, Seq int
	Err       error
}

func (f *ReplayError) Error() string {
	return fmt.Sprintf("line %d, entry %d: %v", f.Line, f.Seq, f.Err)
}

// Unwrap returns the reason.
func (f *ReplayError) Unwrap() error { return f.Err }

// Differences are all expectations of a record that were not met.
type Differences []Difference

// Difference is one expectation that was not met.
type Difference struct {
	// Line is the line of the expectation, Seq the entry before it.
	Line, Seq int
	// Text says what differs.
	Text string
}

func (d Differences) Error() string {
	var out []string
	for _, x := range d {
		out = append(out, fmt.Sprintf("line %d, after entry %d: %s", x.Line, x.Seq, x.Text))
	}
	return strings.Join(out, "\n")
}

// Replay plays a record again with the outcomes that it holds. It stops at the
// first entry that is illegal, whose outcomes are not those that the game asks
// for, whose State is another, or, where the record has a chain, whose links do
// not hold: the error is then a *Failure. Expectations that are not met do not
// stop it: they come together as Differences. Both may be joined in one error.
//
// visit may be nil; an error of it ends the replay. The Final is good also
// beside an error, as far as it got.
func Replay(rec *Record, g *rules.Game, visit func(Visit) error) (Final, error) {
	r, err := newReplay(rec, g)
	if err == nil && slices.ContainsFunc(rec.Entries(), func(e *Entry) bool { return e.Hash != "" }) {
		r.chain, err = newChain(rec.Header)
	}
	if err != nil {
		return Final{}, err
	}
	return r.all(rec, visit)
}

// ReplayVerified is Replay for a record that VerifyChain has passed: its chain is not verified
// again.
func ReplayVerified(rec *Record, g *rules.Game, visit func(Visit) error) (Final, error) {
	r, err := newReplay(rec, g)
	if err != nil {
		return Final{}, err
	}
	return r.all(rec, visit)
}

// all plays every step of a record.
func (r *replay) all(rec *Record, visit func(Visit) error) (Final, error) {
	var diffs Differences
	fail := func(err error) (Final, error) {
		if len(diffs) > 0 {
			err = errors.Join(diffs, err)
		}
		return r.final(), err
	}
	seq := -1
	for _, s := range rec.Steps {
		if s.Entry == nil {
			lines, err := r.game.Compare(r.pos, s.Expect)
			if err != nil {
				return fail(fmt.Errorf("line %d: %w", s.Line, err))
			}
			for _, l := range lines {
				diffs = append(diffs, Difference{Line: s.Line, Seq: seq, Text: l})
			}
			continue
		}
		seq = s.Entry.Seq
		v := Visit{Line: s.Line, Entry: s.Entry}
		if err := r.step(s, &v); err != nil {
			return fail(&ReplayError{Line: s.Line, Seq: seq, Err: err})
		}
		r.played++
		v.Position, v.Resigned = r.pos, r.resigned
		if visit == nil {
			continue
		}
		if err := visit(v); err != nil {
			return fail(err)
		}
	}
	if len(r.kept) > 0 {
		return fail(&ReplayError{Line: rec.Steps[len(rec.Steps)-1].Line, Seq: seq, Err: leftOver(r.kept)})
	}
	if len(diffs) > 0 {
		return r.final(), diffs
	}
	return r.final(), nil
}

// replay is a record being played.
type replay struct {
	game   *rules.Game
	words  OutcomeNames
	parser *order.Parser
	// chain is nil where nothing is verified.
	chain *chain
	setup rules.Setup
	standing
	// back is how the match stood before those entries that are taken back later.
	back map[int]*standing
	// seated are the entries that put a player into a seat last: going back undoes none.
	seated map[rules.Seat]int
	// epoch is that of the entry before.
	epoch int
	// own means that the record shows the secret of its stream: what no referee writes is
	// refused then, even if it could be played.
	own bool
	// at are the times of entries, by their numbers.
	at map[int]time.Time
	// stands are the entries that were not taken back.
	stands []stood
	// kept are the outcomes of forced entries that were passed over.
	kept   []Outcome
	played int
	// presence is what players have sent.
	presence Presence
}

// standing is how a match stands.
type standing struct {
	pos rules.Position
	// resigned are the seats whose players have resigned while the match goes on.
	resigned rules.Seats
	// until is when the end of the match by an act is final, if that is not at once.
	until time.Time
}

// stood is an entry that stands.
type stood struct {
	entry *Entry
	// revealed says what it has shown to somebody who did not know it.
	revealed string
}

// clone is an independent copy.
func (s standing) clone() *standing {
	s.pos = s.pos.Clone()
	return &s
}

// parsers are what reads the orders of a game: to make one takes longer than to play
// many an entry.
var parsers sync.Map

func parserOf(g *rules.Game) *order.Parser {
	if !reflect.ValueOf(g).Comparable() {
		return order.New(g)
	}
	p, ok := parsers.Load(g)
	if !ok {
		p, _ = parsers.LoadOrStore(g, order.New(g))
	}
	return p.(*order.Parser)
}

// Events are what happens when an entry is played again from the position before it, which
// stays as it is. The entry is no act, and takes nothing back. What happened when it was made may
// stand in another order: an order is written in canonical form.
func Events(g *rules.Game, setup rules.Setup, before rules.Position, e *Entry) ([]rules.Event, error) {
	words := NewOutcomeNames(g, setup)
	r := &replay{game: g, words: words, parser: parserOf(g), setup: setup, standing: standing{pos: before.Clone()}}
	var v Visit
	err := r.play(e, NewRecorded(e.Chance, words), &v)
	return v.Events, err
}

func newReplay(rec *Record, g *rules.Game) (*replay, error) {
	if rec.Header.Game != g.Name() {
		return nil, fmt.Errorf("line 1: a record of the game %q, not of %q", rec.Header.Game, g.Name())
	}
	setup := rec.Header.Setup(g)
	pos, err := g.Begin(setup)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	r := &replay{game: g, words: NewOutcomeNames(g, setup), parser: parserOf(g), setup: setup, standing: standing{pos: pos},
		back: map[int]*standing{}, seated: map[rules.Seat]int{},
		own: rec.Header.Chance != ChanceRecorded && rec.Header.Secret != "", at: map[int]time.Time{}}
	for _, e := range rec.Entries() {
		if e.Takeback > 0 {
			r.back[e.Takeback] = nil
		}
	}
	return r, nil
}

func (r *replay) final() Final {
	return Final{Position: r.pos, Stalled: r.pos.Stalled(), Entries: r.played}
}

// step plays one entry.
func (r *replay) step(s Step, v *Visit) error {
	e := s.Entry
	if r.chain != nil {
		if err := r.chain.next(s); err != nil {
			return err
		}
	}
	if _, back := r.back[e.Seq]; back {
		r.back[e.Seq] = r.standing.clone()
	}
	chance := NewRecorded(slices.Concat(r.kept, e.Chance), r.words)
	chance.exact = r.own
	if err := r.play(e, chance, v); err != nil {
		return err
	}
	r.epoch, r.at[e.Seq] = e.Epoch, e.At
	r.stands = append(r.stands, stood{e, Revealed(e, v.Events)})
	r.kept = nil
	switch left := chance.Unused(); {
	case v.Automatic:
		r.kept = left
	case len(left) > 0:
		return leftOver(left)
	}
	if err := r.checkState(e); err != nil {
		return err
	}
	r.settle(e)
	return nil
}

// checkState checks that the position reached is the one that an entry has, if it has one.
func (r *replay) checkState(e *Entry) error {
	if e.State == "" {
		return nil
	}
	state, err := HashPosition(r.game, r.pos)
	if err != nil {
		return err
	}
	if state != e.State {
		return fmt.Errorf("the position reached is not the recorded one (state %.12s..., recorded %.12s...)", state, e.State)
	}
	return nil
}

// play carries the entry's orders out, or resumes with its outcomes.
func (r *replay) play(e *Entry, chance *Recorded, v *Visit) error {
	switch {
	case e.Act != nil:
		return r.act(e)
	case e.Takeback != 0:
		return r.takeBack(e)
	case e.Player != "":
		return r.replaced(e)
	case r.pos.Stalled():
		if e.HasOrders() && !e.Forced {
			return errors.New("the outcomes of the entry before are too few: the match waits for chance")
		}
		v.Automatic = e.HasOrders()
		var err error
		if v.Events, err = r.pos.Resume(chance, nil); !errors.Is(err, rules.ErrNoOutcome) {
			return err
		}
		return nil
	case len(e.Answers) > 0:
		return r.open(e, chance, v)
	case e.Tally != nil:
		return r.declare(e, chance, v)
	case len(e.Orders) > 0:
		err := r.carry(e, chance, v)
		if e.Forced && errors.Is(err, gate.ErrRefused) && len(v.Answers) == 0 {
			v.Automatic = true
			return nil
		}
		return err
	case e.Private:
		return errors.New("its orders are not shown: only a full record can be played again")
	}
	return nil
}

// replaced checks an entry that puts a player into a seat. The position stays as it is.
func (r *replay) replaced(e *Entry) error {
	if e.HasOrders() || len(e.Chance) > 0 || e.Epoch < r.epoch {
		return errors.New("it puts a player into a seat, and has orders, outcomes or an earlier epoch as well")
	}
	if _, over := r.pos.Result(); over {
		return errEnded
	}
	seat, err := r.seat(e.Seat)
	if err == nil {
		r.resigned &^= rules.Only(seat)
		r.seated[seat] = e.Seq
	}
	return err
}

func leftOver(left []Outcome) error {
	o := left[0]
	what := fmt.Sprintf("a roll of %d", o.Roll)
	if o.Roll == 0 {
		what = fmt.Sprintf("a draw of %v from %q", o.Draw, o.From)
	}
	return fmt.Errorf("%d outcomes are left over, first %s: the game did not ask for them", len(left), what)
}

// WithoutProofs are entries without their hashes: to check those takes longer than to play the entries.
func WithoutProofs(entries []Entry) []Entry {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Hash, entries[i].State = "", ""
	}
	return entries
}
