package daemon

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/test/long"
	"samizdat/internal/test/mailtest"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
	"samizdat/mail/embedded"
	"samizdat/mail/message"
	"samizdat/testdata"
)

// dueHouse is a daemon that serves by a clock that is not real, with the real
// database and the real mail server.
type dueHouse struct {
	t      *testing.T
	cfg    config.Config
	server *embedded.Server
	imap   *mailtest.Pipes
	in     mail.IMAPConfig
	out    mail.SMTPConfig
	log    *slog.Logger

	// prepare, if there is one, is called before a daemon serves.
	prepare func(*Daemon)

	daemon *Daemon
	stop   func()
	sent   int
}

// newDueHouse opens the mail server. Nobody serves yet.
func newDueHouse(t *testing.T, dir string, log *slog.Logger, people ...string) *dueHouse {
	t.Helper()
	h := &dueHouse{t: t, cfg: config.Local(dir, people), log: log}
	h.cfg.Letters.Pictures, h.cfg.Letters.HTML = false, false
	h.cfg.Director = "dora@samizdat.local"
	imap, smtp := mailtest.NewPipes(), mailtest.NewPipes()
	h.imap = imap
	boxes := h.cfg.Mailboxes("referee")
	boxes.IMAPListener, boxes.SMTPListener = imap, smtp
	var err error
	if h.server, err = embedded.Start(t.Context(), boxes); err != nil {
		t.Fatal(err)
	}
	h.in, h.out = h.cfg.IMAP, h.cfg.SMTP.SMTPConfig
	h.in.Dial, h.out.Dial = imap.Dial, smtp.Dial
	h.in.Address, h.in.TLS, h.in.User, h.in.Password = "mail.test:143", mail.NoTLS, h.cfg.Address, "referee"
	h.out.Address, h.out.TLS, h.out.User, h.out.Password = "mail.test:25", mail.NoTLS, h.cfg.Address, "referee"
	return h
}

// start lets the daemon serve.
func (h *dueHouse) start() {
	h.t.Helper()
	d, err := Open(h.t.Context(), h.cfg, games, h.log)
	if err != nil {
		h.t.Fatal(err)
	}
	if h.prepare != nil {
		h.prepare(d)
	}
	ctx, cancel := context.WithCancel(h.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- d.Serve(ctx, h.in, h.out) }()
	h.daemon = d
	h.stop = func() {
		h.t.Helper()
		cancel()
		if err := <-ended; err != nil {
			h.t.Error(err)
		}
		if err := d.Close(); err != nil {
			h.t.Error(err)
		}
	}
	h.pass(5 * time.Second)
}

// pass lets time pass.
func (h *dueHouse) pass(d time.Duration) { time.Sleep(d) }

// box is somebody's mailbox on the server.
func (h *dueHouse) box(name string) mailtest.Mailbox {
	return mailtest.Mailbox{Dial: h.imap.Dial, User: name + "@samizdat.local", Password: name}
}

// mailbox is every letter that somebody has.
func (h *dueHouse) mailbox(name string) (out []message.Letter) {
	h.t.Helper()
	raws, err := h.box(name).Folder("INBOX")
	if err != nil {
		h.t.Fatal(err)
	}
	for _, raw := range raws {
		out = append(out, message.Read(raw))
	}
	return out
}

// newest is somebody's newest letter.
func (h *dueHouse) newest(name string) message.Letter {
	h.t.Helper()
	box := h.mailbox(name)
	if len(box) == 0 {
		h.t.Fatalf("%s has no mail", name)
	}
	return box[len(box)-1]
}

// sends lets somebody reply to his newest letter, and returns the answer.
func (h *dueHouse) sends(name, text string) string {
	h.t.Helper()
	id := h.writes(name, text)
	if a := h.newest(name); a.InReplyTo == id {
		return a.Text
	}
	h.t.Fatalf("%s wrote %q and got no answer", name, text)
	return ""
}

// writes lets somebody reply to his newest letter, and returns the reply's Message-ID.
func (h *dueHouse) writes(name, text string) string {
	h.t.Helper()
	l := h.newest(name)
	h.sent++
	m := message.Draft{
		From: name + "@samizdat.local", To: l.ReplyTo[0], Subject: "Re: " + l.Subject, MessageID: fmt.Sprintf("%d.%s@samizdat.local", h.sent, name),
		InReplyTo: l.MessageID, Date: time.Now(), Text: text,
	}
	raw, err := m.Render()
	if err != nil {
		h.t.Fatal(err)
	}
	h.deliver(raw)
	return m.MessageID
}

// deliver puts a letter into the referee's inbox, and lets him do his work.
func (h *dueHouse) deliver(raw []byte) {
	h.t.Helper()
	if err := h.box("referee").Deliver(raw); err != nil {
		h.t.Fatal(err)
	}
	h.pass(5 * time.Second)
}

// counts is how much there is: entries of the match, and letters by mailbox.
func (h *dueHouse) counts(match string, people ...string) string {
	h.t.Helper()
	m, err := h.daemon.DB.Match(h.t.Context(), match)
	if err != nil {
		h.t.Fatal(err)
	}
	out := fmt.Sprintf("%d entries", m.EntryCount)
	for _, p := range people {
		out += fmt.Sprintf(", %s %d", p, len(h.mailbox(p)))
	}
	return out
}

// sampleChance is what dice and draws of the sample game gave.
func sampleChance(t *testing.T) []record.Outcome {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	return rec.Outcomes()
}

// begins lets the Democrat and the Communist begin the sample game.
func (h *dueHouse) begins(chance []record.Outcome) *match.Match {
	h.t.Helper()
	return h.invites(adjudicator.Invitation{Recorded: chance})
}

// invites begins a match of 1989 on other terms.
func (h *dueHouse) invites(inv adjudicator.Invitation) *match.Match {
	h.t.Helper()
	inv.Game, inv.Players = "1989", []string{"democrat@samizdat.local", "communist@samizdat.local"}
	m, err := h.daemon.Adjudicator.CreateMatch(h.t.Context(), inv)
	if err != nil {
		h.t.Fatal(err)
	}
	h.pass(h.daemon.tickInterval + 3*time.Second) // Nobody tells the sender of the invitations.
	for _, s := range []string{"democrat", "communist"} {
		h.sends(s, "JOIN")
	}
	return m
}

// TestDueDays runs the daemon through everything that it does by itself: a GRACE that
// runs out, a DELAY, a change of address by the operator, the daily letter to the
// director. Each happens when it is due, once, and not again after a restart.
func TestDueDays(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, standsStill)
	dir, chance := t.TempDir(), sampleChance(t)
	people := []string{"democrat", "communist", "moved", "dora"}
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		h := newDueHouse(t, dir, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn})), people...)
		h.start()
		m := h.begins(chance)
		count := func() string { t.Helper(); return h.counts(m.ID, people...) }
		// again looks whether anything happens once more, also after a restart.
		again := func(what string) {
			t.Helper()
			before := count()
			h.pass(time.Duration(long.N(2, 10)) * time.Minute)
			h.stop()
			h.start()
			h.pass(time.Duration(long.N(2, 10)) * time.Minute)
			t.Logf("%s: %s", what, before)
			if current := count(); current != before {
				t.Errorf("%s: there was %s, and there is %s", what, before, current)
			}
		}

		h.sends("communist", "GRACE 10 minutes")
		if a := h.sends("communist", "PLACE Miskolc, Debrecen"); !strings.Contains(a, "wait until") {
			t.Fatalf("the answer is:\n%s", a)
		}
		before := count()
		h.pass(9*time.Minute + 50*time.Second)
		if current := count(); current != before {
			t.Errorf("early: there was %s, and there is %s", before, current)
		}
		h.pass(15 * time.Second)
		if current := count(); current == before {
			t.Errorf("after the grace there is %s, as before", current)
		}
		if a := h.newest("communist").Text; !strings.Contains(a, "PLACE Miskolc, Debrecen: done") {
			t.Errorf("after the grace the communist has:\n%s", a)
		}
		again("grace")

		h.sends("communist", "GRACE OFF")
		for i, f := range txtar.Parse(testdata.SampleLetters).Files[:12] {
			if _, seat, _ := strings.Cut(f.Name, " "); i > 0 {
				h.sends(seat, string(f.Data))
			}
		}
		h.sends("communist", "DELAY 20 minutes\nANSWER 10 PLACE Brasov 2, Ploiesti 2")
		h.sends("democrat", "PLAY 10 OPS EVENT FIRST")
		before = count()
		h.stop()
		h.start()
		h.pass(20*time.Minute + 5*time.Second)
		if current := count(); current == before || !strings.Contains(h.newest("communist").Text, "Carried out: PLACE Brasov 2, Ploiesti 2") {
			t.Errorf("after the delay there is %s, before was %s", current, before)
		}
		again("delay")

		// Another process does it while the daemon serves.
		other, err := Open(t.Context(), h.cfg, games, h.log)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Adjudicator.StartAddressChange(t.Context(), m.ID, 0, "moved@samizdat.local"); err != nil {
			t.Fatal(err)
		}
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		h.pass(5 * time.Second)
		if a := h.newest("democrat").Subject; !strings.Contains(a, "Your letters will go to another address") {
			t.Errorf("the old address has %q", a)
		}
		// Nobody serves for most of the three days.
		h.stop()
		h.pass(3*24*time.Hour - 5*time.Minute)
		h.start()
		if len(h.mailbox("moved")) > 0 {
			t.Error("the address has changed early")
		}
		h.pass(5 * time.Minute)
		if a := h.mailbox("moved"); len(a) != 1 || !strings.Contains(a[0].Text, "From now on your letters come to this") {
			t.Errorf("the new address has %d letters", len(a))
		}
		again("address")

		h.deliver(hardBounce(h.cfg.Address, h.newest("moved")))
		h.pass(2 * time.Minute)
		if a := h.mailbox("dora"); len(a) != 1 || !strings.Contains(a[0].Text, "Match "+m.ID+", democrat:\n1 letter came back") {
			t.Errorf("the director has %d letters: %+v", len(a), a)
		}
		again("director")
		// What is new on the same day is told on the next one.
		h.sends("moved", "STATUS")
		h.deliver(hardBounce(h.cfg.Address, h.newest("moved")))
		again("director, the same day")
		h.stop()
		h.pass(24 * time.Hour)
		h.start()
		h.pass(2 * time.Minute)
		if n := len(h.mailbox("dora")); n != 2 {
			t.Errorf("on the next day the director has %d letters", n)
		}
		again("director, the next day")

		h.stop()
		if err := h.server.Close(); err != nil {
			t.Error(err)
		}
		if strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("the log:\n%s", log.String())
		}
	})
}

// hardBounce is a report that a letter of the referee did not arrive.
func hardBounce(referee string, l message.Letter) []byte {
	return []byte(strings.ReplaceAll("Return-Path: <>\nFrom: MAILER-DAEMON@mx.test\nTo: "+referee+"\nMessage-ID: <r."+l.MessageID+">\nAuto-Submitted: auto-replied\n"+
		"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry.\n--b\nContent-Type: message/delivery-status\n\n"+
		"Reporting-MTA: dns; mx.test\n\nFinal-Recipient: rfc822; x@samizdat.local\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; no such user\n\n"+
		"--b\nContent-Type: message/rfc822\n\nFrom: "+referee+"\nReply-To: "+l.ReplyTo[0]+"\nMessage-ID: <"+l.MessageID+">\n\nx\n--b--\n", "\n", "\r\n"))
}
