package storage

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest"
	"samizdat/mail"
	"samizdat/mail/embedded"
)

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
var posts = []struct{ reader, account string }{{"m0/0", "ann"}, {"m0/1", "ben"}, {"m1/0", "ann"}, {"m1/1", "cyd"}, {"m2/0", "dan"}, {"m2/1", "eve"}}

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
	f.Skip, f.Every, f.Times = rapid.IntRange(0, 5).Draw(t, "skip"), rapid.IntRange(1, 4).Draw(t, "every"), rapid.IntRange(1, 6).Draw(t, "times")
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
	most := 0
	for seed := range long.N(8, 500) {
		p := plans.Example(seed)
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			n, err := p.send(t, dir)
			if most = max(most, n); err != nil {
				t.Errorf("post %d: %v\n%+v", seed, err, p)
			}
		})
	}
	if most < 3 {
		t.Errorf("no more than %d connections were used", most)
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
	proxy, err := mailtest.StartProxy(t.Context(), mailtest.ProxyConfig{Listener: front, Target: "server", Dial: smtpEnd.Dial, SMTP: true, Faults: p.faults})
	must(t, err)
	db := open(t, dir)
	sender := mail.NewSender(mail.SMTPConfig{Login: mail.Login{Address: "mail.example:465", TLS: mail.NoTLS, User: "referee@demo", Password: pass}, Dial: front.Dial}, db.Outbox("referee@demo"), nil)
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
