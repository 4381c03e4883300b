package mail

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTokenCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	c := TokenCommand("echo x >> " + count + "; wc -l < " + count + " | tr -d ' '").(*tokenCommand)
	now := time.Now()
	c.now = func() time.Time { return now }
	want := func(want string) {
		t.Helper()
		if got, err := c.Token(t.Context()); err != nil || got != want {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	want("1")
	want("1")
	c.Refused("another")
	want("1")
	c.Refused("1")
	want("2")
	now = now.Add(tokenLife)
	want("3")
	for line, says := range map[string]string{"echo no luck >&2; exit 3": "no luck", "true": "there is no token", "echo two words": "not one token"} {
		if _, err := TokenCommand(line).Token(t.Context()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestTokenFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "token")
	for _, token := range []string{"one", "two"} {
		if err := os.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := TokenFile(path).Token(t.Context()); err != nil || got != token {
			t.Errorf("got %q, %v", got, err)
		}
	}
}

func TestBearerKeepsToItsFields(t *testing.T) {
	t.Parallel()
	if _, _, err := (&bearer{mechanism: xoauth2, user: "a\x01auth=Bearer other", token: "t"}).Start(); err == nil {
		t.Error("a user may write fields of his own")
	}
	_, ir, err := (&bearer{mechanism: "OAUTHBEARER", user: "a,b=c", token: "t"}).Start()
	if want := "n,a=a=2Cb=3Dc,\x01auth=Bearer t\x01\x01"; err != nil || string(ir) != want {
		t.Errorf("got %q, %v", ir, err)
	}
}

// TestWire: no line end that two servers understand in two ways leaves us.
func TestWire(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a\r\nb\r\n": "a\r\nb\r\n", "a\nb\n": "a\r\nb\r\n", "a\r.\rMAIL FROM:<x>\r\n": "a\r\n.\r\nMAIL FROM:<x>\r\n", "a\r\r\nb": "a\r\n\r\nb", "": "",
	} {
		if got := wire([]byte(in)); string(got) != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	raw := []byte("Subject: x\r\n\r\ny\r\n")
	if got := wire(raw); &got[0] != &raw[0] || !bytes.Equal(got, raw) {
		t.Error("a good letter was copied")
	}
	for _, to := range []string{"", "a b@x", "a@x\r\nDATA", "a@x>", "<a@x", "a@x\x00", "\ta@x"} {
		if unsendable(Outgoing{To: to}) == "" {
			t.Errorf("%q would be sent", to)
		}
	}
	if s := unsendable(Outgoing{To: "zoë@exämple", EnvelopeFrom: ""}); s != "" {
		t.Error(s)
	}
}
