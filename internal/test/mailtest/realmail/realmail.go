//go:build integration

// Package realmail starts a real Dovecot and a real Postfix for tests, with a
// certificate of their own, on free ports of loopback. They need root, for Postfix
// insists, and the Debian packages dovecot-imapd, dovecot-lmtpd and postfix.
// Without them a test fails; it is never skipped.
package realmail

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Password is the password of every account.
const Password = "secret"

// tokenKey signs the access tokens that Dovecot takes.
const tokenKey = "a key that is long enough for HS256"

// AccessToken makes an access token for a user (RFC 7519).
func AccessToken(user string, until time.Time) string {
	part := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	text := part(`{"alg":"HS256","typ":"JWT"}`) + "." + part(fmt.Sprintf(`{"sub":%q,"iat":%d,"exp":%d}`, user, time.Now().Add(-time.Minute).Unix(), until.Unix()))
	mac := hmac.New(sha256.New, []byte(tokenKey))
	mac.Write([]byte(text))
	return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Servers holds the addresses of the servers. Accounts log in with their address and Password;
// address+anything is delivered to them too.
type Servers struct {
	// IMAP has STARTTLS, and IMAPS has TLS from the first byte.
	IMAP, IMAPS string
	// LMTP delivers to Dovecot without Postfix.
	LMTP string
	// SMTP accepts letters without a login. Submission has STARTTLS and a login, and Submissions TLS
	// from the first byte.
	SMTP, Submission, Submissions string
	// CA is the path of the certificate of both servers.
	CA string

	dovecot, postfix string
}

func need(t *testing.T, cmd string) {
	t.Helper()
	if _, err := exec.LookPath(cmd); err != nil {
		t.Fatalf("%s is missing: run apt-get install dovecot-imapd dovecot-lmtpd postfix", cmd)
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().(*net.TCPAddr).Port
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// certificate writes a new key and a certificate that is valid until a time.
func certificate(t *testing.T, dir string, until time.Time) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "mail.test"}, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, tmpl, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	pk, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pk})))
	return cert, key
}

// Start starts both servers with the accounts, and stops them after the test. Postfix also accepts
// letters to the addresses in gone, which Dovecot does not know: these letters bounce.
func Start(t *testing.T, accounts, gone []string) Servers {
	t.Helper()
	need(t, "dovecot")
	need(t, "postfix")
	if os.Getuid() != 0 {
		t.Fatal("the integration tests need root: Postfix does not start without")
	}
	for _, u := range []string{"postfix", "dovecot", "mail"} {
		if _, err := user.Lookup(u); err != nil {
			t.Fatalf("the user %s is missing: run apt-get install dovecot-imapd dovecot-lmtpd postfix", u)
		}
	}
	// Not t.TempDir: its parents may be closed to the servers' users, and a unix
	// socket has a short name.
	dir, err := os.MkdirTemp("/tmp", "mt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cert, key := certificate(t, dir, time.Now().Add(24*time.Hour))
	imap, imaps, lmtp, auth := freePort(t), freePort(t), freePort(t), freePort(t)
	startDovecot(t, filepath.Join(dir, "dv"), cert, key, accounts, imap, imaps, lmtp, auth)
	smtp, sub, subs := freePort(t), freePort(t), freePort(t)
	startPostfix(t, filepath.Join(dir, "pf"), cert, key, append(accounts[:len(accounts):len(accounts)], gone...), lmtp, auth, smtp, sub, subs)
	addr := func(port int) string { return fmt.Sprintf("127.0.0.1:%d", port) }
	return Servers{IMAP: addr(imap), IMAPS: addr(imaps), LMTP: addr(lmtp), SMTP: addr(smtp), Submission: addr(sub), Submissions: addr(subs), CA: cert, dovecot: filepath.Join(dir, "dv"), postfix: filepath.Join(dir, "pf")}
}

func startDovecot(t *testing.T, dir, cert, key string, accounts []string, imap, imaps, lmtp, auth int) {
	t.Helper()
	for _, d := range []string{dir, dir + "/mail"} {
		if err := os.MkdirAll(d, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	users(t, dir, accounts, nil)
	write(t, dir+"/conf", fmt.Sprintf(`base_dir = %[1]s/run
state_dir = %[1]s/state
log_path = %[1]s/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
ssl = yes
ssl_cert = <%[2]s
ssl_key = <%[3]s
disable_plaintext_auth = no
auth_mechanisms = plain login xoauth2 oauthbearer
auth_failure_delay = 0
mail_max_userip_connections = 0
mail_location = maildir:%[1]s/mail/%%u
mail_plugins = quota
plugin {
  quota = maildir:User quota
}
protocol imap {
  mail_plugins = quota imap_quota
}
mail_uid = mail
mail_gid = mail
first_valid_uid = 1
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = %[1]s/oauth2
}
passdb {
  driver = passwd-file
  mechanisms = plain login
  args = scheme=PLAIN username_format=%%u %[1]s/users
}
userdb {
  driver = passwd-file
  args = username_format=%%u %[1]s/users
  default_fields = uid=mail gid=mail home=%[1]s/mail/%%u
}
protocol lmtp {
  auth_username_format = %%Lu
}
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  inet_listener imap {
    port = %[4]d
  }
  inet_listener imaps {
    port = %[5]d
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = %[6]d
  }
}
service auth {
  inet_listener {
    address = 127.0.0.1
    port = %[7]d
  }
}
`, dir, cert, key, imap, imaps, lmtp, auth))
	write(t, dir+"/oauth2", fmt.Sprintf("introspection_mode = local\nlocal_validation_key_dict = fs:posix:prefix=%s/keys/\nusername_attribute = sub\n", dir))
	if err := os.MkdirAll(dir+"/keys/default/HS256", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir+"/keys/default/HS256/default", base64.StdEncoding.EncodeToString([]byte(tokenKey)))
	cmd := exec.Command("dovecot", "-F", "-c", dir+"/conf")
	out, err := os.Create(dir + "/out")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		_ = out.Close()
		logFiles(t, dir+"/out", dir+"/dovecot.log")
	})
	awaitPort(t, imaps)
	awaitPort(t, lmtp)
}

func startPostfix(t *testing.T, dir, cert, key string, known []string, lmtp, auth, smtp, sub, subs int) {
	t.Helper()
	for _, d := range []string{"etc", "queue", "data"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	postfixUser, err := user.Lookup("postfix")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("chown", postfixUser.Username, dir+"/data").CombinedOutput(); err != nil {
		t.Fatalf("chown: %v: %s", err, out)
	}
	write(t, dir+"/etc/main.cf", fmt.Sprintf(`compatibility_level = 3.6
queue_directory = %[1]s/queue
data_directory = %[1]s/data
maillog_file = %[1]s/mail.log
maillog_file_prefixes = %[1]s
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.test
mydestination =
mynetworks =
alias_maps =
alias_database =
virtual_mailbox_domains = test
virtual_transport = lmtp:inet:127.0.0.1:%[4]d
default_transport = error:no mail leaves this test server
relay_transport = error:no mail leaves this test server
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_tls_cert_file = %[2]s
smtpd_tls_key_file = %[3]s
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:%[5]d
smtputf8_enable = yes
smtpd_error_sleep_time = 0
virtual_mailbox_maps = inline:{%[6]s}
recipient_delimiter = +
lmtp_destination_concurrency_limit = 4
`, dir, cert, key, lmtp, auth, strings.Join(known, "=x,")+"=x"))
	write(t, dir+"/etc/master.cf", fmt.Sprintf(`127.0.0.1:%d inet n - n - - smtpd
127.0.0.1:%d inet n - n - - smtpd -o smtpd_tls_security_level=encrypt
127.0.0.1:%d inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`, smtp, sub, subs))
	run := func(verb string) ([]byte, error) {
		return exec.Command("postfix", "-c", dir+"/etc", verb).CombinedOutput()
	}
	if out, err := run("start"); err != nil {
		logFiles(t, dir+"/mail.log")
		t.Fatalf("starting postfix: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := run("stop"); err != nil {
			t.Errorf("stopping postfix: %v: %s", err, out)
		}
		logFiles(t, dir+"/mail.log")
	})
	awaitPort(t, sub)
}

// logFiles prints the logs of the servers when a test fails.
func logFiles(t *testing.T, paths ...string) {
	if !t.Failed() {
		return
	}
	for _, p := range paths {
		b, _ := os.ReadFile(p)
		t.Logf("%s:\n%s", filepath.Base(p), b)
	}
}

// awaitPort dials a port until a server listens.
func awaitPort(t *testing.T, port int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			_ = c.Close()
			return
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			t.Fatalf("port %d: %v", port, err)
		}
	}
}
