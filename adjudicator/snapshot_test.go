package adjudicator_test

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"samizdat/internal/test/pgtest"
	"samizdat/mail/message"
	"samizdat/rules"
)

// snapshot is a club as it stood at a moment, with a match that has begun. Each test
// that begins there gets a copy of its own: to copy a database is quicker than to play
// to that moment once more.
type snapshot struct {
	mu    sync.Mutex
	id    string
	games []*rules.Game
	files map[string][]byte
	// kept names the database of a server, where it is no file.
	kept    string
	rand    []byte
	now     time.Time
	uid     uint32
	mailbox map[string][]message.Letter
	bytes   map[string][]string
}

// snapshots are the moments that tests have asked for.
var snapshots struct {
	sync.Mutex
	kept map[any]*snapshot
}

// copyOf is a club as reach leaves it, and the id of its match. What has the same key
// is reached once.
func copyOf(t testing.TB, key any, reach func() (*club, string)) (*club, string) {
	t.Helper()
	snapshots.Lock()
	if snapshots.kept == nil {
		snapshots.kept = map[any]*snapshot{}
	}
	s := snapshots.kept[key]
	if s == nil {
		s = &snapshot{}
		snapshots.kept[key] = s
	}
	snapshots.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		c, id := reach()
		s.take(c, id)
	}
	return s.club(t), s.id
}

// begun is a club in which a match has begun.
func begun(t testing.TB, g *rules.Game, seats ...string) (*club, string) {
	t.Helper()
	type start struct{ game, seats string }
	return copyOf(t, start{g.Name(), strings.Join(seats, " ")}, func() (*club, string) {
		c := newClub(t, g)
		return c, c.match(g.Name(), nil, seats...)
	})
}

// take keeps what a club is made of.
func (s *snapshot) take(c *club, id string) {
	c.t.Helper()
	// All that was written is in the one file when the database is closed.
	if err := c.db.Close(); err != nil {
		c.t.Fatal(err)
	}
	files, names := map[string][]byte{}, []string{"club.db", "club.key"}
	if pgtest.Used() {
		names = names[1:]
		s.kept = filepath.Join(c.dir, "kept.db")
		pgtest.Copy(c.t, filepath.Join(c.dir, "club.db"), s.kept, true)
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(c.dir, name))
		if err != nil {
			c.t.Fatal(err)
		}
		files[name] = data
	}
	state, err := c.rand.(*shared).r.MarshalBinary()
	if err != nil {
		c.t.Fatal(err)
	}
	s.id, s.games, s.rand, s.now, s.uid, s.mailbox, s.bytes = id, c.games, state, c.now, c.uid, c.mailbox, c.bytes
	s.files = files
}

// club is a copy.
func (s *snapshot) club(t testing.TB) *club {
	t.Helper()
	r := &rand.ChaCha8{}
	if err := r.UnmarshalBinary(s.rand); err != nil {
		t.Fatal(err)
	}
	c := &club{t: t, dir: t.TempDir(), codec: clubCodec, games: s.games, now: s.now, rand: &shared{r: r}, uid: s.uid,
		mailbox: maps.Clone(s.mailbox), bytes: maps.Clone(s.bytes)}
	for name := range c.mailbox {
		c.mailbox[name], c.bytes[name] = slices.Clone(c.mailbox[name]), slices.Clone(c.bytes[name])
	}
	if err := furnish(c.dir, s.files); err != nil {
		t.Fatal(err)
	}
	if pgtest.Used() {
		pgtest.Copy(t, s.kept, filepath.Join(c.dir, "club.db"), false)
	}
	c.open()
	return c
}
