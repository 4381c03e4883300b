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

func TestVouched(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, value string
		want        bool
	}{
		{"gmail", "mx.ours.test; dkim=pass header.i=@example.org header.s=20230601 header.b=AbCd; spf=pass (ours.test: domain of ann@example.org designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@example.org; dmarc=pass (p=NONE sp=QUARANTINE dis=NONE) header.from=example.org", true},
		{"rspamd", "mx.ours.test; dkim=pass header.d=example.org header.s=s1 header.b=xyz; arc=none", true},
		{"opendkim", "MX.Ours.Test; dkim=pass (2048-bit key; unprotected) header.d=example.org header.i=@example.org header.a=rsa-sha256", true},
		{"version", "mx.ours.test 1; dkim/1=pass header.d=example.org", true},
		{"parent domain signs", "mx.ours.test; dkim=pass header.d=example.org", true},
		{"dmarc alone", "mx.ours.test; dmarc=pass header.from=Example.org", true},
		{"second signature", "mx.ours.test; dkim=fail header.d=example.org; dkim=pass header.d=example.org", true},
		{"none", "mx.ours.test; none", false},
		{"empty", "", false},
		{"another server", "mx.theirs.test; dkim=pass header.d=example.org", false},
		{"server within a comment", "mx.theirs.test (mx.ours.test); dkim=pass header.d=example.org", false},
		{"fail", "mx.ours.test; dkim=fail header.d=example.org; dmarc=fail header.from=example.org", false},
		{"spf alone", "mx.ours.test; spf=pass smtp.mailfrom=ann@example.org", false},
		{"another signer", "mx.ours.test; dkim=pass header.d=evil.test", false},
		{"signer with our domain as its end", "mx.ours.test; dkim=pass header.d=notexample.org", false},
		{"signer below", "mx.ours.test; dkim=pass header.d=guest.example.org", false},
		{"top-level signer", "mx.ours.test; dkim=pass header.d=org", false},
		{"identity of another domain", "mx.ours.test; dkim=pass header.d=evil.test header.i=@example.org", false},
		{"dmarc of another domain", "mx.ours.test; dmarc=pass header.from=evil.test", false},
		{"result in a quoted address", `mx.ours.test; spf=fail smtp.mailfrom="x; dkim=pass header.d=example.org"@evil.test`, false},
		{"result in a quoted address, spaced", `mx.ours.test; spf=fail smtp.mailfrom="x ; dmarc=pass header.from=example.org ;"@evil.test`, false},
		{"result in a comment", "mx.ours.test; spf=fail (x; dkim=pass header.d=example.org) smtp.mailfrom=x@evil.test", false},
		{"result in nested comments", `mx.ours.test; spf=fail (x (y\)) ; dkim=pass header.d=example.org) smtp.mailfrom=x@evil.test`, false},
		{"property in quotes", `mx.ours.test; dkim=pass "header.d=example.org"`, false},
		{"property twice", "mx.ours.test; dkim=pass header.d=evil.test header.d=example.org", false},
		{"open quote", `mx.ours.test; dkim=pass header.d=example.org x="`, false},
		{"open comment", "mx.ours.test; dkim=pass header.d=example.org (", false},
		{"no server name", "dkim=pass header.d=example.org; dmarc=pass header.from=example.org", false},
		{"two server names", "mx.ours.test 1 2; dkim=pass header.d=example.org", false},
	}
	for _, tt := range tests {
		domain := "example.org"
		if tt.name == "parent domain signs" {
			domain = "mail.example.org"
		}
		if got := confirmsDomain(tt.value, "mx.ours.test", domain); got != tt.want {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
	if confirmsDomain("; dkim=pass header.d=example.org", "", "example.org") {
		t.Error("no server is configured, and one is believed")
	}
}

// TestTopmostOnly: what stands below the topmost field may be the sender's own.
func TestTopmostOnly(t *testing.T) {
	t.Parallel()
	good := "Authentication-Results: mx.ours.test; dkim=pass header.d=example.org\r\n"
	bad := "Authentication-Results: mx.ours.test; dkim=none\r\n"
	remaining := "From: ann@example.org\r\n\r\nPASS\r\n"
	for raw, want := range map[string]bool{good + remaining: true, bad + good + remaining: false, good + bad + remaining: true, remaining: false} {
		l := Read([]byte(raw))
		got, err := ServerProof("mx.ours.test")(t.Context(), []byte(raw), l)
		if got != want || err != nil {
			t.Errorf("got %v, %v:\n%s", got, err, raw)
		}
	}
}

func FuzzAuthResults(f *testing.F) {
	f.Add("mx.ours.test; dkim=pass header.i=@example.org; dmarc=pass (p=NONE) header.from=example.org")
	f.Add(`mx.ours.test; spf=fail smtp.mailfrom="x; dkim=pass header.d=example.org"@evil.test`)
	f.Add(`mx.ours.test (a (b\)) ) 1; dkim=pass header.d="example.org"`)
	f.Fuzz(func(t *testing.T, chosen string) {
		_, _, _ = parseAuthResults(chosen)
		// Whatever a sender's envelope address is, a server that quotes it as the
		// grammar says is not made to vouch.
		quoted := make([]byte, 0, len(chosen))
		for i := range len(chosen) {
			if c := chosen[i]; c == '"' || c == '\\' {
				quoted = append(quoted, '\\')
			}
			quoted = append(quoted, chosen[i])
		}
		if confirmsDomain(`mx.ours.test; spf=fail smtp.mailfrom="`+string(quoted)+`"@evil.test`, "mx.ours.test", "example.org") {
			t.Errorf("vouched for by %q", chosen)
		}
	})
}

// TestAligned: a domain speaks for itself and for what is below it of the same owner, and one under which everybody
// can have a domain for nobody else.
func TestAligned(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		signer, domain string
		want           bool
	}{
		{"example.org", "example.org", true}, {"Example.ORG.", "example.org", true}, {"example.org", "mail.example.org", true},
		{"mail.example.org", "a.mail.example.org", true}, {"example.co.uk", "mail.example.co.uk", true}, {"example.co.uk", "example.co.uk", true},
		{"co.uk", "example.co.uk", false}, {"uk", "example.co.uk", false}, {"github.io", "ann.github.io", false}, {"ann.github.io", "x.ann.github.io", true},
		{"com.pl", "ann.com.pl", false}, {"dyndns.org", "ann.dyndns.org", false}, {"github.io", "github.io", true},
		{"\u516c\u53f8.cn", "ann.\u516c\u53f8.cn", false}, {"xn--55qx5d.cn", "ann.\u516c\u53f8.cn", false}, {"ann.xn--55qx5d.cn", "ann.\u516c\u53f8.cn", true},
		{"mail.example.org", "example.org", false}, {"ample.org", "example.org", false}, {"", "", false}, {"", "example.org", false},
		{"local", "samizdat.local", false}, {"samizdat.local", "samizdat.local", true}, {"lab", "lab", true},
	} {
		if got := isAligned(tt.signer, tt.domain); got != tt.want {
			t.Errorf("%q for %q: %v", tt.signer, tt.domain, got)
		}
	}
}

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
		if got != tt.want || (err != nil) != tt.later || tt.later && !errors.Is(err, ErrTemporary) {
			t.Errorf("%s: got %v, %v", tt.name, got, err)
		}
	}
}
