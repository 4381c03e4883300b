package record

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"samizdat/rules"
)

// Act is what was done to a match beside playing it. An entry of one has no orders and no
// outcomes, and all of it is public.
type Act struct {
	Kind ActKind `json:"kind"`
	// By is ByDirector or ByOperator where he did it. Otherwise the entry's seat did, or,
	// without a seat, nobody.
	By string `json:"by,omitempty"`
	// Why is the director's or the operator's reason, or what the director tells all.
	Why string `json:"why,omitempty"`
	// End is how the match ends by it; nil where it goes on.
	End *End `json:"end,omitempty"`
	// Until is the time that the act names, in whole seconds of UTC.
	Until time.Time `json:"until,omitzero"`
	// Entry and Hash are an entry before, and its hash, which a witness has seen.
	Entry *int   `json:"entry,omitempty"`
	Hash  string `json:"hash,omitempty"`
}

// End is how an act ends a match: with winners, as a draw, or so that nobody wins.
type End struct {
	Winners []SeatName `json:"winners,omitempty"`
	Draw    bool       `json:"draw,omitempty"`
}

// Who does an act, where no seat does: the director, or whoever runs the referee.
const (
	ByDirector = "director"
	ByOperator = "operator"
)

// ActKind is what sort of act it is.
type ActKind string

// The kinds of acts.
const (
	Resign  ActKind = "resign"
	Draw    ActKind = "draw"
	Abort   ActKind = "abort"
	Forfeit ActKind = "forfeit"
	Claim   ActKind = "claim"
	Pause   ActKind = "pause"
	Resume  ActKind = "resume"
	Extend  ActKind = "extend"
	Undo    ActKind = "undo"
	Annul   ActKind = "annul"
	Rule    ActKind = "rule"
	Replace ActKind = "replace"
	Tell    ActKind = "tell"
	Restore ActKind = "restore"
	Witness ActKind = "witness"
)

// ends says whether acts of a kind end the match.
type ends int

const (
	never ends = iota
	always
	sometimes
)

// actKind is what is fixed of a kind.
type actKind struct {
	ends ends
	// provisional ends may be undone by the director for a while.
	provisional bool
	// seat: the act needs a seat, player, director, operator: it is theirs alone.
	seat, players, director, operator bool
	// needsTime: the act names a time, timed: it may.
	needsTime, takesTime bool
	// player: the entry puts a player into its seat.
	player bool
	// witness: it names an entry and its hash.
	witness bool
	// noWinners: the match ends without winners, and is no draw.
	noWinners bool
	// reason says in a few words how the match has ended.
	reason string
}

var actKinds = map[ActKind]actKind{
	Resign:  {ends: sometimes, seat: true, players: true, reason: "resignation"},
	Draw:    {ends: always, seat: true, players: true, reason: "agreed draw"},
	Abort:   {ends: always, seat: true, players: true, noWinners: true, reason: "broken off"},
	Forfeit: {ends: sometimes, provisional: true, seat: true, players: true, reason: "time forfeit"},
	Claim:   {ends: always, provisional: true, seat: true, players: true, reason: "time claimed"},
	Pause:   {takesTime: true},
	Resume:  {takesTime: true},
	Extend:  {takesTime: true, seat: true},
	Undo:    {director: true, needsTime: true},
	Annul:   {ends: always, provisional: true, director: true, noWinners: true, reason: "annulled"},
	Rule:    {ends: always, provisional: true, director: true, reason: "director's ruling"},
	Replace: {seat: true, director: true, player: true},
	Tell:    {director: true},
	Restore: {operator: true, needsTime: true},
	Witness: {seat: true, players: true, witness: true},
}

// allowedFor reports whether acts of a kind may be done by somebody.
func (k actKind) allowedFor(who string) bool {
	switch who {
	case ByOperator:
		return k.operator
	case ByDirector:
		return !k.operator && !k.players
	}
	return who == "" && !k.director && !k.operator
}

// CorrectionPeriod is for how long the director may take a match up again that an act has ended on
// the clock or on his own word. What is hidden stays hidden until then.
const CorrectionPeriod = 7 * 24 * time.Hour

// FinalAt is when the end of a match by an act of the kind is final, if that is not at once.
func (k ActKind) FinalAt(at time.Time) (final time.Time) {
	if actKinds[k].provisional {
		final = at.Add(CorrectionPeriod)
	}
	return final
}

// Reason says in a few words how an act of the kind ends a match.
func (k ActKind) Reason() string { return actKinds[k].reason }

// LeavesMatch reports whether a player leaves a match that goes on by an act of the kind.
func (k ActKind) LeavesMatch() bool { return actKinds[k].ends == sometimes }

// BreaksOff reports whether an act of the kind ends a match without a result.
func (k ActKind) BreaksOff() bool { return actKinds[k].noWinners }

// Result is how the match ends by the act, of seats of these names.
func (a *Act) Result(names []string) rules.Result {
	r := rules.Result{Reason: a.Kind.Reason(), Lost: !a.End.Draw && len(a.End.Winners) == 0}
	for _, w := range a.End.Winners {
		if i := slices.Index(names, string(w)); i >= 0 {
			r.Winners |= rules.Only(rules.Seat(i))
		}
	}
	return r
}

// EndOf is a result as an act has it.
func EndOf(r rules.Result, names []string) *End {
	e := &End{Draw: r.Winners == 0 && !r.Lost}
	for _, w := range r.WinnersOf(names) {
		e.Winners = append(e.Winners, SeatName(w))
	}
	return e
}

// EndByResignation is how a match ends when the players of some of its seats have resigned; nil
// where it goes on. It never goes on with fewer than two.
func EndByResignation(g *rules.Game, p rules.Position, seats rules.Seats, names []string) *End {
	var left []SeatName
	for i, n := range names {
		if !seats.Has(rules.Seat(i)) {
			left = append(left, SeatName(n))
		}
	}
	r, over := p.Result()
	r = r.WithoutSeats(seats)
	if g.Resigned != nil {
		r, over = g.Resigned(p, seats)
	}
	switch {
	case over:
		return EndOf(r, names)
	case g.Resigned != nil && len(left) > 1:
		return nil
	}
	return &End{Winners: left}
}

// EndPosition is a position in which the match was ended by an act: nothing is asked any more.
func EndPosition(p rules.Position, r rules.Result) rules.Position { return ended{p, r} }

type ended struct {
	rules.Position
	result rules.Result
}

var errEnded = errors.New("the match is over")

func (e ended) Clone() rules.Position                                     { return ended{e.Position.Clone(), e.result} }
func (e ended) OpenDecisions(dst []rules.Decision) []rules.Decision       { return dst }
func (e ended) Options(dst []rules.Atom, _ rules.DecisionID) []rules.Atom { return dst }
func (e ended) Stalled() bool                                             { return false }
func (e ended) Result() (rules.Result, bool)                              { return e.result, true }

func (e ended) Apply(_ rules.DecisionID, _ rules.Atom, _ rules.Chance, dst []rules.Event) ([]rules.Event, error) {
	return dst, errEnded
}

func (e ended) Resume(_ rules.Chance, dst []rules.Event) ([]rules.Event, error) { return dst, errEnded }

// act checks an entry with an act, and does what it says. That of an undo is done by
// takeBack.
func (r *replay) act(e *Entry) error {
	a, kind := e.Act, actKinds[e.Act.Kind]
	if err := checkForm(e); err != nil {
		return err
	}
	_, over := r.pos.Result()
	switch {
	case over && !(kind.director && e.At.Before(r.until)):
		return errEnded
	case a.Kind == Undo && a.End != nil:
		return errors.New("it undoes, and ends the match")
	case a.Kind == Undo:
		return r.takeBack(e)
	case e.Epoch < r.epoch:
		return errors.New("it is an act, and has an earlier epoch")
	case r.own && a.Kind == Restore && !a.Until.Equal(r.at[e.Seq-1]):
		return errors.New("it restores a backup of another time than that of the entry before")
	case kind.operator && e.Epoch == r.epoch:
		return fmt.Errorf("an act of the kind %q without a new epoch", a.Kind)
	}
	if kind.player {
		return r.replaced(e)
	}
	if err := r.checkEnd(e, kind); err != nil {
		return err
	}
	if a.End != nil {
		if x, ok := r.pos.(ended); ok {
			r.pos = x.Position
		}
		r.pos, r.until = EndPosition(r.pos, a.Result(r.words.Seats)), a.Kind.FinalAt(e.At)
	}
	return nil
}

// checkForm checks what an entry with an act has, and who may do such acts.
func checkForm(e *Entry) error {
	kind, known := actKinds[e.Act.Kind]
	switch {
	case !known:
		return fmt.Errorf("there is no act of the kind %q", e.Act.Kind)
	case e.HasOrders() || len(e.Chance) > 0 || (e.Player != "") != kind.player:
		return errors.New("it is an act, and has orders, outcomes or a player as well, or lacks one")
	case !kind.allowedFor(e.Act.By):
		return fmt.Errorf("an act of the kind %q by %q", e.Act.Kind, e.Act.By)
	case kind.seat && e.Seat == "", (kind.operator || kind.director && !kind.seat) && e.Seat != "":
		return fmt.Errorf("an act of the kind %q, and it lacks a seat, or has one", e.Act.Kind)
	case (e.Takeback != 0) != (e.Act.Kind == Undo):
		return fmt.Errorf("an act of the kind %q, and it takes back, or does not", e.Act.Kind)
	}
	return e.Act.checkSaid(kind)
}

// checkSaid checks what an act says: a time, a reason, what was seen.
func (a *Act) checkSaid(kind actKind) error {
	switch {
	case kind.needsTime == a.Until.IsZero() && !kind.takesTime, a.Until.Nanosecond() != 0:
		return fmt.Errorf("an act of the kind %q, and it lacks a time, or has one", a.Kind)
	case a.Why != "" && a.By == "", a.Why == "" && a.Kind == Tell:
		return fmt.Errorf("an act of the kind %q, and it lacks a reason, or has one", a.Kind)
	case !kind.witness && (a.Entry != nil || a.Hash != ""), kind.witness && (a.Entry == nil || *a.Entry < 0 || !isDigest(a.Hash)):
		return fmt.Errorf("an act of the kind %q, and it lacks what was seen, or has it", a.Kind)
	}
	return nil
}

// checkEnd checks how an act ends the match.
func (r *replay) checkEnd(e *Entry, kind actKind) error {
	a := e.Act
	wants := a.End
	switch {
	case kind.ends == always && a.End == nil, kind.ends == never && a.End != nil:
		return fmt.Errorf("an act of the kind %q, and it is wrong whether the match ends", a.Kind)
	case a.Kind == Resign, a.Kind == Forfeit:
		seat, err := r.seat(e.Seat)
		if err != nil {
			return err
		}
		r.resigned |= rules.Only(seat)
		wants = EndByResignation(r.game, r.pos, r.resigned, r.words.Seats)
		if a.Kind == Forfeit && a.End.winsLess(wants) {
			wants = a.End
		}
	case a.Kind == Draw && !r.game.Draws:
		return errors.New("the game knows no agreed draw")
	case a.Kind == Draw:
		wants = &End{Draw: true}
	case kind.noWinners:
		wants = &End{}
	case r.own && a.Kind == Claim && (!slices.Contains(a.End.Winners, e.Seat) || len(a.End.Winners) == len(r.words.Seats)):
		return errors.New("who claims the match wins it, and somebody else does not")
	}
	if !sameEnd(a.End, wants) {
		return fmt.Errorf("by an act of the kind %q the match ends otherwise", a.Kind)
	}
	if a.End == nil {
		return nil
	}
	return r.checkWinners(a.End)
}

// checkWinners checks who wins by an end: seats in their order, and nobody where it is a draw.
func (r *replay) checkWinners(end *End) error {
	last := rules.NoSeat
	for _, w := range end.Winners {
		seat, err := r.seat(w)
		if err != nil {
			return err
		}
		if seat <= last {
			return errors.New("its winners are not in the order of seats")
		}
		last = seat
	}
	if end.Draw && len(end.Winners) > 0 {
		return errors.New("it is a draw with winners")
	}
	return nil
}

// winsLess reports whether an end has only winners that another has too, or none: on a forfeit
// those seats do not win whose time was over as well, which no record shows.
func (e *End) winsLess(than *End) bool {
	return e != nil && than != nil && !e.Draw && !than.Draw &&
		!slices.ContainsFunc(e.Winners, func(s SeatName) bool { return !slices.Contains(than.Winners, s) })
}

// sameEnd reports whether two ends are the same.
func sameEnd(a, b *End) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Draw == b.Draw && slices.Equal(a.Winners, b.Winners)
}
