package bench

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	_ "github.com/mattn/go-sqlite3" // the database of the null loop, as the daemon's

	"samizdat/mail"
)

// sizeOfAnswer is what a letter of 1989 with text and page comes to, on average.
const sizeOfAnswer = 17_300

// nullLoop measures the loop without a referee: the same poller and the same sender, one
// commit for each letter, and two answers of the same size from memory.
func (b *bench) nullLoop(ctx context.Context) (err error) {
	dir, remove, err := b.scratch("null")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	in, out, stop, err := b.servers(ctx, b.configuration(dir, false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(dir, "null.db")+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, "CREATE TABLE letters (id INTEGER PRIMARY KEY, raw BLOB)"); err != nil {
		return err
	}
	box, err := dialInbox(in.Login)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, box.close()) }()
	letters := make([][]byte, b.Letters)
	for i := range letters {
		letters[i] = fmt.Appendf(nil, "From: ada@samizdat.local\r\nMessage-ID: <%d.null@samizdat.local>\r\n\r\nPLAY\r\n", i)
	}
	if err := box.put(letters); err != nil {
		return err
	}
	from := b.configuration(dir, false).Address
	q := &nullQueue{db: db, from: from, to: b.mailboxes, answer: fmt.Appendf(nil, "From: %s\r\nSubject: an answer\r\n\r\n%s", from, strings.Repeat("It is your move, and nothing else.\r\n", sizeOfAnswer/36))}
	return b.nullServe(ctx, q, box, in, out)
}

// nullServe polls and sends until all letters are answered.
func (b *bench) nullServe(ctx context.Context, q *nullQueue, box inbox, in mail.IMAPConfig, out mail.SMTPConfig) error {
	log := slog.New(slog.DiscardHandler)
	sender := mail.NewSender(out, q, log)
	q.queued = sender.Wake
	poller := mail.NewPoller(in, q, log)
	running, cancel := context.WithCancel(ctx)
	var serving sync.WaitGroup
	used, began := processor(), time.Now()
	var failed [2]error
	serving.Go(func() { failed[0] = sender.Run(running) })
	serving.Go(func() { failed[1] = poller.Run(running) })
	err := until(ctx, func() (bool, error) {
		if sent, err := q.done(); sent < 2*b.Letters || err != nil {
			return false, err
		}
		n, err := box.left()
		return n == 0, err
	})
	busy := processor() - used
	cancel()
	serving.Wait()
	b.null = float64(b.Letters) / q.last.Sub(began).Seconds()
	b.table.note("null loop", "letters/s", b.null)
	b.nullBusy = busy / time.Duration(b.Letters)
	b.table.note("null loop, of the processor", "ms a letter", inMillis(b.nullBusy))
	return errors.Join(err, failed[0], failed[1])
}

// nullQueue takes letters up, and is the outbox of their answers.
type nullQueue struct {
	db     *sql.DB
	from   string
	to     []string
	answer []byte
	queued func()

	mu      sync.Mutex
	next    int64
	waiting []mail.Outgoing
	sent    int
	last    time.Time
	failed  error
}

var (
	_ mail.Outbox  = (*nullQueue)(nil)
	_ mail.Handler = (*nullQueue)(nil)
)

// done is how many answers were sent, with what has failed.
func (q *nullQueue) done() (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sent, q.failed
}

// Handle implements mail.Handler.
func (q *nullQueue) Handle(ctx context.Context, r mail.Received) (mail.Folder, error) {
	tx, err := q.db.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	for _, raw := range [][]byte{r.Raw, q.answer, q.answer} {
		if _, err := tx.ExecContext(ctx, "INSERT INTO letters (raw) VALUES (?)", raw); err != nil {
			return "", errors.Join(err, tx.Rollback())
		}
	}
	if err := tx.Commit(); err != nil {
		return "", err
	}
	q.mu.Lock()
	for i := range 2 {
		q.next++
		q.waiting = append(q.waiting, mail.Outgoing{ID: q.next, EnvelopeFrom: q.from, To: q.to[i%len(q.to)], Raw: q.answer, Final: true})
	}
	q.mu.Unlock()
	q.queued()
	return mail.Done, nil
}

// Due implements mail.Queue.
func (q *nullQueue) Due(_ context.Context, _ time.Time, limit int, except ...int64) (due []mail.Outgoing, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, o := range q.waiting {
		if len(due) < limit && !slices.Contains(except, o.ID) {
			due = append(due, o)
		}
	}
	return due, nil
}

// Finish implements mail.Outbox: every answer is complete.
func (q *nullQueue) Finish(_ context.Context, due []mail.Outgoing) ([]mail.Outgoing, error) {
	return due, nil
}

// Sent implements mail.Queue.
func (q *nullQueue) Sent(_ context.Context, ids []int64, _ time.Time) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.waiting)
	q.waiting = slices.DeleteFunc(q.waiting, func(o mail.Outgoing) bool { return slices.Contains(ids, o.ID) })
	q.sent += n - len(q.waiting)
	q.last = time.Now()
	return nil
}

// Failed implements mail.Queue. A loop in which letters fail says nothing.
func (q *nullQueue) Failed(_ context.Context, id int64, _, _ time.Time, _ bool, reason string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.failed = fmt.Errorf("send answer %d: %s", id, reason)
	return q.failed
}

// Deferred implements mail.Queue.
func (q *nullQueue) Deferred(ctx context.Context, id int64, now, next time.Time, reason string) error {
	return q.Failed(ctx, id, now, next, false, reason)
}

// NextDue implements mail.Queue.
func (q *nullQueue) NextDue(context.Context) (time.Time, bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return time.Time{}, len(q.waiting) > 0, nil
}
