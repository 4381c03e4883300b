package daemon

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/test/mailtest"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
	"samizdat/mail/embedded"
)

// firstStart is a mailbox with a daemon's configuration for it.
type firstStart struct {
	t       *testing.T
	cfg     config.Config
	in      mail.IMAPConfig
	out     mail.SMTPConfig
	mailbox mailtest.Mailbox
}

// newFirstStart must be called in a bubble: the pipes belong to it.
func newFirstStart(t *testing.T) *firstStart {
	t.Helper()
	f := &firstStart{t: t, cfg: config.Local(t.TempDir(), nil)}
	imap, smtp := mailtest.NewPipes(), mailtest.NewPipes()
	served := f.cfg.Mailboxes("referee")
	served.Dir = t.TempDir()
	served.IMAPListener, served.SMTPListener = imap, smtp
	server, err := embedded.Start(t.Context(), served)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	login := mail.Login{Address: "mail.example.org:993", TLS: mail.NoTLS, User: f.cfg.Address, Password: "referee"}
	f.cfg.IMAP.Login, f.cfg.SMTP.Login = login, login
	f.in, f.out = mail.IMAPConfig{Login: login, Dial: imap.Dial}, mail.SMTPConfig{Login: login, Dial: smtp.Dial}
	f.mailbox = mailtest.Mailbox{Dial: imap.Dial, User: f.cfg.Address, Password: "referee"}
	return f
}

// serve serves for a minute, or until the daemon refuses.
func (f *firstStart) serve() error {
	f.t.Helper()
	d, err := Open(f.t.Context(), f.cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		f.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(f.t.Context(), time.Minute)
	defer cancel()
	err = d.Serve(ctx, f.in, f.out)
	if err := d.Close(); err != nil {
		f.t.Error(err)
	}
	return err
}

func (f *firstStart) letter(text string) {
	f.t.Helper()
	raw := "From: aunt@family.example\r\nTo: " + f.cfg.Address + "\r\nSubject: " + text + "\r\nMessage-ID: <1@family.example>\r\n\r\nDear!\r\n"
	if err := f.mailbox.Deliver([]byte(raw)); err != nil {
		f.t.Fatal(err)
	}
}

// holds looks how many letters a folder has.
func (f *firstStart) holds(folder string, want int) {
	f.t.Helper()
	raws, err := f.mailbox.Folder(folder)
	if err != nil || len(raws) != want {
		f.t.Errorf("%s holds %d letters, want %d (%v)", folder, len(raws), want, err)
	}
}

// refused serves, and wants to be told why that is not done.
func (f *firstStart) refused(says ...string) {
	f.t.Helper()
	err := f.serve()
	for _, s := range append(says, "may contain letters of another program", "What to do: ", "remove "+uncheckedFile(f.cfg.Data)) {
		if err == nil || !strings.Contains(err.Error(), s) {
			f.t.Errorf("it is not told %q: %v", s, err)
		}
	}
}

// TestFirstStart: a new database takes no mailbox that has letters in it, until it is told
// to, or they are gone; from then on it is not asked again.
func TestFirstStart(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, standsStill)
	t.Run("told to", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			f := newFirstStart(t)
			f.letter("Your birthday")
			f.letter("The boiler")
			for range 2 {
				f.refused("letters in INBOX that came before Samizdat: 2", "a mailbox of its own")
				f.holds("INBOX", 2)
			}
			if err := os.Remove(uncheckedFile(f.cfg.Data)); err != nil {
				t.Fatal(err)
			}
			if err := f.serve(); err != nil {
				t.Error(err)
			}
			f.holds("INBOX", 0)
			f.holds(string(mail.Ignored), 2)
		})
	})
	t.Run("empty", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			f := newFirstStart(t)
			// What the doctor has sent is nobody's letter.
			f.letter("doctor-abcdefgh")
			if err := f.serve(); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(uncheckedFile(f.cfg.Data)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("it would be looked at again: %v", err)
			}
			f.letter("Your birthday")
			if err := f.serve(); err != nil {
				t.Error(err)
			}
			f.holds("INBOX", 0)
			f.holds(string(mail.Ignored), 2)
		})
	})
	t.Run("of another database", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			f := newFirstStart(t)
			if err := f.mailbox.Make(string(mail.Done)); err != nil {
				t.Fatal(err)
			}
			if err := f.mailbox.DeliverTo(string(mail.Done), []byte("Subject: PLAY 36 EVENT\r\n\r\n")); err != nil {
				t.Fatal(err)
			}
			f.refused("letters in Samizdat/Done: 1, so another database serves or served this mailbox", "data directory of that database")
			f.letter("Your birthday")
			f.refused("before Samizdat: 1", "; and letters in Samizdat/Done: 1")
			f.holds("INBOX", 1)
		})
	})
	t.Run("not looked at yet", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			f := newFirstStart(t)
			d, err := Open(t.Context(), f.cfg, games, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			_, err = d.Adjudicator.CreateMatch(t.Context(), adjudicator.Invitation{Game: games[0].Name(), Players: []string{"ada@samizdat.local", "ben@samizdat.local"}})
			if err := errors.Join(err, d.Close()); err != nil {
				t.Fatal(err)
			}
			f.in.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("the server is away") }
			f.out.Dial = func(context.Context, string, string) (net.Conn, error) {
				t.Error("a letter goes out, and its answer would be taken for a letter of others")
				return nil, errors.New("not yet")
			}
			if err := f.serve(); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("old database", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			f := newFirstStart(t)
			d, err := Open(t.Context(), f.cfg, games, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			// As databases are that were made before mailboxes were looked at.
			if err := errors.Join(d.Close(), os.Remove(uncheckedFile(f.cfg.Data))); err != nil {
				t.Fatal(err)
			}
			f.letter("Your birthday")
			if err := f.serve(); err != nil {
				t.Error(err)
			}
			f.holds("INBOX", 0)
		})
	})
}
