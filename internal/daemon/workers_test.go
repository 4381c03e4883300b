package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/internal/test/mailtest"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/storage"
)

// TestFolderOfAnotherVersion: a letter that a daemon of another version has handled is filed, although
// its folder is not known here; what is no folder is handed in again.
func TestFolderOfAnotherVersion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		what   string
		folder mail.Folder
		err    error
		warns  bool
	}{
		{"Samizdat/Questions", mail.Questions, nil, false},
		{"Samizdat/Sorted", mail.Done, nil, true},
		{outcomeCrashed, "", mail.ErrCrashed, false},
		{"sorted", "", errNotHandled, false},
	} {
		var said bytes.Buffer
		d := newDispatcher(nil, (*storage.Session)(nil), nil, NewLog(&said, 0))
		r := mail.Received{UIDValidity: 7, UID: 8}
		d.enqueue(r, nil)
		d.deliver(inboxUID{7, 8}, arrivalResult{outcome: tt.what})
		f, err := d.Handle(t.Context(), r)
		if f != tt.folder || !errors.Is(err, tt.err) {
			t.Errorf("%s: filed in %q, %v", tt.what, f, err)
		}
		if warned := strings.Contains(said.String(), tt.what); warned != tt.warns {
			t.Errorf("%s: the log says %q", tt.what, said.String())
		}
	}
}

// trapped is a store in which a match ends in a panic, and another takes until it is released.
type trapped struct {
	exchange.Store
	panics, slow string
	release      chan struct{}
}

func (s trapped) Match(ctx context.Context, id string) (*match.Match, error) {
	switch id {
	case s.panics:
		panic("a rule that nobody has thought of")
	case s.slow:
		<-s.release
	}
	return s.Store.Match(ctx, id)
}

// invites makes matches whose players are all different, with the letters that join them.
func invites(t *testing.T, d *Daemon, matches int) (ids []string, letters [][]byte) {
	t.Helper()
	for i := range matches {
		players := []string{fmt.Sprintf("ada%d@x.test", i), fmt.Sprintf("ben%d@x.test", i)}
		m, err := d.Adjudicator.CreateMatch(t.Context(), adjudicator.Invitation{Game: games[0].Name(), Players: players})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, m.ID)
		for seat, from := range players {
			token := message.NewToken(m.Seats[seat].Key, message.LetterName{Match: m.ID, Reader: seat, Number: 1})
			raw, err := message.Draft{From: from, To: message.TokenAddress(d.Config.Address, token.String()), Subject: "Join", MessageID: fmt.Sprintf("%d-%d@x.test", i, seat), Date: time.Now(), Text: "JOIN"}.Render()
			if err != nil {
				t.Fatal(err)
			}
			letters = append(letters, raw)
		}
	}
	return ids, letters
}

// TestOthersAreServed: letters to a match that panics and to one that takes long, which came first, hold
// up nobody else's, however many more of that sort there are.
func TestOthersAreServed(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	const matches = 10
	cfg := local(t)
	cfg.Letters = conversation.LetterOptions{}
	d, err := Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	ids, letters := invites(t, d, matches)
	traps := trapped{Store: d.DB, panics: ids[0], slow: ids[1], release: make(chan struct{})}
	d.Adjudicator.Store = traps
	in, out := cfg.IMAP, cfg.SMTP.SMTPConfig
	server, err := StartEmbedded(ctx, cfg, &in, &out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close() })
	box := mailtest.Mailbox{Server: server.IMAPAddr(), User: in.User, Password: in.Password}
	if err := box.Deliver(letters...); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, in, out) }()
	joined := func(ids []string) bool {
		for _, id := range ids {
			if m, err := d.DB.Match(ctx, id); err != nil || m.State != match.Playing {
				return false
			}
		}
		return true
	}
	until := func(what string, is func() bool) {
		t.Helper()
		for !is() {
			select {
			case <-ctx.Done():
				t.Fatal("never: " + what)
			case <-time.After(5 * time.Millisecond):
			}
		}
	}
	until("the others play", func() bool { return joined(ids[2:]) })
	until("their letters are filed", func() bool {
		done, err := box.Folder(string(mail.Done))
		return err == nil && len(done) == 2*(matches-2)
	})
	close(traps.release)
	until("the slow match plays", func() bool { return joined(ids[1:]) })
	if joined(ids[:1]) {
		t.Error("the match that panics plays")
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
