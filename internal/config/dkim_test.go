package config

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var testKey = ed25519.NewKeyFromSeed([]byte("0123456789abcdef0123456789abcdef"))

// keyFileOf writes a signing key.
func keyFileOf(t *testing.T, dir string) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(testKey)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "dkim.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDKIM(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := keyFileOf(t, dir)
	noKey := filepath.Join(dir, "no.pem")
	if err := os.WriteFile(noKey, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, address, domain, selector, file, want string
	}{
		{"off", "r@club.example", "", "", "", ""},
		{"on", "r@club.example", "club.example", "s2026", key, ""},
		{"the domain above", "r@mail.Club.example", "club.example", "s", key, ""},
		{"half", "r@club.example", "club.example", "", key, "set domain, selector and key_file"},
		{"only a key", "r@club.example", "", "", key, "set domain, selector and key_file"},
		{"another domain", "r@club.example", "other.example", "s", key, "smtp: dkim: domain: other.example must be the domain of the referee's address, club.example, or a parent of it"},
		{"domain below", "r@club.example", "mail.club.example", "s", key, "smtp: dkim: domain: mail.club.example must be the domain of the referee's address, club.example, or a parent of it"},
		{"end of a name", "r@sunclub.example", "club.example", "s", key, "smtp: dkim: domain: club.example must be the domain of the referee's address, sunclub.example, or a parent of it"},
		{"no domain", "r@club.example", "club example", "s", key, "smtp: dkim: domain: invalid domain name \"club example\""},
		{"bad selector", "r@club.example", "club.example", "s;h=from", key, "smtp: dkim: selector: invalid name \"s;h=from\": expected the part before ._domainkey.club.example"},
		{"no key", "r@club.example", "club.example", "s", noKey, "not in PEM form"},
		{"key missing", "r@club.example", "club.example", "s", key + "x", "no such file"},
	} {
		f := filepath.Join(t.TempDir(), "c.yaml")
		text := "address: " + tt.address + "\nsmtp:\n  dkim:\n    domain: '" + tt.domain + "'\n    selector: '" + tt.selector + "'\n    key_file: '" + tt.file + "'\n"
		if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(f)
		if tt.want == "" {
			s, serr := c.SMTP.DKIM.NewSigner()
			if err != nil || serr != nil || (s != nil) != (tt.file != "") {
				t.Errorf("%s: %v, %v", tt.name, err, serr)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

// TestTimesConfig: a pause of nothing would be a loop without rest.
func TestTimesConfig(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"imap: {poll_interval: 0s}\n", "imap: {poll_interval: -1m}\n", "imap: {command_timeout: 0s}\n", "imap: {idle_restart: -1s}\n",
		"imap: {max_letter: 0}\n", "imap: {max_letter: 1024}\n", "smtp: {command_timeout: -1s}\n",
	} {
		f := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(f); err == nil || !strings.Contains(err.Error(), "must be at least") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}
