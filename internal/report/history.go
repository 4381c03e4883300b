package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/history"
	"samizdat/rules"
)

// ErrPublic is what a history says of a record without its hidden fields.
var ErrPublic = errors.New("the record holds public fields only, and cannot be played again: whoever runs the referee can tell the match")

// seatNamed is the seat of a record that a command names; Nobody where it names none.
func seatNamed(g rules.Game, rec *record.Record, name string) (rules.Seat, error) {
	if name == "" {
		return rules.Nobody, nil
	}
	names := g.SeatNames(rec.Header.Setup(g))
	i := slices.Index(names, strings.ToLower(name))
	if i < 0 {
		return rules.Nobody, fmt.Errorf("no seat is called %q; there are %s", name, strings.Join(names, ", "))
	}
	return rules.Seat(i), nil
}

// History tells the match of a record: to a seat that is named what that seat may know, and
// otherwise everything if nothing of the match is hidden any more at a time, else what
// everybody may know. Checked says what was verified.
func History(games rules.Games, rec *record.Record, seat string, now time.Time) (*history.Story, error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return nil, err
	}
	if rec.Header.Secret == "" && rec.Header.Chance != record.ChanceRecorded {
		return nil, ErrPublic
	}
	r := history.Reader{}
	if r.Seat, err = seatNamed(g, rec, seat); err != nil {
		return nil, err
	}
	if seat == "" {
		if r.All, err = open(g, rec, now); err != nil {
			return nil, err
		}
	}
	s, err := history.Tell(g, rec, r)
	if err != nil {
		return nil, err
	}
	if !r.All {
		rec = rec.Public()
	}
	s.Checked = checked(games, rec)
	return s, nil
}

// Outline tells what a record with public fields only has to tell.
func Outline(games rules.Games, rec *record.Record) (*history.Story, error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return nil, err
	}
	return history.Outline(g, rec), nil
}

// open reports whether nothing of a match is hidden any more: it is over, and its end cannot
// be undone, or its dice and cards were given by whoever made it.
func open(g rules.Game, rec *record.Record, now time.Time) (bool, error) {
	if rec.Header.Chance == record.ChanceRecorded {
		return true, nil
	}
	final, err := record.Replay(rec, g, nil)
	if err != nil {
		return false, fmt.Errorf("playing the record: %w", err)
	}
	if _, over := final.Position.Result(); !over {
		return false, nil
	}
	undone := len(rec.Steps)
	for _, e := range slices.Backward(rec.Entries()) {
		switch {
		case e.Seq >= undone:
		case e.Takeback > 0:
			undone = e.Takeback
		case e.Act != nil && e.Act.End != nil:
			return !e.Act.Kind.FinalAt(e.At).After(now), nil
		}
	}
	return true, nil
}

// checked says what verify finds in a record.
func checked(games rules.Games, rec *record.Record) []string {
	var out strings.Builder
	same, err := Verify(&out, games, rec, Evidence{}, true)
	lines := strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
	switch {
	case err != nil:
		lines = append(lines, "The record is not good: "+err.Error()+".")
	case !same:
		lines = append(lines, "The record is not good.")
	}
	return lines
}
