package clubmail_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/club/clubmail"
	"samizdat/adjudicator/conversation"
	"samizdat/internal/post"
	"samizdat/internal/test/goldentest"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
	"samizdat/storage"
)

// house is a referee with a club, a real database and people who write real messages. Only the
// network is missing: letters go straight from hand to hand.
type house struct {
	t     testing.TB
	dir   string
	db    *storage.DB
	adj   *adjudicator.Adjudicator
	club  *clubmail.Mail
	cfg   club.Config
	codec post.Codec
	now   time.Time
	uid   uint32
	rand  *chaos
	// mailbox holds every letter that somebody got, sent every address that was written to.
	mailbox map[string][]message.Letter
	raw     map[string][]string
	sent    int
	// refused are the addresses whose mail servers take no letters.
	refused map[string]bool
}

// chaos is a source of secrets that is the same in each test, for several goroutines at once.
type chaos struct {
	mu sync.Mutex
	r  *rand.ChaCha8
}

func (s *chaos) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.r.Read(p)
}

func newHouse(t testing.TB, change ...func(*club.Config)) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), codec: post.Codec{Address: "referee@club.test", Name: "Samizdat"}, cfg: club.Default(),
		now: time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC), rand: &chaos{r: rand.NewChaCha8([32]byte{16})},
		mailbox: map[string][]message.Letter{}, raw: map[string][]string{}}
	h.cfg.Registration, h.cfg.Name = club.RegistrationOpen, "The Danzig club"
	for _, c := range change {
		c(&h.cfg)
	}
	if pgtest.Used() {
		pgtest.Where(t, h.path(), filepath.Join(h.dir, "club.key"), storage.Open)
		h.open()
		return h
	}
	files, err := empty()
	for name, data := range files {
		err = errors.Join(err, os.WriteFile(filepath.Join(h.dir, name), data, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	h.open()
	return h
}

// path names the club's database.
func (h *house) path() string { return filepath.Join(h.dir, "club.db") }

func (h *house) open() {
	h.t.Helper()
	db, err := storage.Open(h.t.Context(), pgtest.At(h.path()), filepath.Join(h.dir, "club.key"))
	if err != nil {
		h.t.Fatal(err)
	}
	h.db = db
	h.adj = adjudicator.New(adjudicator.Config{
		ReplyConfig: conversation.ReplyConfig{Store: db, Codec: h.codec, Now: func() time.Time { return h.now },
			Log: slog.New(slog.DiscardHandler), Director: at("director"), LetterOptions: conversation.LetterOptions{HTML: true}},
		Games: rules.Games{dawn1989.Game(), revolution1789.Game()}, Random: h.rand, VacationDays: 28})
	h.club = clubmail.New(clubmail.Config{Adjudicator: h.adj, Store: db.Club, Club: h.cfg})
	h.t.Cleanup(func() { _ = db.Close() })
}

// at is somebody's address.
func at(name string) string { return strings.ToLower(name) + "@players.test" }

// letter takes a letter in, and delivers what it leads to.
func (h *house) letter(d message.Draft) mail.Folder {
	h.t.Helper()
	h.uid++
	if d.MessageID == "" {
		d.MessageID = fmt.Sprintf("%d.%s", h.uid, d.From)
	}
	d.Date = h.now
	raw, err := d.Render()
	if err != nil {
		h.t.Fatal(err)
	}
	h.now = h.now.Add(time.Minute)
	f, err := h.handler().Handle(h.t.Context(), mail.Received{UIDValidity: 1, UID: h.uid, Arrived: h.now, Size: int64(len(raw)), Raw: raw})
	if err != nil {
		h.t.Fatal(err)
	}
	h.deliver()
	return f
}

// writes lets somebody write to the club's address, in answer to nothing.
func (h *house) writes(name, text string) mail.Folder {
	h.t.Helper()
	return h.letter(message.Draft{From: at(name), To: h.codec.Address, Subject: "Hello", Text: text})
}

// answers lets somebody answer his newest letter of the club.
func (h *house) answers(name, text string) message.Letter {
	h.t.Helper()
	box := h.mailbox[at(name)]
	for i := len(box) - 1; i >= 0; i-- {
		if len(box[i].ReplyTo) > 0 && strings.Contains(box[i].ReplyTo[0], "+club-c") {
			return h.reply(name, box[i], text)
		}
	}
	h.t.Fatalf("%s has no letter of the club", name)
	return message.Letter{}
}

// reply lets somebody answer a letter, and returns the newest that he has then.
func (h *house) reply(name string, to message.Letter, text string) message.Letter {
	h.t.Helper()
	had := len(h.mailbox[at(name)])
	h.letter(message.Draft{From: at(name), To: to.ReplyTo[0], Subject: "Re: " + to.Subject, InReplyTo: to.MessageID, Text: text})
	if got := len(h.mailbox[at(name)]) - had; got < 1 {
		h.t.Fatalf("%s wrote %q and got %d answers", name, text, got)
	}
	return h.last(name)
}

// last is the newest letter that somebody has.
func (h *house) last(name string) message.Letter {
	h.t.Helper()
	box := h.mailbox[at(name)]
	if len(box) == 0 {
		h.t.Fatalf("%s has no mail", name)
	}
	return box[len(box)-1]
}

// deliver empties the outbox.
func (h *house) deliver() {
	h.t.Helper()
	ctx := context.Background()
	box := h.db.Outbox(h.codec.Address)
	out, err := box.Due(ctx, h.now.Add(time.Hour), 1000)
	if err != nil {
		h.t.Fatal(err)
	}
	var ids []int64
	for _, o := range out {
		if h.refused[o.To] {
			if err := box.MarkFailed(ctx, o.ID, h.now, h.now, true, "550 no such user"); err != nil {
				h.t.Fatal(err)
			}
			continue
		}
		h.mailbox[o.To] = append(h.mailbox[o.To], message.Read(o.Raw))
		h.raw[o.To] = append(h.raw[o.To], string(o.Raw))
		h.sent++
		ids = append(ids, o.ID)
	}
	if err := box.MarkSent(ctx, ids, h.now); err != nil {
		h.t.Fatal(err)
	}
}

// joins makes members.
func (h *house) joins(names ...string) {
	h.t.Helper()
	for _, n := range names {
		h.writes(n, "REGISTER "+n)
		h.answers(n, "YES")
	}
}

// Letters are held to golden files, and to their width.
var (
	golden = goldentest.Compare
	narrow = goldentest.Narrow
)

func (h *house) handler() post.Handler { return post.Handler{Codec: h.codec, Adjudicator: h.adj} }
