package record

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/adjudicator/beacon"
	"samizdat/rules"
)

// Act is a change of a match other than an answer, for example a resignation. Its entry has no
// orders and no outcomes. The whole act is public.
type Act struct {
	Kind ActKind `json:"kind"`
	// By says who caused the act: ByDirector, ByOperator, or "" for the player of the entry's seat and for the referee itself.
	By string `json:"by,omitempty"`
	// Why is the reason of the director or operator, or the director's message to all.
	Why string `json:"why,omitempty"`
	// End is the end of the match by the act; nil if the match continues.
	End *End `json:"end,omitempty"`
	// Until is a time in whole seconds of UTC. For Pause and Resume it is the end of the pause. For Extend it is the
	// new time-out. For Undo and Restore it is the time of the last entry that stays.
	Until time.Time `json:"until,omitzero"`
	// Entry and Hash are the number and hash of an earlier entry that a witness confirms.
	Entry *int   `json:"entry,omitempty"`
	Hash  string `json:"hash,omitempty"`
}

// End is the end of a match by an act: with winners, as a draw, or without a winner.
type End struct {
	Winners []SeatName `json:"winners,omitempty"`
	Draw    bool       `json:"draw,omitempty"`
}

const (
	ByDirector = "director"
	ByOperator = "operator"
)

// ActKind is the kind of an act.
type ActKind string

const (
	Resign       ActKind = "resign"
	Draw         ActKind = "draw"    // all players agreed to a draw
	Abort        ActKind = "abort"   // all players agreed to end the match without a result
	Forfeit      ActKind = "forfeit" // a seat lost on time
	Claim        ActKind = "claim"   // an opponent claimed the match after a time-out
	Pause        ActKind = "pause"
	Resume       ActKind = "resume"
	Extend       ActKind = "extend" // a seat got more time
	Undo         ActKind = "undo"   // the director took entries back
	Annul        ActKind = "annul"  // the director ended the match without a result
	DecideResult ActKind = "rule"   // the director decided the result
	Replace      ActKind = "replace"
	Tell         ActKind = "tell"    // the director wrote a message to all players
	Restore      ActKind = "restore" // the operator restored a backup
	Witness      ActKind = "witness" // a player confirmed the history up to an entry
)

type endRule int

const (
	endsNever endRule = iota
	endsAlways
	endsSometimes
)

type actProperties struct {
	ends endRule
	// isProvisional is set if the act ends the match provisionally: the director can undo the end during CorrectionPeriod.
	isProvisional bool
	needsSeat     bool
	// byDirector is set if only the director may cause the act, byOperator if only the operator. byPlayerOrReferee is set
	// if Act.By must be empty.
	byPlayerOrReferee, byDirector, byOperator bool
	// needsTime is set if the act must have a time (Act.Until), takesTime if it may have one.
	needsTime, takesTime bool
	hasNewPlayer         bool
	hasWitness           bool
	// hasNoWinners is set if the match ends without winners and is no draw.
	hasNoWinners bool
	reason       string
}

var propertiesByKind = map[ActKind]actProperties{
	Resign:       {ends: endsSometimes, needsSeat: true, byPlayerOrReferee: true, reason: "resignation"},
	Draw:         {ends: endsAlways, needsSeat: true, byPlayerOrReferee: true, reason: "agreed draw"},
	Abort:        {ends: endsAlways, needsSeat: true, byPlayerOrReferee: true, hasNoWinners: true, reason: "broken off"},
	Forfeit:      {ends: endsSometimes, isProvisional: true, needsSeat: true, byPlayerOrReferee: true, reason: "time forfeit"},
	Claim:        {ends: endsAlways, isProvisional: true, needsSeat: true, byPlayerOrReferee: true, reason: "time claimed"},
	Pause:        {takesTime: true},
	Resume:       {takesTime: true},
	Extend:       {takesTime: true, needsSeat: true},
	Undo:         {byDirector: true, needsTime: true},
	Annul:        {ends: endsAlways, isProvisional: true, byDirector: true, hasNoWinners: true, reason: "annulled"},
	DecideResult: {ends: endsAlways, isProvisional: true, byDirector: true, reason: "director's ruling"},
	Replace:      {needsSeat: true, byDirector: true, hasNewPlayer: true},
	Tell:         {byDirector: true},
	Restore:      {byOperator: true, needsTime: true},
	Witness:      {needsSeat: true, byPlayerOrReferee: true, hasWitness: true},
}

func (p actProperties) isAllowedFor(by string) bool {
	switch by {
	case ByOperator:
		return p.byOperator
	case ByDirector:
		return !p.byOperator && !p.byPlayerOrReferee
	}
	return by == "" && !p.byDirector && !p.byOperator
}

// CorrectionPeriod is how long the director may undo the end of a match, if a time-out or an act of the director has ended it.
// Hidden facts stay hidden until the period is over.
const CorrectionPeriod = 7 * 24 * time.Hour

// FinalAt returns the time at which an end by this kind of act becomes final; zero if it is final at once.
func (k ActKind) FinalAt(at time.Time) (final time.Time) {
	if propertiesByKind[k].isProvisional {
		final = at.Add(CorrectionPeriod)
	}
	return final
}

// Reason returns a short phrase for the end of a match by this kind of act, e.g. "time forfeit".
func (k ActKind) Reason() string { return propertiesByKind[k].reason }

// MayRemovePlayer reports whether acts of the kind may remove a player from a match in play.
func (k ActKind) MayRemovePlayer() bool { return propertiesByKind[k].ends == endsSometimes }

// BreaksOff reports whether acts of the kind end a match without a result.
func (k ActKind) BreaksOff() bool { return propertiesByKind[k].hasNoWinners }

// Result returns the result of the match after the act. names are the names of all seats.
func (a *Act) Result(names []string) rules.Result {
	r := rules.Result{Reason: a.Kind.Reason(), AllLost: !a.End.Draw && len(a.End.Winners) == 0}
	for _, w := range a.End.Winners {
		if i := slices.Index(names, string(w)); i >= 0 {
			r.Winners |= rules.Only(rules.Seat(i))
		}
	}
	return r
}

// NewEnd converts a result to the End of an act.
func NewEnd(r rules.Result, names []string) *End {
	e := &End{Draw: r.Winners == 0 && !r.AllLost}
	for _, w := range r.WinnersOf(names) {
		e.Winners = append(e.Winners, SeatName(w))
	}
	return e
}

// EndByResignation returns the end of a match after the players of some seats have resigned. It returns nil if the rules let the
// other players continue the match.
func EndByResignation(g *rules.Game, p rules.Position, seats rules.Seats, names []string) *End {
	var remaining []SeatName
	for i, n := range names {
		if !seats.Has(rules.Seat(i)) {
			remaining = append(remaining, SeatName(n))
		}
	}
	r, over := p.Result()
	r = r.WithoutSeats(seats)
	if g.Resigned != nil {
		r, over = g.Resigned(p, seats)
	}
	switch {
	case over:
		return NewEnd(r, names)
	case g.Resigned != nil && len(remaining) > 1:
		return nil
	}
	return &End{Winners: remaining}
}

// EndPosition returns the position of a match that an act has ended: it has the result r and no open decisions.
func EndPosition(p rules.Position, r rules.Result) rules.Position { return endedPosition{p, r} }

type endedPosition struct {
	rules.Position
	result rules.Result
}

var errMatchOver = errors.New("the match is over")

func (e endedPosition) Clone() rules.Position                                     { return endedPosition{e.Position.Clone(), e.result} }
func (e endedPosition) OpenDecisions(dst []rules.Decision) []rules.Decision       { return dst }
func (e endedPosition) Options(dst []rules.Atom, _ rules.DecisionID) []rules.Atom { return dst }
func (e endedPosition) Stalled() bool                                             { return false }
func (e endedPosition) Result() (rules.Result, bool)                              { return e.result, true }

func (e endedPosition) Apply(_ rules.DecisionID, _ rules.Atom, _ rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	return dst, errMatchOver
}

func (e endedPosition) Resume(_ rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	return dst, errMatchOver
}

func (r *replay) applyAct(e *Entry) error {
	a, properties := e.Act, propertiesByKind[e.Act.Kind]
	if err := checkActForm(e); err != nil {
		return err
	}
	_, over := r.pos.Result()
	switch {
	case over && !(properties.byDirector && e.At.Before(r.finalAt)):
		return errMatchOver
	case a.Kind == Undo && a.End != nil:
		return errors.New("an undo must not end the match")
	case a.Kind == Undo:
		return r.takeBack(e)
	case e.Epoch < r.epoch:
		return errors.New("the epoch of an act must not be less than the epoch of the entry before")
	case r.isStrict && a.Kind == Restore && !a.Until.Equal(r.entryTimes[e.Seq-1]):
		return errors.New("the time of the restored backup must be the time of the entry before")
	case properties.byOperator && e.Epoch == r.epoch:
		return fmt.Errorf("act %q must begin a new epoch", a.Kind)
	}
	if properties.hasNewPlayer {
		return r.recordReplacement(e)
	}
	if err := r.checkEnd(e, properties); err != nil {
		return err
	}
	if a.End != nil {
		if ended, ok := r.pos.(endedPosition); ok {
			r.pos = ended.Position
		}
		r.pos, r.finalAt = EndPosition(r.pos, a.Result(r.outcomeNames.Seats)), a.Kind.FinalAt(e.At)
	}
	return nil
}

func checkActForm(e *Entry) error {
	properties, known := propertiesByKind[e.Act.Kind]
	switch {
	case !known:
		return fmt.Errorf("unknown act %q", e.Act.Kind)
	case e.HasOrders() || len(e.Chance) > 0:
		return fmt.Errorf("act %q must have no orders and no outcomes", e.Act.Kind)
	case (e.Player != "") != properties.hasNewPlayer:
		return fmt.Errorf("act %q has a missing or unexpected player", e.Act.Kind)
	case !properties.isAllowedFor(e.Act.By):
		return fmt.Errorf("act %q: by %q is not allowed for this kind of act", e.Act.Kind, e.Act.By)
	case properties.needsSeat && e.Seat == "", (properties.byOperator || properties.byDirector && !properties.needsSeat) && e.Seat != "":
		return fmt.Errorf("act %q has a missing or unexpected seat", e.Act.Kind)
	case (e.FirstTakenBack != 0) != (e.Act.Kind == Undo):
		return fmt.Errorf("act %q: the field takeback must be set for an undo, and only for an undo", e.Act.Kind)
	}
	return e.Act.checkFields(properties)
}

func (a *Act) checkFields(properties actProperties) error {
	switch {
	case properties.needsTime == a.Until.IsZero() && !properties.takesTime, a.Until.Nanosecond() != 0:
		return fmt.Errorf("act %q has a missing, unexpected or fractional time", a.Kind)
	case a.Why != "" && a.By == "", a.Why == "" && a.Kind == Tell:
		return fmt.Errorf("act %q has a missing or unexpected reason", a.Kind)
	case !properties.hasWitness && (a.Entry != nil || a.Hash != ""),
		properties.hasWitness && (a.Entry == nil || *a.Entry < 0 || !isDigest(a.Hash)):
		return fmt.Errorf("act %q has a missing, unexpected or invalid entry number or hash", a.Kind)
	}
	return nil
}

func (r *replay) checkEnd(e *Entry, properties actProperties) error {
	a := e.Act
	expected := a.End
	switch {
	case properties.ends == endsAlways && a.End == nil, properties.ends == endsNever && a.End != nil:
		return fmt.Errorf("act %q has a missing or unexpected end of the match", a.Kind)
	case a.Kind == Resign, a.Kind == Forfeit:
		seat, err := r.findSeat(e.Seat)
		if err != nil {
			return err
		}
		r.resigned |= rules.Only(seat)
		expected = EndByResignation(r.game, r.pos, r.resigned, r.outcomeNames.Seats)
		if a.Kind == Forfeit && a.End.winnersAreSubsetOf(expected) {
			expected = a.End
		}
	case a.Kind == Draw && !r.game.Draws:
		return errors.New("the game has no agreed draws")
	case a.Kind == Draw:
		expected = &End{Draw: true}
	case properties.hasNoWinners:
		expected = &End{}
	case r.isStrict && a.Kind == Claim && (!slices.Contains(a.End.Winners, e.Seat) || len(a.End.Winners) == len(r.outcomeNames.Seats)):
		return errors.New("the seat that claims the match must be its winner")
	}
	if !isSameEnd(a.End, expected) {
		return fmt.Errorf("the result of act %q is not the result that the rules give", a.Kind)
	}
	if a.End == nil {
		return nil
	}
	return r.checkWinners(a.End)
}

func (r *replay) checkWinners(end *End) error {
	last := rules.NoSeat
	for _, w := range end.Winners {
		seat, err := r.findSeat(w)
		if err != nil {
			return err
		}
		if seat <= last {
			return errors.New("the winners must be in the order of seats")
		}
		last = seat
	}
	if end.Draw && len(end.Winners) > 0 {
		return errors.New("a draw must have no winners")
	}
	return nil
}

// winnersAreSubsetOf reports whether all winners of e are winners of other. After a forfeit, other seats that are out of
// time do not win either. A record does not show the clocks, so any subset of the expected winners is accepted.
func (e *End) winnersAreSubsetOf(other *End) bool {
	return e != nil && other != nil && !e.Draw && !other.Draw &&
		!slices.ContainsFunc(e.Winners, func(s SeatName) bool { return !slices.Contains(other.Winners, s) })
}

func isSameEnd(a, b *End) bool {
	return a == b || a != nil && b != nil && a.Draw == b.Draw && slices.Equal(a.Winners, b.Winners)
}

// Beacon is one round of a public source of random numbers. The key of the match depends on it.
type Beacon struct {
	Chain string `json:"chain"`
	Round int64  `json:"round"`
	// Signature is in lower-case hexadecimal.
	Signature string `json:"signature"`
}

// Key returns the key of the match, from the secret, the words and the beacon round.
func (h Header) Key(s Secret) (Key, error) {
	if h.Beacon == nil {
		return s.Key(h.Match, h.Words)
	}
	return s.BeaconKey(h.Match, h.Words, h.Beacon.Signature)
}

// VerifyBeacon checks the signature of the beacon round that is mixed into the key. The beacon must be a public beacon that
// the program knows (beacon.Chain), or a configured one. The check needs no secret. A record without a beacon passes.
func VerifyBeacon(rec *Record, configured ...beacon.Chain) error {
	b := rec.Header.Beacon
	if b == nil {
		return nil
	}
	chain, err := beacon.Find(b.Chain, configured...)
	if err == nil {
		err = chain.VerifyHex(b.Round, b.Signature)
	}
	if err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	return nil
}
