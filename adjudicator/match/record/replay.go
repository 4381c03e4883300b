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

// Visit is the argument of Replay's callback: an entry and its results.
type Visit struct {
	Line  int
	Entry *Entry
	// Position is the position after the entry; the callback must not change it.
	Position rules.Position
	Answers  []gate.ExecutedAnswer
	Events   []rules.Event
	// IsAutomatic is set for a forced entry that was skipped, because the game had answered the decision automatically.
	IsAutomatic bool
	// Resigned are the seats that have resigned while the match is in play.
	Resigned rules.Seats
}

// FinalState is the state at the end of a record.
type FinalState struct {
	Position rules.Position
	// Stalled is set if the game waits for an outcome that the record does not have.
	Stalled    bool
	EntryCount int
}

// ReplayError is the error of an entry that cannot be replayed.
type ReplayError struct {
	Line, Seq int
	Err       error
}

func (e *ReplayError) Error() string {
	return fmt.Sprintf("line %d, entry %d: %v", e.Line, e.Seq, e.Err)
}

// Unwrap returns the reason.
func (e *ReplayError) Unwrap() error { return e.Err }

// DifferencesError is the list of the failed expectations of a record.
type DifferencesError []Difference

// Difference is a failed expectation.
type Difference struct {
	// Line is the line of the expectation, Seq the entry before it.
	Line, Seq int
	Text      string
}

func (d DifferencesError) Error() string {
	var out []string
	for _, x := range d {
		out = append(out, fmt.Sprintf("line %d, after entry %d: %s", x.Line, x.Seq, x.Text))
	}
	return strings.Join(out, "\n")
}

// Replay executes a record with its own outcomes. It stops and returns a *ReplayError at the first entry that is
// illegal, whose outcomes or State differ from those of the game, or that has a wrong link in the chain. Failed
// expectations do not stop the replay; it returns them as a DifferencesError. Both errors may be joined.
//
// visit is called after each entry, and may be nil; its error ends the replay. After an error, FinalState is the state after the last
// entry that was replayed.
func Replay(rec *Record, g *rules.Game, visit func(Visit) error) (FinalState, error) {
	r, err := newReplay(rec, g)
	if err == nil && slices.ContainsFunc(rec.Entries(), func(e *Entry) bool { return e.Hash != "" }) {
		r.chain, err = newChainVerifier(rec.Header)
	}
	if err != nil {
		return FinalState{}, err
	}
	return r.replayAll(rec, visit)
}

// ReplayVerified works like Replay without verifying the chain, for a record that passed VerifyChain.
func ReplayVerified(rec *Record, g *rules.Game, visit func(Visit) error) (FinalState, error) {
	r, err := newReplay(rec, g)
	if err != nil {
		return FinalState{}, err
	}
	return r.replayAll(rec, visit)
}

func (r *replay) replayAll(rec *Record, visit func(Visit) error) (FinalState, error) {
	var diffs DifferencesError
	fail := func(err error) (FinalState, error) {
		if len(diffs) > 0 {
			err = errors.Join(diffs, err)
		}
		return r.finalState(), err
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
		if err := r.replayStep(s, &v); err != nil {
			return fail(&ReplayError{Line: s.Line, Seq: seq, Err: err})
		}
		r.entryCount++
		v.Position, v.Resigned = r.pos, r.resigned
		if visit == nil {
			continue
		}
		if err := visit(v); err != nil {
			return fail(err)
		}
	}
	if len(r.forcedOutcomes) > 0 {
		return fail(&ReplayError{Line: rec.Steps[len(rec.Steps)-1].Line, Seq: seq, Err: newUnusedError(r.forcedOutcomes)})
	}
	if len(diffs) > 0 {
		return r.finalState(), diffs
	}
	return r.finalState(), nil
}

type replay struct {
	game         *rules.Game
	outcomeNames OutcomeNames
	parser       *order.Parser
	// chain is nil if the hash chain needs no check.
	chain *chainVerifier
	setup rules.Setup
	replayState
	// beforeTakeback has the state before each entry that the record names in a FirstTakenBack, by the number of the named entry.
	beforeTakeback map[int]*replayState
	// lastReplacements has the number of the latest entry with a new player for each seat. Take-backs do not remove the new player.
	lastReplacements map[rules.Seat]int
	epoch            int
	// isStrict is set if the record has the secret of its sealed stream. Entries that our referee never writes
	// are then refused, even if they are playable.
	isStrict   bool
	entryTimes map[int]time.Time
	// standingEntries are the entries that were not taken back.
	standingEntries []standingEntry
	// forcedOutcomes are set after a forced entry that was skipped (Visit.IsAutomatic): its outcomes, which the next entry uses first.
	forcedOutcomes []Outcome
	entryCount     int
	presence       Presence
}

type replayState struct {
	pos      rules.Position
	resigned rules.Seats
	// finalAt is the time at which a provisional end becomes final.
	finalAt time.Time
}

type standingEntry struct {
	entry *Entry
	// revealed describes hidden facts that the entry revealed; "" if it revealed none.
	revealed string
}

func (s replayState) clone() *replayState {
	s.pos = s.pos.Clone()
	return &s
}

// parserCache caches the order parser of each game, which is expensive to make.
var parserCache sync.Map

func cachedParser(g *rules.Game) *order.Parser {
	if !reflect.ValueOf(g).Comparable() {
		return order.New(g)
	}
	p, ok := parserCache.Load(g)
	if !ok {
		p, _ = parserCache.LoadOrStore(g, order.New(g))
	}
	return p.(*order.Parser)
}

// Events replays an entry on the position before it and returns its events. The entry must not be an act or a take-back. The
// events may come in another sequence than when the player's order was carried out, because the entry has the canonical form of the order.
func Events(g *rules.Game, setup rules.Setup, before rules.Position, e *Entry) ([]rules.Event, error) {
	names := NewOutcomeNames(g, setup)
	r := &replay{game: g, outcomeNames: names, parser: cachedParser(g), setup: setup, replayState: replayState{pos: before.Clone()}}
	var v Visit
	err := r.replayEntry(e, NewRecordedChance(e.Chance, names), &v)
	return v.Events, err
}

func newReplay(rec *Record, g *rules.Game) (*replay, error) {
	if rec.Header.Game != g.Name() {
		return nil, fmt.Errorf("line 1: expected a record of the game %q, got %q", g.Name(), rec.Header.Game)
	}
	setup := rec.Header.Setup(g)
	pos, err := g.Begin(setup)
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	r := &replay{game: g, outcomeNames: NewOutcomeNames(g, setup), parser: cachedParser(g), setup: setup, replayState: replayState{pos: pos},
		beforeTakeback: map[int]*replayState{}, lastReplacements: map[rules.Seat]int{},
		isStrict: rec.Header.Chance != ChanceRecorded && rec.Header.Secret != "", entryTimes: map[int]time.Time{}}
	for _, e := range rec.Entries() {
		if e.FirstTakenBack > 0 {
			r.beforeTakeback[e.FirstTakenBack] = nil
		}
	}
	return r, nil
}

func (r *replay) finalState() FinalState {
	return FinalState{Position: r.pos, Stalled: r.pos.Stalled(), EntryCount: r.entryCount}
}

func (r *replay) replayStep(s Step, v *Visit) error {
	e := s.Entry
	if r.chain != nil {
		if err := r.chain.verifyNext(s); err != nil {
			return err
		}
	}
	if _, isTakenBack := r.beforeTakeback[e.Seq]; isTakenBack {
		r.beforeTakeback[e.Seq] = r.replayState.clone()
	}
	chance := NewRecordedChance(slices.Concat(r.forcedOutcomes, e.Chance), r.outcomeNames)
	chance.comparesAll = r.isStrict
	if err := r.replayEntry(e, chance, v); err != nil {
		return err
	}
	r.epoch, r.entryTimes[e.Seq] = e.Epoch, e.At
	r.standingEntries = append(r.standingEntries, standingEntry{e, TakebackObstacle(e, v.Events)})
	r.forcedOutcomes = nil
	switch remaining := chance.Unused(); {
	case v.IsAutomatic:
		r.forcedOutcomes = remaining
	case len(remaining) > 0:
		return newUnusedError(remaining)
	}
	if err := r.checkState(e); err != nil {
		return err
	}
	r.excludeAbsent(e)
	return nil
}

func (r *replay) checkState(e *Entry) error {
	if e.State == "" {
		return nil
	}
	state, err := HashPosition(r.game, r.pos)
	if err != nil {
		return err
	}
	if state != e.State {
		return fmt.Errorf("the position has the hash %.12s, but the record has %.12s (first 12 digits)", state, e.State)
	}
	return nil
}

func (r *replay) replayEntry(e *Entry, chance *RecordedChance, v *Visit) error {
	switch {
	case e.Act != nil:
		return r.applyAct(e)
	case e.FirstTakenBack != 0:
		return r.takeBack(e)
	case e.Player != "":
		return r.recordReplacement(e)
	case r.pos.Stalled():
		if e.HasOrders() && !e.Forced {
			return errors.New("outcomes are missing in the entry before")
		}
		v.IsAutomatic = e.HasOrders()
		var err error
		if v.Events, err = r.pos.Resume(chance, nil); !errors.Is(err, rules.ErrNoOutcome) {
			return err
		}
		return nil
	case len(e.Answers) > 0:
		return r.replaySealedGroup(e, chance, v)
	case e.Tally != nil:
		return r.replayTally(e, chance, v)
	case len(e.Orders) > 0:
		err := r.replayAnswer(e, chance, v)
		if e.Forced && errors.Is(err, gate.ErrRefused) && len(v.Answers) == 0 {
			v.IsAutomatic = true
			return nil
		}
		return err
	case e.Private:
		return errors.New("the orders are hidden: only a full record can be replayed")
	}
	return nil
}

func (r *replay) recordReplacement(e *Entry) error {
	if e.HasOrders() || len(e.Chance) > 0 || e.Epoch < r.epoch {
		return errors.New("an entry with a new player must have no orders, no outcomes and no earlier epoch")
	}
	if _, over := r.pos.Result(); over {
		return errMatchOver
	}
	seat, err := r.findSeat(e.Seat)
	if err == nil {
		r.resigned &^= rules.Only(seat)
		r.lastReplacements[seat] = e.Seq
	}
	return err
}

func newUnusedError(remaining []Outcome) error {
	o := remaining[0]
	first := fmt.Sprintf("a roll of %d", o.Roll)
	if o.Roll == 0 {
		first = fmt.Sprintf("a draw of %v from %q", o.Draw, o.From)
	}
	return fmt.Errorf("%d unused outcomes, first %s", len(remaining), first)
}

// WithoutProofs returns the entries without hashes, for replays that need no verification.
func WithoutProofs(entries []Entry) []Entry {
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].Hash, entries[i].State = "", ""
	}
	return entries
}
