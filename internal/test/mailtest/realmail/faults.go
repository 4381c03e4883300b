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

// Account is how an account may differ from others.
type Account struct {
	// Password is another than Password.
	Password string
	// Suspended: nobody may log in.
	Suspended bool
	// Quota is how many kilobytes the mailbox takes; 0 for no limit.
	Quota int
}

// users writes the accounts of Dovecot, of which some are not as others.
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

// SetAccounts makes some of all accounts differ from the others. Logins that were good stay so.
func (s Servers) SetAccounts(t *testing.T, accounts []string, odd map[string]Account) {
	t.Helper()
	users(t, s.dovecot, accounts, odd)
	time.Sleep(time.Second) // Dovecot looks at the file once a second.
}

// Expire lets the certificate of Dovecot or Postfix be one that has expired, or the good one again, for connections
// from now on.
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

// PostfixSet changes settings of Postfix, for connections from now on.
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
