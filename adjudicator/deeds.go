package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
)

// deed is an act of the director that can be done.
type deed struct {
	// effect says what it does to the match.
	effect string
	do     func(context.Context) (exchange.Change, error)
}

// stage is how far a match has to be for an act.
type stage int

const (
	anyStage stage = iota
	underWay
	// endOpen is a match under way, or one whose end is not final.
	endOpen
)

// deeds find out what the acts would do in a match as it stands.
var deeds = map[match.DirectorVerb]struct {
	needs stage
	find  func(context.Context, *adjudication, match.DirectorAct) (deed, error)
}{
	match.DirectorPause: {underWay, pausing}, match.DirectorResume: {underWay, resuming}, match.DirectorExtend: {underWay, extending},
	match.DirectorUndo: {endOpen, undoing}, match.DirectorAnnul: {endOpen, annulling}, match.DirectorRule: {endOpen, ruling},
	match.DirectorTell:    {endOpen, telling},
	match.DirectorReplace: {anyStage, replacing}, match.DirectorCancel: {anyStage, cancelling},
}

// deedFor is what an act would do. The error is an *Undirected where it cannot be done.
func deedFor(ctx context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	d := deeds[act.Verb]
	if d.needs != anyStage {
		if err := mayDirect(j, d.needs == endOpen); err != nil {
			return deed{}, err
		}
	}
	return d.find(ctx, j, act)
}

// Undirected says why an act of the director cannot be done.
type Undirected struct{ Why string }

func (u *Undirected) Error() string { return u.Why }

// undirected refuses an act.
func undirected(format string, more ...any) (deed, error) {
	return deed{}, &Undirected{fmt.Sprintf(format, more...)}
}

// mayDirect says why nothing can be done to a match: it has not begun, or its end is final.
// The director may still change an end that is not.
func mayDirect(j *adjudication, ended bool) error {
	switch m := j.turn.Match; {
	case m.State == match.Inviting:
		return &Undirected{"The match has not begun. CANCEL takes the invitation back."}
	case m.State == match.CalledOff:
		return &Undirected{"The match was called off before it began."}
	case m.State == match.Playing, ended && m.Acts.Ended != nil && j.a.Now().Before(m.Acts.Ended.Final):
		return nil
	case ended && m.Acts.Ended != nil && !m.Acts.Ended.Act.Kind.FinalAt(m.Acts.Ended.At).IsZero():
		return &Undirected{fmt.Sprintf("The match is over since %s. Its end could be changed until "+
			"%s, and is final since.", zone.FormatTime(m.Acts.Ended.At, zone.UTC),
			zone.FormatTime(m.Acts.Ended.Act.Kind.FinalAt(m.Acts.Ended.At), zone.UTC))}
	case ended:
		return &Undirected{"The match is over, and its end is final: what was hidden is published."}
	}
	return &Undirected{"The match is over."}
}

// seatNamed finds a seat by its name, by its number from 1 on, or by what its player is
// called.
func seatNamed(m *match.Match, text string) (rules.Seat, error) {
	var names []string
	for i, s := range m.Seats {
		if strings.EqualFold(s.Name, text) || strconv.Itoa(i+1) == text || s.Called != "" && strings.EqualFold(s.Called, text) {
			return rules.Seat(i), nil
		}
		names = append(names, s.Name)
	}
	return rules.NoSeat, &Undirected{fmt.Sprintf("There is no seat %q in this match, but %s.", text, match.List(names))}
}

// enterDirected writes the entry of an act. Where the match stands again as it did, it may wait for
// somebody who has resigned.
func enterDirected(ctx context.Context, j *adjudication, e record.Entry) (exchange.Change, error) {
	e.Act.By = record.ByDirector
	if err := j.play.Act(ctx, e); err != nil {
		return exchange.Change{}, err
	}
	if _, err := j.play.Settle(ctx); err != nil {
		return exchange.Change{}, err
	}
	return j.change(ctx, rules.NoSeat)
}

// entering is the deed that does nothing but write the entry of an act.
func entering(j *adjudication, effect string, e record.Entry) (deed, error) {
	return deed{effect, func(ctx context.Context) (exchange.Change, error) { return enterDirected(ctx, j, e) }}, nil
}

// pausing stops all clocks.
func pausing(_ context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	if j.turn.Match.Tempo.IsUntimed() {
		return undirected("The match has no time limit, so there is nothing to pause.")
	}
	how, until := "until you end that with RESUME", time.Time{}
	if act.Span > 0 {
		how, until = "for "+match.Span(act.Span), j.a.Now().UTC().Add(act.Span).Truncate(time.Second)
	}
	return entering(j, "All clocks stand still "+how+". Orders count all the same, and only the director ends the pause.",
		record.Entry{Act: &record.Act{Kind: record.Pause, Why: act.Why, Until: until}})
}

// resuming lets all clocks run again.
func resuming(_ context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	if j.turn.Match.Acts.Halt == nil {
		return undirected("The match is not paused.")
	}
	return entering(j, "The pause ends, and all clocks run again at once.",
		record.Entry{Act: &record.Act{Kind: record.Resume, Why: act.Why, Until: j.a.Now().UTC().Truncate(time.Second)}})
}

// extending gives a seat more time.
func extending(_ context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	seat, err := seatNamed(j.turn.Match, act.Seat)
	switch {
	case err != nil:
		return deed{}, err
	case j.turn.Match.Tempo.IsUntimed():
		return undirected("The match has no time limit.")
	}
	return deed{fmt.Sprintf("%s gets %s more.", match.Capital(j.turn.Role(seat)), match.Span(act.Span)),
		func(ctx context.Context) (exchange.Change, error) {
			k, stops := &j.turn.Match.Seats[seat].Clock, j.turn.Match.Stops(seat)
			k.Extend(act.Span, j.a.Now(), stops)
			until, _ := k.PublicTimeoutAt(0, stops)
			return enterDirected(ctx, j, record.Entry{Seat: record.SeatName(j.turn.Match.Seats[seat].Name),
				Act: &record.Act{Kind: record.Extend, Why: act.Why, Until: until.UTC().Truncate(time.Second)}})
		}}, nil
}

// undoing lets the match stand as it did before an entry.
func undoing(ctx context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	entries, err := j.play.Played(ctx)
	if err != nil {
		return deed{}, err
	}
	n := act.Entry
	switch {
	case len(entries) < 2:
		return undirected("Nothing has happened yet that could be undone.")
	case n < 1 || n >= len(entries):
		return undirected("Entries from 1 to %d can be undone; there is no entry %d among them.", len(entries)-1, n)
	}
	final, err := record.Replay(match.RecordOf(j.turn.Game, j.turn.Match, entries[:n]), j.turn.Game, nil)
	if err != nil {
		return deed{}, fmt.Errorf("find the position before entry %d: %w", n, err)
	}
	if _, over := final.Position.Result(); over {
		return undirected("Before entry %d the match was over. Name an entry at which it was not.", n)
	}
	effect := fmt.Sprintf("The match stands again as it did before entry %d. %s What is kept for players is dropped, what was asked for is "+
		"over, letters from before "+
		"cannot be answered any more, and dice and cards to come are new. Who plays, pauses and time that was given stay as they are, and "+
		"what players have seen they know.", n, undoneText(j, entries, n))
	ended := j.turn.Match.State == match.Over
	if ended && !j.turn.Match.Tempo.IsUntimed() {
		effect += " All clocks begin anew."
	}
	return deed{effect, func(ctx context.Context) (exchange.Change, error) {
		j.turn.Match.Takeback = nil
		for i := range j.turn.Match.Seats {
			if ended { // By a clock, or with clocks that nobody has looked at since.
				j.turn.Match.Seats[i].Clock = clock.New(j.turn.Match.Tempo)
			}
		}
		return enterDirected(ctx, j, record.Entry{Takeback: n, Act: &record.Act{Kind: record.Undo, Why: act.Why, Until: entries[n-1].At}})
	}}, nil
}

// mostUndone is how many entries are named that an act would undo.
const mostUndone = 5

// undoneText names what an act would undo.
func undoneText(j *adjudication, entries []record.Entry, n int) string {
	var lines []string
	for _, e := range entries[n:min(len(entries), n+mostUndone)] {
		lines = append(lines, fmt.Sprintf("%d (%s)", e.Seq, entryLine(j, entries, e.Public())))
	}
	said := "Undone: " + strings.Join(lines, "; ")
	if more := len(entries) - n - len(lines); more > 0 {
		said += fmt.Sprintf("; and %d more", more)
	}
	return said + "."
}

// provisional says for how long an end by the director can be undone.
const provisional = "For a week you can undo this, or rule otherwise; then it is final, and what is hidden is published."

// annulling ends the match without a result.
func annulling(_ context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	return entering(j, "The match ends without a result: it counts for nobody. What is kept for players is dropped. "+provisional,
		record.Entry{Act: &record.Act{Kind: record.Annul, Why: act.Why, End: &record.End{}}})
}

// ruling ends the match with a result.
func ruling(_ context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	end := &record.End{Draw: act.Draw}
	var winners rules.Seats
	for _, w := range act.Winners {
		seat, err := seatNamed(j.turn.Match, w)
		if err != nil {
			return deed{}, err
		}
		if winners.Has(seat) {
			return undirected("The seat %s is named twice.", j.turn.Match.Seats[seat].Name)
		}
		winners |= rules.Only(seat)
	}
	for i, s := range j.turn.Match.Seats {
		if winners.Has(rules.Seat(i)) {
			end.Winners = append(end.Winners, record.SeatName(s.Name))
		}
	}
	how := "nobody wins"
	switch {
	case act.Draw:
		how = "it is a draw"
	case winners != 0:
		how = compose.Winners(j.turn, rules.Result{Winners: winners})
	}
	return entering(j, "The match ends: "+how+". What is kept for players is dropped. "+provisional,
		record.Entry{Act: &record.Act{Kind: record.Rule, Why: act.Why, End: end}})
}

// cancelling takes back the invitation to a match that has not begun.
func cancelling(_ context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	switch j.turn.Match.State {
	case match.Inviting:
	case match.CalledOff:
		return undirected("The match was called off already.")
	default:
		return undirected("The match has begun, so there is no invitation to take back. ANNUL ends the match.")
	}
	return deed{"The invitation is taken back, and there is no match. All who " +
		"were invited are told.", func(ctx context.Context) (exchange.Change, error) {
		callOff(ctx, j, match.CallOff{How: match.Cancelled, Seat: rules.NoSeat, Why: act.Why})
		return j.change(ctx, rules.NoSeat)
	}}, nil
}

// telling writes to all who play.
func telling(_ context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	return entering(j, "All players are told this, and those who watch, and "+
		"the record keeps it:\n"+act.Text, record.Entry{Act: &record.Act{Kind: record.Tell, Why: act.Text}})
}

// replacing puts another player into a seat.
func replacing(_ context.Context, j *adjudication, act match.DirectorAct) (deed, error) {
	seat, err := seatNamed(j.turn.Match, act.Seat)
	if err != nil {
		return deed{}, err
	}
	name, address, err := replacement(j.turn.Match, seat, act.Address, j.a.Post.Referee())
	switch {
	case errors.Is(err, ErrNotPlaying):
		return undirected("The match is not under way, so nobody can be replaced in it.")
	case err != nil:
		return undirected("Nobody can be seated with that address: %v.", err)
	case j.a.Director != "" && contact.Same(address, j.a.Director) && contact.Same(j.letter.From, address):
		return undirected("That is your own address. Nobody directs a match that he plays in; ask the operator to seat you.")
	}
	return deed{
		effect: fmt.Sprintf("%s takes the seat %s, may know all that the seat was told, and is sent how the match stands. "+
			"The letters of the player before do nothing "+
			"any more, what is kept for him is dropped, and he is told.", address, j.turn.Match.Seats[seat].Name),
		do: func(ctx context.Context) (exchange.Change, error) {
			return seatAnother(ctx, j, seat, address, name, &record.Act{Kind: record.Replace, By: record.ByDirector, Why: act.Why})
		},
	}, nil
}
