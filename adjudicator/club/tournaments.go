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
	"samizdat/adjudicator/club/usage"
	"samizdat/adjudicator/match/clock"
)

// Tournament is a tournament of the club.
type Tournament struct {
	// Name is the name that members write, e.g. autumn-cup. Title is its title in letters.
	Name, Title string
	// MatchTerms are the terms of its matches, for two players.
	MatchTerms Terms
	// Starts is the time when entries close and the first round is paired.
	Starts time.Time
	// DiceWords maps the number of an entrant to the words that are mixed into the dice of the entrant's matches.
	DiceWords map[int64]string
	// Stage is the newest stage. ToNotify are the numbers of the members who must still get a letter about the stage.
	Stage    Stage
	ToNotify []int64
	// isNewStage is set if the current change of the club begins the stage.
	isNewStage bool
	// Due is the time of the next step; zero if the next step waits for an event, e.g. a result.
	Due     time.Time
	Version int64
	// Progress holds the entrants, rounds and results.
	Progress *tournament.Tournament
}

// Stage is a stage of a tournament; the entrants get a letter at its start.
type Stage string

// The stages.
const (
	RoundPaired         Stage = "round"
	TournamentEnd       Stage = "end"
	TournamentCancelled Stage = "off"
)

const maxNameLength = 30

var tournamentName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// ErrTournamentName describes the allowed names.
var ErrTournamentName = errors.New("the name of a tournament must have only small letters, digits and single dashes, begin with a letter, and " +
	"have at most 30 characters, such as autumn-cup")

// CheckTournamentName returns ErrTournamentName for an invalid name.
func CheckTournamentName(name string) error {
	if len(name) > maxNameLength || !tournamentName.MatchString(name) {
		return ErrTournamentName
	}
	return nil
}

// ReadTournament reads the game, kind, start and options of a tournament, for example
// "1989 SWISS STARTS 2026-12-01 ROUNDS 5 TEMPO fast".
func ReadTournament(text string) (t Tournament, terms tournament.Terms, err error) {
	remaining := text
	cut := func(form *regexp.Regexp) (value string, ok bool) {
		m := form.FindStringSubmatchIndex(remaining)
		if m == nil {
			return "", false
		}
		if len(m) > 2 {
			value = remaining[m[2]:m[3]]
		}
		remaining = remaining[:m[0]] + " " + remaining[m[1]:]
		return value, true
	}
	for kind, form := range tournamentKinds {
		if _, ok := cut(form); ok {
			terms.Kind = kind
		}
	}
	starts, _ := cut(tournamentStarts)
	if t.Starts, err = ParseStart(starts); err != nil {
		return t, terms, fmt.Errorf("write STARTS and %w", err)
	}
	for form, dst := range map[*regexp.Regexp]*int{tournamentRounds: &terms.Rounds, tournamentMaxEntrants: &terms.MaxEntrants} {
		if n, ok := cut(form); ok {
			if *dst, _ = strconv.Atoi(n); *dst < 1 { // Atoi cannot fail: n has one to four digits.
				return t, terms, errors.New("after ROUNDS and UP TO write a number of at least 1, such as ROUNDS 5, UP TO 16")
			}
		}
	}
	t.MatchTerms.Tempo, _ = cut(tournamentTempo)
	policy, hasPolicy := cut(tournamentZero)
	_, terms.Twice = cut(tournamentTwice)
	_, terms.Together = cut(tournamentTogether)
	fields := strings.Fields(remaining)
	switch {
	case hasPolicy && !strings.EqualFold(policy, string(clock.Forfeit)):
		err = errors.New("in a tournament a player who runs out of time loses the match (ZERO forfeit), so that each match ends; no other " +
			"ZERO is possible")
	case terms.Kind == "":
		err = errors.New("write SWISS, ROUND ROBIN or KNOCK-OUT")
	case len(fields) == 0:
		err = errors.New("write the name of a game, such as 1989")
	case len(fields) > 1:
		err = fmt.Errorf("%q is not understood after the name of the tournament", strings.Join(fields, " "))
	default:
		t.MatchTerms.Game = fields[0]
	}
	return t, terms, err
}

// ParseStart reads the start of a tournament in UTC: "2026-12-01", "2026-12-01 19:00" or "2026-12-01 at 19:00".
func ParseStart(text string) (time.Time, error) {
	fields := slices.DeleteFunc(strings.Fields(text), func(f string) bool { return strings.EqualFold(f, "at") })
	for _, layout := range []string{time.DateOnly, "2006-01-02 15:04"} {
		if at, err := time.Parse(layout, strings.Join(fields, " ")); err == nil {
			return at, nil
		}
	}
	return time.Time{}, errors.New("a day, with a time in UTC if it is not 0:00, such as 2026-12-01 or 2026-12-01 19:00")
}

const weekday = `(?:MON|TUE|WED|THU|FRI|SAT|SUN)[A-Z]*,?`

// The patterns for the parts of the text that ReadTournament reads.
var (
	tournamentKinds = map[tournament.Kind]*regexp.Regexp{
		tournament.Swiss:      regexp.MustCompile(`(?i)\bSWISS\b`),
		tournament.RoundRobin: regexp.MustCompile(`(?i)\bROUND[ -]ROBIN\b`),
		tournament.KnockOut:   regexp.MustCompile(`(?i)\bKNOCK[ -]?OUT\b`),
	}
	tournamentStarts      = regexp.MustCompile(`(?i)\bSTARTS?\s+(?:ON\s+)?(\S+(?:\s+(?:AT\s+)?\d{1,2}:\d\d)?)`)
	tournamentRounds      = regexp.MustCompile(`(?i)\bROUNDS\s+(\d{1,3})\b`)
	tournamentMaxEntrants = regexp.MustCompile(`(?i)\bUP TO\s+(\d{1,4})\b`)
	tournamentTempo       = regexp.MustCompile(`(?i)\bTEMPO\s+((?:PHASE\s+)?\S+(?:\s+FREE(?:\s+(?:[\d:-]*` + weekday +
		`|[\d:-]+))+(?:\s+IN\s+\S+)?)?)`)
	tournamentZero     = regexp.MustCompile(`(?i)\bZERO\s+(\S+)`)
	tournamentTwice    = regexp.MustCompile(`(?i)\bTWICE\b`)
	tournamentTogether = regexp.MustCompile(`(?i)\bTOGETHER\b`)
)

// AnnounceStage begins a stage and sets ToNotify: the active entrants at the start of a round, and all entrants at the end.
func (t *Tournament) AnnounceStage(s Stage) {
	t.Stage, t.isNewStage = s, true
	t.ToNotify = slices.Clone(t.Progress.ActivePlayers())
	if s != RoundPaired {
		t.ToNotify = nil
		for _, e := range t.Progress.Entrants {
			t.ToNotify = append(t.ToNotify, e.Player)
		}
	}
}

// MarkNotified removes a member from ToNotify.
func (t *Tournament) MarkNotified(member int64) {
	t.ToNotify = slices.DeleteFunc(t.ToNotify, func(m int64) bool { return m == member })
}

// ResultOfMatch begins the text of a log entry about a result, e.g. "the result of match struggle-400 is annulled".
const ResultOfMatch = "the result of match "

// Result is the result of a match.
type Result struct {
	Match string       `json:"-"`
	Game  string       `json:"-"`
	Ended time.Time    `json:"-"`
	Seats []ResultSeat `json:"seats"`
	Drawn bool         `json:"drawn,omitempty"`
	// How describes the end in a few words, e.g. "automatic victory".
	How string `json:"how"`
	// UnratedReason is the reason why the result does not count for the ladder; empty if it does.
	UnratedReason string `json:"unrated,omitempty"`
	// AnnulmentReason is the director's reason for annulling the result; empty if it is not annulled.
	AnnulmentReason string `json:"-"`
}

// ResultSeat is a seat of a result.
type ResultSeat struct {
	// Player is the number of the player who had the seat at the end. Name is the name of the seat.
	Player int64  `json:"player"`
	Name   string `json:"name"`
	Won    bool   `json:"won,omitempty"`
}

// Counts reports whether the result counts for the ladder.
func (r *Result) Counts() bool { return r.UnratedReason == "" && r.AnnulmentReason == "" }

// Scores returns the score of each seat in this match, by the name of the seat.
func (r *Result) Scores() map[string]usage.Score {
	out := map[string]usage.Score{}
	for _, s := range r.Seats {
		score := usage.Score{N: 1}
		if s.Won {
			score.Won = 1
		} else if r.Drawn {
			score.Drawn = 1
		}
		out[s.Name] = score
	}
	return out
}

// HasWinner reports whether the match has a winner.
func (r *Result) HasWinner() bool {
	return slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Won })
}

// OutcomeFor returns the result for a player: "won", "lost" or "drawn".
func (r *Result) OutcomeFor(player int64) string {
	switch {
	case slices.ContainsFunc(r.Seats, func(s ResultSeat) bool { return s.Player == player && s.Won }):
		return "won"
	case r.Drawn:
		return "drawn"
	}
	return "lost"
}

// RunningMatch is the public state of a running match of members.
type RunningMatch struct {
	Match, Game string
	Since       time.Time
	Seats       []ResultSeat
	// Public is set if anyone may see the position now. StateText describes the position; it is empty unless Public
	// is set.
	Public    bool
	StateText string
	// Version rises with each change of the match.
	Version int64
}

// MatchOfTournament describes a match of a tournament: the name of the tournament, and when the match was created.
type MatchOfTournament struct {
	Tournament string
	CreatedAt  time.Time
}

// ExaminedMatch is a match that was checked for a result.
type ExaminedMatch struct {
	Match string
	// Version is the version of the match that was examined; 0 if it could not be read. The match is examined again
	// when it has a newer version.
	Version int64
	// Result is nil while the match is in play, or if it has no result.
	Result *Result
	// NextCheck is the time of the next examination; zero for none.
	NextCheck time.Time
}

// Ladder is the stored ladder of a game, without the history of ratings.
type Ladder struct {
	Game string
	// ComputedAt is the time of the computation. In a ladder that was loaded, StaleChanges is the number of results that have
	// changed since then. In a ladder to store, it is the number of these changes that the new computation includes.
	ComputedAt   time.Time
	StaleChanges int
	ladder.Ladder
}

// ComputeLadder computes the ladder of a game at a time, from all its results.
func ComputeLadder(game string, now time.Time, results []Result) Ladder {
	l := Ladder{Game: game, ComputedAt: now, Ladder: ladder.Compute(now, RatedResults(results))}
	for i := range l.Lines {
		l.Lines[i].RatingPoints = nil
	}
	return l
}

// RatedResults returns the results that count for the ladder.
func RatedResults(results []Result) (out []ladder.Result) {
	for _, r := range results {
		if !r.Counts() {
			continue
		}
		rated := ladder.Result{Match: r.Match, Ended: r.Ended, Drawn: r.Drawn}
		for _, s := range r.Seats {
			rated.Seats = append(rated.Seats, ladder.Seat{Player: s.Player, Won: s.Won})
		}
		out = append(out, rated)
	}
	return out
}
