package clubmail

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/letter"
	"samizdat/internal/site"
	"samizdat/rules"
	"samizdat/templates"
)

const (
	// onLadder is how many lines of a ladder a letter shows, beside the reader's own.
	onLadder = 30
	// inList is how many results it lists.
	inList = 20
)

// ladder shows the ladder of a game, or of all.
func (a *answer) ladder(ctx context.Context, l letter.Line) error {
	all, err := a.s.gamesPlayed(ctx)
	if err != nil {
		return err
	}
	shown := false
	for _, game := range all {
		if l.Command.Text != "" && game.Game != l.Command.Text {
			continue
		}
		shown = true
		if err := a.ladderPart(ctx, game); err != nil {
			return err
		}
	}
	if !shown {
		a.line(l.Text, done, "Nobody is on that ladder yet. A match that ends puts its players there.")
	}
	return nil
}

// ladderPart is the ladder of a game, as far as a letter has room.
func (a *answer) ladderPart(ctx context.Context, l *club.Ladder) error {
	rows := [][]string{{"", "player", "rating", "won", "drawn", "lost"}}
	place, provisional, missing := 0, 0, true
	add := func(x ladder.Line, name, at string) {
		rating := fmt.Sprintf("%.0f +-%.0f", x.Rating.Rating, 2*x.Rating.Deviation)
		rows = append(rows, []string{at, name, rating, fmt.Sprint(x.Won), fmt.Sprint(x.Drawn), fmt.Sprint(x.Lost)})
		missing = missing && x.Player != a.member.ID
	}
	for _, x := range l.Lines {
		m, err := a.s.Store.Member(ctx, x.Player)
		if err != nil {
			return err
		}
		if m == nil || m.State != club.Active || x.Inactive(a.s.now()) {
			continue
		}
		at := "?"
		if x.Provisional() {
			provisional++
		} else {
			place++
			at = fmt.Sprint(place)
		}
		if len(rows) <= onLadder || x.Player == a.member.ID {
			add(x, m.Name, at)
		}
		if len(rows) > onLadder && !missing {
			break
		}
	}
	p := templates.Part{Title: "Ladder of " + l.Game, Rows: templates.Columns(rows)}
	p.Says = append(p.Says, "What is played in a week counts when the week is over, on Monday. Behind +- stands how unsure a rating is: "+
		"in nineteen cases of twenty the player's strength is within that range.")
	if provisional > 0 {
		p.Says = append(p.Says, "A question mark means that too little is known yet to give a player a place.")
	}
	a.part(p)
	if rows := sideRows(l.Sides); len(rows) > 0 {
		a.part(templates.Part{Title: "How often each seat wins", Says: []string{"The rating of the first seat's " +
			"player was higher by:"}, Rows: templates.Columns(rows)})
	}
	return nil
}

// sideRows say how often each seat of a game of two wins.
func sideRows(sides []ladder.Side) (rows [][]string) {
	for _, s := range sides {
		if rows == nil {
			rows = [][]string{{"rating", "first won", "second won", "drawn", "first got", "ratings say"}}
		}
		band := fmt.Sprintf("%+d to %+d", s.From, s.To)
		switch {
		case s.From == 0 && s.To < 0:
			band = fmt.Sprintf("below %+d", s.To)
		case s.To == 0 && s.From > 0:
			band = fmt.Sprintf("above %+d", s.From)
		}
		got := (float64(s.First) + float64(s.Drawn)/2) / float64(s.Games())
		rows = append(rows, []string{band, fmt.Sprint(s.First), fmt.Sprint(s.Second), fmt.Sprint(s.Drawn), fmt.Sprintf("%.0f %%", 100*got), fmt.Sprintf("%.0f %%", 100*s.Expected/float64(s.Games()))})
	}
	return rows
}

// rating tells how a member stands, the reader himself if nobody is named.
func (a *answer) rating(ctx context.Context, l letter.Line) error {
	m, err := a.ofLine(ctx, l)
	if err != nil || m == nil {
		return err
	}
	all, err := a.s.gamesPlayed(ctx)
	if err != nil {
		return err
	}
	var says []string
	for _, game := range all {
		x, ok := game.Find(m.ID)
		if !ok {
			continue
		}
		text := fmt.Sprintf("%s: rating %.0f; in nineteen cases of twenty the strength is between %.0f and %.0f. "+
			"%d won, %d drawn, %d lost.", game.Game, x.Rating.Rating,
			x.Rating.Rating-2*x.Rating.Deviation, x.Rating.Rating+2*x.Rating.Deviation, x.Won, x.Drawn, x.Lost)
		if x.Provisional() {
			text += " It is provisional: too little is known yet."
		}
		if x.Waits > 0 {
			text += fmt.Sprintf(" Not in the rating yet, since they count on Monday: %d.", x.Waits)
		}
		says = append(says, text)
	}
	if len(says) == 0 {
		says = []string{"No match that counts has ended yet."}
	}
	a.part(templates.Part{Title: "Rating of " + m.Name, Says: says})
	return nil
}

// ofLine is whom a line names: the reader himself, where it names nobody.
func (a *answer) ofLine(ctx context.Context, l letter.Line) (*club.Member, error) {
	if l.Command.As == "" {
		return a.member, nil
	}
	return a.named(ctx, l)
}

// results lists the newest results: of all, or of a member.
func (a *answer) results(ctx context.Context, l letter.Line) error {
	title := "The newest results"
	var list []club.Result
	var err error
	if l.Command.As == "" {
		list, err = a.s.Store.NewestResults(ctx, inList)
	} else {
		var m *club.Member
		if m, err = a.named(ctx, l); err != nil || m == nil {
			return err
		}
		title = "The newest results of " + m.Name
		list, err = a.s.Store.ResultsOf(ctx, m.ID, inList)
	}
	if err != nil {
		return err
	}
	names, err := a.s.names(ctx, list)
	if err != nil {
		return err
	}
	p := templates.Part{Title: title}
	for i := range list {
		p.Rows = append(p.Rows, templates.Columns([][]string{a.s.resultRow(&list[i], names)})...)
	}
	if len(list) == 0 {
		p.Says = []string{"None yet."}
	}
	a.part(p)
	return nil
}

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
	return "To join, write a letter to " + to + " with REGISTER and the name that you want, such as REGISTER Ada, and answer " +
		"the letter that comes."
}

// siteGame adds the ladder and the results of a game. Ladders of the pages have the course of
// ratings.
func (s *Secretary) siteGame(ctx context.Context, c *site.Club, g *rules.Game, now time.Time, belongs map[string]string, files func(string) (string, string)) error {
	results, err := s.Store.Results(ctx, g.Name())
	if err != nil {
		return err
	}
	game := site.Game{Name: g.Name(), Title: g.Title(), Ladder: ladder.Compute(now, club.Rated(results))}
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
