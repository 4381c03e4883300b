package mail

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// Outgoing is a letter to one recipient.
type Outgoing struct {
	ID int64
	// EnvelopeFrom is the address for bounces; it may be empty.
	EnvelopeFrom string
	To           string
	// LetterID identifies the letter in delivery reports; it may be empty.
	LetterID string
	// Raw is the RFC 5322 message. Its picture and its attached file may still be missing: Drawing describes the
	// picture, File is the file in gzip format, and PictureAt and FileAt are their byte offsets in Raw. Package post
	// inserts both before the Sender gets the letter.
	Raw           []byte
	Drawing, File []byte
	PictureAt     int
	FileAt        int
	Attempts      int
	// Reader identifies the reader, for example the match and the seat of a player. Letters to one reader are sent in
	// order; a letter with an empty Reader may be sent at any time.
	Reader string
	// Urgent reports whether a game waits for this letter. Urgent letters are sent first and have a reserved part
	// of the daily limit.
	Urgent bool
	// Early reports whether the letter is not due yet but must be sent now, before a newer letter to the same reader.
	// A failed try of an early letter is not counted.
	Early bool
}

// Queue is a persistent queue of letters. A letter stays due until it is recorded as sent or failed, so a crash loses
// no letter.
type Queue interface {
	// Due returns at most limit due letters, urgent letters first. It leaves out the letters with the IDs in except.
	// Letters to one reader come oldest first.
	Due(ctx context.Context, now time.Time, limit int, except ...int64) ([]Outgoing, error)
	// MarkSent records letters that the server accepted.
	MarkSent(ctx context.Context, ids []int64, now time.Time) error
	// MarkFailed records a failed try and adds one to Attempts, unless the letter is Early. After a permanent failure
	// the letter is never sent; otherwise it is due again at next.
	MarkFailed(ctx context.Context, id int64, now, next time.Time, isPermanent bool, reason string) error
	// MarkDeferred postpones a letter until next without counting a try.
	MarkDeferred(ctx context.Context, id int64, now, next time.Time, reason string) error
	// NextDue returns the time when the next letter is due, or false if no letter waits.
	NextDue(ctx context.Context) (time.Time, bool, error)
}

// Claims manages a daemon's claims to letters, if several daemons use the same outbox. A letter returned by
// [Queue.Due] is claimed until the daemon has recorded its outcome or counts as dead.
type Claims interface {
	// Holds reports whether the claim to a letter still holds. It is called directly before the content is sent and
	// must not block.
	Holds(id int64) bool
	// Release releases the daemon's claims, except those to the letters with the IDs in except.
	Release(ctx context.Context, except ...int64) error
}

// errClaimLost is the error if the daemon was suspended, or cut off from the database, so that another daemon may
// have sent the letter. The daemon that next claims the letter reads it again.
var errClaimLost = errors.New("the claim to the letter was lost")

const (
	firstRetry = time.Minute
	maxRetry   = 4 * time.Hour
	giveUp     = 5 * 24 * time.Hour
)

// Schedule is the retry schedule for failed letters.
type Schedule struct {
	// First is the pause after the first failure. Each further failure doubles the pause, up to Max. The defaults are
	// one minute and four hours.
	First, Max time.Duration
	// GiveUp is the minimum total of pauses before the letter is given up, by default five days.
	GiveUp time.Duration
}

func (s Schedule) withDefaults() Schedule {
	s.First = cmp.Or(s.First, firstRetry)
	s.Max = cmp.Or(s.Max, max(maxRetry, s.First))
	s.GiveUp = cmp.Or(s.GiveUp, giveUp)
	return s
}

// Delay returns the pause after the n-th failure.
func (s Schedule) Delay(n int) time.Duration {
	s = s.withDefaults()
	d := s.First
	for i := 1; i < n && d < s.Max; i++ {
		d *= 2
	}
	return min(d, s.Max)
}

// MaxAttempts returns the number of tries after which a letter is given up.
func (s Schedule) MaxAttempts() int {
	s = s.withDefaults()
	n := 1
	for sum := time.Duration(0); sum < s.GiveUp; n++ {
		sum += s.Delay(n)
	}
	return n
}

// sendQueue holds the letters that were read from the outbox and are not being sent yet, in sending order.
type sendQueue []Outgoing

// add adds letters and sorts the queue, urgent letters first. If a letter is urgent, older letters to its reader
// become urgent too.
func (q *sendQueue) add(due []Outgoing) {
	*q = append(*q, due...)
	urgent := map[string]bool{}
	for i := len(*q) - 1; i >= 0; i-- {
		switch letter := &(*q)[i]; {
		case letter.Reader == "":
		case letter.Urgent:
			urgent[letter.Reader] = true
		case urgent[letter.Reader]:
			letter.Urgent = true
		}
	}
	slices.SortStableFunc(*q, func(a, b Outgoing) int { return compareBools(b.Urgent, a.Urgent) })
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (q *sendQueue) remove(i int) { *q = slices.Delete(*q, i, i+1) }

// addressee is a recipient (an address) or a reader (Outgoing.Reader). Letters to one addressee keep their order.
type addressee struct {
	isReader bool
	name     string
}

// addressees is the set of addressees to which an older letter must be sent first.
type addressees map[addressee]bool

// addAll adds both addressees of a letter. It reports whether the set already had an addressee of the letter.
func (a addressees) addAll(letter *Outgoing) (isPresent bool) {
	to, reader := addressee{false, strings.ToLower(letter.To)}, addressee{true, letter.Reader}
	isPresent = a[to]
	a[to] = true
	if letter.Reader != "" {
		isPresent = isPresent || a[reader]
		a[reader] = true
	}
	return isPresent
}

// findStartable returns the indexes of at most limit letters that can be sent now: no older letter to the same
// addressee is in the queue or in flight (busy). A letter to a recipient that caused an unclear refusal (see
// ambiguityTracker) waits until no other letter can be sent, and is then sent alone: if the server accepts it, the
// refusal was not about our account.
func (q sendQueue) findStartable(busy addressees, unclear *ambiguityTracker, limit int) []int {
	noneInFlight := len(busy) == 0
	var first, last []int
	for i := range q {
		switch {
		case len(first) == limit:
			return first
		case busy.addAll(&q[i]):
		case unclear.causedUnclear(q[i].To):
			last = append(last, i)
		default:
			first = append(first, i)
		}
	}
	if len(first) == 0 && noneInFlight && len(last) > 0 {
		return last[:1]
	}
	return first
}

// sentLog records sent letters in batches while other letters are sent.
type sentLog struct {
	outbox Queue
	// unrecorded are the IDs of sent letters that wait to be recorded, and recording those that are being recorded
	// now.
	unrecorded, recording []int64
	done                  chan error
}

func (l *sentLog) len() int     { return len(l.unrecorded) + len(l.recording) }
func (l *sentLog) ids() []int64 { return slices.Concat(l.unrecorded, l.recording) }

func (l *sentLog) startRecording(ctx context.Context, now time.Time) {
	if len(l.recording) > 0 || len(l.unrecorded) == 0 {
		return
	}
	l.recording, l.unrecorded = l.unrecorded, nil
	ids := l.recording
	go func() {
		l.done <- writeOutbox(ctx, fmt.Sprintf("recording %d sent letters", len(ids)), func(ctx context.Context) error {
			return l.outbox.MarkSent(ctx, ids, now)
		})
	}()
}

// finishRecording handles the result of recording. After an error the letters must be recorded again.
func (l *sentLog) finishRecording(err error) error {
	if err != nil {
		l.unrecorded = slices.Concat(l.recording, l.unrecorded)
	}
	l.recording = nil
	return err
}

// writeOutbox calls write to change the outbox, even while the daemon is stopping: a sent letter that is not recorded
// would be sent again.
func writeOutbox(ctx context.Context, action string, write func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), outboxTimeout)
	defer cancel()
	if err := write(ctx); err != nil {
		return fmt.Errorf("%w: %s: %w", errOutbox, action, err)
	}
	return nil
}

func (l *sentLog) flush(ctx context.Context, now time.Time) (err error) {
	for err == nil && l.len() > 0 {
		l.startRecording(ctx, now)
		err = l.finishRecording(<-l.done)
	}
	return err
}

const (
	// minSameReplies is the number of recipients in a row that must cause the same unclear reply. The reply then
	// counts as a refusal of our account.
	minSameReplies = 2
	// ambiguousTries is the number of tries after which an unclear refusal counts as a refusal of the letter, if the
	// server accepts other letters. With the default Schedule these tries take about two hours.
	ambiguousTries = 8
)

// ambiguityTracker decides whether an unclear refusal, for example "550 5.7.1 blocked", is about a letter or about
// our account.
type ambiguityTracker struct {
	// code is the newest unclear reply, e.g. "550 5.7.1". recipients are the recipients that caused it since the server last
	// accepted a letter.
	code       string
	recipients map[string]bool
	// firstUnclear is the time of the first unclear reply, by letter.
	firstUnclear map[int64]time.Time
	lastAccepted time.Time
}

func (a *ambiguityTracker) recordSent(id int64, now time.Time) {
	a.code, a.recipients, a.lastAccepted = "", nil, now
	delete(a.firstUnclear, id)
}

// recordUnclearRecipient records the recipient of an unclear reply. It reports whether the reply counts as a refusal of
// our account.
func (a *ambiguityTracker) recordUnclearRecipient(code, to string) bool {
	if a.code != code || a.recipients == nil {
		a.code, a.recipients = code, map[string]bool{}
	}
	a.recipients[strings.ToLower(to)] = true
	return len(a.recipients) >= minSameReplies
}

// recordUnclearLetter records an unclear reply to a letter and reports whether the server accepted another letter since
// the first such reply.
func (a *ambiguityTracker) recordUnclearLetter(id int64, now time.Time) bool {
	first, ok := a.firstUnclear[id]
	if !ok {
		if a.firstUnclear == nil {
			a.firstUnclear = map[int64]time.Time{}
		}
		a.firstUnclear[id] = now
	}
	return ok && a.lastAccepted.After(first)
}

// concernsLetter reports whether an unclear refusal counts as a refusal of the letter after this number of tries.
func (a *ambiguityTracker) concernsLetter(tries int, now time.Time) bool {
	return tries >= ambiguousTries && now.Sub(a.lastAccepted) < dayWindow
}

// causedUnclear reports whether a recipient caused an unclear reply since the server last accepted a letter.
func (a *ambiguityTracker) causedUnclear(to string) bool {
	return len(a.recipients) > 0 && a.recipients[strings.ToLower(to)]
}

// RateLimiter limits how many letters of each sender, and of all senders together, are answered. It keeps a token
// bucket for each sender, in memory: a restart fills the buckets. It is safe for concurrent use.
//
// A person gets a token only while the common bucket contains more tokens than the person has taken. So if one person
// sends a flood of letters, half of the bucket is left to others, and if two persons do so, a third.
type RateLimiter struct {
	perSender, totalRate Rate
	maxBuckets           int
	now                  func() time.Time

	mu      sync.Mutex
	total   bucket
	buckets map[string]*list.Element
	// order is the list of buckets, most recently used first.
	order *list.List
}

// Rate is the size and the speed of a bucket: the bucket holds at most Burst tokens and gains one token per Every. A
// Burst of 0 means no limit.
type Rate struct {
	Burst int
	Every time.Duration
}

// bucket is a token bucket (https://en.wikipedia.org/wiki/Token_bucket).
type bucket struct {
	key     string
	tokens  float64
	updated time.Time
}

// maxBuckets limits the buckets in memory; the least recently used bucket is dropped first.
const maxBuckets = 20_000

// NewRateLimiter returns a limiter with full buckets.
func NewRateLimiter(perSender, totalRate Rate, now func() time.Time) *RateLimiter {
	return &RateLimiter{
		perSender: perSender, totalRate: totalRate, maxBuckets: maxBuckets, now: now,
		total: bucket{tokens: float64(totalRate.Burst), updated: now()}, buckets: map[string]*list.Element{}, order: list.New(),
	}
}

// Allow takes a token from the sender's bucket and a token, for the person, from the common bucket. If a token is
// missing, Allow takes none and returns the time until it can take both. sender is e.g. a seat; person is e.g. the
// address of its player.
func (r *RateLimiter) Allow(_ context.Context, sender, person string) (wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	var from []*bucket
	if r.perSender.Burst > 0 {
		b := r.bucket("sender "+sender, r.perSender, now)
		from, wait = append(from, b), r.perSender.durationFor(1-b.tokens)
	}
	if r.totalRate.Burst > 0 {
		personBucket := r.bucket("person "+person, r.totalRate, now)
		r.totalRate.fill(&r.total, now)
		takenTokens := float64(r.totalRate.Burst) - personBucket.tokens
		from, wait = append(from, personBucket, &r.total), max(wait, r.totalRate.durationFor(1-r.total.tokens),
			r.totalRate.durationFor(takenTokens+1-r.total.tokens))
	}
	if wait > 0 {
		return wait
	}
	for _, b := range from {
		b.tokens--
	}
	return 0
}

func (r Rate) durationFor(missing float64) time.Duration {
	if missing <= 0 {
		return 0
	}
	return max(time.Duration(missing*float64(r.Every)), 1)
}

func (r *RateLimiter) bucket(key string, rate Rate, now time.Time) *bucket {
	b := r.findBucket(key, rate, now)
	rate.fill(b, now)
	return b
}

func (r *RateLimiter) findBucket(key string, rate Rate, now time.Time) *bucket {
	if e, ok := r.buckets[key]; ok {
		r.order.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if r.order.Len() >= r.maxBuckets {
		oldest := r.order.Back()
		delete(r.buckets, r.order.Remove(oldest).(*bucket).key)
	}
	b := &bucket{key: key, tokens: float64(rate.Burst), updated: now}
	r.buckets[key] = r.order.PushFront(b)
	return b
}

// fill adds the tokens gained since the last call. If the clock was set back, it adds none.
func (r Rate) fill(b *bucket, now time.Time) {
	if elapsed := now.Sub(b.updated); elapsed > 0 && r.Every > 0 {
		b.tokens = min(float64(r.Burst), b.tokens+float64(elapsed)/float64(r.Every))
	}
	b.updated = now
}

// Limits are the sending limits of a mail account. Zero means no limit.
type Limits struct {
	PerMinute int `mapstructure:"per_minute"`
	PerDay    int `mapstructure:"per_day"`
}

const (
	minuteWindow = time.Minute
	dayWindow    = 24 * time.Hour
	// urgentReserve divides the daily limit: one tenth of it is reserved for urgent letters.
	urgentReserve = 10
)

// sendLimiter counts sent letters. Providers do not say when their minutes and days begin, so the limits hold for
// every period of a minute or a day.
type sendLimiter struct {
	limits Limits
	// times holds the times of sent letters within the longest window, oldest first.
	times []time.Time
}

func (l *sendLimiter) record(at time.Time) {
	if l.limits == (Limits{}) {
		return
	}
	l.times = append(l.times, at)
	l.forget(at)
}

func (l *sendLimiter) forget(now time.Time) {
	l.times = slices.DeleteFunc(l.times, func(t time.Time) bool { return now.Sub(t) >= dayWindow })
}

// wait returns the time until the next letter may be sent, or 0. Letters in flight count as sent, because the server
// may accept them.
func (l *sendLimiter) wait(now time.Time, isUrgent bool, inFlight int) time.Duration {
	// After the clock was set back, a stored time may be in the future. Such times become now; otherwise the limits
	// would count them for too long.
	for i, t := range l.times {
		if t.After(now) {
			l.times[i] = now
		}
	}
	day := l.limits.PerDay
	if !isUrgent && day > 1 {
		// At least one letter of a day is reserved.
		day -= max(day/urgentReserve, 1)
	}
	return max(l.waitForWindow(now, minuteWindow, l.limits.PerMinute, inFlight), l.waitForWindow(now, dayWindow, day, inFlight))
}

// waitForWindow returns the time until fewer than limit letters were sent within a window.
func (l *sendLimiter) waitForWindow(now time.Time, size time.Duration, limit, inFlight int) time.Duration {
	if limit <= 0 || len(l.times)+inFlight < limit {
		return 0
	}
	if limit -= inFlight; limit <= 0 {
		return size
	}
	return max(size-now.Sub(l.times[len(l.times)-limit]), 0)
}
