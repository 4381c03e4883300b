package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/clock"
	"samizdat/adjudicator/contact"
	"samizdat/adjudicator/directing"
	"samizdat/adjudicator/record"
	"samizdat/adjudicator/zone"
	"samizdat/rules"
	"samizdat/templates"
)

// Undirected says why an act of the director cannot be done.
type Undirected struct{ Why string }

func (u *Undirected) Error() string { return u.Why }

// undirected refuses an act.
func undirected(format string, more ...any) (deed, error) {
	return deed{}, &Undirected{fmt.Sprintf(format, more...)}
}

// deed is an act of the director that can be done.
type deed struct {
	// effect says what it does to the match.
	effect string
	do     func(context.Context) (Change, error)
}

// deeds find out what the acts would do in a match as it stands.
var deeds = map[directing.Verb]func(*adjudication, context.Context, directing.Act) (deed, error){
	directing.Pause:   (*adjudication).pausing,
	directing.Resume:  (*adjudication).resuming,
	directing.Replace: (*adjudication).replacing,
	directing.Extend:  (*adjudication).extending,
	directing.Undo:    (*adjudication).undoing,
	directing.Annul:   (*adjudication).annulling,
	directing.Rule:    (*adjudication).ruling,
	directing.Tell:    (*adjudication).telling,
}

// deed is what an act would do. The error is an *Undirected where it cannot be done.
func (j *adjudication) deed(ctx context.Context, act directing.Act) (deed, error) {
	find := deeds[act.Verb]
	if find == nil {
		return undirected("It cannot be done here.")
	}
	return find(j, ctx, act)
}

// Direct does an act of the director to a match, for whoever runs this program, and says
// what that does. Without do it only says it. The error is an *Undirected where the act cannot be
// done as the match stands.
func (a *Adjudicator) Direct(ctx context.Context, match string, act directing.Act, do bool) (effect string, err error) {
	err = a.retryOnConflict(ctx, "match "+match, func() error {
		m, err := a.Store.Match(ctx, match)
		if err != nil {
			return err
		}
		j, err := a.adjudication(ctx, m, rules.Nobody, Letter{})
		if err != nil {
			return err
		}
		d, err := j.deed(ctx, act)
		if err != nil {
			return err
		}
		if effect = d.effect; !do {
			return nil
		}
		// Whatever the director was asked by mail, he was asked of another match than this is.
		m.Directing.Proposed = nil
		c, err := d.do(ctx)
		if err != nil {
			return err
		}
		return a.Store.Apply(ctx, c)
	})
	if err != nil {
		return "", fmt.Errorf("match %s: %w", match, err)
	}
	return effect, nil
}

// seatNamed finds a seat by its name, by its number from 1 on, or by what its player is
// called.
func (m *Match) seatNamed(text string) (rules.Seat, error) {
	var names []string
	for i, s := range m.Seats {
		if strings.EqualFold(s.Name, text) || strconv.Itoa(i+1) == text || s.Called != "" && strings.EqualFold(s.Called, text) {
			return rules.Seat(i), nil
		}
		names = append(names, s.Name)
	}
	return rules.Nobody, &Undirected{fmt.Sprintf("There is no seat %q in this match, but %s.", text, templates.List(names))}
}

// enter writes the entry of an act.
func (j *adjudication) enter(ctx context.Context, e record.Entry) (Change, error) {
	e.Act.By = record.ByDirector
	if err := j.act(ctx, e); err != nil {
		return Change{}, err
	}
	return j.change(ctx, rules.Nobody)
}

// entering is the deed that does nothing but write the entry of an act.
func (j *adjudication) entering(effect string, e record.Entry) (deed, error) {
	return deed{effect, func(ctx context.Context) (Change, error) { return j.enter(ctx, e) }}, nil
}

// mayDirect says why nothing can be done to a match: it has not begun, or its end is final.
// The director may still change an end that is not.
func (j *adjudication) mayDirect(ended bool) error {
	switch m := j.m; {
	case m.State == Inviting:
		return &Undirected{"The match has not begun."}
	case m.State == Playing, ended && m.Acts.Ended != nil && j.a.Now().Before(m.Acts.Ended.Final):
		return nil
	case ended && m.Acts.Ended != nil && !m.Acts.Ended.Act.Kind.FinalAt(m.Acts.Ended.At).IsZero():
		return &Undirected{fmt.Sprintf("The match is over since %s. Its end could be changed until %s, and is final since.", zone.Write(m.Acts.Ended.At, zone.UTC),
			zone.Write(m.Acts.Ended.Act.Kind.FinalAt(m.Acts.Ended.At), zone.UTC))}
	case ended:
		return &Undirected{"The match is over, and its end is final: what was hidden is published."}
	}
	return &Undirected{"The match is over."}
}

// annulling ends the match without a result.
func (j *adjudication) annulling(_ context.Context, act directing.Act) (deed, error) {
	if err := j.mayDirect(true); err != nil {
		return deed{}, err
	}
	return j.entering("The match ends without a result: it counts for nobody. What is kept for players is dropped. "+j.provisional(),
		record.Entry{Act: &record.Act{Kind: record.Annul, Why: act.Why, End: &record.End{}}})
}

// provisional says for how long an end by the director can be undone.
func (j *adjudication) provisional() string {
	return "For a week you can undo this, or rule otherwise; then it is final, and what is hidden is published."
}

// ruling ends the match with a result.
func (j *adjudication) ruling(_ context.Context, act directing.Act) (deed, error) {
	if err := j.mayDirect(true); err != nil {
		return deed{}, err
	}
	end := &record.End{Draw: act.Draw}
	var winners rules.Seats
	for _, w := range act.Winners {
		seat, err := j.m.seatNamed(w)
		if err != nil {
			return deed{}, err
		}
		if winners.Has(seat) {
			return undirected("The seat %s is named twice.", j.m.Seats[seat].Name)
		}
		winners |= rules.Only(seat)
	}
	for i, s := range j.m.Seats {
		if winners.Has(rules.Seat(i)) {
			end.Winners = append(end.Winners, record.SeatName(s.Name))
		}
	}
	how := "nobody wins"
	switch {
	case act.Draw:
		how = "it is a draw"
	case winners != 0:
		how = j.winners(rules.Result{Winners: winners})
	}
	return j.entering("The match ends: "+how+". What is kept for players is dropped. "+j.provisional(),
		record.Entry{Act: &record.Act{Kind: record.Rule, Why: act.Why, End: end}})
}

// telling writes to all who play.
func (j *adjudication) telling(_ context.Context, act directing.Act) (deed, error) {
	if err := j.mayDirect(true); err != nil {
		return deed{}, err
	}
	return j.entering("All players are told this, and those who watch, and the record keeps it:\n"+act.Text, record.Entry{Act: &record.Act{Kind: record.Tell, Why: act.Text}})
}

// pausing stops all clocks.
func (j *adjudication) pausing(_ context.Context, act directing.Act) (deed, error) {
	if err := j.mayDirect(false); err != nil {
		return deed{}, err
	}
	if j.m.Tempo.None() {
		return undirected("The match has no time limit, so there is nothing to pause.")
	}
	how := "until you end that with RESUME"
	if act.Span > 0 {
		how = "for " + directing.Span(act.Span)
	}
	return deed{"All clocks stand still " + how + ". Orders count all the same, and only the director ends the pause.", func(ctx context.Context) (Change, error) {
		var until time.Time
		if act.Span > 0 {
			until = j.a.Now().UTC().Add(act.Span).Truncate(time.Second)
		}
		return j.enter(ctx, record.Entry{Act: &record.Act{Kind: record.Pause, Why: act.Why, Until: until}})
	}}, nil
}

// resuming lets all clocks run again.
func (j *adjudication) resuming(_ context.Context, act directing.Act) (deed, error) {
	if err := j.mayDirect(false); err != nil {
		return deed{}, err
	}
	if j.m.Acts.Halt == nil {
		return undirected("The match is not paused.")
	}
	return deed{"The pause ends, and all clocks run again at once.", func(ctx context.Context) (Change, error) {
		return j.enter(ctx, record.Entry{Act: &record.Act{Kind: record.Resume, Why: act.Why, Until: j.a.Now().UTC().Truncate(time.Second)}})
	}}, nil
}

// extending gives a seat more time.
func (j *adjudication) extending(_ context.Context, act directing.Act) (deed, error) {
	if err := j.mayDirect(false); err != nil {
		return deed{}, err
	}
	seat, err := j.m.seatNamed(act.Seat)
	switch {
	case err != nil:
		return deed{}, err
	case j.m.Tempo.None():
		return undirected("The match has no time limit.")
	}
	return deed{fmt.Sprintf("%s gets %s more.", capital(j.role(seat)), directing.Span(act.Span)), func(ctx context.Context) (Change, error) {
		k, stops := &j.m.Seats[seat].Clock, j.m.stops(seat)
		k.Extend(act.Span, j.a.Now(), stops)
		until, _ := k.ShownZero(0, stops)
		return j.enter(ctx, record.Entry{Seat: record.SeatName(j.m.Seats[seat].Name), Act: &record.Act{Kind: record.Extend, Why: act.Why, Until: until.UTC().Truncate(time.Second)}})
	}}, nil
}

// undoing lets the match stand as it did before an entry.
func (j *adjudication) undoing(ctx context.Context, act directing.Act) (deed, error) {
	if err := j.mayDirect(true); err != nil {
		return deed{}, err
	}
	entries, err := j.played(ctx)
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
	final, err := record.Replay(j.a.record(j.game, j.m, entries[:n]), j.game, nil)
	if err != nil {
		return deed{}, fmt.Errorf("find the position before entry %d: %w", n, err)
	}
	if _, over := final.Position.Result(); over {
		return undirected("Before entry %d the match was over. Name an entry at which it was not.", n)
	}
	effect := fmt.Sprintf("The match stands again as it did before entry %d. %s What is kept for players is dropped, what was asked for is over, letters from before "+
		"cannot be answered any more, and dice and cards to come are new. What players have seen they know.", n, j.undone(entries, n))
	ended := j.m.State == Over
	if ended && !j.m.Tempo.None() {
		effect += " All clocks begin anew."
	}
	return deed{effect, func(ctx context.Context) (Change, error) {
		j.m.Takeback = nil
		for i := range j.m.Seats {
			if ended { // By a clock, or with clocks that nobody has looked at since.
				j.m.Seats[i].Clock = clock.New(j.m.Tempo)
			}
		}
		return j.enter(ctx, record.Entry{Takeback: n, Act: &record.Act{Kind: record.Undo, Why: act.Why, Until: entries[n-1].At}})
	}}, nil
}

// mostUndone is how many entries are named that an act would undo.
const mostUndone = 5

// undone names what an act would undo.
func (j *adjudication) undone(entries []record.Entry, n int) string {
	var lines []string
	for _, e := range entries[n:min(len(entries), n+mostUndone)] {
		lines = append(lines, fmt.Sprintf("%d (%s)", e.Seq, j.entryLine(entries, e.Public())))
	}
	said := "Undone: " + strings.Join(lines, "; ")
	if more := len(entries) - n - len(lines); more > 0 {
		said += fmt.Sprintf("; and %d more", more)
	}
	return said + "."
}

// replacing puts another player into a seat.
func (j *adjudication) replacing(_ context.Context, act directing.Act) (deed, error) {
	seat, err := j.m.seatNamed(act.Seat)
	if err != nil {
		return deed{}, err
	}
	name, address, err := j.m.replacement(seat, act.Address, j.a.Post.Referee())
	switch {
	case errors.Is(err, ErrNotPlaying):
		return undirected("The match is not under way, so nobody can be replaced in it.")
	case err != nil:
		return undirected("Nobody can be seated with that address: %v.", err)
	case j.a.Director != "" && contact.Same(address, j.a.Director) && contact.Same(j.letter.From, address):
		return undirected("That is your own address. Nobody directs a match that he plays in; ask the operator to seat you.")
	}
	return deed{
		effect: fmt.Sprintf("%s takes the seat %s, may know all that the seat was told, and is sent how the match stands. The letters of the player before do nothing "+
			"any more, what is kept for him is dropped, and he is told.", address, j.m.Seats[seat].Name),
		do: func(ctx context.Context) (Change, error) {
			return j.seatAnother(ctx, seat, address, name, &record.Act{Kind: record.Replace, By: record.ByDirector, Why: act.Why})
		},
	}, nil
}
