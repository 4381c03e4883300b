package club

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/match/clock"
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
var ErrTournamentName = errors.New("the name of a tournament has small letters, digits and single dashes, begins with a letter, and " +
	"has at most 30 characters, such as autumn-cup")

// CheckTournamentName reports whether a tournament can have a name.
func CheckTournamentName(name string) error {
	if len(name) > mostOfName || !tournamentName.MatchString(name) {
		return ErrTournamentName
	}
	return nil
}

// ReadTournament reads what a tournament is to be: a game, a kind and when it starts, and what
// else was said.
func ReadTournament(text string) (t Tournament, terms tournament.Terms, err error) {
	rest := text
	take := func(form *regexp.Regexp) (value string, is bool) {
		m := form.FindStringSubmatchIndex(rest)
		if m == nil {
			return "", false
		}
		if len(m) > 2 {
			value = rest[m[2]:m[3]]
		}
		rest = rest[:m[0]] + " " + rest[m[1]:]
		return value, true
	}
	for kind, form := range tournamentKinds {
		if _, is := take(form); is {
			terms.Kind = kind
		}
	}
	starts, _ := take(tournamentStarts)
	if t.Starts, err = ParseStart(starts); err != nil {
		return t, terms, fmt.Errorf("write STARTS and %w", err)
	}
	for form, to := range map[*regexp.Regexp]*int{tournamentRounds: &terms.Rounds, tournamentMost: &terms.MaxEntrants} {
		if n, is := take(form); is {
			if *to, _ = strconv.Atoi(n); *to < 1 { // It is digits, and few.
				return t, terms, errors.New("behind ROUNDS and UP TO stands a number from 1 on, such as ROUNDS 5, UP TO 16")
			}
		}
	}
	t.Match.Tempo, _ = take(tournamentTempo)
	zero, zeroed := take(tournamentZero)
	_, terms.Twice = take(tournamentTwice)
	_, terms.Together = take(tournamentTogether)
	fields := strings.Fields(rest)
	switch {
	case zeroed && !strings.EqualFold(zero, string(clock.Forfeit)):
		err = errors.New("whoever has no time left loses the match (ZERO forfeit): so each match of a tournament ends, and no other " +
			"ZERO can be")
	case terms.Kind == "":
		err = errors.New("write SWISS, ROUND ROBIN or KNOCK-OUT")
	case len(fields) == 0:
		err = errors.New("write the name of a game, such as 1989")
	case len(fields) > 1:
		err = fmt.Errorf("it is not clear what is meant by %q", strings.Join(fields, " "))
	default:
		t.Match.Game = fields[0]
	}
	return t, terms, err
}

// ParseStart reads when a tournament starts, in UTC: "2026-12-01", "2026-12-01 19:00" or "2026-12-01 at 19:00".
func ParseStart(text string) (time.Time, error) {
	fields := slices.DeleteFunc(strings.Fields(text), func(f string) bool { return strings.EqualFold(f, "at") })
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, strings.Join(fields, " ")); err == nil {
			return at, nil
		}
	}
	return time.Time{}, errors.New("a day, with a time in UTC if it is not 0:00, such as 2026-12-01 or 2026-12-01 19:00")
}

// How a tournament is described.
var (
	tournamentKinds = map[tournament.Kind]*regexp.Regexp{
		tournament.Swiss: regexp.MustCompile(`(?i)\bSWISS\b`), tournament.RoundRobin: regexp.MustCompile(`(?i)\bROUND[ -]ROBIN\b`), tournament.KnockOut: regexp.MustCompile(`(?i)\bKNOCK[ -]?OUT\b`),
	}
	tournamentStarts   = regexp.MustCompile(`(?i)\bSTARTS?\s+(?:ON\s+)?(\S+(?:\s+(?:AT\s+)?\d{1,2}:\d\d)?)`)
	tournamentRounds   = regexp.MustCompile(`(?i)\bROUNDS\s+(\d{1,3})\b`)
	tournamentMost     = regexp.MustCompile(`(?i)\bUP TO\s+(\d{1,4})\b`)
	tournamentTempo    = regexp.MustCompile(`(?i)\bTEMPO\s+(PHASE\s+\S+|\S+)`)
	tournamentZero     = regexp.MustCompile(`(?i)\bZERO\s+(\S+)`)
	tournamentTwice    = regexp.MustCompile(`(?i)\bTWICE\b`)
	tournamentTogether = regexp.MustCompile(`(?i)\bTOGETHER\b`)
)

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

// ResultOfMatch begins an entry of the log about a result, such as "the result of match struggle-400 is annulled".
const ResultOfMatch = "the result of match "

// Result is how a match has ended.
type Result struct {
	Match string    `json:"-"`
	Game  string    `json:"-"`
	Ended time.Time `json:"-"`
	// Seats are those of the match, in their order.
	Seats []ResultSeat `json:"seats"`
	// Drawn means that nobody has won and nobody has lost.
	Drawn bool `json:"drawn,omitempty"`
	// How says in a few words how it ended.
	How string `json:"how"`
	// Unrated says why it does not count for the ladder; empty where it does.
	Unrated string `json:"unrated,omitempty"`
	// Annulled is why the director has taken it from the ladder; empty where he has not.
	Annulled string `json:"-"`
}

// ResultSeat is a seat of a result.
type ResultSeat struct {
	// Player is who sat there at the end, by his number, and Name what the seat is called.
	Player int64  `json:"player"`
	Name   string `json:"name"`
	Won    bool   `json:"won,omitempty"`
}

// Counts reports whether the result counts for the ladder.
func (r *Result) Counts() bool { return r.Unrated == "" && r.Annulled == "" }

// Won reports whether anybody has won.
func (r *Result) Won() bool {
	return slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Won })
}

// Of is what the result is for a player: "won", "lost", or "drawn".
func (r *Result) Of(player int64) string {
	switch {
	case slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Player == player && s.Won }):
		return "won"
	case r.Drawn:
		return "drawn"
	}
	return "lost"
}

// Running is a match of members that is being played, as far as everybody may know of it.
type Running struct {
	Match, Game string
	Since       time.Time
	Seats       []ResultSeat
	// Stands says how it stands; empty where that is not for everybody to know.
	Stands string
}

// Counted is a match whose end was looked at.
type Counted struct {
	Match string
	// Version is that of the match as it was looked at: if it has moved on since, it is looked
	// at again. 0 of one that could not be read.
	Version int64
	// Result is what came of it; nil where it goes on, or counts for nobody.
	Result *Result
	// Again is when it is to be looked at again; zero where it need not be.
	Again time.Time
}

// Ladder is the ladder of a game as it is kept: without the course of ratings.
type Ladder struct {
	Game string
	// Made is when it was computed. Stale is how often results have changed since; of one that
	// is to be stored, those changes that it has taken in.
	Made  time.Time
	Stale int
	ladder.Ladder
}

// LadderOf computes the ladder of a game at a time, from all its results.
func LadderOf(game string, now time.Time, results []Result) Ladder {
	l := Ladder{Game: game, Made: now, Ladder: ladder.Compute(now, Rated(results))}
	for i := range l.Lines {
		l.Lines[i].Points = nil
	}
	return l
}

// Rated are the results that count for the ladder.
func Rated(results []Result) (out []ladder.Result) {
	for _, r := range results {
		if !r.Counts() {
			continue
		}
		x := ladder.Result{Match: r.Match, Ended: r.Ended, Drawn: r.Drawn}
		for _, s := range r.Seats {
			x.Seats = append(x.Seats, ladder.Seat{Player: s.Player, Won: s.Won})
		}
		out = append(out, x)
	}
	return out
}
