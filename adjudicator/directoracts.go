package adjudicator

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
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
var deeds = map[match.DirectorVerb]func(*adjudication, context.Context, match.DirectorAct) (deed, error){
	match.DirectorPause:   (*adjudication).pausing,
	match.DirectorResume:  (*adjudication).resuming,
	match.DirectorReplace: (*adjudication).replacing,
	match.DirectorExtend:  (*adjudication).extending,
	match.DirectorUndo:    (*adjudication).undoing,
	match.DirectorAnnul:   (*adjudication).annulling,
	match.DirectorRule:    (*adjudication).ruling,
	match.DirectorCancel:  (*adjudication).cancelling,
	match.DirectorTell:    (*adjudication).telling,
}

// deed is what an act would do. The error is an *Undirected where it cannot be done.
func (j *adjudication) deed(ctx context.Context, act match.DirectorAct) (deed, error) {
	return deeds[act.Verb](j, ctx, act)
}

// Direct does an act of the director to a match, for whoever runs this program, and says
// what that does. Without do it only says it. The error is an *Undirected where the act cannot be
// done as the match stands.
func (a *Adjudicator) Direct(ctx context.Context, match string, act match.DirectorAct, do bool) (effect string, err error) {
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
func seatNamed(m *Match, text string) (rules.Seat, error) {
	var names []string
	for i, s := range m.Seats {
		if strings.EqualFold(s.Name, text) || strconv.Itoa(i+1) == text || s.Called != "" && strings.EqualFold(s.Called, text) {
			return rules.Seat(i), nil
		}
		names = append(names, s.Name)
	}
	return rules.Nobody, &Undirected{fmt.Sprintf("There is no seat %q in this match, but %s.", text, match.List(names))}
}

// enter writes the entry of an act. Where the match stands again as it did, it may wait for
// somebody who has resigned.
func (j *adjudication) enter(ctx context.Context, e record.Entry) (Change, error) {
	e.Act.By = record.ByDirector
	if err := j.play.Act(ctx, e); err != nil {
		return Change{}, err
	}
	if _, err := j.play.Settle(ctx); err != nil {
		return Change{}, err
	}
	return j.change(ctx, rules.Nobody)
}

// entering is the deed that does nothing but write the entry of an act.
func (j *adjudication) entering(effect string, e record.Entry) (deed, error) {
	return deed{effect, func(ctx context.Context) (Change, error) { return j.enter(ctx, e) }}, nil
}

// telling writes to all who play.
func (j *adjudication) telling(_ context.Context, act match.DirectorAct) (deed, error) {
	if err := j.mayDirect(true); err != nil {
		return deed{}, err
	}
	return j.entering("All players are told this, and those who watch, and the record keeps it:\n"+act.Text, record.Entry{Act: &record.Act{Kind: record.Tell, Why: act.Text}})
}

// replacing puts another player into a seat.
func (j *adjudication) replacing(_ context.Context, act match.DirectorAct) (deed, error) {
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
		effect: fmt.Sprintf("%s takes the seat %s, may know all that the seat was told, and is sent how the match stands. The letters of the player before do nothing "+
			"any more, what is kept for him is dropped, and he is told.", address, j.turn.Match.Seats[seat].Name),
		do: func(ctx context.Context) (Change, error) {
			return j.seatAnother(ctx, seat, address, name, &record.Act{Kind: record.Replace, By: record.ByDirector, Why: act.Why})
		},
	}, nil
}
