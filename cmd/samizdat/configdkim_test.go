package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"

	"samizdat/adjudicator"
	"samizdat/internal/post"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/storage"
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

func TestDKIMConfig(t *testing.T) {
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
		{"another domain", "r@club.example", "other.example", "s", key, "would not speak for them"},
		{"domain below", "r@club.example", "mail.club.example", "s", key, "would not speak for them"},
		{"end of a name", "r@sunclub.example", "club.example", "s", key, "would not speak for them"},
		{"no domain", "r@club.example", "club example", "s", key, "not a name of a domain"},
		{"bad selector", "r@club.example", "club.example", "s;h=from", key, "is not a name"},
		{"no key", "r@club.example", "club.example", "s", noKey, "not in PEM form"},
		{"key missing", "r@club.example", "club.example", "s", key + "x", "no such file"},
	} {
		f := filepath.Join(t.TempDir(), "c.yaml")
		text := "address: " + tt.address + "\nsmtp:\n  dkim:\n    domain: '" + tt.domain + "'\n    selector: '" + tt.selector + "'\n    key_file: '" + tt.file + "'\n"
		if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := LoadConfig(f)
		if tt.want == "" {
			s, serr := c.SMTP.DKIM.signing()
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
		"imap: {max_letter: 0}\n", "imap: {poll_interval: 60}\n", "imap: {max_letter: 1024}\n", "smtp: {command_timeout: -1s}\n",
	} {
		f := filepath.Join(t.TempDir(), "c.yaml")
		if err := os.WriteFile(f, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadConfig(f); err == nil || !strings.Contains(err.Error(), "too ") {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

// TestSignedOnce: a letter is signed when it is due, kept with its signature, and
// every later try sends the same bytes, also after the key has changed.
func TestSignedOnce(t *testing.T) {
	t.Parallel()
	dir, now := t.TempDir(), time.Date(1989, 11, 9, 12, 0, 0, 0, time.UTC)
	db, err := storage.Open(t.Context(), filepath.Join(dir, "s.db"), filepath.Join(dir, "s.key"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	raw, err := message.Draft{From: "r@club.example", To: "ann@example.org", Subject: "x", MessageID: "1@club.example", Date: now, Text: "Your move\n"}.Render()
	if err != nil {
		t.Fatal(err)
	}
	box := db.Outbox("r@club.example")
	letter := adjudicator.Dispatch{Seat: rules.Nobody, To: "ann@example.org", Raw: adjudicator.Rendered{Bytes: raw}, Date: now}
	if err := db.Apply(t.Context(), adjudicator.Change{Letters: []adjudicator.Dispatch{letter}}); err != nil {
		t.Fatal(err)
	}
	cfg := DKIMConfig{Domain: "club.example", Selector: "s", KeyFile: keyFileOf(t, dir)}
	first, err := cfg.signing()
	if err != nil {
		t.Fatal(err)
	}
	second := &message.Signing{Domain: "club.example", Selector: "t", Key: testKey}
	var tries [][]byte
	for _, s := range []*message.Signing{first, second, nil} {
		o := &post.Outbox{Queue: box, Log: slog.New(slog.DiscardHandler), Signing: s}
		due, err := o.Due(t.Context(), now, 10)
		if err == nil {
			due, err = o.Finish(t.Context(), due)
		}
		if err != nil || len(due) != 1 {
			t.Fatalf("%d letters are due, %v", len(due), err)
		}
		tries = append(tries, due[0].Raw)
		if err := box.Failed(t.Context(), due[0].ID, now, now, false, "450 later"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(tries[0], tries[1]) || !bytes.Equal(tries[0], tries[2]) {
		t.Errorf("the tries differ:\n%s\n%s\n%s", tries[0], tries[1], tries[2])
	}
	lookup := func(_ context.Context, name string) ([]string, error) {
		if name != "s._domainkey.club.example" {
			t.Errorf("%s was looked up", name)
		}
		return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(testKey.Public().(ed25519.PublicKey))}, nil
	}
	found, err := dkim.VerifyWithOptions(bytes.NewReader(tries[2]), &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		return lookup(t.Context(), name)
	}})
	if err != nil || len(found) != 1 || found[0].Err != nil {
		t.Errorf("the signature does not verify: %+v, %v", found, err)
	}
}
