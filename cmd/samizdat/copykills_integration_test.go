//go:build integration

package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/rehearse"
	"samizdat/storage"
)

var (
	copyKills = flag.Int("copy-kills", long.N(3, 20), "how often TestCopyKilled kills a copy")
	copySeed  = flag.Uint64("copy-seed", 1989, "seed of TestCopyKilled")
)

// TestCopyKilled kills the command again and again while it copies a club, each way. Nobody can serve what it has left, and
// who calls it again gets the whole club.
//
//	go test -tags integration ./cmd/samizdat -run TestCopyKilled -v -copy-kills 20
func TestCopyKilled(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), pgtest.Start(t)
	plan := rehearse.Plan{Game: games[0], Dir: dir, Members: 8, Matches: copyMatches(), Days: 1, Seed: 18}
	rehearse.Run(t, plan)
	file, there, back := filepath.Join(dir, "samizdat.db"), server.URL("postgres"), filepath.Join(dir, "back.db")
	was := exports(t, dir, file, true)
	rng := rand.New(rand.NewPCG(*copySeed, 1))
	db, err := sql.Open("pgx", there)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxIdleConns(0) // Nobody else may use what is copied.
	killedCopies(t, rng, dir, file, there, func() error {
		_, err := db.ExecContext(t.Context(), `DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
		return err
	})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	killedCopies(t, rng, dir, there, back, func() error { return os.Remove(back) })
	for _, where := range []string{there, back} {
		if is := exports(t, dir, where, false); !maps.Equal(was, is) {
			t.Errorf("%d exports, which are not the same as %d before", len(is), len(was))
		}
	}
}

// killedCopies kills copies at some moment, and then lets one come to its end. One that was too quick is taken away.
func killedCopies(t *testing.T, rng *rand.Rand, dir, from, to string, takeAway func() error) {
	t.Helper()
	takes, quick, half := 2*time.Second, 0, 0
	for n := 0; n < *copyKills; {
		c := program(t.Context(), "copy", "--config", at(t, dir, ""), from, to)
		var said bytes.Buffer
		c.Stdout, c.Stderr = &said, &said
		startTime := time.Now()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		kill := time.AfterFunc(time.Duration(rng.Int64N(int64(takes))), func() { _ = c.Process.Kill() })
		err := c.Wait()
		kill.Stop()
		if err != nil && err.Error() != "signal: killed" {
			t.Fatalf("copy %d: %v\n%s", n, err, said.String())
		}
		isHalf, whole := left(t, dir, to)
		if isHalf {
			half++
		}
		if err == nil || whole { // It may have been killed behind its last step.
			takes, quick = time.Since(startTime), quick+1
			clubCopy(t, dir, from, to, "is not overwritten")
			if err := takeAway(); err != nil {
				t.Fatal(err)
			}
			continue
		}
		n++
	}
	clubCopy(t, dir, from, to, "")
	t.Logf("%d copies were killed, and %d done before; after %d there was half a club that nobody can serve", *copyKills, quick, half)
}

// left reports whether there is half a copy, which no daemon serves, or a whole one. What was killed before it began has
// left neither.
func left(t *testing.T, dir, where string) (half, whole bool) {
	t.Helper()
	db, err := storage.Open(t.Context(), where, filepath.Join(dir, "secret.key"))
	if err == nil {
		ids, e := db.AllMatches(t.Context())
		if err := errors.Join(e, db.Close()); err != nil || len(ids) > 0 && len(ids) != copyMatches() {
			t.Fatalf("there are %d matches, and nobody says that they are not all: %v", len(ids), err)
		}
		return false, len(ids) > 0
	}
	if !errors.Is(err, storage.ErrUnfinished) {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	out, err := program(ctx, "serve", "--config", at(t, dir, where)).CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("a copy into the database was not finished")) {
		t.Errorf("serve: %v\n%s", err, out)
	}
	return true, false
}

// copyMatches is how many matches the club has.
func copyMatches() int { return long.N(12, 36) }

// at is a configuration file for a data directory, and a database where one is named.
func at(t *testing.T, dir, where string) string {
	t.Helper()
	file, text := filepath.Join(t.TempDir(), "samizdat.yaml"), "data: "+dir+"\nembedded: {imap: '127.0.0.1:0', smtp: '127.0.0.1:0'}\n"
	if where != "" {
		text += fmt.Sprintf("database: %q\n", where)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
