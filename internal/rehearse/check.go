package rehearse

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/emersion/go-imap/v2"
	"github.com/emersion/go-imap/v2/imapclient"
	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/mailclient"
	"samizdat/internal/report"
	"samizdat/mail"
)

// Summary is what a rehearsal came to.
type Summary struct {
	Members int    `json:"members"`
	Days    int    `json:"days"`
	Seed    uint64 `json:"seed"`
	// Filled is how many matches were begun before the month; Matches are all at the end, and
	// Over those that have ended.
	Filled  int `json:"filled"`
	Matches int `json:"matches"`
	Over    int `json:"over"`
	Results int `json:"results"`
	Entries int `json:"entries"`
	// FromMembers and ToMembers are letters as the mail server has them.
	FromMembers int `json:"letters_from_members"`
	ToMembers   int `json:"letters_to_members"`
	// Refused are those of members' letters that did nothing.
	Refused int `json:"refused"`
	// Due is how often something became due, LatestSeconds how late it was done at most.
	Due           int     `json:"due"`
	LatestSeconds float64 `json:"latest_seconds"`
	// Silent is how many matches ended when the time was over that was shown a day before.
	Silent   int  `json:"lost_by_silence"`
	Verified int  `json:"records_verified"`
	WithFew  Rate `json:"with_few_matches"`
	WithAll  Rate `json:"with_all_matches"`
	// Ratio is what a letter takes of the processor with few matches, to what it takes with all:
	// the median of many times, and what that is at most, as far as chance lets one see.
	Ratio     float64 `json:"ratio"`
	RatioMost float64 `json:"ratio_at_most"`
	// LookMS is what it takes to look for what is due, MinuteMS what it takes once a minute, in
	// milliseconds by the clock on the wall.
	LookMS   float64 `json:"look_ms"`
	MinuteMS float64 `json:"look_ms_once_a_minute"`
	// MemoryMB is the most that the process has held, mail server and members with it;
	// MatchKB the database by all matches.
	MemoryMB   float64 `json:"memory_mb"`
	DatabaseMB float64 `json:"database_mb"`
	MatchKB    float64 `json:"database_kb_a_match"`
	Seconds    float64 `json:"seconds"`
	// Wrong is what is wrong.
	Wrong []string `json:"wrong"`
}

const (
	mostLate      = 60
	mostMatchKB   = 120
	leastRatio    = 0.9
	leastMeasured = 200
	mostWrong     = 20
	fetchAtATime  = 500
	// verifiedAtOnce is how many records are verified at the same time, verifiedOpen how many of
	// matches that go on.
	verifiedAtOnce, verifiedOpen = 2, 100
)

func (r *rehearsal) wrong(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.sum.Wrong) < mostWrong {
		r.sum.Wrong = append(r.sum.Wrong, fmt.Sprintf(format, args...))
	}
}

// daily tells how it goes, and holds the clocks of all matches that run against the time.
func (r *rehearsal) daily(ctx context.Context, day int) error {
	ids, err := r.ids(ctx, `SELECT id FROM matches WHERE state = 'playing'`)
	if err != nil {
		return err
	}
	over, err := r.count(ctx, `SELECT count(*) FROM matches WHERE state = 'over'`)
	r.say("day %d: %d matches run, %d are over, %d letters of members, %d MB", day, len(ids), over, r.sent.Load(), usage().Maxrss>>10)
	return errors.Join(err, r.each(ctx, ids, r.clocks))
}

// clocks finds a match that waits for nobody, or for somebody without time.
func (r *rehearsal) clocks(m *adjudicator.Match) error {
	pos, err := m.At(r.Game)
	if err != nil {
		return err
	}
	asked := m.Unanswered(pos)
	if len(asked) == 0 {
		r.wrong("match %s goes on, and nobody is asked", m.ID)
	}
	delete(r.told, m.ID)
	for _, d := range asked {
		now := r.clock.now()
		_, until := m.Shown(d.Seat, now)
		r.told[m.ID] = told{until, m.Ordered, len(asked)}
		if !until.IsZero() && now.After(until.Add(grace)) {
			r.wrong("match %s runs at %s, and the time of %s was over at %s", m.ID, now, m.Seats[d.Seat].Name, until)
		}
	}
	return nil
}

// each reads matches, one after the other.
func (r *rehearsal) each(ctx context.Context, ids []string, do func(*adjudicator.Match) error) error {
	for _, id := range ids {
		m, err := r.d.DB.Match(ctx, id)
		if err == nil {
			err = do(m)
		}
		if err != nil {
			return fmt.Errorf("match %s: %w", id, err)
		}
	}
	return nil
}

// checks finds what is wrong at the end.
func (r *rehearsal) checks(ctx context.Context) error {
	for _, check := range []func(context.Context) error{r.matches, r.ratings, r.mail, r.records, r.sizes} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	if r.sum.LatestSeconds > mostLate {
		r.wrong("something was done %.0f s after it was due", r.sum.LatestSeconds)
	}
	// Of few letters chance says how long they take.
	if r.Measured >= leastMeasured && r.sum.RatioMost < leastRatio {
		r.wrong("a letter takes %.1f ms with few matches and %.1f ms with all", r.sum.WithFew.CPU, r.sum.WithAll.CPU)
	}
	return nil
}

// matches finds those that have not moved.
func (r *rehearsal) matches(ctx context.Context) error {
	ids, err := r.d.DB.Begun(ctx)
	if err != nil {
		return err
	}
	return r.each(ctx, ids, func(m *adjudicator.Match) error {
		r.sum.Matches++
		r.sum.Entries += m.Entries
		if m.State == adjudicator.Over {
			r.sum.Over++
			return r.ended(ctx, m.ID)
		}
		if m.State != adjudicator.Playing {
			r.wrong("match %s is %s", m.ID, m.State)
			return nil
		}
		if m.Ordered == 0 && r.clock.now().Sub(m.Created) > m.Tempo.Cap+grace {
			r.wrong("match %s stands where it began", m.ID)
		}
		return r.clocks(m)
	})
}

// told is what was shown of the clock of a match: until when somebody has time, after how many
// orders, and how many are asked.
type told struct {
	until           time.Time
	ordered, asking int
}

// ended holds the time at which a match was lost by silence against what was shown before.
func (r *rehearsal) ended(ctx context.Context, id string) error {
	was, ok := r.told[id]
	m, err := r.d.Adjudicator.Store.Match(ctx, id)
	if err != nil || !ok || m.Summary == nil || m.Ordered != was.ordered || was.asking != 1 || was.until.IsZero() {
		return err
	}
	late := m.Summary.Ended.Sub(was.until.Add(clock.Grace))
	// Until then somebody who is late can resign, and his opponent too.
	silent := m.Acts.Ended != nil && m.Acts.Ended.Act.Kind == record.Forfeit
	if silent {
		r.sum.Silent++
	}
	if late > time.Minute || silent && late < -time.Minute {
		r.wrong("match %s ended at %s, and the time was over at %s", id, m.Summary.Ended, was.until)
	}
	return nil
}

// ratings computes the ladder again.
func (r *rehearsal) ratings(ctx context.Context) error {
	if err := r.d.Club.CountAll(ctx, r.clock.now()); err != nil {
		return err
	}
	results, err := r.d.DB.Results(ctx, r.Game.Name())
	if err != nil {
		return err
	}
	r.sum.Results = len(results)
	kept, err := r.d.DB.Ladder(ctx, r.Game.Name())
	if err != nil || kept == nil {
		return err
	}
	again, err := r.d.Club.LadderOf(ctx, r.Game.Name(), kept.Made)
	if err != nil {
		return err
	}
	same, err := report.LaddersSame(io.Discard, *kept, again)
	if !same {
		r.wrong("the ladder is not what its results give")
	}
	return err
}

// mail counts the letters at the mail server.
func (r *rehearsal) mail(ctx context.Context) error {
	seen := &seenLetters{seed: maphash.MakeSeed(), times: map[uint64]int32{}}
	for _, m := range r.members {
		n, err := countBox(m.account, seen)
		if err != nil {
			return fmt.Errorf("count the letters of %s: %w", m.name, err)
		}
		r.sum.ToMembers += n
	}
	boxes, err := r.inbox.List("", "*", nil).Collect()
	if err != nil {
		return err
	}
	for _, b := range boxes {
		n, err := countIn(r.inbox, b.Mailbox, seen)
		if err != nil {
			return err
		}
		r.sum.FromMembers += n
		switch {
		case n == 0 || b.Mailbox == string(mail.Done):
		case b.Mailbox == string(mail.Refused):
			r.sum.Refused = n // Members want what cannot be.
		default:
			r.wrong("%d letters lie in %s", n, b.Mailbox)
		}
	}
	for _, id := range seen.again {
		r.wrong("letter %s is there %d times", id, seen.times[seen.of(id)])
	}
	if n := int(r.sent.Load()); n != r.sum.FromMembers {
		r.wrong("members have sent %d letters, and the server has %d", n, r.sum.FromMembers)
	}
	sent, err := r.count(ctx, `SELECT count(*) FROM outbox WHERE state = 'sent'`)
	if err == nil && sent != r.sum.ToMembers {
		r.wrong("%d letters were sent, and the server has %d", sent, r.sum.ToMembers)
	}
	failed, e := r.count(ctx, `SELECT count(*) FROM outbox WHERE state = 'failed'`)
	if failed > 0 {
		r.wrong("%d letters could not be sent", failed)
	}
	return errors.Join(err, e)
}

// count asks the database for a number, past the program.
func (r *rehearsal) count(ctx context.Context, query string) (int, error) {
	got, err := r.ids(ctx, query)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(got[0])
}

// ids asks it for a column.
func (r *rehearsal) ids(ctx context.Context, query string) (ids []string, err error) {
	db, err := sql.Open("sqlite3", "file:"+r.cfg.Database()+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// seenLetters are the Message-IDs of letters, by their sums: there may be a million.
type seenLetters struct {
	seed  maphash.Seed
	times map[uint64]int32
	// again are those that were seen more than once.
	again []string
}

func (s *seenLetters) of(id string) uint64 { return maphash.String(s.seed, id) }

func (s *seenLetters) add(id string) {
	sum := s.of(id)
	if s.times[sum]++; s.times[sum] == 2 {
		s.again = append(s.again, id)
	}
}

// countBox counts the letters in somebody's mailbox by their Message-IDs.
func countBox(a mailclient.Account, seen *seenLetters) (n int, err error) {
	c, err := login(a.IMAP, a.Address, a.Password)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return countIn(c, "INBOX", seen)
}

func countIn(c *imapclient.Client, box string, seen *seenLetters) (n int, err error) {
	d, err := c.Select(box, &imap.SelectOptions{ReadOnly: true}).Wait()
	if err != nil {
		return 0, err
	}
	for first := uint32(1); first <= d.NumMessages; first += fetchAtATime {
		var set imap.SeqSet
		set.AddRange(first, min(first+fetchAtATime-1, d.NumMessages))
		got, err := c.Fetch(set, &imap.FetchOptions{Envelope: true}).Collect()
		if err != nil {
			return n, err
		}
		for _, m := range got {
			seen.add(m.Envelope.MessageID)
			n++
		}
	}
	return n, nil
}

// records verifies the records of all matches that are over, and of some that go on.
func (r *rehearsal) records(ctx context.Context) error {
	ids, err := r.ids(ctx, `SELECT id FROM matches WHERE state = 'over'`)
	if err != nil {
		return err
	}
	open, err := r.ids(ctx, fmt.Sprintf(`SELECT id FROM matches WHERE state = 'playing' ORDER BY id LIMIT %d`, verifiedOpen))
	if err != nil {
		return err
	}
	g, each := errgroup.WithContext(ctx)
	g.SetLimit(verifiedAtOnce)
	var done atomic.Int64
	for _, id := range slices.Concat(ids, open) {
		g.Go(func() error {
			rec, err := r.d.Adjudicator.Export(each, id, true)
			if err != nil {
				return fmt.Errorf("the record of match %s: %w", id, err)
			}
			_, err = record.ReplayVerified(rec, r.Game, nil)
			if err := errors.Join(err, record.VerifyStream(rec)); err != nil {
				r.wrong("the record of match %s: %v", id, err)
			}
			if n := done.Add(1); n%1000 == 0 {
				r.say("  %d of %d records", n, len(ids)+len(open))
			}
			return nil
		})
	}
	err = g.Wait()
	r.sum.Verified = int(done.Load())
	return err
}

// sizes weighs memory and database.
func (r *rehearsal) sizes(ctx context.Context) error {
	pages, err := r.count(ctx, `SELECT (SELECT page_count FROM pragma_page_count) - (SELECT freelist_count FROM pragma_freelist_count)`)
	if err != nil {
		return err
	}
	size, err := r.count(ctx, `SELECT page_size FROM pragma_page_size`)
	r.sum.MemoryMB = float64(usage().Maxrss) / 1024
	r.sum.DatabaseMB = float64(pages) * float64(size) / 1e6
	r.sum.MatchKB = r.sum.DatabaseMB * 1000 / float64(max(1, r.sum.Matches))
	if most := r.Plan.MemoryMB; most > 0 && r.sum.MemoryMB > most {
		r.wrong("%.0f MB of memory were held", r.sum.MemoryMB)
	}
	if r.sum.MatchKB > mostMatchKB {
		r.wrong("the database has %.0f kB a match", r.sum.MatchKB)
	}
	return err
}
