package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExampleConfig: the example file holds every setting with its default.
func TestExampleConfig(t *testing.T) {
	t.Parallel()
	got, err := LoadConfig(filepath.Join("..", "..", "config.example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(DefaultConfig(), got); d != "" {
		t.Errorf("config.example.yaml departs from the defaults (-default +file):\n%s", d)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "config.example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"data", "address", "name", "log", "tls", "ca_file", "user", "password", "password_file", "mailbox",
		"poll_interval", "command_timeout", "idle_restart", "max_letter", "hello", "imap", "smtp", "accounts", "embedded"} {
		if !strings.Contains(string(text), key+":") {
			t.Errorf("config.example.yaml does not show %s", key)
		}
	}
}

func TestNoConfig(t *testing.T) {
	t.Parallel()
	got, err := LoadConfig("")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(DefaultConfig(), got); d != "" {
		t.Errorf("without a file (-default +got):\n%s", d)
	}
}

func TestBadConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, yaml, want string }{
		{"misspelt key", "imap:\n  adress: x\n", "adress"},
		{"not an address", "address: referee\n", "not a mail address"},
		{"address with a plus", "address: a+b@c\n", "has a + already"},
		{"long address", "address: abcdefghijklmnopqrstuvwxyz@c\n", "at most 20"},
		{"only one server", "imap:\n  address: mail.example:993\n", "set both"},
		{"no such mode", "imap:\n  tls: ssl\n", "none of tls"},
		{"no such login", "imap:\n  auth: kerberos\n", "none of plain"},
		{"token login without a token", "smtp:\n  auth: xoauth2\n", "needs token_file"},
		{"password login with a token", "imap:\n  auth: plain\n  token_file: x\n", "with a password"},
		{"two tokens", "smtp:\n  token_file: x\n  token_command: y\n", "not both"},
		{"negative limit", "smtp:\n  per_day: -1\n", "0 for no limit"},
		{"director is no address", "director: ann\n", "not a mail address"},
		{"operator is the referee", "address: referee@club.example\noperator: referee@club.example\n", "not the referee's own"},
		{"password file missing", "imap:\n  password_file: /nowhere/at/all\n", "password_file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := filepath.Join(t.TempDir(), "c.yaml")
			if err := os.WriteFile(f, []byte(tt.yaml), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := LoadConfig(f)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SAMIZDAT_IMAP_PASSWORD", "from the environment")
	c, err := LoadConfig("")
	if err != nil {
		t.Fatal(err)
	}
	if c.IMAP.Password != "from the environment" {
		t.Errorf("imap password %q, want the environment's", c.IMAP.Password)
	}
}
