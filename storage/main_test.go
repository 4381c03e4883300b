package storage

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
)

// asChild in the environment makes the test binary another process that works
// on the same database. Its value says what it does, inDir where.
const (
	asChild = "SAMIZDAT_TEST_STORAGE"
	inDir   = "SAMIZDAT_TEST_STORAGE_DIR"
)

func TestMain(m *testing.M) {
	if what := os.Getenv(asChild); what != "" {
		if err := beChild(context.Background(), what, os.Getenv(inDir)); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	defer long.InMemory()()
	m.Run()
}

// beChild opens the database and says each step on its standard output.
func beChild(ctx context.Context, what, dir string) (err error) {
	if strings.HasPrefix(what, "copy ") {
		return copyAndWait(ctx, dir, what)
	}
	if what == "restore" {
		return beRestored(ctx, dir)
	}
	db, err := Open(ctx, pgtest.At(filepath.Join(dir, "s.db")), filepath.Join(dir, "s.key"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	switch what {
	case "open":
		fmt.Println("open")
		return nil
	case "half":
		return db.write(ctx, func(ctx context.Context, tx *transaction) error {
			// With no room for pages they are written to the disk before the commit.
			if !pgtest.Used() {
				if _, err := tx.ExecContext(ctx, "PRAGMA cache_size = 1"); err != nil {
					return err
				}
			}
			if insertReceipt(ctx, tx, receipt()); tx.flush(ctx) != nil {
				err := tx.err
				return err
			}
			big := make([]byte, 1<<20) // Random bytes, since they are not made smaller.
			if _, err := rand.Read(big); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO entries (match, seq, entry) VALUES ('mabc', 0, $1)`,
				tx.seal(big, entryColumn, "mabc", 0)); err != nil {
				return err
			}
			fmt.Println("half")
			_, err := os.Stdin.Read(make([]byte, 1))
			return errors.Join(errors.New("nobody may see the end of this"), err)
		})
	case "letters":
		for {
			n, err := oneLetter(ctx, db, "mabc")
			if err != nil {
				return err
			}
			fmt.Println(n)
		}
	case "archive":
		if err := archiveAll(ctx, db, func(step string) { fmt.Println(step) }); err != nil {
			return err
		}
		_, err := os.Stdin.Read(make([]byte, 1)) // to be killed
		return err
	case "together":
		var all errgroup.Group
		for i := range crowd {
			all.Go(func() error { return lettersOf(ctx, db, crowdMatch(i)) })
		}
		return all.Wait()
	}
	return fmt.Errorf("%q is nothing to do", what)
}

// lettersOf takes up letter after letter to a match, and says each when it is done.
func lettersOf(ctx context.Context, db *DB, match string) error {
	for {
		n, err := oneLetter(ctx, db, match)
		if err != nil {
			return err
		}
		fmt.Println(match, n)
	}
}

// oneLetter takes up one more letter to a match, with an entry, a
// receipt and an answer, and returns how many entries there are now.
func oneLetter(ctx context.Context, db *DB, matchID string) (int, error) {
	m, err := db.Match(ctx, matchID)
	if err != nil {
		return 0, err
	}
	r := receipt()
	r.Match, r.Digest = matchID, fmt.Sprintf("digest %d", m.EntryCount)
	e := record.Entry{Seq: m.EntryCount, Hash: fmt.Sprintf("hash %d", m.EntryCount)}
	m.State, m.Position, m.Head = match.Playing, fmt.Appendf(nil, `{"entries":%d}`, m.EntryCount+1), e.Hash
	m.EntryCount++
	m.Seats[0].LastLetter++
	return m.EntryCount, db.Apply(ctx, exchange.Change{Match: m, Receipt: r, Entries: []record.Entry{e},
		Letters: []exchange.OutgoingLetter{dispatch(m, 0, m.Seats[0].LastLetter+10)}})
}

// consistent tells whether all parts of a match agree, and how many entries
// it has.
func consistent(ctx context.Context, db *DB, match string) (int, error) {
	m, err := db.Match(ctx, match)
	if err != nil {
		return 0, err
	}
	h, err := db.History(ctx, m.ID)
	if err != nil {
		return 0, err
	}
	for i, e := range h {
		if e.Seq != i {
			return 0, fmt.Errorf("entry %d stands at place %d", e.Seq, i)
		}
	}
	var receipts, letters int
	if err := db.reader.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM received WHERE match = $1), (SELECT count(*) FROM outbox
		WHERE match = $1)`, match).Scan(&receipts, &letters); err != nil {
		return 0, err
	}
	sent, err := db.Letters(ctx, m.ID, 0)
	if err != nil {
		return 0, err
	}
	n := m.EntryCount
	position := fmt.Sprintf(`{"entries":%d}`, n)
	if len(h) != n || receipts != n || letters != n+2 || len(sent) != n+1 || int(m.Seats[0].LastLetter) != n || n > 0 &&
		string(m.Position) != position {
		return 0, fmt.Errorf("the match has %d entries and position %s; there are %d entries, %d receipts, %d letters queued and %d noted",
			n, m.Position, len(h), receipts, letters, len(sent))
	}
	return n, nil
}

// child is another process at work on a database.
type child struct {
	cmd *exec.Cmd
	out *bufio.Scanner
	dir string
}

// killed is what the connections of children are called at a server.
const killed = "samizdat-child"

// start runs the test binary as a child. It ends at the latest with the test.
func start(t *testing.T, program, what, dir string, as func(*exec.Cmd)) *child {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), asChild+"="+what, inDir+"="+dir, pgtest.Called(killed))
	cmd.Dir = dir
	if as != nil {
		as(cmd)
	}
	out, err := cmd.StdoutPipe()
	must(t, err)
	_, err = cmd.StdinPipe() // stays open: nothing ever comes
	must(t, err)
	must(t, cmd.Start())
	return &child{cmd, bufio.NewScanner(out), dir}
}

// says waits for the child's next line.
func (c *child) says(t *testing.T) string {
	t.Helper()
	if !c.out.Scan() {
		t.Fatalf("the other process says nothing more: %v, %v", c.out.Err(), c.cmd.Wait())
	}
	return c.out.Text()
}

// kill ends the child at once, and returns the last full line that it said.
func (c *child) kill(t *testing.T) string {
	t.Helper()
	must(t, c.cmd.Process.Kill())
	last := ""
	for c.out.Scan() {
		last = c.out.Text()
	}
	var exit *exec.ExitError
	if err := c.cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
		t.Fatalf("the other process ended by itself: %v", err)
	}
	pgtest.Ended(t, filepath.Join(c.dir, "s.db"), killed)
	return last
}
