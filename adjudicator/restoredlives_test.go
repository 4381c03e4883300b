package adjudicator_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/rulestest"
	"samizdat/storage"
)

// TestRestoredAnyMoment restores backups from any moment of a busy club, after more has happened in it: matches that are
// joined, with open words or sealed ones, play, end and are archived, while letters wait, are held back and have half
// gone out. A match whose secret the players have been told stays as it ended, and every other goes on in another epoch.
func TestRestoredAnyMoment(t *testing.T) {
	t.Parallel()
	pgtest.OnFile(t, "where a server's backup is put back, nobody knows what has ended since")
	var waiting atomic.Int32
	t.Cleanup(func() {
		if waiting.Load() == 0 {
			t.Error("no match to which letters waited in a backup has ended since")
		}
	})
	for seed := range uint64(long.N(2, 60)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			b := &busyClub{t: t, c: newClub(t, rulestest.Game()), rnd: rand.New(rand.NewPCG(seed, 34)), players: map[string][]string{}, waiting: &waiting}
			b.restoredAnyMoment()
		})
	}
}

// busyClub is a club with several matches, each of players of its own, of which anything may be done at any time.
type busyClub struct {
	t   *testing.T
	c   *club
	rnd *rand.Rand
	ids []string
	// players are those of a match by their seats.
	players map[string][]string
	// waiting counts the matches that ended after a backup in which letters to them waited.
	waiting *atomic.Int32
}

func (b *busyClub) restoredAnyMoment() {
	backup := filepath.Join(b.c.dir, "backup.db")
	for range 3 {
		b.live(20+b.rnd.IntN(60), 6)
		b.live(10, 0)
		if err := os.Remove(backup); err != nil && !os.IsNotExist(err) {
			b.t.Fatal(err)
		}
		b.c.backup()
		known := map[string]*match.Match{}
		waits := map[string]bool{}
		for _, id := range b.ids {
			known[id] = b.c.stored(id)
			waits[id] = slices.ContainsFunc(b.players[id], func(name string) bool { return len(b.c.waiting(name)) > 0 })
		}
		b.live(60+b.rnd.IntN(120), 6)
		b.restoreAfter(backup, known, waits)
	}
}

// restoreAfter restores the backup, in which some matches are known, and looks at what has become of them.
func (b *busyClub) restoreAfter(backup string, known map[string]*match.Match, waits map[string]bool) {
	was := map[string]*match.Match{}
	published := map[string][]byte{}
	var ended []string
	for id, then := range known {
		if was[id] = b.c.stored(id); !was[id].IsPublished() {
			continue
		}
		published[id] = b.c.export(id, false)
		if then.IsPublished() {
			continue
		}
		ended = append(ended, id)
		if waits[id] {
			b.waiting.Add(1)
		}
	}
	slices.Sort(ended)
	r := b.c.restores(backup, storage.RestoreOptions{})
	if !slices.Equal(r.Ended, ended) || r.EndedErr != nil {
		b.t.Fatalf("restored: %+v; %v have ended since the backup", r, ended)
	}
	b.c.deliver() // A match to which letters wait cannot be archived.
	b.ids = slices.DeleteFunc(b.ids, func(id string) bool { return known[id] == nil })
	for id, then := range known {
		now := b.c.stored(id)
		switch {
		case published[id] != nil:
			if got := b.c.export(id, false); now.State != match.Over || !bytes.Equal(got, published[id]) {
				b.t.Errorf("match %s is %s; its record was\n%s\nand is\n%s", id, now.State, published[id], got)
			}
			if now.Epoch != was[id].Epoch {
				b.t.Errorf("match %s is in epoch %d, and ended in %d", id, now.Epoch, was[id].Epoch)
			}
		case now.State != then.State || now.State == match.Playing && now.Epoch != then.Epoch+1:
			b.t.Errorf("match %s is %s in epoch %d, and was %s in epoch %d in the backup", id, now.State, now.Epoch, then.State, then.Epoch)
		}
		if now.EntryCount > 0 {
			verified(b.t, b.c, rulestest.Game(), id)
		}
	}
}

// live lets things happen, behind each of which so many letters go out at most.
func (b *busyClub) live(steps, maximum int) {
	for range steps {
		switch n := b.rnd.IntN(12); {
		case len(b.ids) == 0 || n == 0 && len(b.ids) < 9:
			b.invite()
		default:
			b.act(b.ids[b.rnd.IntN(len(b.ids))])
		}
		b.c.goOut(b.c.now.Add(time.Duration(b.rnd.IntN(4))*time.Minute), b.rnd.IntN(maximum+1))
	}
}

// invite begins a match, mostly with open words.
func (b *busyClub) invite() {
	var seats []string
	for _, s := range orchards {
		seats = append(seats, fmt.Sprintf("%s%d", s, b.c.uid))
	}
	b.c.uid++
	inv := adjudicator.Invitation{Game: "orchards", SealedWords: b.rnd.IntN(3) == 0}
	id := b.c.invites(inv, seats)
	b.ids, b.players[id] = append(b.ids, id), seats
}

// act lets a player of a match do something, or the archiver.
func (b *busyClub) act(id string) {
	m := b.c.stored(id)
	seat := b.rnd.IntN(len(m.Seats))
	text := "STATUS"
	switch m.State {
	case match.Inviting:
		text = b.joining(m, seat)
	case match.Playing:
		seat, text = b.playing(id)
	case match.Over:
		if b.c.archive(id) {
			return
		}
	}
	if _, err := b.c.try(b.c.letter(b.players[id][seat], text)); err != nil {
		b.t.Fatalf("%q: %v", text, err)
	}
}

// joining is what a player writes who is invited.
func (b *busyClub) joining(m *match.Match, seat int) string {
	words := fmt.Sprint("the words of ", b.players[m.ID][seat])
	switch {
	case !m.SealedWords:
		return "JOIN " + words
	case m.Seats[seat].Joined && b.rnd.IntN(3) > 0:
		return "OPEN " + words
	}
	return "JOIN SEALED " + record.SealWords(words)
}

// playing is what a player of a match under way writes: mostly what he is asked for, some of that held back.
func (b *busyClub) playing(id string) (seat int, text string) {
	pos, err := rulestest.Game().Decode(b.c.position(id))
	if err != nil {
		b.t.Fatal(err)
	}
	owed := pos.OpenDecisions(nil)
	if len(owed) == 0 || b.rnd.IntN(8) == 0 {
		return b.rnd.IntN(len(orchards)), []string{"STATUS", "HISTORY", "RESIGN " + id, "SAY hello"}[b.rnd.IntN(4)]
	}
	d := owed[b.rnd.IntN(len(owed))]
	text = rulestest.Game().FormatOrder(rulestest.Pick(pos, d, b.rnd.IntN))
	if b.rnd.IntN(6) == 0 {
		text = "GRACE 10 minutes\n" + text
	}
	return int(d.Seat), text
}
