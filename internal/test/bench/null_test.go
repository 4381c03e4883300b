//go:build long && linux

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
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // the database of the null loop, as the daemon's

	"samizdat/mail"
)

// filler is a text of so many bytes.
func filler(size int) string {
	const line = "It is your move, and nothing else.\r\n"
	return strings.Repeat(line, size/len(line))
}

// null is what the null loop had: letters a second, and what the processor did for one.
type null struct {
	rate float64
	busy time.Duration
}

// nullLoop measures the loop without a referee: the same poller and the same sender, one
// commit for each letter, and two answers of a size from memory.
func (b *bench) nullLoop(t *testing.T, name string, size int) (out null) {
	t.Helper()
	cfg := b.configuration(t.TempDir(), false)
	servers := b.mailServers(t, cfg)
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(cfg.Data, "null.db")+"?_journal_mode=WAL&_synchronous=FULL&_txlock=immediate")
	check(t, err)
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(t.Context(), "CREATE TABLE letters (id INTEGER PRIMARY KEY, raw BLOB)")
	check(t, err)
	var letters [][]byte
	for i := range b.letters {
		letters = append(letters, fmt.Appendf(nil, "From: ada@samizdat.local\r\nMessage-ID: <%d.null@samizdat.local>\r\n\r\nPLAY\r\n", i))
	}
	servers.box.put(t, letters)
	answer := fmt.Appendf(nil, "From: %s\r\nSubject: an answer\r\n\r\n%s", cfg.Address, filler(size))
	q := &nullQueue{db: db, from: cfg.Address, to: b.mailboxes, answer: answer}
	log := slog.New(slog.DiscardHandler)
	sender := mail.NewSender(servers.out, q, log)
	q.queued = sender.Wake
	poller := mail.NewPoller(servers.in, q, log)
	ctx, cancel := context.WithCancel(t.Context())
	var serving sync.WaitGroup
	var failed [2]error
	used, began := processor(), time.Now()
	serving.Go(func() { failed[0] = sender.Run(ctx) })
	serving.Go(func() { failed[1] = poller.Run(ctx) })
	until(ctx, t, func() bool {
		sent, err := q.done()
		check(t, err)
		return sent == 2*b.letters && servers.box.left(t) == 0
	})
	out = null{float64(b.letters) / q.last.Sub(began).Seconds(), (processor() - used) / time.Duration(b.letters)}
	cancel()
	serving.Wait()
	check(t, errors.Join(failed[0], failed[1], db.Close()))
	servers.stop()
	b.table.note(name, "letters/s", out.rate)
	b.table.note(name+", of the processor", "ms a letter", inMillis(out.busy))
	return out
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
	_ mail.Queue   = (*nullQueue)(nil)
	_ mail.Handler = (*nullQueue)(nil)
)

// done is how many answers were sent, with what has failed.
func (q *nullQueue) done() (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.sent, q.failed
}

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
	for _, to := range q.to {
		q.next++
		q.waiting = append(q.waiting, mail.Outgoing{ID: q.next, EnvelopeFrom: q.from, To: to, Raw: q.answer})
	}
	q.mu.Unlock()
	q.queued()
	return mail.Done, nil
}

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

func (q *nullQueue) MarkSent(_ context.Context, ids []int64, _ time.Time) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = slices.DeleteFunc(q.waiting, func(o mail.Outgoing) bool { return slices.Contains(ids, o.ID) })
	q.sent += len(ids)
	q.last = time.Now()
	return nil
}

// Failed ends the measure: a loop in which letters fail says nothing.
func (q *nullQueue) MarkFailed(_ context.Context, id int64, _, _ time.Time, _ bool, reason string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.failed = fmt.Errorf("send answer %d: %s", id, reason)
	return q.failed
}

func (q *nullQueue) MarkDeferred(ctx context.Context, id int64, now, next time.Time, reason string) error {
	return q.MarkFailed(ctx, id, now, next, false, reason)
}

func (q *nullQueue) NextDue(context.Context) (time.Time, bool, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return time.Time{}, len(q.waiting) > 0, nil
}
