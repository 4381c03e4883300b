//go:build integration

package realmail

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Account describes an unusual account.
type Account struct {
	// Password replaces the constant Password.
	Password string
	// Suspended refuses all logins.
	Suspended bool
	// Quota is the limit of the mailbox in kilobytes; 0 for no limit.
	Quota int
}

// users writes Dovecot's file of accounts.
func users(t *testing.T, dir string, accounts []string, odd map[string]Account) {
	t.Helper()
	var text strings.Builder
	for _, name := range accounts {
		a := odd[name]
		var more []string
		if a.Suspended {
			more = append(more, "nologin=y")
		}
		if a.Quota > 0 {
			more = append(more, fmt.Sprintf("userdb_quota_rule=*:storage=%d", a.Quota))
		}
		fmt.Fprintf(&text, "%s:{PLAIN}%s::::::%s\n", name, cmp.Or(a.Password, Password), strings.Join(more, " "))
	}
	write(t, dir+"/users", text.String())
}

// SetAccounts rewrites the accounts with the exceptions in odd. Earlier logins stay valid.
func (s Servers) SetAccounts(t *testing.T, accounts []string, odd map[string]Account) {
	t.Helper()
	users(t, s.dovecot, accounts, odd)
	time.Sleep(time.Second) // Dovecot checks the file once a second.
}

// Expire gives Dovecot or Postfix an expired certificate, or the valid certificate again, for new
// connections.
func (s Servers) Expire(t *testing.T, dovecot, expired bool) {
	t.Helper()
	cert, key := s.CA, strings.Replace(s.CA, "cert.pem", "key.pem", 1)
	if expired {
		dir, err := os.MkdirTemp(s.dovecot, "old")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		cert, key = certificate(t, dir, time.Now().Add(-time.Hour))
	}
	if !dovecot {
		s.PostfixSet(t, "smtpd_tls_cert_file="+cert, "smtpd_tls_key_file="+key)
		return
	}
	conf, err := os.ReadFile(s.dovecot + "/conf")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(conf), "\n")
	for i, l := range lines {
		switch {
		case strings.HasPrefix(l, "ssl_cert = "):
			lines[i] = "ssl_cert = <" + cert
		case strings.HasPrefix(l, "ssl_key = "):
			lines[i] = "ssl_key = <" + key
		}
	}
	write(t, s.dovecot+"/conf", strings.Join(lines, "\n"))
	s.command(t, "doveadm", "-c", s.dovecot+"/conf", "reload")
}

// PostfixSet changes settings of Postfix for new connections.
func (s Servers) PostfixSet(t *testing.T, settings ...string) {
	t.Helper()
	s.command(t, "postconf", append([]string{"-c", s.postfix + "/etc", "-e"}, settings...)...)
	s.command(t, "postfix", "-c", s.postfix+"/etc", "reload")
}

// command runs a command of the servers.
func (s Servers) command(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, out)
	}
}
