package config

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/spf13/viper"

	"samizdat/mail"
)

// clocks are not compared: functions equal none.
var clocks = cmpopts.IgnoreTypes(func() time.Time { return time.Time{} })

// TestExampleConfig: the example file holds every setting with its default.
func TestExampleConfig(t *testing.T) {
	t.Parallel()
	got, err := Load(filepath.Join("..", "..", "config.example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Default(), got, clocks); d != "" {
		t.Errorf("config.example.yaml departs from the defaults (-default +file):\n%s", d)
	}
	there, known := viper.NewWithOptions(viper.KeyDelimiter(keyDelimiter)), viper.NewWithOptions(viper.KeyDelimiter(keyDelimiter))
	there.SetConfigFile(filepath.Join("..", "..", "config.example.yaml"))
	if err := there.ReadInConfig(); err != nil {
		t.Fatal(err)
	}
	setDefaults(known, "", reflect.ValueOf(Default()))
	want, have := known.AllKeys(), there.AllKeys()
	slices.Sort(want)
	slices.Sort(have)
	if d := cmp.Diff(want, have); d != "" {
		t.Errorf("config.example.yaml shows other settings than there are (-settings +file):\n%s", d)
	}
	if len(want) < 40 {
		t.Errorf("only %d settings were found", len(want))
	}
}

// TestExampleHead: the settings at the head of the example file, which are needed and wanted, are valid without
// the #.
func TestExampleHead(t *testing.T) {
	t.Parallel()
	example, err := os.ReadFile(filepath.Join("..", "..", "config.example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, m := range regexp.MustCompile(`(?m)^#   (.*)$`).FindAllSubmatch(example, -1) {
		fmt.Fprintf(&text, "%s\n", m[1])
	}
	f := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(f, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := LoadSettings(f)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), ": "); n != 7+4 {
		t.Errorf("%d settings are needed or wanted", n)
	}
	if c.IMAP.User != "referee@example.org" || c.SMTP.User != c.IMAP.User || c.SMTP.Limits.PerDay != 400 || !c.Club.Exists() {
		t.Errorf("user %s and %s, %d letters a day, club %v", c.IMAP.User, c.SMTP.User, c.SMTP.Limits.PerDay, c.Club)
	}
}

// TestPeople: operator, contact and director default to one another.
func TestPeople(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, operator, contact, director string }{
		{"", "", "", ""},
		{"operator: o@x.org", "o@x.org", "o@x.org", "o@x.org"},
		{"contact: c@x.org", "c@x.org", "c@x.org", "c@x.org"},
		{"director: d@x.org", "d@x.org", "d@x.org", "d@x.org"},
		{"operator: o@x.org\ndirector: d@x.org", "o@x.org", "o@x.org", "d@x.org"},
		{"contact: c@x.org\ndirector: d@x.org", "c@x.org", "c@x.org", "d@x.org"},
	} {
		f := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(f, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := LoadSettings(f)
		if err != nil || c.Operator != tt.operator || c.Contact != tt.contact || c.Director != tt.director {
			t.Errorf("%q: operator %s, contact %s, director %s, %v", tt.text, c.Operator, c.Contact, c.Director, err)
		}
	}
}

func TestNoConfig(t *testing.T) {
	t.Parallel()
	got, err := Load("")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(Default(), got, clocks); d != "" {
		t.Errorf("without a file (-default +got):\n%s", d)
	}
}

func TestBadConfig(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, yaml, want string }{
		{"misspelt key", "imap:\n  adress: x\n", "unknown setting imap: adress; the settings here are address, auth, ca_file"},
		{"misspelt key at the left", "adress: x\n", "unknown setting adress; the settings here are address, answers, beacon, club"},
		{"misspelt key far in", "smtp: {dkim: {key: x}}\n", "unknown setting smtp: dkim: key; the settings here are domain, key_file, selector"},
		{"no such section", "mail: {imap: x}\n", "unknown setting mail: imap"},
		{"a value for a section", "imap: 1\n", "imap"},
		{"no port", "imap: {address: mail.example}\nsmtp: {address: 'mail.example:465'}\n", `imap: address: expected a host with a port, such as mail.example.org:993, got "mail.example"`},
		{"open to all", "imap: {address: 'mail.example:143', tls: none}\nsmtp: {address: 'mail.example:465'}\n", "could read the password"},
		{"password and file", "imap: {password: x, password_file: y}\n", "password and password_file are set"},
		{"password and token", "smtp: {password: x, token_command: y}\n", "password and token_command are set"},
		{"a list for a password", "smtp:\n  password: [secret]\n", "quotation marks"},
		{"no such level", "log: verbose\n", "log must be debug, info, warn or error, got \"verbose\""},
		{"nothing in the password file", "imap:\n  password_file: /dev/null\n", "write the password into it"},
		{"handed over elsewhere", "imap:\n  password_file: /run/credentials/no.service/imap\n", "only to the running service"},
		{"not an address", "address: referee\n", "address: invalid mail address \"referee\""},
		{"address with a plus", "address: a+b@c\n", "address: \"a+b@c\" must not contain a +, because the part after a + is for tokens"},
		{"long address", "address: abcdefghijklmnopqrstuvwxyz@c\n", "address: \"abcdefghijklmnopqrstuvwxyz@c\" has 26 characters before the @; the maximum is 20, to leave room for tokens"},
		{"only one server", "imap:\n  address: mail.example:993\n", "set both"},
		{"no such mode", "imap:\n  tls: ssl\n", "imap: tls must be tls, starttls or none, got \"ssl\""},
		{"no such login", "imap:\n  auth: kerberos\n", "imap: auth must be plain, login, xoauth2 or oauthbearer, got \"kerberos\""},
		{"token login without a token", "smtp:\n  auth: xoauth2\n", "needs token_file"},
		{"password login with a token", "imap:\n  auth: plain\n  token_file: x\n", "imap: auth: plain needs a password, but a token is set"},
		{"two tokens", "smtp:\n  token_file: x\n  token_command: y\n", "smtp: token_file and token_command are set: set only one"},
		{"negative limit", "smtp:\n  per_day: -1\n", "0 for no limit"},
		{"no such envelope", "smtp:\n  envelope: verp\n", "smtp: envelope must be address or token, got \"verp\""},
		{"an envelope that comes to nobody", "smtp:\n  envelope: token\nidentity:\n  token: subject\n", "smtp: \"envelope: token\" needs a mail server that delivers letters to address+anything"},
		{"director is no address", "director: ann\n", "director: invalid mail address \"ann\""},
		{"a long vacation", "vacation: 400\n", "vacation must be a number of days from 0 to 366, got 400"},
		{"open to others", "metrics: 0.0.0.0:9189\n", "metrics: must be a loopback address such as 127.0.0.1:9189, because there is no login; got \"0.0.0.0:9189\""},
		{"pages at no host", "site: x\nlisten: ':8080'\n", "listen: expected a host and a port, such as 127.0.0.1:8080 for this machine only, got \":8080\""},
		{"a site of no directory", "site_url: https://club.example/\n", "site_url: set site as well"},
		{"a desk without a server", "desk: /desk/\n", "desk: expected the address of a directory on a web server, such as https://club.example/, got \"/desk/\""},
		{"a desk that is no directory", "desk: https://club.example/desk\n", "desk: expected the address of a directory on a web server, such as https://club.example/, got \"https://club.example/desk\""},
		{"pages of no directory", "listen: 127.0.0.1:8080\n", "listen: set site as well"},
		{"contact has a name", "contact: Ann <ann@x.org>\n", "contact: invalid mail address \"Ann <ann@x.org>\""},
		{"operator is the referee", "address: referee@club.example\noperator: referee@club.example\n", "operator: expected the address of a person, got the referee's address"},
		{"password file missing", "imap:\n  password_file: /nowhere/at/all\n", "password_file"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := filepath.Join(t.TempDir(), "c.yaml")
			if err := os.WriteFile(f, []byte(tt.yaml), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Load(f)
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
	c, err := Load(f)
	if err != nil {
		t.Fatal(err)
	}
	in, out := c.IMAP, c.SMTP
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
		if _, err := Load(f); err == nil || strings.Contains(err.Error(), "s3cret") {
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
	if c, err := LoadSettings(f); err != nil || c.Address != "referee@club.example" {
		t.Errorf("%q, %v", c.Address, err)
	}
	if _, err := Load(f); err == nil {
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
		c, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.IMAP.Password != "from the environment" || c.IMAP.PasswordFile != "" || path != "" && c.SMTP.TokenFile != "/nowhere" {
			t.Errorf("%q: %+v, %+v, want the environment's password", path, c.IMAP, c.SMTP)
		}
	}
}

// TestLoopback: there is no login, so others than this machine may not ask.
func TestLoopback(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{"127.0.0.1:9189": true, "[::1]:9189": true, "localhost:1": true, "0.0.0.0:9189": false,
		":9189": false, "192.0.2.1:9189": false, "referee.example:9189": false, "9189": false} {
		if isLoopback(address) != want {
			t.Errorf("%s: loopback %v", address, !want)
		}
	}
}

// TestDeskURL: the page of the club's own site is the default, where the players can reach that site.
func TestDeskURL(t *testing.T) {
	t.Parallel()
	for yaml, want := range map[string]string{
		"":                                   "",
		"site: x":                            "",
		"site: x\nlisten: 127.0.0.1:8080":    "http://127.0.0.1:8080/desk/", // The players use this machine.
		"site: x\nlisten: 127.0.0.1:0":       "",
		"site: x\nlisten: 0.0.0.0:80":        "",
		"site: x\nlisten: '[::]:80'":         "",
		"site: x\nlisten: club.example:8080": "http://club.example:8080/desk/",
		"site: x\nlisten: 127.0.0.1:8080\nimap: {address: imap.example:993}\nsmtp: {address: smtp.example:465}": "",
		"site: x\nlisten: 192.0.2.1:8080\nimap: {address: imap.example:993}\nsmtp: {address: smtp.example:465}": "http://192.0.2.1:8080/desk/",
		"site: x\nlisten: 127.0.0.1:8080\nsite_url: https://club.example/p/":                                    "https://club.example/p/desk/",
		"site: x\nlisten: 127.0.0.1:8080\nsite_url: https://club.example/\ndesk: https://desk.example/":         "https://desk.example/",
	} {
		f := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(f, []byte(yaml), 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := Load(f); err != nil || c.DeskURL() != want {
			t.Errorf("%q leads to %q, want %q: %v", yaml, c.DeskURL(), want, err)
		}
	}
}
