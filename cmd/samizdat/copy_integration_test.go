//go:build integration

package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/test/long"
	"samizdat/internal/test/pgtest"
	"samizdat/internal/test/rehearse"
)

// TestCopyBetweenEngines: a club that has lived for a while goes from a file to PostgreSQL and back. In each place every
// match exports the same bytes, and letters that wait to be sent wait there too. A long run has a thousand matches.
func TestCopyBetweenEngines(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), pgtest.Start(t)
	plan := rehearse.Plan{Game: games[0], Dir: dir, Members: long.N(8, 70), Matches: long.N(36, 1000), Days: long.N(2, 1), Seed: 18}
	rehearse.Run(t, plan)
	file, back, there := filepath.Join(dir, "samizdat.db"), filepath.Join(dir, "back.db"), server.URL("postgres")
	was := exports(t, dir, file, true)
	if len(was) < 2*plan.Matches {
		t.Fatalf("only %d exports", len(was))
	}
	clubCopy(t, dir, file, there, "")
	clubCopy(t, dir, there, back, "")
	for _, where := range []string{there, back} {
		if is := exports(t, dir, where, false); !maps.Equal(was, is) {
			t.Errorf("%d exports, which are not the same as %d before", len(is), len(was))
		}
	}
	clubCopy(t, dir, back, there, "is not overwritten")
	cfg := config.Default()
	cfg.Data, cfg.DatabaseLocation = dir, there
	d, err := daemon.Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	clubCopy(t, dir, there, filepath.Join(dir, "third.db"), "the database is in use")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	putBack(t, dir, there, plan.Matches)
	release, err := daemon.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	clubCopy(t, dir, there, filepath.Join(dir, "third.db"), "another samizdat process uses it")
	if err := release(); err != nil {
		t.Fatal(err)
	}
}

// putBack: a database of a server that was put back goes on in new epochs, and says so.
func putBack(t *testing.T, dir, where string, matches int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "samizdat.yaml")
	if err := os.WriteFile(file, []byte("data: "+dir+"\ndatabase: "+where+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	said := func(args ...string) string {
		var out, errs bytes.Buffer
		run(t.Context(), append(args, "--config", file), &out, &errs)
		return out.String() + errs.String()
	}
	if got := said("backup", filepath.Join(dir, "backup.db")); !strings.Contains(got, "pg_dump") {
		t.Error(got)
	}
	if got := said("restore", filepath.Join(dir, "back.db")); !strings.Contains(got, "run this command without FILE") {
		t.Error(got)
	}
	restored := said("restore", "--because", "The disk was broken.")
	know := 0
	for _, rec := range exports(t, dir, where, false) {
		know += strings.Count(rec, "The disk was broken.")
	}
	// Two records of each match: some may be over.
	if want := fmt.Sprintf("each in a new epoch: %d.", know/2); know < matches || !strings.Contains(restored, want) {
		t.Errorf("%d records know of it, and restore says:\n%s", know, restored)
	}
}

// clubCopy copies by the command, which fails with some words, or does not.
func clubCopy(t *testing.T, dir, from, to, want string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "samizdat.yaml")
	if err := os.WriteFile(file, []byte("data: "+dir+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	startTime := time.Now()
	status := run(t.Context(), []string{"copy", "--config", file, from, to}, &out, &errs)
	if (want == "") != (status == 0) || !strings.Contains(errs.String(), want) {
		t.Errorf("status %d, want %q:\n%s", status, want, errs.String())
	}
	if text := "are equal, and the "; (want == "") != strings.Contains(out.String(), text) {
		t.Errorf("the copy says:\n%s", out.String())
	}
	t.Logf("%.1f s: %s", time.Since(startTime).Seconds(), out.String())
}

// exports are the records of all matches, public and whole, with how many letters wait. A letter is made to wait
// first, if one is wanted.
func exports(t *testing.T, dir, where string, letter bool) map[string]string {
	t.Helper()
	cfg := config.Default()
	cfg.Data, cfg.DatabaseLocation = dir, where
	d, err := daemon.Open(t.Context(), cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ids, err := d.DB.AllMatches(t.Context())
	if err == nil && letter {
		_, err = d.Adjudicator.Resend(t.Context(), ids[0], 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, id := range ids {
		for _, hidden := range []bool{false, true} {
			rec, err := d.Adjudicator.Export(t.Context(), id, hidden)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := rec.Write(&b); err != nil {
				t.Fatal(err)
			}
			out[fmt.Sprint(id, hidden)] = b.String()
		}
	}
	s, err := d.DB.Operator.Stats(t.Context())
	if err != nil || s.Outbox["waiting"] != 1 {
		t.Errorf("%s: %v letters, %v", where, s.Outbox, err)
	}
	return out
}
