package rehearse

import (
	"database/sql"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/emersion/go-imap/v2/imapclient"
	"golang.org/x/sync/errgroup"

	"github.com/emersion/go-imap/v2"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/clock"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/report"
	"samizdat/mail"
)

// Summary is the result of a rehearsal, printed as JSON.
type Summary struct {
	Members int    `json:"members"`
	Days    int    `json:"days"`
	Seed    uint64 `json:"seed"`
	// Filled is the number of matches begun before the month, Matches the number at the end, Over
	// the number of ended matches.
	Filled  int `json:"filled"`
	Matches int `json:"matches"`
	Over    int `json:"over"`
	Results int `json:"results"`
	Entries int `json:"entries"`
	// FromMembers and ToMembers count the letters in the folders of the mail server.
	FromMembers int `json:"letters_from_members"`
	ToMembers   int `json:"letters_to_members"`
	// Refused counts the letters from members in the folder of refused letters.
	Refused int `json:"refused"`
	// Notices counts the notices that came to web hooks.
	Notices int `json:"notices"`
	// Due counts the times at which work became due, LatestSeconds is the longest delay until it was
	// done.
	Due           int     `json:"due"`
	LatestSeconds float64 `json:"latest_seconds"`
	// Silent counts the forfeited matches whose deadline a daily check had seen.
	Silent   int  `json:"lost_by_silence"`
	Verified int  `json:"records_verified"`
	WithFew  Rate `json:"with_few_matches"`
	WithAll  Rate `json:"with_all_matches"`
	// Ratio is the processor time of a letter with few matches, divided by the time with all
	// matches: a median. RatioMost is its upper bound.
	Ratio     float64 `json:"ratio"`
	RatioMost float64 `json:"ratio_at_most"`
	// LookMS is the real time of the daemon's short check for due work, MinuteMS the time of the
	// full check once a minute, both in milliseconds.
	LookMS   float64 `json:"look_ms"`
	MinuteMS float64 `json:"look_ms_once_a_minute"`
	// MemoryMB is the peak memory of the process, mail server and members included. MatchKB is the
	// size of the database divided by the number of matches.
	MemoryMB   float64 `json:"memory_mb"`
	DatabaseMB float64 `json:"database_mb"`
	MatchKB    float64 `json:"database_kb_a_match"`
	Seconds    float64 `json:"seconds"`
	// Wrong lists the failed checks.
	Wrong []string `json:"wrong"`
}

const (
	maxLate       = 60
	maxMatchKB    = 120
	leastRatio    = 0.9
	leastMeasured = 200
	maxWrong      = 20
	fetchAtATime  = 500
	// verifiedAtOnce is the number of records verified in parallel, verifiedOpen the number of
	// running matches whose records are verified.
	verifiedAtOnce, verifiedOpen = 2, 100
)

func (r *rehearsal) wrong(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.sum.Wrong) < maxWrong {
		r.sum.Wrong = append(r.sum.Wrong, fmt.Sprintf(format, args...))
	}
}

// daily prints progress and checks the clocks of all running matches.
func (r *rehearsal) daily(day int) {
	ids := r.ask(`SELECT id FROM matches WHERE state = 'playing'`)
	r.say("day %d: %d matches run, %d letters of members, %d MB", day, len(ids), r.sent.Load(), usage().Maxrss>>10)
	r.each(ids, r.clocks)
}

// clocks reports a running match without an open question, or with a deadline that has passed. It
// stores the deadlines for the check of the match's end.
func (r *rehearsal) clocks(m *match.Match) {
	pos, err := m.CurrentPosition(r.Game)
	r.check(err)
	asked := m.UnansweredDecisions(pos)
	if len(asked) == 0 {
		r.wrong("match %s goes on, and nobody is asked", m.ID)
	}
	delete(r.told, m.ID)
	for _, d := range asked {
		now := r.clock.now()
		_, until := m.PublicTimeLeft(d.Seat, now)
		r.told[m.ID] = told{until, m.OrderEntryCount, len(asked)}
		if !until.IsZero() && now.After(forfeitAt(m, until).Add(grace-clock.ForfeitGrace)) {
			r.wrong("match %s runs at %s, and the time of %s was over at %s", m.ID, now, m.Seats[d.Seat].Name, until)
		}
	}
}

// each calls do for each match.
func (r *rehearsal) each(ids []string, do func(*match.Match)) {
	for _, id := range ids {
		m, err := r.d.DB.Match(r.serving, id)
		r.check(err)
		do(m)
	}
}

// checks runs all checks at the end.
func (r *rehearsal) checks() {
	r.awaitAnalyses()
	ids, err := r.d.DB.StartedMatches(r.serving)
	r.check(err)
	r.each(ids, r.match)
	r.ladder()
	r.mail()
	r.records()
	r.sizes()
	if r.sum.LatestSeconds > maxLate {
		r.wrong("something was done %.0f s after it was due", r.sum.LatestSeconds)
	}
	// A few letters vary too much for a comparison.
	if r.Measured >= leastMeasured && r.sum.RatioMost < leastRatio {
		r.wrong("a letter takes %.1f ms with few matches and %.1f ms with all", r.sum.WithFew.CPU, r.sum.WithAll.CPU)
	}
}

// match counts a match and reports it if it never moved.
func (r *rehearsal) match(m *match.Match) {
	r.sum.Matches++
	r.sum.Entries += m.EntryCount
	switch {
	case m.State == match.Over:
		r.sum.Over++
		r.ended(m)
		return
	case m.State != match.Playing:
		r.wrong("match %s is %s", m.ID, m.State)
		return
	case m.OrderEntryCount == 0 && r.clock.now().Sub(m.Created) > m.Tempo.Cap+grace:
		r.wrong("match %s stands where it began", m.ID)
	}
	r.clocks(m)
}

// told is the clock of a match as it was shown: the deadline, the number of orders at that time and
// the number of open questions.
type told struct {
	until           time.Time
	ordered, asking int
}

// forfeitAt returns the moment at which a match with a deadline is lost: the grace does not run in the free time of its
// tempo.
func forfeitAt(m *match.Match, until time.Time) time.Time {
	at, _ := clock.Pauses{Free: m.Tempo.Free}.TimeAfter(until, clock.ForfeitGrace)
	return at
}

// ended compares the end of a match lost on time with the deadline shown before.
func (r *rehearsal) ended(m *match.Match) {
	was, ok := r.told[m.ID]
	if !ok || m.Summary == nil || m.OrderEntryCount != was.ordered || was.asking != 1 || was.until.IsZero() {
		return
	}
	late := m.Summary.Ended.Sub(forfeitAt(m, was.until))
	// Before the forfeit, both players may resign.
	silent := m.Ended != nil && m.Ended.Act.Kind == record.Forfeit
	if silent {
		r.sum.Silent++
	}
	if late > time.Minute || silent && late < -time.Minute {
		r.wrong("match %s ended at %s, and the time was over at %s", m.ID, m.Summary.Ended, was.until)
	}
}

// ladder recomputes the ladder from the results and compares it with the stored ladder.
func (r *rehearsal) ladder() {
	r.check(r.d.Club.RateMatches(r.serving, r.clock.now()))
	results, err := r.d.DB.Club.Results(r.serving, r.Game.Name())
	r.check(err)
	r.sum.Results = len(results)
	kept, err := r.d.DB.Club.Ladder(r.serving, r.Game.Name())
	r.check(err)
	if kept == nil {
		return
	}
	again, err := r.d.Club.ComputeLadder(r.serving, r.Game.Name(), kept.ComputedAt)
	r.check(err)
	same, err := report.CompareLadders(io.Discard, *kept, again)
	r.check(err)
	if !same {
		r.wrong("the ladder is not what its results give")
	}
}

// mail counts the letters in all folders of the mail server and compares them with the letters sent.
func (r *rehearsal) mail() {
	seen := &seenLetters{seed: maphash.MakeSeed(), times: map[uint64]int32{}}
	for _, m := range r.members {
		r.check(m.online(func(m *member) error {
			r.sum.ToMembers += r.countIn(m.inbox, "INBOX", seen)
			return nil
		}))
	}
	boxes, err := r.inbox.List("", "*", nil).Collect()
	r.check(err)
	for _, b := range boxes {
		n := r.countIn(r.inbox, b.Mailbox, seen)
		r.sum.FromMembers += n
		switch {
		case n == 0 || b.Mailbox == string(mail.Done):
		case b.Mailbox == string(mail.Refused):
			r.sum.Refused = n // Some requests of members are impossible.
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
	if sent := r.number(`SELECT count(*) FROM outbox WHERE state = 'sent'`); sent != r.sum.ToMembers {
		r.wrong("%d letters were sent, and the server has %d", sent, r.sum.ToMembers)
	}
	if failed := r.number(`SELECT count(*) FROM outbox WHERE state = 'failed'`); failed > 0 {
		r.wrong("%d letters could not be sent", failed)
	}
}

// number returns the number that a query of the database yields.
func (r *rehearsal) number(query string) int {
	n, err := strconv.Atoi(r.ask(query)[0])
	r.check(err)
	return n
}

// ask returns a column from the database, read directly and not through the daemon.
func (r *rehearsal) ask(query string) (column []string) {
	db, err := sql.Open("sqlite3", "file:"+r.cfg.DSN()+"?mode=ro")
	r.check(err)
	rows, err := db.QueryContext(r.serving, query)
	r.check(err)
	for rows.Next() {
		var value string
		r.check(rows.Scan(&value))
		column = append(column, value)
	}
	r.check(errors.Join(rows.Err(), rows.Close(), db.Close()))
	return column
}

// seenLetters counts Message-IDs by their hashes: there may be a million letters.
type seenLetters struct {
	seed  maphash.Seed
	times map[uint64]int32
	// again lists the Message-IDs seen more than once.
	again []string
}

func (s *seenLetters) of(id string) uint64 { return maphash.String(s.seed, id) }

func (s *seenLetters) add(id string) {
	sum := s.of(id)
	if s.times[sum]++; s.times[sum] == 2 {
		s.again = append(s.again, id)
	}
}

// countIn counts the letters in a folder by their Message-IDs.
func (r *rehearsal) countIn(c *imapclient.Client, folder string, seen *seenLetters) (n int) {
	d, err := c.Select(folder, &imap.SelectOptions{ReadOnly: true}).Wait()
	r.check(err)
	for first := uint32(1); first <= d.NumMessages; first += fetchAtATime {
		var set imap.SeqSet
		set.AddRange(first, min(first+fetchAtATime-1, d.NumMessages))
		got, err := c.Fetch(set, &imap.FetchOptions{Envelope: true}).Collect()
		r.check(err)
		for _, m := range got {
			seen.add(m.Envelope.MessageID)
			n++
		}
	}
	return n
}

// records verifies the records of all ended matches and of some running matches.
func (r *rehearsal) records() {
	ids := slices.Concat(r.ask(`SELECT id FROM matches WHERE state = 'over'`),
		r.ask(fmt.Sprintf(`SELECT id FROM matches WHERE state = 'playing' ORDER BY id LIMIT %d`, verifiedOpen)))
	var g errgroup.Group
	g.SetLimit(verifiedAtOnce)
	for _, id := range ids {
		g.Go(func() error {
			rec, err := r.d.Adjudicator.Export(r.serving, id, true)
			if err != nil {
				return fmt.Errorf("the record of match %s: %w", id, err)
			}
			_, err = record.ReplayVerified(rec, r.Game, nil)
			if err := errors.Join(err, record.VerifyStream(rec)); err != nil {
				r.wrong("the record of match %s: %v", id, err)
			}
			return nil
		})
	}
	r.check(g.Wait())
	r.sum.Verified = len(ids)
}

// sizes checks the memory of the process and the size of the database.
func (r *rehearsal) sizes() {
	bytes := r.number(`SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size`)
	r.sum.MemoryMB = float64(usage().Maxrss) / 1024
	r.sum.DatabaseMB = float64(bytes) / 1e6
	r.sum.MatchKB = r.sum.DatabaseMB * 1000 / float64(max(1, r.sum.Matches))
	if most := r.Plan.MemoryMB; most > 0 && r.sum.MemoryMB > most {
		r.wrong("%.0f MB of memory were held", r.sum.MemoryMB)
	}
	if r.sum.MatchKB > maxMatchKB {
		r.wrong("the database has %.0f kB a match", r.sum.MatchKB)
	}
}
