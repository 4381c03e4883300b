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
	// DueDigests returns the IDs of members with a digest due by now. Announcements lists the director's announcements after
	// a time, newest first.
	DueDigests(ctx context.Context, now time.Time, limit int) ([]int64, error)
	Announcements(ctx context.Context, since time.Time, limit int) ([]club.Announcement, error)
}

type digestService struct {
	store       Store
	replies     conversation.Replies
	games       rules.Games
	writer      letterWriter
	accounts    *accountService
	offers      *offerService
	ladders     *ladderService
	tournaments *tournamentService
	// newsCache holds the news by the start of their period, because many digests have the same period. mu guards
	// newsCache.
	mu        sync.Mutex
	newsCache map[time.Time]*news
}

const (
	// maxDigests is the maximum number of digests that are written before other tasks run.
	maxDigests = 25
	// maxDigestItems is the maximum number of results, and of announcements, in a digest.
	maxDigestItems = 15
	// maxMaps limits the maps in a digest, maxPlaces the places of each ladder.
	maxMaps, maxPlaces = 3, 5
	// newsCacheTime is the maximum age of news in the cache.
	newsCacheTime = time.Hour
	// maxNewsPeriod limits the period of a digest that is sent late.
	maxNewsPeriod = 31 * 24 * time.Hour
)

// sendDueDigests writes the digests that are due. If a member is changed by another task at the same time, the digest
// waits for the next call.
func (s *digestService) sendDueDigests(ctx context.Context, now time.Time) error {
	ids, err := s.store.DueDigests(ctx, now, maxDigests)
	if err != nil {
		return err
	}
	var errs []error
	for _, id := range ids {
		if err := s.sendDigest(ctx, id, now); err != nil && !errors.Is(err, match.ErrConflict) {
			errs = append(errs, fmt.Errorf("send the digest to member %d: %w", id, err))
			if _, fault := s.store.Fault(err); fault || ctx.Err() != nil {
				break // The daemon is stopping, or the database has failed.
			}
			errs = append(errs, s.postponeDigest(ctx, id, now.Add(retryDelay)))
		}
	}
	return errors.Join(errs...)
}

// postponeDigest delays a digest that could not be written, so that it does not block others.
func (s *digestService) postponeDigest(ctx context.Context, id int64, until time.Time) error {
	m, err := s.store.Member(ctx, id)
	if err != nil || m == nil {
		return err
	}
	m.DigestDue = until
	return s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Members: []*club.Member{m}}})
}

func (s *digestService) sendDigest(ctx context.Context, id int64, now time.Time) error {
	m, err := s.store.Member(ctx, id)
	if err != nil || m == nil {
		return err
	}
	period, due := m.Settings.Digest, m.DigestDue
	m.DigestDue = time.Time{}
	if m.State != club.MemberActive || m.Address == "" || period == "" {
		return s.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Members: []*club.Member{m}}})
	}
	latest, err := s.loadRecentNews(ctx, due.AddDate(0, 0, -period.Days()), now)
	if err != nil {
		return err
	}
	m.DigestDue = period.NextAfter(now)
	ans := s.writer.newAnswer(m, exchange.Letter{})
	if err := s.writeDigest(ctx, ans, latest); err != nil {
		return err
	}
	return ans.send(ctx)
}

// loadRecentNews returns the news since a time. They come from a cache, and may be as old as newsCacheTime.
func (s *digestService) loadRecentNews(ctx context.Context, since, now time.Time) (*news, error) {
	if oldest := now.Add(-maxNewsPeriod); since.Before(oldest) {
		since = oldest.Truncate(24 * time.Hour)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.newsCache, func(_ time.Time, n *news) bool { return now.Sub(n.readAt).Abs() >= newsCacheTime })
	if n := s.newsCache[since]; n != nil {
		return n, nil
	}
	n, err := s.loadNews(ctx, since, now)
	if err != nil {
		return nil, err
	}
	if s.newsCache == nil {
		s.newsCache = map[time.Time]*news{}
	}
	s.newsCache[since] = n
	return n, nil
}

// news holds the news since a time, as loaded from the store at readAt.
type news struct {
	since, readAt time.Time
	announcements []club.Announcement
	results       []club.Result
	names         map[int64]string
	ladders       []ladderNews
	tournaments   []club.Tournament
}

// ladderNews is the current ladder of a game, and the previous ladder at the beginning of the period. topRows are the rows
// of the first places.
type ladderNews struct {
	game              string
	current, previous ladder.Ladder
	topRows           [][]string
}

func (s *digestService) loadNews(ctx context.Context, since, now time.Time) (*news, error) {
	n := &news{since: since, readAt: now}
	var err error
	if n.announcements, err = s.store.Announcements(ctx, since, maxDigestItems); err != nil {
		return nil, err
	}
	if n.results, err = s.store.NewestResults(ctx, maxDigestItems); err != nil {
		return nil, err
	}
	if n.results, err = s.filterFinalSince(ctx, n.results, since); err != nil {
		return nil, err
	}
	if n.names, err = loadNamesOfResults(ctx, s.store, n.results); err != nil {
		return nil, err
	}
	for _, g := range s.games {
		results, err := s.store.Results(ctx, g.Name())
		if err != nil {
			return nil, err
		}
		if rated := club.RatedResults(results); len(rated) > 0 {
			l := ladderNews{game: g.Name(), current: ladder.Compute(now, rated),
				previous: ladder.Compute(since, resultsBefore(rated, since, n.results))}
			if l.topRows, err = s.loadTopRows(ctx, l, now); err != nil {
				return nil, err
			}
			n.ladders = append(n.ladders, l)
		}
	}
	n.tournaments, err = s.store.Tournaments(ctx)
	return n, err
}

func (s *digestService) loadTopRows(ctx context.Context, l ladderNews, now time.Time) (rows [][]string, err error) {
	for _, line := range l.current.Lines {
		if len(rows) == maxPlaces {
			break
		}
		if line.IsProvisional() || line.IsInactive(now) {
			continue
		}
		m, err := s.store.Member(ctx, line.Player)
		if err != nil {
			return nil, err
		}
		if m != nil && m.State == club.MemberActive {
			rows = append(rows, []string{fmt.Sprint(len(rows) + 1), m.Name, fmt.Sprintf("%.0f", line.Rating.Rating), l.describeRatingChange(line)})
		}
	}
	return rows, nil
}

// describeRatingChange returns the change of a rating, e.g. "(+12)"; empty for none.
func (m ladderNews) describeRatingChange(current ladder.Line) string {
	if previousLine, hasPrevious := m.previous.Find(current.Player); hasPrevious && previousLine.Rating.Rating != current.Rating.Rating {
		return fmt.Sprintf("(%+.0f)", current.Rating.Rating-previousLine.Rating.Rating)
	}
	return ""
}

// filterFinalSince returns the results that became final after a time. If the director may undo the end of a match, its
// result becomes final only some days after the end (record.CorrectionPeriod).
func (s *digestService) filterFinalSince(ctx context.Context, results []club.Result, since time.Time) (out []club.Result, err error) {
	for _, r := range results {
		finalAt := r.Ended
		if finalAt.Before(since) {
			m, err := s.replies.Store.Match(ctx, r.Match)
			if err != nil {
				return nil, err
			}
			if e := m.Ended; e != nil {
				finalAt = e.Act.Kind.FinalAt(e.At)
			}
		}
		if !finalAt.Before(since) {
			out = append(out, r)
		}
	}
	return out, nil
}

// resultsBefore returns the results that were final at the time until. laterResults are the results that became final
// after that time.
func resultsBefore(results []ladder.Result, until time.Time, laterResults []club.Result) (out []ladder.Result) {
	for _, r := range results {
		if r.Ended.Before(until) && !slices.ContainsFunc(laterResults, func(l club.Result) bool { return l.Match == r.Match }) {
			out = append(out, r)
		}
	}
	return out
}

func (s *digestService) writeDigest(ctx context.Context, ans *answer, n *news) error {
	ans.subject, ans.unsubscribe = "news since "+formatDay(n.since), "DIGEST OFF"
	ans.addParagraphs(fmt.Sprintf("Here is the news of %s since %s. To stop these letters, reply DIGEST OFF.", s.writer.club,
		formatDay(n.since)))
	for _, announcement := range n.announcements {
		ans.addSection(templates.PlainSection{Title: "The director, on " + formatDay(announcement.At), Paragraphs: []string{announcement.Text}})
	}
	if err := s.accounts.listMatches(ctx, ans, letter.Line{}); err != nil {
		return err
	}
	ans.addSection(s.ladders.newResultsSection("Matches that have ended", n.results, n.names, "None."))
	for _, l := range n.ladders {
		if len(l.topRows) > 0 {
			ans.addSection(templates.PlainSection{Title: "First on the ladder of " + l.game, Table: l.topRows})
		}
		s.addOwnRating(ans, l)
	}
	if err := s.offers.listOffers(ctx, ans, letter.Line{}); err != nil {
		return err
	}
	var rows [][]string
	for _, t := range n.tournaments {
		switch t.Progress.State {
		case tournament.Entering:
			rows = append(rows, []string{t.Name, fmt.Sprintf("starts on %s; to enter, write ENTER %s", formatMoment(t.Starts), t.Name)})
		case tournament.Running:
			rows = append(rows, []string{t.Name, fmt.Sprintf("round %d is being played; TABLE %s shows the standings", len(t.Progress.Rounds),
				t.Name)})
		}
	}
	if len(rows) > 0 {
		ans.addSection(templates.PlainSection{Title: "Tournaments", Table: rows})
	}
	for i := range n.tournaments {
		t := &n.tournaments[i]
		if t.Progress.State == tournament.Running && slices.ContainsFunc(t.Progress.Entrants,
			func(e tournament.Entrant) bool { return e.Player == ans.member.ID }) {
			if err := s.tournaments.addStandings(ctx, ans, t); err != nil {
				return err
			}
		}
	}
	return s.addMaps(ctx, ans, n)
}

// addMaps adds the final maps of the reader's matches among the news. If there are none, it adds the final map of the
// newest result.
func (s *digestService) addMaps(ctx context.Context, ans *answer, n *news) error {
	var ownResults []club.Result
	for _, r := range n.results {
		if slices.ContainsFunc(r.Seats, func(s club.ResultSeat) bool { return s.Player == ans.member.ID }) && len(ownResults) < maxMaps {
			ownResults = append(ownResults, r)
		}
	}
	if len(ownResults) == 0 {
		ownResults = n.results[:min(1, len(n.results))]
	}
	for _, r := range ownResults {
		lines, err := s.loadMap(ctx, r.Match, ans.isSpoken())
		if err != nil {
			return err
		}
		if len(lines) > 0 {
			p := templates.PlainSection{Title: "Match " + r.Match + " at the end", Rows: lines}
			if ans.isSpoken() {
				p.Paragraphs, p.Rows = lines, nil
			} else if i := slices.Index(lines, ""); i > 0 && len(lines[0]) > templates.Width-len("    ") {
				p.Paragraphs, p.Rows = []string{strings.Join(lines[:i], " ")}, lines[i+1:] // These lines would not fit as indented rows.
			}
			ans.addSection(p)
		}
	}
	return nil
}

// loadMap returns the map of a match that is over, as lines or as sentences for a screen reader; nil if the game has no map.
func (s *digestService) loadMap(ctx context.Context, matchID string, isSpoken bool) (lines []string, err error) {
	m, err := s.replies.Store.Match(ctx, matchID)
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
	view := pos.View(rules.NoSeat)
	sections := g.AnswerQuery(view, rules.QueryMap)
	for _, section := range sections {
		if isSpoken && g.Speech != nil {
			for _, sentence := range g.Speech.SpeakSection(view, nil, section.Title) {
				if !strings.HasPrefix(sentence, string(rules.QueryBigMap)) { // The club answers no MAP BIG.
					lines = append(lines, g.Speech.SpeakText(sentence))
				}
			}
			continue
		}
		if len(sections) > 1 {
			lines = append(lines, strings.ToUpper(section.Title), "")
		}
		lines = append(append(lines, section.Lines...), "")
	}
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	return lines, nil
}

func (s *digestService) addOwnRating(ans *answer, l ladderNews) {
	current, hasRating := l.current.Find(ans.member.ID)
	if !hasRating {
		return
	}
	text := fmt.Sprintf("Your rating on the ladder of %s is %.0f", l.game, current.Rating.Rating)
	if change := l.describeRatingChange(current); change != "" {
		text += " " + change
	}
	if current.IsProvisional() {
		text += ", which is provisional"
	}
	ans.addSection(templates.PlainSection{Title: "Where you stand", Paragraphs: []string{text + ". LADDER shows all players."}})
}
