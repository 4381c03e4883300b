package club

import (
	"errors"
	"regexp"
	"slices"
	"time"

	"samizdat/adjudicator/club/tournament"
)

// Tournament is a tournament of the club.
type Tournament struct {
	// Name is what members write to enter it, such as autumn-cup; Title is what it is called.
	Name, Title string
	// Match are the terms of its matches, for two.
	Match Terms
	// Starts is when entries close and the first round is paired.
	Starts time.Time
	// Words are mixed into the dice of an entrant's matches.
	Words map[int64]string
	// Untold are those who are still to be written to of how it stands, and Stage is what
	// they are written of.
	Untold []int64
	Stage  Stage
	// Due is when it is to be looked at; zero for not before something happens.
	Due     time.Time
	Version int64
	Life    *tournament.Tournament
}

// Stage is what the members of a tournament are told of.
type Stage string

// The stages.
const (
	RoundPaired   Stage = "round"
	TournamentEnd Stage = "end"
	TournamentOff Stage = "off"
)

// mostOfName is the length of a tournament's name at most.
const mostOfName = 30

var tournamentName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// ErrTournamentName says what a tournament can be called.
var ErrTournamentName = errors.New("the name of a tournament has small letters, digits and single dashes, begins with a letter, and has at most 30 characters, such as autumn-cup")

// CheckTournamentName reports whether a tournament can have a name.
func CheckTournamentName(name string) error {
	if len(name) > mostOfName || !tournamentName.MatchString(name) {
		return ErrTournamentName
	}
	return nil
}

// Tell lets all who have entered, and have not withdrawn, be told of a stage; and those who have
// just withdrawn of an end.
func (t *Tournament) Tell(s Stage) {
	t.Stage = s
	t.Untold = slices.Clone(t.Life.Active())
	if s != RoundPaired {
		t.Untold = nil
		for _, e := range t.Life.Entrants {
			t.Untold = append(t.Untold, e.Player)
		}
	}
}

// Told notes that a member has been told.
func (t *Tournament) Told(member int64) {
	t.Untold = slices.DeleteFunc(t.Untold, func(m int64) bool { return m == member })
}
