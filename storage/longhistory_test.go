package storage

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/pgtest"
)

// TestPackHistorySpare: a letter that was dropped in favour of the next is not known of, whether or not the
// entries were to be packed while it waited. They are packed when it is gone.
func TestPackHistorySpare(t *testing.T) {
	t.Parallel()
	for name, packs := range map[string]bool{"in rows": false, "packed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, t.TempDir())
			m := aMatch(t, db)
			m.Summary = &match.Summary{Began: noon}
			play(t, db, m, 64, false)
			spare := m.Seats[0].LastLetter + 2
			send := func(n int64, change func(*exchange.OutgoingLetter)) {
				t.Helper()
				d := dispatch(m, 0, n)
				d.EntryCount = m.EntryCount
				change(&d)
				m.Seats[0].LastLetter = n - 1
				must(t, db.Apply(t.Context(), exchange.Change{Match: m, Letters: []exchange.OutgoingLetter{d}}))
				m.Version++
			}
			send(spare, func(d *exchange.OutgoingLetter) { d.Replaceable, d.Decisions = true, nil })
			if packs {
				packHistory(t, db, m.ID)
			}
			send(spare+1, func(d *exchange.OutgoingLetter) { d.Replaces = true })
			var state string
			must(t, db.writer.QueryRowContext(t.Context(), `SELECT state FROM outbox WHERE match = $1 AND number = $2`, m.ID, spare).Scan(&state))
			if state != "dropped" {
				t.Fatalf("letter %d is %s, and was to be dropped", spare, state)
			}
			_, ok, err := db.Sent(t.Context(), m.ID, 0, spare)
			must(t, err)
			if ok {
				t.Errorf("letter %d was never sent, and is known of", spare)
			}
			letters, err := db.Letters(t.Context(), m.ID, 0)
			must(t, err)
			for _, l := range letters {
				if l.Number == spare {
					t.Errorf("letter %d is listed among the letters: %+v", spare, l)
				}
			}
			if !packHistory(t, db, m.ID) {
				t.Error("it is not packed when nothing can be dropped any more")
			}
			if _, ok, err := db.Sent(t.Context(), m.ID, 0, spare); err != nil || ok {
				t.Errorf("packed: letter %d was never sent, and is known of: %t, %v", spare, ok, err)
			}
		})
	}
}

// TestSpareInHand: a letter that was in the sender's hands when another took its place, and went out, is known of
// as any other, whether or not the entries were packed before that was booked.
func TestSpareInHand(t *testing.T) {
	t.Parallel()
	for name, packs := range map[string]bool{"in rows": false, "packed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, t.TempDir())
			m := aMatch(t, db)
			m.Summary = &match.Summary{Began: noon}
			play(t, db, m, 64, false)
			outbox := db.Outbox("x@club.test")
			queue := func(n int64, change func(*exchange.OutgoingLetter)) {
				t.Helper()
				d := dispatch(m, 0, n)
				change(&d)
				m.Seats[0].LastLetter = n - 1
				must(t, db.Apply(t.Context(), exchange.Change{Match: m, Letters: []exchange.OutgoingLetter{d}}))
				m.Version++
			}
			spare := m.Seats[0].LastLetter + 2
			queue(spare, func(d *exchange.OutgoingLetter) { d.Replaceable, d.EntryCount = true, m.EntryCount })
			due, err := outbox.Due(t.Context(), noon, 1000)
			must(t, err)
			inHand := due[len(due)-1].ID
			queue(spare+1, func(d *exchange.OutgoingLetter) { d.Replaces = true })
			if _, ok, err := db.Sent(t.Context(), m.ID, 0, spare); err != nil || ok {
				t.Fatalf("letter %d is known of before it went out: %t, %v", spare, ok, err)
			}
			if packs && !packHistory(t, db, m.ID) {
				t.Fatal("nothing was packed")
			}
			must(t, outbox.MarkSent(t.Context(), []int64{inHand}, noon))
			sent, ok, err := db.Sent(t.Context(), m.ID, 0, spare)
			if err != nil || !ok || sent.EntryCount != m.EntryCount {
				t.Errorf("letter %d went out: %+v, %t, %v", spare, sent, ok, err)
			}
			letters, err := db.Letters(t.Context(), m.ID, 0)
			must(t, err)
			if n := len(letters); n < 2 || letters[n-2].Number != spare || letters[n-1].Number != spare+1 {
				t.Errorf("letters %d and %d are not the last of %+v", spare, spare+1, letters)
			}
		})
	}
}

// TestHistoryGone: where the archive of a match is not there, or is another's, its history is an error and never
// what stands in rows alone; nothing more of it is packed, and nothing is dropped.
func TestHistoryGone(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]string{
		"missing": `DELETE FROM archives WHERE match = 'mpacked'`,
		"damaged": `UPDATE archives SET record = (SELECT entry FROM entries WHERE match = 'mpacked' ORDER BY seq LIMIT 1)
			WHERE match = 'mpacked'`,
		"another's": `UPDATE archives SET record = (SELECT record FROM archives WHERE match = 'mother') WHERE match = 'mpacked'`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := open(t, t.TempDir())
			first := aMatch(t, db)
			for _, id := range []string{"mpacked", "mother"} {
				m := *first
				m.ID, m.Summary, m.Seats = id, &match.Summary{Began: noon}, slices.Clone(first.Seats)
				must(t, db.Create(t.Context(), &m, nil))
				play(t, db, &m, 70, false)
				if !packHistory(t, db, id) {
					t.Fatal("it is not packed")
				}
				if id == "mpacked" {
					play(t, db, &m, 130, false)
				}
			}
			_, err := db.writer.ExecContext(t.Context(), spoil)
			must(t, err)
			if h, err := db.History(t.Context(), "mpacked"); err == nil {
				t.Errorf("its history has %d entries", len(h))
			}
			if name == "missing" {
				_, err := db.writer.ExecContext(t.Context(), `DELETE FROM archives WHERE match = 'mother'`)
				must(t, err)
				if h, err := db.History(t.Context(), "mother"); err == nil {
					t.Errorf("the history that is packed to its end has %d entries", len(h))
				}
			}
			a, err := db.Upkeep.Archiver()
			must(t, err)
			if isDone, err := a.PackHistory(t.Context(), "mpacked", noon); err == nil || isDone {
				t.Error("it is packed")
			}
			if n := rows(t, db, "entries", "mpacked"); n != 60 {
				t.Errorf("%d entries stand in rows, want 60", n)
			}
			// It can be played on where nothing of its history is asked for.
			m, err := db.Match(t.Context(), "mpacked")
			must(t, err)
			if _, ok, err := db.Sent(t.Context(), m.ID, 0, m.Seats[0].LastLetter); err != nil || !ok {
				t.Errorf("its newest letter is not known, %v", err)
			}
			if h, err := db.History(t.Context(), "mother"); name != "missing" && (err != nil || len(h) != 70) {
				t.Errorf("the history of another match has %d entries, %v", len(h), err)
			}
		})
	}
}

// TestPackedSize: how long a packed history is does not tell which order a player keeps from the other, as its row did
// not.
func TestPackedSize(t *testing.T) {
	t.Parallel()
	sizes := func(order string) (row, packed int) {
		db := open(t, t.TempDir())
		m := aMatch(t, db)
		m.Summary = &match.Summary{Began: noon}
		play(t, db, m, 69, false)
		e := record.Entry{Seq: 69, At: noon, Orders: []string{order}, Private: true, Letter: strings.Repeat("a1", 32)}
		must(t, m.Secret.Seal(m.ID, m.Head, &e))
		m.Head, m.EntryCount = e.Hash, 70
		must(t, db.Apply(t.Context(), exchange.Change{Match: m, Entries: []record.Entry{e}}))
		must(t, db.writer.QueryRowContext(t.Context(), `SELECT length(entry) FROM entries WHERE match = $1 AND seq = 69`, m.ID).Scan(&row))
		m, err := db.Match(t.Context(), m.ID)
		must(t, err)
		if !packHistory(t, db, m.ID) {
			t.Fatal("it is not packed")
		}
		must(t, db.writer.QueryRowContext(t.Context(), `SELECT length(record) FROM archives WHERE match = $1`, m.ID).Scan(&packed))
		return row, packed
	}
	row, packed := sizes("PASS")
	for _, order := range []string{"PLAY 7", "PLAY 108 OPS", "GIVE Brno Pecs", "PLAY 93 EVENT Gdansk Wroclaw",
		"MOVE Gyor Timisoara Varna Kosice Ljubljana Plovdiv Zwickau Ostrava Bialystok Jihlava Vukovar Mostar"} {
		if r, p := sizes(order); r != row || p != packed {
			t.Errorf("%q takes %d bytes in a row and %d packed, and PASS %d and %d", order, r, p, row, packed)
		}
	}
}

// TestPackedMeanwhile: two packers at work all the time, of two daemons where the database is a server's, take nothing
// from a match that is played meanwhile: every entry is there once, and every letter but those that were dropped.
func TestPackedMeanwhile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	other := db
	if pgtest.Used() {
		other = open(t, dir)
	}
	m := aMatch(t, db)
	m.Summary = &match.Summary{Began: noon}
	play(t, db, m, 3, false)
	was := readAll(t, db, m.ID)
	ctx, stop := context.WithCancel(t.Context())
	var packers sync.WaitGroup
	packed, tried := make(chan int, 2), make(chan struct{})
	for _, db := range []*DB{db, other} {
		packers.Go(func() {
			a, err := db.Upkeep.Archiver()
			n := 0
			for err == nil && ctx.Err() == nil {
				var isDone bool
				if isDone, err = a.PackHistory(context.WithoutCancel(ctx), m.ID, noon); isDone {
					n++
				}
				// One try goes on while the next letter comes.
				select {
				case tried <- struct{}{}:
				case <-ctx.Done():
				}
			}
			if err != nil {
				t.Error(err)
				stop()
			}
			packed <- n
		})
	}
	var want []record.Entry
	var sent []int64
	spare := false
	for n := range 150 {
		e := record.Entry{Seq: m.EntryCount, At: noon.Add(time.Duration(n) * time.Minute), Orders: []string{fmt.Sprintf("MOVE %d", n)}}
		must(t, m.Secret.Seal(m.ID, m.Head, &e))
		m.Head, m.EntryCount = e.Hash, m.EntryCount+1
		m.Seats[0].LastLetter++
		d := dispatch(m, 0, m.Seats[0].LastLetter+1)
		d.EntryCount, d.Replaceable, d.Replaces = m.EntryCount, n%5 == 3, n%5 == 4
		if spare && d.Replaces {
			sent = sent[:len(sent)-1]
		}
		must(t, db.Apply(t.Context(), exchange.Change{Match: m, Entries: []record.Entry{e}, Letters: []exchange.OutgoingLetter{d}}))
		m.Version++
		want, sent, spare = append(want, e), append(sent, d.Number), d.Replaceable
		// A try gives way to a letter that is stored meanwhile. So that not every try does, now and then three are
		// waited for: of two packers, one has then begun and ended a try after the last letter.
		tries := 1
		if n%30 == 29 {
			tries = 3
		}
		for range tries {
			select {
			case <-tried:
			case <-ctx.Done():
				t.Fatal("the packers have stopped")
			}
		}
	}
	stop()
	packers.Wait()
	if a, b := <-packed, <-packed; a+b == 0 {
		t.Error("nothing was packed")
	}
	is := readAll(t, db, m.ID)
	if diff := cmp.Diff(want, is.History[len(was.History):]); diff != "" {
		t.Errorf("entries are not the same (-want +are):\n%s", diff)
	}
	var are []int64
	for _, l := range is.Letters[0][len(was.Letters[0]):] {
		are = append(are, l.Number)
	}
	if diff := cmp.Diff(sent, are); diff != "" {
		t.Errorf("letters are not the same (-want +are):\n%s", diff)
	}
}
