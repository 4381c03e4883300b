package storage

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
	"samizdat/mail/embedded"
)

// enqueue puts a letter into the outbox: "m1/0!" is an urgent one to seat 0 of m1, "m1/0?"
// one whose picture is not drawn yet.
func enqueue(t *testing.T, db *DB, spec, text string, at time.Time) {
	t.Helper()
	must(t, db.write(t.Context(), func(ctx context.Context, tx *transaction) error { return enqueueIn(ctx, tx, spec, text, at) }))
}

func enqueueIn(ctx context.Context, tx *transaction, spec, text string, at time.Time) error {
	spec, pictured := strings.CutSuffix(spec, "?")
	spec, isUrgent := strings.CutSuffix(spec, "!")
	match, seat, ok := strings.Cut(spec, "/")
	var id int64
	err := tx.QueryRowContext(ctx, `INSERT INTO outbox (recipient, due, at, urgent, picture_at, match, seat)
		VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
		spec+"@x.test", at.UnixMicro(), at.UnixMicro(), isUrgent, pictured, sql.NullString{String: match, Valid: ok}, sql.NullString{String: seat,
			Valid: seat != ""}).Scan(&id)
	if err == nil {
		raw := []byte(text)
		_, err = tx.ExecContext(ctx, `INSERT INTO bodies (id, raw) VALUES ($1, $2)`, id, tx.seal(bodyColumn{&raw}, "bodies.raw", id))
	}
	if err == nil && !pictured {
		_, err = tx.ExecContext(ctx, assignQueueNumberStatement, id)
	}
	return err
}

func told(due []mail.Outgoing) string {
	var out []string
	for _, o := range due {
		s := string(o.Raw)
		if o.Urgent {
			s += "!"
		}
		if o.Early {
			s += " early"
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

// TestDueOrder: who is waited for goes first, older letters to him go before, and
// matches take turns.
func TestDueOrder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, queued, want string
		limit              int
	}{
		{"by time", "m1/0 m2/0 m3/0", "1, 2, 3", 10},
		{"urgent first", "m1/0 m2/0 m3/0!", "3!, 1, 2", 10},
		{"an older letter to the same player goes before", "m1/0 m2/0 m1/0!", "1!, 3!, 2", 10},
		{"not one to the other player", "m1/1 m2/0 m1/0!", "3!, 1, 2", 10},
		{"matches take turns", "m1/0 m1/1 m1/0 m1/1 m2/0 m3/1", "1, 5, 6, 2, 3, 4", 10},
		{"also the urgent", "m1/0! m1/1! m1/0! m2/0!", "1!, 4!, 2!, 3!", 10},
		{"a busy match leaves room", "m1/0! m1/0! m1/0! m2/0!", "1!, 4!", 2},
		{"letters of no match", "op m1/0 op m1/0", "1, 2, 3, 4", 10},
		{"short letters about a match", "m1/ m2/0 m1/!", "3!, 1, 2", 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			db := open(t, t.TempDir())
			for i, spec := range strings.Fields(tt.queued) {
				enqueue(t, db, spec, fmt.Sprint(i+1), noon.Add(time.Duration(i)*time.Second))
			}
			due, err := db.Outbox("r@x.test").Due(t.Context(), noon.Add(time.Hour), tt.limit)
			if err != nil || told(due) != tt.want {
				t.Errorf("got %s, %v; want %s", told(due), err, tt.want)
			}
		})
	}
}

// TestNoOvertaking: a letter that waits for another try goes before a newer one to
// the same player; that try counts for nothing.
func TestNoOvertaking(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	box := db.Outbox("r@x.test")
	enqueue(t, db, "m1/0", "old", noon)
	enqueue(t, db, "m2/0", "another match", noon)
	due := func(at time.Time, want string) []mail.Outgoing {
		t.Helper()
		list, err := box.Due(t.Context(), at, 10)
		if err != nil || told(list) != want {
			t.Fatalf("got %s, %v; want %s", told(list), err, want)
		}
		return list
	}
	list := due(noon, "old, another match")
	later := noon.Add(4 * time.Hour)
	must(t, errors.Join(box.MarkFailed(t.Context(), list[0].ID, noon, later, false, "450"),
		box.MarkFailed(t.Context(), list[1].ID, noon, later, false, "450")))
	soon := noon.Add(time.Minute)
	due(soon, "")
	// A short letter about a match overtakes and is overtaken.
	enqueue(t, db, "m2/", "note", soon)
	must(t, box.MarkFailed(t.Context(), due(soon, "note")[0].ID, soon, noon.Add(10*time.Hour), false, "450"))
	enqueue(t, db, "m1/0!", "new", soon)
	list = due(soon, "old! early, new!")
	if list[0].Attempts != 1 {
		t.Errorf("%d tries", list[0].Attempts)
	}
	// It fails once more, and so does the new one.
	must(t, errors.Join(box.MarkFailed(t.Context(), list[0].ID, soon, soon.Add(time.Minute), false, "450"),
		box.MarkFailed(t.Context(), list[1].ID, soon, soon.Add(time.Minute), false, "450")))
	due(soon, "")
	list = due(soon.Add(time.Minute), "old! early, new!")
	if list[0].Attempts != 1 || list[1].Attempts != 1 {
		t.Errorf("%d and %d tries", list[0].Attempts, list[1].Attempts)
	}
	must(t, box.MarkFailed(t.Context(), list[1].ID, soon.Add(time.Minute), later.Add(time.Hour), false, "450"))
	// Its own time comes all the same.
	due(later, "old, another match")
	must(t, box.MarkDeferred(t.Context(), list[0].ID, later, later.Add(time.Minute), "the day's limit"))
	due(later, "another match")
	if list = due(later.Add(time.Minute), "another match, old"); list[1].Attempts != 1 {
		t.Errorf("%d tries after it was put off", list[0].Attempts)
	}
}

// TestLongQueue: however many letters to a player wait for another try, all go before
// a newer one, oldest first. They count for how many letters are given at once.
func TestLongQueue(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	box := db.Outbox("r@x.test")
	var old []string
	for i := range 20 {
		enqueue(t, db, "m1/0", fmt.Sprint("old", i+1), noon.Add(time.Duration(i)*time.Second))
		old = append(old, fmt.Sprintf("old%d! early", i+1))
	}
	enqueue(t, db, "m2/0", "other", noon)
	at := noon.Add(time.Minute)
	list, err := box.Due(t.Context(), at, 100)
	if err != nil || len(list) != 21 {
		t.Fatalf("%d, %v", len(list), err)
	}
	for _, o := range list {
		must(t, box.MarkFailed(t.Context(), o.ID, at, at.Add(time.Hour), false, "450"))
	}
	enqueue(t, db, "m1/0!", "new", at)
	enqueue(t, db, "m1/0!", "newer", at)
	enqueue(t, db, "m2/0", "other's new", at)
	before := strings.Join(old, ", ")
	for limit, want := range map[int]string{
		1:   before + ", new!",
		20:  before + ", new!",
		22:  before + ", new!, newer!",
		100: before + ", new!, newer!, other early, other's new",
	} {
		if list, err := box.Due(t.Context(), at, limit); err != nil || told(list) != want {
			t.Errorf("with a limit of %d: got %s, %v; want %s", limit, told(list), err, want)
		}
	}
}

// TestDueReadsIndexes: what is due is found in order, and no letter is read that does not go.
func TestDueReadsIndexes(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "the plans are those of SQLite")
	db := open(t, t.TempDir())
	for _, tt := range []struct{ query, want string }{
		{sendingOrderQuery, "SCAN o USING INDEX outbox_turn; SEARCH e USING COVERING INDEX outbox_seat (match=? AND seat=? AND rowid<?)"},
		{dueLettersQuery, "SEARCH outbox USING INDEX outbox_due (due<?)"},
		{`SELECT EXISTS (SELECT 1 FROM outbox WHERE ` + futureLettersCondition + `)`, "SEARCH outbox USING INDEX outbox_held (at>?)"},
		{assignQueueNumberStatement, "SEARCH o USING INTEGER PRIMARY KEY (rowid=?); SEARCH outbox USING COVERING INDEX outbox_match (match=? AND urgent=?); " +
			"SEARCH outbox USING INDEX outbox_observer (watched=?); SEARCH outbox USING COVERING INDEX outbox_turn (urgent=? AND turn>?)"},
	} {
		plan, err := queryAll(t.Context(), db.writer, func(s *string) []any {
			var unused int
			return []any{&unused, &unused, &unused, s}
		}, "EXPLAIN QUERY PLAN "+tt.query, 1, 2, 3)
		must(t, err)
		plan = slices.DeleteFunc(plan, func(s string) bool {
			return !strings.Contains(s, "USING I") && !strings.Contains(s, "USING COVERING") && !strings.Contains(s, "B-TREE")
		})
		if got := strings.Join(plan, "; "); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.query, got, tt.want)
		}
	}
}

// BenchmarkDue is what a wake costs while 10,000 letters wait.
func BenchmarkDue(b *testing.B) {
	db := open(b, b.TempDir())
	box := db.Outbox("r@x.test")
	must(b, db.write(b.Context(), func(ctx context.Context, tx *transaction) (err error) {
		for i := range 10_000 {
			err = errors.Join(err, enqueueIn(ctx, tx, fmt.Sprintf("m%d/%d", i/4, i%2), "a letter", noon))
		}
		return err
	}))
	for b.Loop() {
		if due, err := box.Due(b.Context(), noon, 64); err != nil || len(due) != 64 {
			b.Fatalf("%d letters are due: %v", len(due), err)
		}
	}
}

// post is letters to some players, and what goes wrong with them.
type post struct {
	letters []posted
	faults  []mailtest.Fault
}

// posted is a letter to one of those who read, put into the outbox some time after the one before.
type posted struct {
	reader int
	urgent bool
	after  time.Duration
}

// posts are seats with the accounts of their players; Ann sits at two tables.
var posts = []struct{ reader, account string }{{"m0/0", "ann"}, {"m0/1", "ben"}, {"m1/0", "ann"}, {"m1/1", "cyd"}, {"m2/0", "dan"},
	{"m2/1", "eve"}}

var troubles = rapid.Custom(func(t *rapid.T) mailtest.Fault {
	f := rapid.SampledFrom([]mailtest.Fault{
		{On: "RCPT", Do: mailtest.Answer, Text: "451 4.7.1 greylisted"},
		{On: "RCPT", Do: mailtest.Answer, Text: "452 4.2.2 mailbox full"},
		{On: "RCPT", Do: mailtest.Slow, Delay: 20 * time.Second},
		{On: "RCPT", Do: mailtest.Drop},
		{On: "DATA", Do: mailtest.Answer, Text: "451 4.3.0 later"},
		{On: "MAIL", Do: mailtest.Drop},
		{On: "MAIL", Do: mailtest.Answer, Text: "421 4.7.0 too many connections"},
		{On: mailtest.AtDot, Do: mailtest.Answer, Text: "451 4.3.0 later"},
		{On: mailtest.AtDot, Do: mailtest.Answer, Text: "554 5.7.1 looks like spam"},
		{On: mailtest.AtDot, Do: mailtest.DropAfter},
		{On: mailtest.AtContent, Do: mailtest.Drop, Bytes: 30},
		{On: mailtest.AtConnect, Do: mailtest.Answer, Text: "421 4.3.2 too busy"},
	}).Draw(t, "trouble")
	f.Skip, f.Every, f.Times = rapid.IntRange(0, 5).Draw(t, "skip"), rapid.IntRange(1, 4).Draw(t, "every"), rapid.IntRange(1, 6).Draw(t,
		"times")
	if f.On == "RCPT" {
		f.With = rapid.SampledFrom(posts).Draw(t, "whose").account
	}
	return f
})

// TestSendOrder: over four connections, and whatever fails, no letter to a seat arrives before
// an older one, and all arrive.
func TestSendOrder(t *testing.T) {
	t.Parallel()
	plans := rapid.Custom(func(t *rapid.T) post {
		return post{rapid.SliceOfN(rapid.Custom(func(t *rapid.T) posted {
			return posted{rapid.IntRange(0, len(posts)-1).Draw(t, "reader"), rapid.Bool().Draw(t, "urgent"),
				rapid.SampledFrom([]time.Duration{0, 0, 0, time.Second, 40 * time.Second, 3 * time.Minute}).Draw(t, "after")}
		}), 10, 40).Draw(t, "letters"), rapid.SliceOfN(troubles, 0, 6).Draw(t, "troubles")}
	})
	maximum := 0
	for seed := range long.N(8, 500) {
		p := plans.Example(seed)
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			n, err := p.send(t, dir)
			if maximum = max(maximum, n); err != nil {
				t.Errorf("post %d: %v\n%+v", seed, err, p)
			}
		})
	}
	if maximum < 3 {
		t.Errorf("no more than %d connections were used", maximum)
	}
}

// send sends the letters, and compares what has arrived. It tells how often it has connected.
func (p post) send(t *testing.T, dir string) (dials int, err error) {
	const pass = "secret"
	imapEnd, smtpEnd, front := mailtest.NewPipes(), mailtest.NewPipes(), mailtest.NewPipes()
	accounts := []embedded.Account{{Address: "referee@demo", Password: pass}}
	for _, a := range []string{"ann", "ben", "cyd", "dan", "eve"} {
		accounts = append(accounts, embedded.Account{Address: a + "@demo", Password: pass})
	}
	server, err := embedded.Start(t.Context(), embedded.Config{Dir: dir, IMAPListener: imapEnd, SMTPListener: smtpEnd, Accounts: accounts})
	must(t, err)
	proxy, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Listener: front, Target: "server", Dial: smtpEnd.Dial, SMTP: true,
		Faults: p.faults})
	must(t, err)
	db := open(t, dir)
	sender := mail.NewSender(mail.SMTPConfig{Login: mail.Login{Address: "mail.example:465", TLS: mail.NoTLS, User: "referee@demo",
		Password: pass}, Dial: front.Dial}, db.Outbox("referee@demo"), nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- sender.Run(ctx) }()
	for i, l := range p.letters {
		time.Sleep(l.after)
		must(t, db.write(t.Context(), func(ctx context.Context, tx *transaction) error {
			spec, to := posts[l.reader].reader, posts[l.reader].account+"@demo"
			if l.urgent {
				spec += "!"
			}
			text := fmt.Sprintf("From: referee@demo\r\nTo: %s\r\nSubject: %d %d.\r\n\r\nYour move.\r\n", to, l.reader, i)
			if err := enqueueIn(ctx, tx, spec, text, time.Now()); err != nil {
				return err
			}
			_, err := tx.ExecContext(ctx, `UPDATE outbox SET recipient = $1 WHERE id = (SELECT max(id) FROM outbox)`, to)
			return err
		}))
		sender.Wake()
	}
	time.Sleep(24 * time.Hour)
	proxy.Set()
	time.Sleep(12 * time.Hour)
	cancel()
	err = errors.Join(<-done, p.arrived(imapEnd, pass))
	var bodies int
	must(t, db.reader.QueryRowContext(t.Context(), `SELECT count(*) FROM bodies`).Scan(&bodies))
	if bodies > 0 {
		err = errors.Join(err, fmt.Errorf("%d letters that were sent lie there still", bodies))
	}
	must(t, errors.Join(db.Close(), proxy.Close(), server.Close()))
	return front.Dials(), err
}

// arrived compares what lies in the mailboxes with what was sent. A letter may have come twice.
func (p post) arrived(server *mailtest.Pipes, pass string) error {
	for _, account := range []string{"ann", "ben", "cyd", "dan", "eve"} {
		raws, err := mailtest.Mailbox{Dial: server.Dial, User: account + "@demo", Password: pass}.Folder("INBOX")
		if err != nil {
			return err
		}
		for r, reader := range posts {
			if reader.account != account {
				continue
			}
			var got, want []int
			for _, raw := range raws {
				for i := range p.letters {
					if bytes.Contains(raw, fmt.Appendf(nil, "Subject: %d %d.\r\n", r, i)) && !slices.Contains(got, i) {
						got = append(got, i)
					}
				}
			}
			for i, l := range p.letters {
				if l.reader == r {
					want = append(want, i)
				}
			}
			if !slices.Equal(got, want) {
				return fmt.Errorf("to %s came %v, want %v", reader.reader, got, want)
			}
		}
	}
	return nil
}
