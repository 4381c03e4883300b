package site

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/club/usage"
	"samizdat/rules"
)

// Store reads the data for the pages of a club.
type Store interface {
	// AllMembers lists all members, including former members.
	AllMembers(ctx context.Context) ([]club.Member, error)
	// AnswerTimes returns how long a player took for each of the newest answers.
	AnswerTimes(ctx context.Context, player int64, limit int) ([]time.Duration, error)
	// ClubMatches lists the running matches that have only members as players.
	ClubMatches(ctx context.Context) ([]club.RunningMatch, error)
	// TournamentsOfMatches returns the tournament of each match that belongs to a tournament, by match.
	TournamentsOfMatches(ctx context.Context) (map[string]club.MatchOfTournament, error)
	Results(ctx context.Context, game string) ([]club.Result, error)
	// UsageTotals returns the usage statistics of the finished matches of a game.
	UsageTotals(ctx context.Context, game string) (*usage.Totals, error)
	Tournaments(ctx context.Context) ([]club.Tournament, error)
	// Announcements lists the announcements since a time, newest first.
	Announcements(ctx context.Context, since time.Time, limit int) ([]club.Announcement, error)
	// ClubLog lists the newest entries in the log of the director's acts, newest first.
	ClubLog(ctx context.Context, limit int) ([]club.LogEntry, error)
}

// Source loads the data of a club from the store.
type Source struct {
	Store Store
	Club  club.Config
	Games rules.Games
	// Referee is the mail address of the club.
	Referee string
}

const maxLogEntries = 200

// Load loads the data for the pages of a club. files returns the files of a match that exist.
func (s Source) Load(ctx context.Context, now time.Time, files func(match string) Files) (*Club, error) {
	c := &Club{Name: s.Club.Name, Address: s.Referee, Join: s.howToJoin()}
	members, err := s.Store.AllMembers(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.addPlayers(ctx, c, members); err != nil {
		return nil, err
	}
	tournaments, err := s.Store.TournamentsOfMatches(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range s.Games {
		if err := s.addGame(ctx, c, g, now, tournaments, files); err != nil {
			return nil, err
		}
	}
	if err := s.addMatches(ctx, c, tournaments); err != nil {
		return nil, err
	}
	announcements, err := s.Store.Announcements(ctx, time.Unix(0, 0), feedLength)
	if err != nil {
		return nil, err
	}
	for _, n := range announcements {
		c.Notices = append(c.Notices, Notice{At: n.At, Text: n.Text})
	}
	log, err := s.Store.ClubLog(ctx, maxLogEntries)
	if err != nil {
		return nil, err
	}
	names := map[int64]string{}
	for _, m := range members {
		names[m.ID] = m.Name
	}
	changed := map[string]time.Time{}
	for _, e := range log {
		c.Acts = append(c.Acts, Notice{At: e.At, Text: formatAct(e, names)})
		if remaining, ok := strings.CutPrefix(e.Act, club.ResultOfMatch); ok {
			match, _, _ := strings.Cut(remaining, " ")
			if e.At.After(changed[match]) {
				changed[match] = e.At
			}
		}
	}
	for i := range c.Results {
		c.Results[i].Changed = changed[c.Results[i].Match]
	}
	return c, nil
}

// addPlayers adds the members and former members, with the pace of members who show it.
func (s Source) addPlayers(ctx context.Context, c *Club, members []club.Member) error {
	for i := range members {
		m := &members[i]
		if m.State == club.MemberApplied {
			continue
		}
		p := Member{ID: m.ID, Name: m.Name, Since: m.Since, Left: m.State != club.MemberActive}
		if m.Settings.ShowPace && !p.Left {
			answers, err := s.Store.AnswerTimes(ctx, m.ID, club.MaxAnswerTimes)
			if err != nil {
				return err
			}
			p.Pace = club.DescribePace(answers)
		}
		c.Players = append(c.Players, p)
	}
	return nil
}

func (s Source) howToJoin() string {
	how := "To join, write a letter to " + s.Referee + " with REGISTER and the name that you want, such as REGISTER Ada"
	switch s.Club.Registration {
	case club.RegistrationClosed:
		return "The club accepts no new members at present."
	case club.RegistrationByApproval:
		return how + ". The director admits you."
	}
	return how + ", and answer the letter that comes."
}

func (s Source) addGame(ctx context.Context, c *Club, g *rules.Game, now time.Time, tournaments map[string]club.MatchOfTournament,
	files func(string) Files) error {
	results, err := s.Store.Results(ctx, g.Name())
	if err != nil {
		return err
	}
	game := Game{Name: g.Name(), Title: g.Title(), Ladder: ladder.Compute(now, club.RatedResults(results))}
	totals, err := s.Store.UsageTotals(ctx, g.Name())
	if err != nil {
		return err
	}
	if totals.Matches > 0 {
		game.Usage = totals
	}
	if minimum, maximum := g.Seats(); minimum == 2 && maximum == 2 {
		game.Seats = g.SeatNames(rules.Setup{Seats: 2, Revision: g.Revision()})
	}
	c.Games = append(c.Games, game)
	for _, r := range results {
		result := Result{Match: r.Match, Game: r.Game, Ended: r.Ended, How: r.How, Rated: r.UnratedReason == "", Annulled: r.AnnulmentReason,
			Tournament: tournaments[r.Match].Tournament, Files: files(r.Match)}
		for _, seat := range r.Seats {
			result.Players, result.Seats, result.Won = append(result.Players, seat.Player), append(result.Seats, seat.Name),
				append(result.Won, seat.Won)
		}
		c.Results = append(c.Results, result)
	}
	return nil
}

func (s Source) addMatches(ctx context.Context, c *Club, tournaments map[string]club.MatchOfTournament) error {
	running, err := s.Store.ClubMatches(ctx)
	if err != nil {
		return err
	}
	for _, r := range running {
		match := RunningMatch{Match: r.Match, Game: r.Game, Since: r.Since, State: r.StateText}
		for _, seat := range r.Seats {
			match.Players, match.Seats = append(match.Players, seat.Player), append(match.Seats, seat.Name)
		}
		c.Running = append(c.Running, match)
	}
	stored, err := s.Store.Tournaments(ctx)
	if err != nil {
		return err
	}
	for _, t := range stored {
		c.Tournaments = append(c.Tournaments, Tournament{Name: t.Name, Title: t.Title, Game: t.MatchTerms.Game, Starts: t.Starts,
			RoundStarts: findRoundStarts(t.Progress, tournaments), Tournament: t.Progress})
	}
	return nil
}

// findRoundStarts returns for each round the time when its first match was created; zero for a round without matches.
func findRoundStarts(t *tournament.Tournament, tournaments map[string]club.MatchOfTournament) []time.Time {
	return convertAll(t.Rounds, func(r tournament.Round) (first time.Time) {
		for _, m := range r.Meetings {
			if createdAt := tournaments[m.Match].CreatedAt; !createdAt.IsZero() && (first.IsZero() || createdAt.Before(first)) {
				first = createdAt
			}
		}
		return first
	})
}

// formatAct returns an entry of the log as text, for example "Ada was banned: rude letters (the director)".
func formatAct(e club.LogEntry, names map[int64]string) string {
	text := e.Act
	if e.Member != 0 {
		text = names[e.Member] + " " + text
	}
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return fmt.Sprintf("%s (%s)", text, e.By)
}
