package message

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

// signer is a domain's mail server: it signs, and publishes its key.
type signer struct {
	key ed25519.PrivateKey
}

func newSigner() signer {
	return signer{ed25519.NewKeyFromSeed([]byte("0123456789abcdef0123456789abcdef"))}
}

func (s signer) sign(t *testing.T, domain, raw string) string {
	t.Helper()
	var b bytes.Buffer
	err := dkim.Sign(&b, strings.NewReader(raw), &dkim.SignOptions{Domain: domain, Selector: "s", Signer: s.key, Hash: crypto.SHA256})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (s signer) lookup(_ context.Context, name string) ([]string, error) {
	switch name {
	case "s._domainkey.example.org", "s._domainkey.evil.test":
		return []string{"v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(s.key.Public().(ed25519.PublicKey))}, nil
	case "s._domainkey.slow.test":
		return nil, &net.DNSError{Err: "timeout", Name: name, IsTimeout: true, IsTemporary: true}
	}
	return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

func TestSignatureProof(t *testing.T) {
	t.Parallel()
	s := newSigner()
	letter := "From: Ann <ann@example.org>\r\nTo: judge@demo.example\r\nSubject: x\r\n\r\nPASS\r\n"
	signed := s.sign(t, "example.org", letter)
	for _, tt := range []struct {
		name, raw string
		want      bool
		later     bool
	}{
		{"signed", signed, true, false},
		{"not signed", letter, false, false},
		{"changed text", strings.Replace(signed, "PASS", "PLAY 1", 1), false, false},
		{"changed sender", strings.Replace(signed, "From: Ann <ann@", "From: Ann <bob@", 1), false, false},
		{"signed by another", s.sign(t, "evil.test", letter), false, false},
		{"signed by both", s.sign(t, "evil.test", signed), true, false},
		{"second sender", "From: bob@example.org\r\n" + signed, false, false},
		{"key cannot be had now", s.sign(t, "slow.test", strings.Replace(letter, "ann@example.org", "ann@slow.test", 1)), false, true},
		{"key of another cannot be had", s.sign(t, "slow.test", letter), false, false},
		{"no key", s.sign(t, "nokey.test", strings.Replace(letter, "ann@example.org", "ann@nokey.test", 1)), false, false},
		{"below the signer", s.sign(t, "example.org", strings.Replace(letter, "ann@example.org", "ann@mail.example.org", 1)), true, false},
		{"cut off", signed[:len(signed)-3], false, false},
		{"many", strings.Repeat("DKIM-Signature: v=1; d=x\r\n", 50) + signed, false, false},
		{"broken header", "no header\r\n" + signed, false, false},
		{"empty", "", false, false},
	} {
		got, err := SignatureProof(s.lookup)(t.Context(), []byte(tt.raw), Read([]byte(tt.raw)))
		if got != tt.want || (err != nil) != tt.later || tt.later && !errors.Is(err, ErrLater) {
			t.Errorf("%s: got %v, %v", tt.name, got, err)
		}
	}
}
