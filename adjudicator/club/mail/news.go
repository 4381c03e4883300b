package clubmail

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/internal/site"
	"samizdat/rules"
	"samizdat/templates"
)

// News reads announcements and due digests from the store.
type News interface {
	// DueDigests are the numbers of the members to whom a digest goes by now. Announcements lists the director's announcements
	// since a time, the newest first.
	DueDigests(ctx context.Context, now time.Time, limit int) ([]int64, error)
	Announcements(ctx context.Context, since time.Time, limit int) ([]club.Announcement, error)
}

// digests writes the digests of members.
type digests struct {
	store       Store
	replies     conversation.Replies
	games       rules.Games
	post        writer
	accounts    *accounts
	offers      *offers
	ladders     *ladders
	tournaments *tournaments
	// mu guards newest: the news that were gathered last, by the times since which they are. Many digests tell the same.
	mu     sync.Mutex
	newest map[time.Time]*news
}

const (
	// mostDigests is how many digests are written before other tasks have their turn.
	mostDigests = 25
	// inDigest is how many results, offers and announcements a digest has room for.
	inDigest = 15
	// mostMaps is how many matches of the reader's own it shows as they stood at the end, mostPlaces how many places of a
	// ladder.
	mostMaps, mostPlaces = 3, 5
	// newsKept is how long news are kept for the digests of others.
	newsKept = time.Hour
	// longestNews is how far back a late digest goes.
	longestNews = 31 * 24 * time.Hour
)

// send writes the digests that are due. If the member has changed meanwhile, his digest waits for the next call.
func (s *digests) send(ctx context.Context, now time.Time) error {
	ids, err := s.store.DueDigests(ctx, now, mostDigests)
	if err != nil {
		return err
	}
	var all []error
	for _, id := range ids {
		if err := s.sendDigest(ctx, id, now); err != nil && !errors.Is(err, match.ErrConflict) {
			all = append(all, fmt.Errorf("the digest of member %d: %w", id, err))
			if _, fault := s.store.Fault(err); fault || ctx.Err() != nil {
				break // The daemon stops, or the database.
			}
			all = append(all, s.postpone(ctx, id, now.Add(againAfter)))
		}
	}
	return errors.Join(all...)
}

// postpone puts off a digest that could not be written, so that it holds up no other.
func (s *digests) postpone(ctx context.Context, id int64, until time.Time) error {
	m, err := s.store.Member(ctx, id)
	if err != nil || m == nil {
		return err
	}
	m.NewsDue = until
	return s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Members: []*club.Member{m}}})
}

// sendDigest writes the digest of a member.
func (s *digests) sendDigest(ctx context.Context, id int64, now time.Time) error {
	m, err := s.store.Member(ctx, id)
	if err != nil || m == nil {
		return err
	}
	wants, due := m.Settings.Digest, m.NewsDue
	m.NewsDue = time.Time{}
	if m.State != club.Active || m.Address == "" || wants == "" {
		return s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Members: []*club.Member{m}}})
	}
	known, err := s.newsSince(ctx, due.AddDate(0, 0, -wants.Days()), now)
	if err != nil {
		return err
	}
	m.NewsDue = wants.After(now)
	a := s.post.answer(m, exchange.Letter{})
	if err := s.write(ctx, a, known); err != nil {
		return err
	}
	return a.send(ctx)
}

// newsSince are the news since a time, as they were gathered a short while ago or are now.
func (s *digests) newsSince(ctx context.Context, since, now time.Time) (*news, error) {
	if oldest := now.Add(-longestNews); since.Before(oldest) {
		since = oldest.Truncate(24 * time.Hour)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.newest, func(_ time.Time, n *news) bool { return now.Sub(n.now).Abs() >= newsKept })
	if n := s.newest[since]; n != nil {
		return n, nil
	}
	n, err := s.gather(ctx, since, now)
	if err != nil {
		return nil, err
	}
	if s.newest == nil {
		s.newest = map[time.Time]*news{}
	}
	s.newest[since] = n
	return n, nil
}

// news are the events of the club in a span of time.
type news struct {
	since, now    time.Time
	announcements []club.Announcement
	results       []club.Result
	names         map[int64]string
	ladders       []moved
	tournaments   []club.Tournament
}

// moved is a ladder by now, and at the beginning of the span; first are the rows of its first places.
type moved struct {
	game     string
	now, was ladder.Ladder
	first    [][]string
}

// gather reads the news from the store.
func (s *digests) gather(ctx context.Context, since, now time.Time) (*news, error) {
	n := &news{since: since, now: now}
	var err error
	if n.announcements, err = s.store.Announcements(ctx, since, inDigest); err != nil {
		return nil, err
	}
	if n.results, err = s.store.NewestResults(ctx, inDigest); err != nil {
		return nil, err
	}
	if n.results, err = s.knownSince(ctx, n.results, since); err != nil {
		return nil, err
	}
	if n.names, err = resultNames(ctx, s.store, n.results); err != nil {
		return nil, err
	}
	for _, g := range s.games {
		results, err := s.store.Results(ctx, g.Name())
		if err != nil {
			return nil, err
		}
		if rated := club.Rated(results); len(rated) > 0 {
			l := moved{game: g.Name(), now: ladder.Compute(now, rated), was: ladder.Compute(since, before(rated, since, n.results))}
			if l.first, err = s.firstPlaces(ctx, l, now); err != nil {
				return nil, err
			}
			n.ladders = append(n.ladders, l)
		}
	}
	n.tournaments, err = s.store.Tournaments(ctx)
	return n, err
}

// firstPlaces are the rows of the first places of a ladder, with the moves of their ratings.
func (s *digests) firstPlaces(ctx context.Context, l moved, now time.Time) (rows [][]string, err error) {
	for _, x := range l.now.Lines {
		if len(rows) == mostPlaces {
			break
		}
		if x.Provisional() || x.Inactive(now) {
			continue
		}
		m, err := s.store.Member(ctx, x.Player)
		if err != nil {
			return nil, err
		}
		if m != nil && m.State == club.Active {
			rows = append(rows, []string{fmt.Sprint(len(rows) + 1), m.Name, fmt.Sprintf("%.0f", x.Rating.Rating), l.move(x)})
		}
	}
	return rows, nil
}

// move is the change of a rating, such as (+12); empty for none.
func (l moved) move(is ladder.Line) string {
	if was, before := l.was.Find(is.Player); before && was.Rating.Rating != is.Rating.Rating {
		return fmt.Sprintf("(%+.0f)", is.Rating.Rating-was.Rating.Rating)
	}
	return ""
}

// knownSince are the results that became final after a time. An end that the director can undo becomes final later.
func (s *digests) knownSince(ctx context.Context, results []club.Result, since time.Time) (out []club.Result, err error) {
	for _, r := range results {
		known := r.Ended
		if known.Before(since) {
			m, err := s.replies.Store.Match(ctx, r.Match)
			if err != nil {
				return nil, err
			}
			if e := m.Acts.Ended; e != nil {
				known = e.Act.Kind.FinalAt(e.At)
			}
		}
		if !known.Before(since) {
			out = append(out, r)
		}
	}
	return out, nil
}

// before are the results that were final at a time. Since are the results that became final after it.
func before(results []ladder.Result, until time.Time, since []club.Result) (out []ladder.Result) {
	for _, r := range results {
		if r.Ended.Before(until) && !slices.ContainsFunc(since, func(s club.Result) bool { return s.Match == r.Match }) {
			out = append(out, r)
		}
	}
	return out
}

// write writes a digest.
func (s *digests) write(ctx context.Context, a *answer, n *news) error {
	a.subject, a.unsubscribe = "news since "+day(n.since), "DIGEST OFF"
	a.says(fmt.Sprintf("The news of %s since %s. DIGEST OFF in an answer ends them.", s.post.club, day(n.since)))
	for _, x := range n.announcements {
		a.part(templates.Part{Title: "The director, on " + day(x.At), Says: []string{x.Text}})
	}
	if err := s.accounts.matches(ctx, a, letter.Line{}); err != nil {
		return err
	}
	a.part(s.ladders.resultsPart("Matches that have ended", n.results, n.names, "None."))
	for _, l := range n.ladders {
		if len(l.first) > 0 {
			a.part(templates.Part{Title: "First on the ladder of " + l.game, Rows: templates.Columns(l.first)})
		}
		s.standing(a, l)
	}
	if err := s.offers.list(ctx, a, letter.Line{}); err != nil {
		return err
	}
	var rows [][]string
	for _, t := range n.tournaments {
		switch t.Life.State {
		case tournament.Entering:
			rows = append(rows, []string{t.Name, fmt.Sprintf("starts on %s: ENTER %s", day(t.Starts), t.Name)})
		case tournament.Running:
			rows = append(rows, []string{t.Name, fmt.Sprintf("round %d is being played: TABLE %s", len(t.Life.Rounds), t.Name)})
		}
	}
	if len(rows) > 0 {
		a.part(templates.Part{Title: "Tournaments", Rows: templates.Columns(rows)})
	}
	for i := range n.tournaments {
		t := &n.tournaments[i]
		if t.Life.State == tournament.Running && slices.ContainsFunc(t.Life.Entrants, func(e tournament.Entrant) bool { return e.Player == a.member.ID }) {
			if err := s.tournaments.standings(ctx, a, t); err != nil {
				return err
			}
		}
	}
	return s.maps(ctx, a, n)
}

// maps shows the end of the reader's matches; if he has finished none, of the newest match of others.
func (s *digests) maps(ctx context.Context, a *answer, n *news) error {
	var mine []club.Result
	for _, r := range n.results {
		if slices.ContainsFunc(r.Seats, func(s club.ResultSeat) bool { return s.Player == a.member.ID }) && len(mine) < mostMaps {
			mine = append(mine, r)
		}
	}
	if len(mine) == 0 {
		mine = n.results[:min(1, len(n.results))]
	}
	for _, r := range mine {
		lines, err := s.mapOf(ctx, r.Match)
		if err != nil {
			return err
		}
		if len(lines) > 0 {
			a.part(templates.Part{Title: "Match " + r.Match + " at the end", Rows: lines})
		}
	}
	return nil
}

// mapOf is the map of a match that is over; nil where the game has none.
func (s *digests) mapOf(ctx context.Context, match string) (lines []string, err error) {
	m, err := s.replies.Store.Match(ctx, match)
	if err != nil {
		return nil, err
	}
	g, err := s.games.Find(m.Game)
	if err != nil {
		return nil, err
	}
	pos, err := m.At(g)
	if err != nil || pos == nil || g.AnswerQuery == nil {
		return nil, err
	}
	sections := g.AnswerQuery(pos.View(rules.NoSeat), rules.QueryMap)
	for _, section := range sections {
		if len(sections) > 1 {
			lines = append(lines, strings.ToUpper(section.Title), "")
		}
		lines = append(append(lines, section.Lines...), "")
	}
	return lines[:max(0, len(lines)-1)], nil
}

// standing tells the reader's rating, and its change.
func (s *digests) standing(a *answer, l moved) {
	is, on := l.now.Find(a.member.ID)
	if !on {
		return
	}
	text := fmt.Sprintf("%s: your rating is %.0f", l.game, is.Rating.Rating)
	if move := l.move(is); move != "" {
		text += " " + move
	}
	if is.Provisional() {
		text += ", which is provisional"
	}
	a.part(templates.Part{Title: "Where you stand", Says: []string{text + ". LADDER shows all."}})
}

// Pages reads what only the pages of the club show.
type Pages interface {
	// AllMembers lists all members that there ever were. ClubMatches lists the running matches whose seats are all members'.
	// InTournaments gives the tournament of each match that belongs to one.
	AllMembers(ctx context.Context) ([]club.Member, error)
	ClubMatches(ctx context.Context) ([]club.Running, error)
	InTournaments(ctx context.Context) (map[string]string, error)
}

// pages gathers what the pages of the club show.
type pages struct {
	store   Store
	replies conversation.Replies
	club    club.Config
	games   rules.Games
}

// mostActs is how many entries of the log the pages show, mostNotices how many announcements.
const mostActs, mostNotices = 200, 3

func (s *pages) site(ctx context.Context, now time.Time, files func(match string) (history, record string)) (*site.Club, error) {
	c := &site.Club{Name: s.club.Name, Address: s.replies.Post.Referee(), Join: s.howToJoin()}
	all, err := s.store.AllMembers(ctx)
	if err != nil {
		return nil, err
	}
	for _, m := range all {
		switch m.State {
		case club.Active, club.Left, club.Banned, club.Forgotten:
			c.Players = append(c.Players, site.Member{ID: m.ID, Name: m.Name, Since: m.Since, Left: m.State != club.Active})
		}
	}
	belongs, err := s.store.InTournaments(ctx)
	if err != nil {
		return nil, err
	}
	for _, g := range s.games {
		if err := s.addGame(ctx, c, g, now, belongs, files); err != nil {
			return nil, err
		}
	}
	if err := s.addMatches(ctx, c); err != nil {
		return nil, err
	}
	news, err := s.store.Announcements(ctx, time.Unix(0, 0), mostNotices)
	if err != nil {
		return nil, err
	}
	for _, n := range news {
		c.Notices = append(c.Notices, site.Notice{At: n.At, Text: n.Text})
	}
	log, err := s.store.ClubLog(ctx, mostActs)
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

// howToJoin tells readers of the pages how to become members.
func (s *pages) howToJoin() string {
	how := "To join, write a letter to " + s.replies.Post.Referee() + " with REGISTER and the name that you want, such as REGISTER Ada"
	switch s.club.Registration {
	case club.Closed:
		return "The club admits nobody new at present."
	case club.Approval:
		return how + ". The director admits you."
	}
	return how + ", and answer the letter that comes."
}

// addGame adds the results of a game, and its ladder with the course of the ratings.
func (s *pages) addGame(ctx context.Context, c *site.Club, g *rules.Game, now time.Time, belongs map[string]string, files func(string) (string, string)) error {
	results, err := s.store.Results(ctx, g.Name())
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

// addMatches adds the running matches, and the tournaments.
func (s *pages) addMatches(ctx context.Context, c *site.Club) error {
	running, err := s.store.ClubMatches(ctx)
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
	cups, err := s.store.Tournaments(ctx)
	if err != nil {
		return err
	}
	for _, t := range cups {
		c.Tournaments = append(c.Tournaments, site.Tournament{Name: t.Name, Title: t.Title, Game: t.Match.Game, Starts: t.Starts, Tournament: t.Life})
	}
	return nil
}

// actText is an entry of the log, such as "Ada was banned: rude letters (the director)".
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
