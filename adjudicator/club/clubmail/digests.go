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
	"samizdat/rules"
	"samizdat/templates"
)

// News reads announcements and due digests from the store.
type News interface {
	// DueDigests lists the IDs of members whose digest is due. Announcements lists the director's announcements
	// since a time, newest first.
	DueDigests(ctx context.Context, now time.Time, limit int) ([]int64, error)
	Announcements(ctx context.Context, since time.Time, limit int) ([]club.Announcement, error)
}

type digestService struct {
	store       Store
	replies     conversation.Replies
	games       rules.Games
	post        letterWriter
	accounts    *accountService
	offers      *offerService
	ladders     *ladderService
	tournaments *tournamentService
	// mu guards newest, a cache of news by the beginning of their period. Many digests have the same period.
	mu     sync.Mutex
	newest map[time.Time]*news
}

const (
	// maxDigests is the number of digests written before other tasks run.
	maxDigests = 25
	// maxDigestItems is how many results, offers and announcements a digest has room for.
	maxDigestItems = 15
	// maxMaps is the number of the reader's finished matches whose last map a digest shows, maxPlaces the number of
	// places of a ladder.
	maxMaps, maxPlaces = 3, 5
	// newsCacheTime is how long news are kept for the digests of others.
	newsCacheTime = time.Hour
	// maxNewsPeriod is how far back a late digest goes.
	maxNewsPeriod = 31 * 24 * time.Hour
)

// sendDue writes the digests that are due. If a member has changed in between, the digest waits for the next call.
func (s *digestService) sendDue(ctx context.Context, now time.Time) error {
	ids, err := s.store.DueDigests(ctx, now, maxDigests)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		if err := s.sendDigest(ctx, id, now); err != nil && !errors.Is(err, match.ErrConflict) {
			errs = append(errs, fmt.Errorf("the digest of member %d: %w", id, err))
			if _, fault := s.store.Fault(err); fault || ctx.Err() != nil {
				break // The daemon is stopping, or the database has failed.
			}
			errs = append(errs, s.postpone(ctx, id, now.Add(retryDelay)))
		}
	}
	return errors.Join(errs...)
}

// postpone delays a digest that could not be written, so that it does not block others.
func (s *digestService) postpone(ctx context.Context, id int64, until time.Time) error {
	m, err := s.store.Member(ctx, id)
	if err != nil || m == nil {
		return err
	}
	m.NewsDue = until
	return s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Members: []*club.Member{m}}})
}

func (s *digestService) sendDigest(ctx context.Context, id int64, now time.Time) error {
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
	a := s.post.newAnswer(m, exchange.Letter{})
	if err := s.writeDigest(ctx, a, known); err != nil {
		return err
	}
	return a.send(ctx)
}

// newsSince returns the news since a time. They may be up to newsKept old.
func (s *digestService) newsSince(ctx context.Context, since, now time.Time) (*news, error) {
	if oldest := now.Add(-maxNewsPeriod); since.Before(oldest) {
		since = oldest.Truncate(24 * time.Hour)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.newest, func(_ time.Time, n *news) bool { return now.Sub(n.now).Abs() >= newsCacheTime })
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

type news struct {
	since, now    time.Time
	announcements []club.Announcement
	results       []club.Result
	names         map[int64]string
	ladders       []ladderNews
	tournaments   []club.Tournament
}

// ladderNews is a ladder now and at the beginning of the period. topRows are the rows of its first places.
type ladderNews struct {
	game        string
	now, before ladder.Ladder
	topRows     [][]string
}

func (s *digestService) gather(ctx context.Context, since, now time.Time) (*news, error) {
	n := &news{since: since, now: now}
	var err error
	if n.announcements, err = s.store.Announcements(ctx, since, maxDigestItems); err != nil {
		return nil, err
	}
	if n.results, err = s.store.NewestResults(ctx, maxDigestItems); err != nil {
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
		if rated := club.RatedResults(results); len(rated) > 0 {
			l := ladderNews{game: g.Name(), now: ladder.Compute(now, rated), before: ladder.Compute(since, resultsBefore(rated, since, n.results))}
			if l.topRows, err = s.firstPlaces(ctx, l, now); err != nil {
				return nil, err
			}
			n.ladders = append(n.ladders, l)
		}
	}
	n.tournaments, err = s.store.Tournaments(ctx)
	return n, err
}

func (s *digestService) firstPlaces(ctx context.Context, l ladderNews, now time.Time) (rows [][]string, err error) {
	for _, line := range l.now.Lines {
		if len(rows) == maxPlaces {
			break
		}
		if line.Provisional() || line.Inactive(now) {
			continue
		}
		m, err := s.store.Member(ctx, line.Player)
		if err != nil {
			return nil, err
		}
		if m != nil && m.State == club.Active {
			rows = append(rows, []string{fmt.Sprint(len(rows) + 1), m.Name, fmt.Sprintf("%.0f", line.Rating.Rating), l.describeMove(line)})
		}
	}
	return rows, nil
}

// describeMove returns the change of a rating, e.g. (+12); empty for none.
func (m ladderNews) describeMove(current ladder.Line) string {
	if was, before := m.before.Find(current.Player); before && was.Rating.Rating != current.Rating.Rating {
		return fmt.Sprintf("(%+.0f)", current.Rating.Rating-was.Rating.Rating)
	}
	return ""
}

// knownSince returns the results that became final after a time. An end that the director can undo becomes final
// later.
func (s *digestService) knownSince(ctx context.Context, results []club.Result, since time.Time) (out []club.Result, err error) {
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

// resultsBefore returns the results that were final at a time. Since are the results that became final after it.
func resultsBefore(results []ladder.Result, until time.Time, since []club.Result) (out []ladder.Result) {
	for _, r := range results {
		if r.Ended.Before(until) && !slices.ContainsFunc(since, func(s club.Result) bool { return s.Match == r.Match }) {
			out = append(out, r)
		}
	}
	return out
}

func (s *digestService) writeDigest(ctx context.Context, a *answer, n *news) error {
	a.subject, a.unsubscribe = "news since "+formatDay(n.since), "DIGEST OFF"
	a.addParagraphs(fmt.Sprintf("The news of %s since %s. To stop these letters, reply DIGEST OFF.", s.post.club, formatDay(n.since)))
	for _, x := range n.announcements {
		a.addPart(templates.Part{Title: "The director, on " + formatDay(x.At), Paragraphs: []string{x.Text}})
	}
	if err := s.accounts.listMatches(ctx, a, letter.Line{}); err != nil {
		return err
	}
	a.addPart(s.ladders.resultsPart("Matches that have ended", n.results, n.names, "None."))
	for _, l := range n.ladders {
		if len(l.topRows) > 0 {
			a.addPart(templates.Part{Title: "First on the ladder of " + l.game, Rows: templates.Columns(l.topRows)})
		}
		s.addLadder(a, l)
	}
	if err := s.offers.listOffers(ctx, a, letter.Line{}); err != nil {
		return err
	}
	var rows [][]string
	for _, t := range n.tournaments {
		switch t.Life.State {
		case tournament.Entering:
			rows = append(rows, []string{t.Name, fmt.Sprintf("starts on %s; to enter, write ENTER %s", formatMoment(t.Starts), t.Name)})
		case tournament.Running:
			rows = append(rows, []string{t.Name, fmt.Sprintf("round %d is being played; TABLE %s shows the standings", len(t.Life.Rounds), t.Name)})
		}
	}
	if len(rows) > 0 {
		a.addPart(templates.Part{Title: "Tournaments", Rows: templates.Columns(rows)})
	}
	for i := range n.tournaments {
		t := &n.tournaments[i]
		if t.Life.State == tournament.Running && slices.ContainsFunc(t.Life.Entrants,
			func(e tournament.Entrant) bool { return e.Player == a.member.ID }) {
			if err := s.tournaments.addStandings(ctx, a, t); err != nil {
				return err
			}
		}
	}
	return s.addMaps(ctx, a, n)
}

// addMaps adds the last maps of the reader's finished matches, or else of the newest match of other members.
func (s *digestService) addMaps(ctx context.Context, a *answer, n *news) error {
	var mine []club.Result
	for _, r := range n.results {
		if slices.ContainsFunc(r.Seats, func(s club.ResultSeat) bool { return s.Player == a.member.ID }) && len(mine) < maxMaps {
			mine = append(mine, r)
		}
	}
	if len(mine) == 0 {
		mine = n.results[:min(1, len(n.results))]
	}
	for _, r := range mine {
		lines, err := s.loadMap(ctx, r.Match)
		if err != nil {
			return err
		}
		if len(lines) > 0 {
			p := templates.Part{Title: "Match " + r.Match + " at the end", Rows: lines}
			if i := slices.Index(lines, ""); i > 0 && len(lines[0]) > templates.Width-len("    ") {
				p.Paragraphs, p.Rows = []string{strings.Join(lines[:i], " ")}, lines[i+1:] // These lines would not fit as indented rows.
			}
			a.addPart(p)
		}
	}
	return nil
}

// loadMap returns the map of a match that is over; nil where the game has none.
func (s *digestService) loadMap(ctx context.Context, match string) (lines []string, err error) {
	m, err := s.replies.Store.Match(ctx, match)
	if err != nil {
		return nil, err
	}
	g, err := s.games.Find(m.Game)
	if err != nil {
		return nil, err
	}
	pos, err := m.CurrentPosition(g)
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

func (s *digestService) addLadder(a *answer, l ladderNews) {
	current, on := l.now.Find(a.member.ID)
	if !on {
		return
	}
	text := fmt.Sprintf("%s: your rating is %.0f", l.game, current.Rating.Rating)
	if move := l.describeMove(current); move != "" {
		text += " " + move
	}
	if current.Provisional() {
		text += ", which is provisional"
	}
	a.addPart(templates.Part{Title: "Where you stand", Paragraphs: []string{text + ". LADDER shows all players."}})
}
