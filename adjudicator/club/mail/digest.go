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

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/ladder"
	"samizdat/adjudicator/club/tournament"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// News is what the secretary needs of the store for digests.
type News interface {
	// DueDigests are the numbers of the members to whom a digest goes by now. Announcements
	// lists what the director has announced since a time, the newest first.
	DueDigests(ctx context.Context, now time.Time, limit int) ([]int64, error)
	Announcements(ctx context.Context, since time.Time, limit int) ([]club.Announcement, error)
}

const (
	// mostDigests is how many digests are written before other duties have their turn.
	mostDigests = 25
	// inDigest is how many results, offers and announcements a digest has room for.
	inDigest = 15
	// mostMaps is how many matches of the reader's own it shows as they stood at the end.
	mostMaps = 3
	// newsKept is for how long what has happened is kept for the digests of others.
	newsKept = time.Hour
	// longestNews is how far back a digest goes that comes late.
	longestNews = 31 * 24 * time.Hour
	// mostAnnounced is how many bytes an announcement may have.
	mostAnnounced = 4000
)

// digest changes how often the writer gets news.
func (a *answer) digest(_ context.Context, l letter.Line) error {
	m := a.member
	m.Settings.Digest, m.NewsDue, a.did = club.Digest(l.Command.Text), time.Time{}, true
	if m.Settings.Digest == "" {
		a.line(l.Text, done, "You get no news of the club. Your matches write to you as before.")
		return nil
	}
	m.NewsDue = m.Settings.Digest.After(a.s.now())
	a.line(l.Text, done, fmt.Sprintf("You get the news of the club %s, for the first time on %s.", m.Settings.Digest, day(m.NewsDue)))
	return nil
}

// Announce lets all members know something: it stands in their digests and on the pages.
func (s *Secretary) Announce(ctx context.Context, text, by string) error {
	c, err := s.announces(text, by)
	if err != nil {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: c})
}

// announces is what an announcement changes.
func (s *Secretary) announces(text, by string) (*club.Change, error) {
	if text == "" || len(text) > mostAnnounced {
		return nil, &adjudicator.Undirected{Why: fmt.Sprintf("an announcement has 1 to %d characters", mostAnnounced)}
	}
	return &club.Change{Announced: []club.Announcement{{At: s.now(), Text: text}}, Log: []club.LogEntry{{At: s.now(), By: by, Act: "announced something"}}}, nil
}

// sendDigests writes the digests that are due. A member who has written or been written to
// meanwhile gets his the next time.
func (s *Secretary) sendDigests(ctx context.Context, now time.Time) error {
	ids, err := s.Store.DueDigests(ctx, now, mostDigests)
	if err != nil || len(ids) == 0 {
		return err
	}
	var all []error
	for _, id := range ids {
		if err := s.sendDigest(ctx, id, now); err != nil && !errors.Is(err, match.ErrConflict) {
			all = append(all, fmt.Errorf("the digest of member %d: %w", id, err))
			if _, fault := s.Store.Fault(err); fault || ctx.Err() != nil {
				break // It is the daemon that stops, or the database.
			}
			all = append(all, s.digestLater(ctx, id, now.Add(againAfter)))
		}
	}
	return errors.Join(all...)
}

// digestLater puts a digest off that could not be written, so that it holds up no other.
func (s *Secretary) digestLater(ctx context.Context, id int64, until time.Time) error {
	m, err := s.Store.Member(ctx, id)
	if err != nil || m == nil {
		return err
	}
	m.NewsDue = until
	return s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: &club.Change{Members: []*club.Member{m}}})
}

// sendDigest writes the digest of a member.
func (s *Secretary) sendDigest(ctx context.Context, id int64, now time.Time) error {
	m, err := s.Store.Member(ctx, id)
	if err != nil || m == nil {
		return err
	}
	wants, due := m.Settings.Digest, m.NewsDue
	m.NewsDue = time.Time{}
	if m.State != club.Active || m.Address == "" || wants == "" {
		return s.Adjudicator.Store.Apply(ctx, exchange.Change{Club: &club.Change{Members: []*club.Member{m}}})
	}
	known, err := s.newsSince(ctx, due.AddDate(0, 0, -wants.Days()), now)
	if err != nil {
		return err
	}
	m.NewsDue = wants.After(now)
	a := s.answer(m, exchange.Letter{})
	if err := a.news(ctx, known); err != nil {
		return err
	}
	d, err := a.dispatch()
	if err != nil {
		return err
	}
	return s.Adjudicator.Store.Apply(ctx, exchange.Change{Letters: []exchange.Dispatch{d}, Club: &a.change})
}

// gazette keeps the news that were gathered last, by the times since when they are: many digests
// tell the same.
type gazette struct {
	mu   sync.Mutex
	news map[time.Time]*news
}

// newsSince is what has happened since a time, as it was gathered a short while ago or is now.
func (s *Secretary) newsSince(ctx context.Context, since, now time.Time) (*news, error) {
	if oldest := now.Add(-longestNews); since.Before(oldest) {
		since = oldest.Truncate(24 * time.Hour)
	}
	s.gazette.mu.Lock()
	defer s.gazette.mu.Unlock()
	maps.DeleteFunc(s.gazette.news, func(_ time.Time, n *news) bool { return now.Sub(n.now).Abs() >= newsKept })
	if n := s.gazette.news[since]; n != nil {
		return n, nil
	}
	n, err := s.news(ctx, since, now)
	if err != nil {
		return nil, err
	}
	if s.gazette.news == nil {
		s.gazette.news = map[time.Time]*news{}
	}
	s.gazette.news[since] = n
	return n, nil
}

// news is what has happened in the club in some time.
type news struct {
	since, now    time.Time
	announcements []club.Announcement
	results       []club.Result
	names         map[int64]string
	ladders       []moved
	tournaments   []club.Tournament
}

// moved is a ladder by now, and as it was; first are its first places.
type moved struct {
	game     string
	now, was ladder.Ladder
	first    [][]string
}

// news gathers what has happened.
func (s *Secretary) news(ctx context.Context, since, now time.Time) (*news, error) {
	n := &news{since: since, now: now}
	var err error
	if n.announcements, err = s.Store.Announcements(ctx, since, inDigest); err != nil {
		return nil, err
	}
	if n.results, err = s.Store.NewestResults(ctx, inDigest); err != nil {
		return nil, err
	}
	if n.results, err = s.knownSince(ctx, n.results, since); err != nil {
		return nil, err
	}
	if n.names, err = s.names(ctx, n.results); err != nil {
		return nil, err
	}
	for _, g := range s.Adjudicator.Games {
		results, err := s.Store.Results(ctx, g.Name())
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
	n.tournaments, err = s.Store.Tournaments(ctx)
	return n, err
}

// mostPlaces is how many places of a ladder a digest tells.
const mostPlaces = 5

// firstPlaces are the first places of a ladder, and how the ratings there have moved.
func (s *Secretary) firstPlaces(ctx context.Context, l moved, now time.Time) (rows [][]string, err error) {
	for _, x := range l.now.Lines {
		if len(rows) == mostPlaces {
			break
		}
		if x.Provisional() || x.Inactive(now) {
			continue
		}
		m, err := s.Store.Member(ctx, x.Player)
		if err != nil {
			return nil, err
		}
		if m != nil && m.State == club.Active {
			rows = append(rows, []string{fmt.Sprint(len(rows) + 1), m.Name, fmt.Sprintf("%.0f", x.Rating.Rating), l.move(x)})
		}
	}
	return rows, nil
}

// move is by how much a rating has moved; empty where it has not.
func (l moved) move(is ladder.Line) string {
	if was, before := l.was.Find(is.Player); before && was.Rating.Rating != is.Rating.Rating {
		return fmt.Sprintf("(%+.0f)", is.Rating.Rating-was.Rating.Rating)
	}
	return ""
}

// knownSince are the results that are known since a time: an end that the director could undo
// is none before that time is over, however long ago it was.
func (s *Secretary) knownSince(ctx context.Context, results []club.Result, since time.Time) (out []club.Result, err error) {
	for _, r := range results {
		known := r.Ended
		if known.Before(since) {
			m, err := s.Adjudicator.Store.Match(ctx, r.Match)
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

// before are the results that were known until a time, which those that are known since were
// not.
func before(results []ladder.Result, until time.Time, since []club.Result) (out []ladder.Result) {
	for _, r := range results {
		if r.Ended.Before(until) && !slices.ContainsFunc(since, func(s club.Result) bool { return s.Match == r.Match }) {
			out = append(out, r)
		}
	}
	return out
}

// news writes the digest.
func (a *answer) news(ctx context.Context, n *news) error {
	a.subject, a.unsubscribe = "news since "+day(n.since), "DIGEST OFF"
	a.says(fmt.Sprintf("The news of %s since %s. DIGEST OFF in an answer ends them.", a.s.Club.Name, day(n.since)))
	for _, x := range n.announcements {
		a.part(templates.Part{Title: "The director, on " + day(x.At), Says: []string{x.Text}})
	}
	if err := a.games(ctx, letter.Line{}); err != nil {
		return err
	}
	p := templates.Part{Title: "Matches that have ended"}
	for i := range n.results {
		p.Rows = append(p.Rows, templates.Columns([][]string{a.s.resultRow(&n.results[i], n.names)})...)
	}
	if len(p.Rows) == 0 {
		p.Says = []string{"None."}
	}
	a.part(p)
	for _, l := range n.ladders {
		if len(l.first) > 0 {
			a.part(templates.Part{Title: "First on the ladder of " + l.game, Rows: templates.Columns(l.first)})
		}
		a.standing(l)
	}
	if err := a.listOffers(ctx, letter.Line{}); err != nil {
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
			if err := a.standings(ctx, t); err != nil {
				return err
			}
		}
	}
	return a.maps(ctx, n)
}

// maps shows how matches of the reader's stood at the end; where he has finished none, how the
// newest of the others did.
func (a *answer) maps(ctx context.Context, n *news) error {
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
		lines, err := a.s.mapOf(ctx, r.Match)
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
func (s *Secretary) mapOf(ctx context.Context, match string) (lines []string, err error) {
	m, err := s.Adjudicator.Store.Match(ctx, match)
	if err != nil {
		return nil, err
	}
	g, err := rules.Games(s.Adjudicator.Games).Find(m.Game)
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

// standing says how the reader stands, and how he stood.
func (a *answer) standing(l moved) {
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
