package main

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"samizdat/adjudicator"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/doctor"
	"samizdat/mail/embedded"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// doctorScene is an account at an embedded server that is configured as a real
// one would be.
func doctorScene(t *testing.T, password, more string) (config string) {
	t.Helper()
	server, err := embedded.Start(t.Context(), embedded.Config{
		Dir: t.TempDir(), Accounts: []embedded.Account{{Address: "judge@club.example", Password: "a secret"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	data := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	config = filepath.Join(t.TempDir(), "samizdat.yaml")
	text := fmt.Sprintf("data: %s\naddress: judge@club.example\noperator: ann@club.example\n%s"+
		"imap: {address: %q, tls: none, user: judge@club.example, password: %q}\n"+
		"smtp: {address: %q, tls: none, user: judge@club.example, password: %[4]q}\n", data, more, server.IMAPAddr(), password, server.SMTPAddr())
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, password, more string
		status               int
		says                 []string
	}{
		{"all well", "a secret", "", 0, []string{"ok    IMAP login: as judge@club.example\n", "ok    SMTP login: as judge@club.example\n",
			"ok    a letter to judge+doctor-", "ok    plus addressing", "ok    clock", "ok    the letter was moved to Samizdat/Ignored\n", "Nothing is bad.\n"}},
		{"wrong password", "another secret", "", 1, []string{"bad   IMAP login", "bad   SMTP login", "What to do: the server refuses the login", "2 things are bad.\n"}},
		{"tokens in subjects", "a secret", "identity: {token: subject}\n", 0, []string{"note  plus addressing was not checked", "Nothing is bad.\n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			status := run(t.Context(), []string{"doctor", "--config", doctorScene(t, tt.password, tt.more)}, &out, &errs)
			if status != tt.status || errs.Len() > 0 {
				t.Errorf("status %d %s, want %d", status, errs.String(), tt.status)
			}
			for _, want := range tt.says {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%q is not said", want)
				}
			}
			if strings.Contains(out.String(), tt.password) {
				t.Error("the password is shown")
			}
			for line := range strings.Lines(out.String()) {
				if !doctorLine.MatchString(line) {
					t.Errorf("%q is not of one of the three kinds", line)
				}
			}
			if t.Failed() {
				t.Log("\n" + out.String())
			}
		})
	}
}

var doctorLine = regexp.MustCompile(`^((ok   |bad  |note ) \S.*|Nothing is bad\.|One thing is bad\.|\d+ things are bad\.)\n$`)

// yamlBlock is an indented block of a guide whose first line is a setting.
var yamlBlock = regexp.MustCompile(`(?m)(?:^\n)((?: {4}.*\n|\n)+)`)

// TestGuideConfigurations: every configuration in the operator's guides loads.
// Token commands are not run for that, and the files it names are made.
func TestGuideConfigurations(t *testing.T) {
	t.Parallel()
	n := 0
	for _, name := range []string{"providers.md", "running.md", filepath.Join("debian", "README.md")} {
		doc, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range yamlBlock.FindAllStringSubmatch(string(doc), -1) {
			text := regexp.MustCompile(`(?m)^ {4}`).ReplaceAllString(m[1], "")
			first, _, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n")
			if !regexp.MustCompile(`^[a-z_]+:( .*)?$`).MatchString(first) {
				continue
			}
			n++
			dir := t.TempDir()
			secret := filepath.Join(dir, "secret")
			if err := os.WriteFile(secret, []byte("x\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			text = regexp.MustCompile(`password_file: \S+`).ReplaceAllString(text, "password_file: "+secret)
			f := filepath.Join(dir, "c.yaml")
			if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			// The Debian guide sets both servers elsewhere.
			if _, err := config.Load(f); err != nil {
				t.Errorf("docs/%s: %v\n%s", name, err, text)
			}
		}
	}
	if n < 6 {
		t.Errorf("only %d configurations were found", n)
	}
}

// TestDoctorDatabase: each way in which the data directory can be of no use has words
// of its own, and none of them tells to restore a backup without need.
func TestDoctorDatabase(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		spoil func(t *testing.T, cfg config.Config)
		bad   int
		says  string
	}{
		{"all well", func(*testing.T, config.Config) {}, 0, "is not damaged"},
		{"another key", func(t *testing.T, cfg config.Config) {
			overwrite(t, cfg.KeyFile(), strings.Repeat("ab", 32)+"\n")
		}, 1, "belongs to another database and cannot decrypt this one. What to do: restore the key"},
		{"no key", func(t *testing.T, cfg config.Config) {
			overwrite(t, cfg.KeyFile(), "ab\n")
		}, 1, "does not contain a key. What to do: restore it from its copy"},
		{"newer schema", func(t *testing.T, cfg config.Config) {
			db, err := sql.Open("sqlite3", cfg.DSN())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)"); err != nil {
				t.Fatal(err)
			}
		}, 1, "use a newer Samizdat. What to do: install the newer program"},
		{"older schema", func(t *testing.T, cfg config.Config) {
			db, err := sql.Open("sqlite3", cfg.DSN())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), "UPDATE goose_db_version SET version_id = 13 WHERE version_id > 0"); err != nil {
				t.Fatal(err)
			}
		}, 1, "first start a Samizdat that was built from commit 612bfc0c: it migrates the database to version 62. Then start this program again. What to do: back the database up first"},
		{"a match that is stopped", func(t *testing.T, cfg config.Config) {
			db, err := sql.Open("sqlite3", cfg.DSN())
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), "INSERT INTO stopped (match, build, entry, at) SELECT id, 'newer', 5, 10 FROM matches"); err != nil {
				t.Fatal(err)
			}
		}, 1, "matches: 1 stopped, because the program newer replays them to other positions than the program that stored them: m"},
		{"no database", func(t *testing.T, cfg config.Config) {
			overwrite(t, cfg.DSN(), "hello, hello, hello")
		}, 1, "file is not a database. What to do: stop the daemon, keep the file, and restore a backup"},
		{"not a file", func(t *testing.T, cfg config.Config) {
			if err := os.Rename(cfg.DSN(), cfg.DSN()+".away"); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(cfg.DSN(), 0o700); err != nil {
				t.Fatal(err)
			}
		}, 1, "What to do:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg := config.Local(privateDir(t), nil)
			oneMatch(t, cfg)
			tt.spoil(t, cfg)
			if bad, out := examined(t, "data: "+cfg.Data); bad != tt.bad || !strings.Contains(out, tt.says) {
				t.Errorf("%d bad, want %d and %q:\n%s", bad, tt.bad, tt.says, out)
			}
		})
	}
}

// privateDir is a directory that nobody else can look into.
func privateDir(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// examined is what the doctor says of a configuration.
func examined(t *testing.T, settings ...string) (bad int, out string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "samizdat.yaml")
	overwrite(t, file, strings.Join(settings, "\n")+"\n")
	var b bytes.Buffer
	bad, err := doctor.Run(t.Context(), &b, file, 0)
	if err != nil {
		t.Fatal(err)
	}
	return bad, b.String()
}

// oneMatch makes a database with a match in it.
func oneMatch(t *testing.T, cfg config.Config) {
	t.Helper()
	d, err := daemon.Open(context.Background(), cfg, rules.Games{dawn1989.Game()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	g := dawn1989.Game()
	n := len(g.SeatNames(rules.Setup{Seats: 2, Revision: g.Revision()}))
	inv := adjudicator.Invitation{Game: g.Name()}
	for i := range n {
		inv.Players = append(inv.Players, string(rune('a'+i))+"@club.example")
	}
	if _, err := d.Adjudicator.CreateMatch(t.Context(), inv); err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func overwrite(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDoctorSite: a directory for pages can be written, is not there, or is none.
func TestDoctorSite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	overwrite(t, filepath.Join(dir, "file"), "x")
	for name, want := range map[string]string{".": "ok    site: ", "none": "is not there", "file": "What to do: let this user write there"} {
		if _, out := examined(t, "data: "+dir, "site: "+filepath.Join(dir, name)); !strings.Contains(out, want) {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// TestDoctorMissingDirectory: the file that was tried is not named, for nobody knows it.
func TestDoctorMissingDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	overwrite(t, filepath.Join(dir, "file"), "x")
	bad, out := examined(t, "data: "+filepath.Join(dir, "file", "data"))
	if bad != 1 || strings.Contains(out, ".doctor-") || !strings.Contains(out, "What to do: ") {
		t.Errorf("%d bad:\n%s", bad, out)
	}
}
