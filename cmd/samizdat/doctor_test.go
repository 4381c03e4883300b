package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"samizdat/internal/config"
	"samizdat/mail/embedded"
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
		{"tokens in subjects", "a secret", "identity: {token: subject}\n", 0, []string{"note  plus addressing was not looked at", "Nothing is bad.\n"}},
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
