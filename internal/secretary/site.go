package secretary

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/internal/site"
	"samizdat/rules"
)

// Pages is what the secretary needs of the store for the club's pages.
type Pages interface {
	// AllMembers lists all that there ever were. ClubMatches lists the matches that run and in
	// which all seats are members'. InTournaments says to which tournaments matches belong.
	AllMembers(ctx context.Context) ([]club.Member, error)
	ClubMatches(ctx context.Context) ([]club.Running, error)
	InTournaments(ctx context.Context) (map[string]string, error)
}

const (
	// logged is how much of the log the pages show, announced how many announcements.
	logged, announced = 200, 3
)

// Site is what the pages of the club show at a time. Files says which files of a match there
// are beside them: its page, and its record; empty for none.
func (s *Secretary) Site(ctx context.Context, now time.Time, files func(match string) (history, record string)) (*site.Club, error) {
	c := &site.Club{Name: s.Club.Name, Address: s.Adjudicator.Post.Referee(), Join: s.howToJoin()}
	all, err := s.Store.AllMembers(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		switch m.State {
		case club.Active, club.Left, club.Banned, club.Forgotten:
			c.Players = append(c.Players, site.Member{ID: m.ID, Name: m.Name, Since: m.Since, Left: m.State != club.Active})
		}
	}
	belongs, err := s.Store.InTournaments(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range s.Adjudicator.Games {
		if err := s.siteGame(ctx, c, g, now, belongs, files); err != nil {
			return nil, err
		}
	}
	if err := s.siteMatches(ctx, c); err != nil {
		return nil, err
	}
	news, err := s.Store.Announcements(ctx, time.Unix(0, 0), announced)
	if err != nil {
		return nil, err
	}
	for _, n := range news {
		c.Notices = append(c.Notices, site.Notice{At: n.At, Text: n.Text})
	}
	log, err := s.Store.ClubLog(ctx, logged)
	if err != nil {
		return nil, err
	}
	names := map[int64]string{}
	for _, m := range all {
		names[m.ID] = m.Name
	}
	changed := map[string]time.Time{}
	for _, e := range log {
		c.Acts = append(c.Acts, site.Notice{At: e.At, Text: actText(e, names)})
		if rest, ok := strings.CutPrefix(e.Act, resultOfMatch); ok {
			match, _, _ := strings.Cut(rest, " ")
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

// howToJoin says how people become members.
func (s *Secretary) howToJoin() string {
	to := s.Adjudicator.Post.Referee()
	switch s.Club.Registration {
	case club.Closed:
		return "The club admits nobody new at present."
	case club.Approval:
		return "To join, write a letter to " + to + " with REGISTER and the name that you want, such as REGISTER Ada. The director admits you."
	}
	return "To join, write a letter to " + to + " with REGISTER and the name that you want, such as REGISTER Ada, and answer the letter that comes."
}

// siteGame adds the ladder and the results of a game. Ladders of the pages have the course of
// ratings.
func (s *Secretary) siteGame(ctx context.Context, c *site.Club, g *rules.Game, now time.Time, belongs map[string]string, files func(string) (string, string)) error {
	results, err := s.Store.Results(ctx, g.Name())
	if err != nil {
		return err
	}
	game := site.Game{Name: g.Name(), Title: g.Title(), Ladder: ladder.At(now, club.Rated(results))}
	if least, most := g.Seats(); least == 2 && most == 2 {
		game.Seats = g.SeatNames(rules.Setup{Seats: 2, Revision: g.Revision()})
	}
	c.Games = append(c.Games, game)
	for _, r := range results {
		x := site.Result{Match: r.Match, Game: r.Game, Ended: r.Ended, How: r.How, Rated: r.Unrated == "", Annulled: r.Annulled, Tournament: belongs[r.Match]}
		x.History, x.Record = files(r.Match)
		for _, seat := range r.Seats {
			x.Players, x.Seats, x.Won = append(x.Players, seat.Player), append(x.Seats, seat.Name), append(x.Won, seat.Won)
		}
		c.Results = append(c.Results, x)
	}
	return nil
}

// siteMatches adds the matches that run, and the tournaments.
func (s *Secretary) siteMatches(ctx context.Context, c *site.Club) error {
	running, err := s.Store.ClubMatches(ctx)
	if err != nil {
		return err
	}
	for _, r := range running {
		x := site.Running{Match: r.Match, Game: r.Game, Since: r.Since, Stands: r.Stands}
		for _, seat := range r.Seats {
			x.Players, x.Seats = append(x.Players, seat.Player), append(x.Seats, seat.Name)
		}
		c.Running = append(c.Running, x)
	}
	cups, err := s.Store.Tournaments(ctx)
	if err != nil {
		return err
	}
	for _, t := range cups {
		c.Tournaments = append(c.Tournaments, site.Tournament{Name: t.Name, Title: t.Title, Game: t.Match.Game, Starts: t.Starts, Tournament: t.Life})
	}
	return nil
}

// actText says what was done, as the log of the club has it.
func actText(e club.LogEntry, names map[int64]string) string {
	text := e.Act
	if e.Member != 0 {
		text = names[e.Member] + " " + text
	}
	if e.Why != "" {
		text += ": " + e.Why
	}
	return fmt.Sprintf("%s (%s)", text, e.By)
}
