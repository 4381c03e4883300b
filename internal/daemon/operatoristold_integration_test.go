//go:build integration

package daemon_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/doctor"
	"samizdat/internal/test/mailtest"
	"samizdat/internal/test/mailtest/realmail"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/storage"
)

// The accounts of the referee, by which letters come in and go out, of the operator, and of players.
const reader, writer, operator = "referee@test", "writer@test", "op@test"

var accounts = []string{reader, writer, operator, "ada@test", "ben@test"}

// folder is the referee's inbox.
const folder = "Letters"

// faulty is a daemon that serves a club by Dovecot and Postfix while things happen to it.
type faulty struct {
	t       *testing.T
	servers realmail.Servers
	cfg     config.Config
	file    string
	d       *daemon.Daemon
	box     mailtest.Mailbox
	log     *bytes.Buffer

	mu sync.Mutex
	// away is set while the name of the IMAP server does not resolve; conns are the daemon's to both servers.
	away  bool
	conns []net.Conn
}

// dial is how the daemon reaches a server.
func (f *faulty) dial(ctx context.Context, network, address string) (net.Conn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.away && address == f.servers.IMAPS {
		return nil, &net.DNSError{Err: "no such host", Name: "imap.test", IsNotFound: true}
	}
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	f.conns = append(f.conns, c)
	return c, err
}

// setAway cuts the IMAP server off, or lets it come back.
func (f *faulty) setAway(away bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.away = away
}

// cut cuts all connections.
func (f *faulty) cut() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.conns {
		if c != nil {
			_ = c.Close()
		}
	}
	f.conns = nil
}

// newFaulty starts everything. The data directory is a disk of its own.
func newFaulty(t *testing.T) *faulty {
	t.Helper()
	f := &faulty{t: t, servers: realmail.Start(t, accounts, nil), log: new(bytes.Buffer)}
	dir := t.TempDir()
	data := filepath.Join(dir, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", data, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", daemon.MinFree+(24<<20))); err != nil {
		t.Fatalf("a small disk: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(data, syscall.MNT_DETACH) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	metrics := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	f.file = filepath.Join(dir, "samizdat.yaml")
	login := func(server, tls, user string) string {
		return fmt.Sprintf("address: %q, tls: %s, ca_file: %s, user: %s, password: %s", server, tls, f.servers.CA, user, realmail.Password)
	}
	text := fmt.Sprintf("data: %s\naddress: %s\noperator: %s\nmetrics: %s\nletters: {html: false, pictures: false, confirmations: 0s}\n"+
		"imap: {%s, mailbox: %s, idle_restart: 1s}\nsmtp: {%s, connections: 1}\n",
		data, reader, operator, metrics, login(f.servers.IMAPS, "tls", reader), folder, login(f.servers.Submission, "starttls", writer))
	if err := os.WriteFile(f.file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if f.cfg, err = config.Load(f.file); err != nil {
		t.Fatal(err)
	}
	f.box = mailtest.Mailbox{Server: f.servers.IMAP, User: reader, Password: realmail.Password}
	if err := f.box.Make(folder); err != nil {
		t.Fatal(err)
	}
	set()(f)
	f.serve()
	return f
}

// serve lets the daemon serve until the end of the test.
func (f *faulty) serve() {
	f.t.Helper()
	d, err := daemon.Open(f.t.Context(), f.cfg, daemon.Games, slog.New(slog.NewTextHandler(f.log, nil)))
	if err != nil {
		f.t.Fatal(err)
	}
	f.d = d
	d.Hurry(100*time.Millisecond, 300*time.Millisecond, 4*time.Second)
	in, out := f.cfg.IMAP, f.cfg.SMTP.SMTPConfig
	const short = 200 * time.Millisecond
	in.Dial, in.Refused, in.Reconnect, in.Retry = f.dial, mail.Backoff{First: short, Max: short}, mail.Backoff{First: short, Max: short}, mail.Backoff{First: short, Max: short}
	out.Dial, out.Refused, out.Reconnect, out.Retry = f.dial, in.Refused, in.Reconnect, mail.Schedule{First: short, Max: short, GiveUp: time.Hour}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, in, out) }()
	f.t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			f.t.Error(err)
		}
		if err := d.Close(); err != nil {
			f.t.Error(err)
		}
		if f.t.Failed() {
			f.t.Logf("the log:\n%s", f.log.String())
		}
	})
}

// invites queues letters to players.
func (f *faulty) invites() {
	f.t.Helper()
	if _, err := f.d.Adjudicator.CreateMatch(f.t.Context(), adjudicator.Invitation{Game: daemon.Games[0].Name(), Players: accounts[3:]}); err != nil {
		f.t.Fatal(err)
	}
}

// until waits for something.
func (f *faulty) until(what string, is func() bool) {
	f.t.Helper()
	end := time.Now().Add(20 * time.Second)
	for !is() {
		if time.Now().After(end) {
			f.t.Fatalf("never: %s", what)
		}
		time.Sleep(30 * time.Millisecond)
	}
}

// healthz is what the daemon says of its health.
func (f *faulty) healthz() string {
	r, err := http.Get("http://" + f.cfg.Metrics + "/healthz")
	if err != nil {
		return err.Error()
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	return string(text) + fmt.Sprint(errors.Join(err))
}

// told are the subjects of the letters that the operator has.
func (f *faulty) told() (subjects []string) {
	f.t.Helper()
	raws, err := mailtest.Mailbox{Server: f.servers.IMAP, User: operator, Password: realmail.Password}.Folder("INBOX")
	if err != nil {
		f.t.Fatal(err)
	}
	for _, raw := range raws {
		subjects = append(subjects, message.Read(raw).Subject)
	}
	return subjects
}

// doctor runs the doctor, who says something bad.
func (f *faulty) doctor(want string) {
	f.t.Helper()
	var out bytes.Buffer
	if _, err := doctor.Run(f.t.Context(), &out, f.file, 0); err != nil {
		f.t.Fatal(err)
	}
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "bad ") && strings.Contains(line, want) && strings.Contains(line, "What to do: ") {
			return
		}
	}
	f.t.Errorf("the doctor does not say %q:\n%s", want, out.String())
}

// ballast leaves so much room on the disk.
func (f *faulty) ballast(free int64) {
	f.t.Helper()
	path := filepath.Join(f.cfg.Data, "ballast")
	if free < 0 {
		if err := os.Remove(path); err != nil {
			f.t.Fatal(err)
		}
		return
	}
	is, err := daemon.MeasureDisk(f.cfg.Data, time.Now())
	if err != nil {
		f.t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		f.t.Fatal(err)
	}
	if err := syscall.Fallocate(int(file.Fd()), 0, 0, int64(is.Free)-free); err != nil {
		f.t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		f.t.Fatal(err)
	}
}

// findFault is one that an operator meets.
type findFault struct {
	name         string
	begin, mend  func(f *faulty)
	cause, title string
	// healthz and doctor are what those say.
	healthz, doctor string
	// mute: no way out is left while it lasts.
	mute bool
	// more causes end with it.
	more []string
}

// room is how many kilobytes the referee's mailbox takes.
const room = 4 << 10

// set makes accounts odd, and all others as they were. The referee's mailbox always has a limit.
func set(odd ...map[string]realmail.Account) func(*faulty) {
	return func(f *faulty) {
		all := map[string]realmail.Account{reader: {Quota: room}}
		for _, o := range odd {
			for name, a := range o {
				a.Quota = all[name].Quota
				all[name] = a
			}
		}
		f.servers.SetAccounts(f.t, accounts, all)
	}
}

func account(name string, a realmail.Account) map[string]realmail.Account {
	return map[string]realmail.Account{name: a}
}

var changed, suspended = realmail.Account{Password: "another password"}, realmail.Account{Suspended: true}

// newAnswerLimiter lets Postfix give one answer to each recipient but the operator; none for as before.
func newAnswerLimiter(reply string) func(*faulty) {
	return func(f *faulty) {
		if reply != "" {
			reply = "check_recipient_access inline:{{" + operator + "=OK}}, check_recipient_access static:{" + reply + "}, "
		}
		f.servers.PostfixSet(f.t, "smtpd_recipient_restrictions="+reply+"permit_sasl_authenticated, reject_unauth_destination")
	}
}

const (
	inboxTitle, sendTitle, outboxTitle = "The inbox cannot be read", "Letters cannot be sent", "Letters do not get through"
	diskTitle, mailboxTitle            = "The disk is nearly full", "The mailbox is full"
)

var faults = []findFault{
	{name: "the IMAP password was changed", begin: set(account(reader, changed)), mend: set(), cause: "imap", title: inboxTitle,
		healthz: "the server refuses the login: check user and password", doctor: "IMAP login: "},
	{name: "the SMTP password was changed", begin: set(account(writer, changed)), mend: set(), cause: "smtp", title: sendTitle,
		healthz: "the server refuses the login: check user and password", doctor: "SMTP login: ", mute: true},
	{name: "the IMAP certificate has expired", begin: func(f *faulty) { f.servers.Expire(f.t, true, true) }, mend: func(f *faulty) { f.servers.Expire(f.t, true, false) }, cause: "imap", title: inboxTitle,
		healthz: "the server's certificate is not valid today: renew it", doctor: "IMAP"},
	{name: "the SMTP certificate has expired", begin: func(f *faulty) { f.servers.Expire(f.t, false, true) }, mend: func(f *faulty) { f.servers.Expire(f.t, false, false) }, cause: "smtp", title: sendTitle,
		healthz: "the server's certificate is not valid today: renew it", doctor: "SMTP", mute: true},
	{name: "the mailbox is over its quota", begin: func(f *faulty) {
		raw := []byte("Subject: much\r\n\r\n" + strings.Repeat(strings.Repeat("x", 62)+"\r\n", 1600)) // 100 kB
		if err := f.box.Make("Archive"); err != nil {
			f.t.Fatal(err)
		}
		for f.box.DeliverTo("Archive", raw) == nil { // Until it takes no more.
		}
	}, mend: func(f *faulty) {
		if err := f.box.Remove("Archive"); err != nil {
			f.t.Fatal(err)
		}
	}, cause: "mailbox", title: mailboxTitle, healthz: "the mailbox is full to", doctor: "IMAP: the mailbox is full to"},
	{name: "the disk is full", begin: func(f *faulty) { f.ballast(0) }, mend: func(f *faulty) { f.ballast(-1) }, cause: "disk", title: diskTitle,
		healthz: "the disk is nearly full: 0 MB are free", doctor: "disk: only 0 MB are free"},
	{name: "the disk is nearly full", begin: func(f *faulty) { f.ballast(60 << 20) }, mend: func(f *faulty) { f.ballast(-1) }, cause: "disk", title: diskTitle,
		healthz: "the disk is nearly full: ", doctor: "disk: only "},
	{name: "the account is suspended", begin: set(account(reader, suspended), account(writer, changed)), mend: set(), cause: "smtp", title: sendTitle,
		healthz: "the account is closed or locked", doctor: "Login disabled for this user. What to do: the account is closed or locked", mute: true, more: []string{inboxTitle}},
	{name: "every recipient is put off", begin: newAnswerLimiter("451 4.3.0 try again later"), mend: newAnswerLimiter(""), cause: "outbox", title: outboxTitle,
		healthz: "try again later", doctor: "Recipient address rejected: try again later"},
	{name: "the server refuses all letters", begin: newAnswerLimiter("550 5.7.1 refused by our policy"), mend: newAnswerLimiter(""), cause: "outbox", title: outboxTitle,
		healthz: "550 5.7.1", doctor: "550 5.7.1"},
	{name: "the mail server cannot be found", begin: func(f *faulty) { f.setAway(true) }, mend: func(f *faulty) { f.setAway(false) }, cause: "imap", title: inboxTitle,
		healthz: "no such host", doctor: "no such host"},
	{name: "the folder of the inbox is gone", begin: func(f *faulty) { f.rename(folder, "Elsewhere") }, mend: func(f *faulty) { f.rename("Elsewhere", folder) }, cause: "imap", title: inboxTitle,
		healthz: "the mailbox does not exist: it was deleted or renamed", doctor: "IMAP"},
}

func (f *faulty) rename(from, to string) {
	f.t.Helper()
	if err := f.box.Rename(from, to); err != nil {
		f.t.Fatal(err)
	}
}

// TestOperatorIsTold plays through what operators meet. Each fault leaves one letter to the operator where any
// way out works, healthz and the doctor name it, and its end is told.
func TestOperatorIsTold(t *testing.T) {
	f := newFaulty(t)
	f.until("the daemon is well", func() bool { return strings.HasPrefix(f.healthz(), "well") })
	f.invites()
	f.until("letters go out", func() bool {
		s, err := f.d.DB.Operator.Stats(t.Context())
		return err == nil && s.Outbox["waiting"] == 0
	})
	if got := f.told(); len(got) > 0 {
		t.Fatalf("the operator was told of %q", got)
	}
	for _, is := range faults {
		startTime := time.Now()
		before := len(f.told())
		is.begin(f)
		f.cut()
		if is.cause != "disk" {
			f.invites()
		}
		f.until(is.name+" shows in healthz", func() bool {
			if s, err := f.d.DB.Operator.Stats(t.Context()); is.cause == "outbox" && err == nil && s.Outbox["waiting"] == 0 {
				f.invites() // An idle process of Postfix has taken the letters by the settings before the fault.
			}
			return strings.Contains(f.healthz(), is.healthz)
		})
		noted := func() bool {
			list, err := f.d.DB.Operator.Alarms(t.Context())
			for _, a := range list {
				if a.Cause == is.cause && a.Fault != "" {
					return err == nil
				}
			}
			return false
		}
		if is.mute {
			f.until(is.name+" is noted", noted)
		} else {
			f.until(is.name+" is told", func() bool { return len(f.told()) > before })
		}
		f.doctor(is.doctor)
		time.Sleep(time.Second) // Time for a letter too many.
		is.mend(f)
		f.cut()
		got := func(title string) int {
			return strings.Count(fmt.Sprintf("%q", f.told()[before:]), fmt.Sprintf("%q", title))
		}
		total := 0
		for _, title := range append(is.more, is.title) {
			over := "Over: " + strings.ToLower(title[:1]) + title[1:]
			f.until("the end of "+is.name+" is told", func() bool { return got(over) > 0 })
			// What nobody could be told of is told at its end, or when a way out comes back before it.
			if begun := got(title); begun > 1 || begun == 0 && !is.mute || got(over) != 1 {
				t.Errorf("%s: the operator got %q", is.name, f.told()[before:])
			}
			total += got(title) + got(over)
		}
		if n := len(f.told()[before:]); n != total {
			t.Errorf("%s: the operator got %q", is.name, f.told()[before:])
		}
		f.until("all is well after "+is.name, func() bool { return strings.HasPrefix(f.healthz(), "well") })
		// A day later.
		list, err := f.d.DB.Operator.Alarms(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			if err := f.d.DB.Operator.RecordAlarm(t.Context(), storage.Alarm{Cause: a.Cause, Since: a.Since}, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: %v", is.name, time.Since(startTime).Round(100*time.Millisecond))
	}
}
