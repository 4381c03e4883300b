//go:build integration

package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/pgtest"
)

// TestPasswordsNeverShow: whatever is wrong with the database server or the way to it, no output, no log, no file and no
// health page has the password, wherever it was given.
func TestPasswordsNeverShow(t *testing.T) {
	t.Parallel()
	server := pgtest.Start(t)
	good, err := url.Parse(server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	const secret = "geheim" // in each password
	ways := map[string]func(u *url.URL, dir string) (settings string){
		"in the URL":   func(u *url.URL, _ string) string { u.User = url.UserPassword("samizdat", "x@"+secret+"/1"); return "" },
		"as a setting": func(*url.URL, string) string { return "database_password: \"" + secret + "'1\"\n" },
		"in a file": func(_ *url.URL, dir string) string {
			file := filepath.Join(t.TempDir(), "password")
			if err := os.WriteFile(file, []byte(secret+" 1\n"), 0o600); err != nil {
				t.Error(err)
			}
			return "database_password_file: " + file + "\n"
		},
		"in what follows the path": func(u *url.URL, _ string) string { u.RawQuery += "&password=" + secret; return "" },
	}
	troubles := map[string]func(u string) string{
		"wrong password": func(u string) string { return u },
		"wrong host":     func(u string) string { return strings.Replace(u, good.Host, "127.0.0.1:1", 1) },
		"wrong database": func(u string) string { return strings.Replace(u, "/postgres?", "/nothing?", 1) },
		"no TLS there":   func(u string) string { return strings.Replace(u, "sslmode=disable", "sslmode=verify-full", 1) },
		"odd setting":    func(u string) string { return strings.Replace(u, "sslmode=disable", "sslmode=odd", 1) },
		"odd time":       func(u string) string { return u + "&statement_timeout=long" },
		"odd port":       func(u string) string { return strings.Replace(u, good.Port(), "port", 1) },
		"odd signs":      func(u string) string { return strings.Replace(u, "/postgres?", "/post%zzgres?", 1) },
	}
	for way, give := range ways {
		for trouble, wrong := range troubles {
			t.Run(way+"/"+trouble, func(t *testing.T) {
				t.Parallel()
				dir, u := t.TempDir(), *good
				u.User = url.User("samizdat")
				more := give(&u, dir)
				where, metrics := wrong(u.String()), freePort(t)
				file := filepath.Join(dir, "samizdat.yaml")
				text := fmt.Sprintf("data: %s\ndatabase: %q\nmetrics: %q\noperator: ann@club.example\nembedded: {imap: '127.0.0.1:0', smtp: '127.0.0.1:0'}\nlog: debug\n%s", filepath.Join(dir, "data"), where, metrics, more)
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				for _, args := range [][]string{{"serve"}, {"doctor"}, {"backup", filepath.Join(dir, "b.db")}, {"restore"}, {"matches"}, {"stats"}, {"export", "mabcdefg"},
					{"new", "1989", "--create", "--seat", "a@x.test", "--seat", "b@x.test"}, {"copy", where, filepath.Join(dir, "copy.db")}, {"copy", filepath.Join(dir, "copy.db"), where}} {
					maximum := 10 * time.Second
					if args[0] == "serve" {
						maximum = time.Second // It waits for a server that is away.
					}
					ctx, cancel := context.WithTimeout(t.Context(), maximum)
					var said bytes.Buffer
					page := make(chan string, 1)
					go func() { page <- healthPage(ctx, metrics) }()
					status := run(ctx, append(args, "--config", file), &said, &said)
					cancel()
					if said.WriteString(<-page); strings.Contains(said.String(), secret) {
						t.Errorf("%q says, with status %d:\n%s", args, status, said.String())
					}
				}
				err := filepath.WalkDir(filepath.Join(dir, "data"), func(path string, d fs.DirEntry, err error) error {
					if err != nil || d.IsDir() {
						return nil // It may not have been made.
					}
					if b, err := os.ReadFile(path); err != nil || bytes.Contains(b, []byte(secret)) {
						t.Errorf("it stands in %s (%v)", path, err)
					}
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// healthPage is what a daemon says of its health, as soon as it does.
func healthPage(ctx context.Context, address string) string {
	for ctx.Err() == nil {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", nil)
		if err != nil {
			return err.Error()
		}
		if answer, err := http.DefaultClient.Do(r); err == nil {
			var b bytes.Buffer
			_, _ = b.ReadFrom(answer.Body) // What has come counts.
			_ = answer.Body.Close()
			return b.String()
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
	return ""
}
