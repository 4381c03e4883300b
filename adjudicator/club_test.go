package adjudicator_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/post"
	"samizdat/internal/test/goldentest"
	"samizdat/internal/test/pgtest"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/storage"
)

// club is a referee with a real database and players who write real messages.
// Only the network is missing: letters go straight from hand to hand.
type club struct {
	t     testing.TB
	dir   string
	db    *storage.DB
	adj   *adjudicator.Adjudicator
	codec post.Codec
	games []*rules.Game
	// store, when set, stands between adjudicator and database.
	store func(exchange.Store) exchange.Store
	now   time.Time
	rand  io.Reader
	uid   uint32
	// mailbox holds every letter that an address got, but for those in notices: that it is not answered.
	mailbox, notices map[string][]message.Letter
	// bytes holds the same as they came.
	bytes map[string][]string
}

// clubCodec writes the addresses of all clubs.
var clubCodec = post.Codec{Address: "referee@club.test", Name: "Samizdat"}

func newClub(t testing.TB, games ...*rules.Game) *club {
	t.Helper()
	c := &club{
		t: t, dir: t.TempDir(), codec: clubCodec, games: games,
		now: time.Date(1989, 6, 4, 9, 0, 0, 0, time.UTC), rand: &shared{r: rand.NewChaCha8([32]byte{19, 89})}, mailbox: map[string][]message.Letter{},
		bytes: map[string][]string{},
	}
	if pgtest.Used() {
		pgtest.Where(t, filepath.Join(c.dir, "club.db"), filepath.Join(c.dir, "club.key"), storage.Open)
	} else {
		db, err := emptyClub()
		if err != nil {
			t.Fatal(err)
		}
		if err := furnish(c.dir, map[string][]byte{"club.db": db, "club.key": newSeatKey()}); err != nil {
			t.Fatal(err)
		}
	}
	c.open()
	return c
}

// shared is a reader for several goroutines at once, as the source of secrets has to be.
type shared struct {
	mu sync.Mutex
	r  *rand.ChaCha8
}

// Read implements io.Reader.
func (s *shared) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.r.Read(p)
}

// open opens the database, again after a crash.
func (c *club) open() {
	c.t.Helper()
	db, err := storage.Open(c.t.Context(), where(c.dir), filepath.Join(c.dir, "club.key"))
	if err != nil {
		c.t.Fatal(err)
	}
	var store exchange.Store = db
	if c.store != nil {
		store = c.store(db)
	}
	c.db = db
	c.adj = adjudicator.New(adjudicator.Config{
		ReplyConfig: conversation.ReplyConfig{Store: store, Codec: c.codec, Now: func() time.Time { return c.now },
			Log: slog.New(slog.DiscardHandler), Director: address("director")},
		Games: c.games, Random: c.rand, VacationDays: 28})
	c.t.Cleanup(func() { _ = db.Close() }) // a club that was reopened has closed it already
}

// reopen is a restart of the daemon.
func (c *club) reopen() {
	c.t.Helper()
	if err := c.db.Close(); err != nil {
		c.t.Fatal(err)
	}
	c.open()
}

// match invites players, named by their seats, and lets them join.
func (c *club) match(game string, recorded []record.Outcome, seats ...string) string {
	c.t.Helper()
	inv := adjudicator.Invitation{Game: game, Recorded: recorded}
	for _, s := range seats {
		inv.Players = append(inv.Players, address(s))
	}
	m, err := c.adj.CreateMatch(c.t.Context(), inv)
	if err != nil {
		c.t.Fatal(err)
	}
	c.deliver()
	for _, s := range seats {
		c.sends(s, "JOIN the words of "+s)
	}
	return m.ID
}

func address(seat string) string { return seat + "@players.test" }

// last is the newest letter of a seat.
func (c *club) last(seat string) message.Letter {
	c.t.Helper()
	box := c.mailbox[address(seat)]
	if len(box) == 0 {
		c.t.Fatalf("%s has no mail", seat)
	}
	return box[len(box)-1]
}

// letter is a reply of a seat to its newest letter.
func (c *club) letter(seat, text string) message.Draft {
	c.t.Helper()
	l := c.last(seat)
	c.uid++
	return message.Draft{
		From: address(seat), To: l.ReplyTo[0], Subject: "Re: " + l.Subject, MessageID: fmt.Sprintf("%d.%s", c.uid, address(seat)),
		InReplyTo: l.MessageID, Date: c.now, Text: text,
	}
}

// receive takes a message in and delivers what it leads to.
func (c *club) receive(m message.Draft) mail.Folder {
	c.t.Helper()
	f, err := c.try(m)
	if err != nil {
		c.t.Fatal(err)
	}
	c.deliver()
	return f
}

func (c *club) handler() post.Handler { return post.Handler{Codec: c.codec, Adjudicator: c.adj} }

func (c *club) try(m message.Draft) (mail.Folder, error) {
	c.t.Helper()
	raw, err := m.Render()
	if err != nil {
		c.t.Fatal(err)
	}
	c.now = c.now.Add(time.Minute)
	return c.handler().Handle(c.t.Context(),
		mail.Received{UIDValidity: 1, UID: c.uid, Arrived: c.now, Size: int64(len(raw)), Raw: raw})
}

// sends lets a seat reply, and returns the answer that it gets.
func (c *club) sends(seat, text string) message.Letter {
	c.t.Helper()
	had := len(c.mailbox[address(seat)])
	c.receive(c.letter(seat, text))
	if got := len(c.mailbox[address(seat)]) - had; got != 1 {
		c.t.Fatalf("%s wrote %q and got %d answers, want 1", seat, text, got)
	}
	return c.last(seat)
}

// box is the outbox. Letters go without their pictures: to draw takes longer than all else.
func (c *club) box() *storage.Outbox {
	c.t.Helper()
	return c.db.Outbox(c.codec.Address)
}

// deliver empties the outbox into the players' mailboxes.
func (c *club) deliver() {
	c.t.Helper()
	c.goOut(c.now.Add(time.Hour), 1000)
}

// goOut lets some letters go out that are due by a time.
func (c *club) goOut(by time.Time, maximum int) {
	c.t.Helper()
	box := c.box()
	out, err := box.Due(context.Background(), by, maximum)
	if err != nil {
		c.t.Fatal(err)
	}
	if len(out) == 0 {
		return
	}
	var ids []int64
	for _, o := range out {
		l := message.Read(withoutPage(o.Raw))
		if ids = append(ids, o.ID); l.Subject == notAnswered {
			if c.notices == nil {
				c.notices = map[string][]message.Letter{}
			}
			c.notices[o.To] = append(c.notices[o.To], l)
			continue
		}
		c.mailbox[o.To] = append(c.mailbox[o.To], l)
		c.bytes[o.To] = append(c.bytes[o.To], string(o.Raw))
	}
	if err := box.MarkSent(context.Background(), ids, c.now); err != nil {
		c.t.Fatal(err)
	}
}

// withoutPage is a letter of the referee up to its page, which says the same as its text and takes
// longer to read.
func withoutPage(raw []byte) []byte {
	text, _, _ := bytes.Cut(raw, []byte("\r\nContent-Type: text/html"))
	return text
}

// position is a match's position, as it is stored.
func (c *club) position(id string) []byte {
	c.t.Helper()
	m, err := c.db.Match(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return m.Position
}

// export writes a match's record.
func (c *club) export(id string, hidden bool) []byte {
	c.t.Helper()
	rec, err := c.adj.Export(c.t.Context(), id, hidden)
	if err != nil {
		c.t.Fatal(err)
	}
	var b bytes.Buffer
	if err := rec.Write(&b); err != nil {
		c.t.Fatal(err)
	}
	return b.Bytes()
}

// Letters are held to golden files, and to their width.
var (
	golden = goldentest.Compare
	narrow = goldentest.Narrow
)
