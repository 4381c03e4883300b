package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/mail"
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
		{"misspelt key", "imap:\n  adress: x\n", "imap: adress is not a setting; in its place there are address, auth, ca_file"},
		{"misspelt key at the left", "adress: x\n", "adress is not a setting; in its place there are address, answers, data"},
		{"misspelt key far in", "smtp: {dkim: {key: x}}\n", "smtp: dkim: key is not a setting; in its place there are domain, key_file, selector"},
		{"no such section", "mail: {imap: x}\n", "mail: imap is not a setting"},
		{"a value for a section", "imap: 1\n", "imap"},
		{"no port", "imap: {address: mail.example}\nsmtp: {address: 'mail.example:465'}\n", `imap: address: "mail.example" is not a name with a port, such as mail.example.org:993`},
		{"open to all", "imap: {address: 'mail.example:143', tls: none}\nsmtp: {address: 'mail.example:465'}\n", "all could read the password"},
		{"password and file", "imap: {password: x, password_file: y}\n", "password and password_file are set"},
		{"password and token", "smtp: {password: x, token_command: y}\n", "password and token_command are set"},
		{"a number for a password", "imap:\n  password: 0123\n", "quotation marks"},
		{"a list for a password", "smtp:\n  password: [secret]\n", "quotation marks"},
		{"no such level", "log: verbose\n", "none of debug"},
		{"nothing in the password file", "imap:\n  password_file: /dev/null\n", "write the password into it"},
		{"handed over elsewhere", "imap:\n  password_file: /run/credentials/no.service/imap\n", "to the service alone"},
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
		{"no such envelope", "smtp:\n  envelope: verp\n", "smtp: envelope: \"verp\" is none of address, token"},
		{"an envelope that comes to nobody", "smtp:\n  envelope: token\nidentity:\n  token: subject\n", "smtp: envelope: token needs a mail server that delivers address+anything"},
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

// TestWordsInCapitals: how to log in and to encrypt, and this machine's name, may be
// written in capitals.
func TestWordsInCapitals(t *testing.T) {
	t.Parallel()
	f := filepath.Join(t.TempDir(), "c.yaml")
	text := "metrics: LocalHost:9189\nimap: {address: 'LOCALHOST:143', tls: None, auth: LOGIN}\nsmtp: {address: 'mail.example:587', tls: STARTTLS, auth: XOAuth2, token_file: x}\n"
	if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := LoadConfig(f)
	if err != nil {
		t.Fatal(err)
	}
	in, out := c.imap(), c.smtp()
	if in.TLS != mail.NoTLS || in.Auth != mail.AuthLogin || out.TLS != mail.StartTLS || out.Auth != mail.AuthXOAuth2 {
		t.Errorf("in: %s, %s; out: %s, %s", in.TLS, in.Auth, out.TLS, out.Auth)
	}
}

// TestNoErrorShowsASecret: what is wrong with a password is told without it.
func TestNoErrorShowsASecret(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"imap:\n  password: [s3cret]\n", "imap:\n  password: {a: s3cret}\n", "imap:\n  password: s3cret\n  password_file: x\n",
		"imap:\n  password: s3cret\n  usr: x\n", "imap: {password: s3cret, max_letter: 1}\n", "imap:\n  password: s3cret: x\n", "imap:\n\tpassword: s3cret\n",
	} {
		f := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadConfig(f); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

// TestSettingsWithoutSecrets: a command that talks to no mail server does not need
// the files that only the daemon may read.
func TestSettingsWithoutSecrets(t *testing.T) {
	t.Parallel()
	f := filepath.Join(t.TempDir(), "c.yaml")
	text := "address: referee@club.example\nimap: {password_file: /nowhere/a}\nsmtp: {password_file: /nowhere/b, dkim: {domain: club.example, selector: s, key_file: /nowhere/c}}\n"
	if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := loadSettings(f); err != nil || c.Address != "referee@club.example" {
		t.Errorf("%q, %v", c.Address, err)
	}
	if _, err := LoadConfig(f); err == nil {
		t.Error("the password is missing, and nobody says so")
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SAMIZDAT_IMAP_PASSWORD", "from the environment")
	f := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(f, []byte("imap: {password_file: /nowhere}\nsmtp: {token_file: /nowhere}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", f} {
		c, err := LoadConfig(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.IMAP.Password != "from the environment" || c.IMAP.PasswordFile != "" || path != "" && c.SMTP.TokenFile != "/nowhere" {
			t.Errorf("%q: %+v, %+v, want the environment's password", path, c.IMAP, c.SMTP)
		}
	}
}
