package message

import (
	"bytes"
	"context"
	"crypto"
	"crypto/x509"
	"encoding/base64"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// TestSignedLetterChanged: a signature that was made for one letter proves nothing for
// another that was made of it, and a signature of another's domain proves nothing.
func TestSignedLetterChanged(t *testing.T) {
	t.Parallel()
	const letter = "From: Ann <ann@example.co.uk>\r\nTo: judge+old@demo.example\r\nSubject: x\r\nDate: Mon, 5 Jun 1989 12:00:00 +0000\r\n" +
		"Message-ID: <1@example.co.uk>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nPASS\r\n\r\n> PLAY 1 EVENT\r\n"
	key, err := rsaKey()
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := func(more string) []string {
		return []string{"v=DKIM1; k=rsa; " + more + "p=" + base64.StdEncoding.EncodeToString(der)}
	}
	// Everybody publishes keys here; what counts is whose name is signed with.
	lookup := func(_ context.Context, name string) ([]string, error) {
		switch selector, _, _ := strings.Cut(name, "."); selector {
		case "s":
			return public(""), nil
		case "sha1only":
			return public("h=sha1; "), nil
		case "web":
			return public("s=web; "), nil
		case "gone":
			return []string{"v=DKIM1; k=rsa; p="}, nil
		}
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	sign := func(o dkim.SignOptions) string {
		t.Helper()
		var b bytes.Buffer
		o.Signer, o.Hash = key, crypto.SHA256
		if o.Selector == "" {
			o.Selector = "s"
		}
		if err := dkim.Sign(&b, strings.NewReader(letter), &o); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	good := sign(dkim.SignOptions{Domain: "example.co.uk"})
	few := sign(dkim.SignOptions{Domain: "example.co.uk", HeaderKeys: []string{"From", "Date", "To", "Subject"}})
	inserted := func(tag string) string {
		return strings.Replace(good, "DKIM-Signature: ", "DKIM-Signature: "+tag+" ", 1)
	}
	for _, tt := range []struct {
		name, raw string
		want      bool
	}{
		{"as it was sent", good, true},
		{"few fields signed", few, true},
		{"another token put on top", "To: judge+new@demo.example\r\n" + good, false},
		{"another token put below", strings.Replace(good, "\r\n\r\n", "\r\nTo: judge+new@demo.example\r\n\r\n", 1), false},
		{"another token in place", strings.Replace(good, "judge+old", "judge+new", 1), false},
		{"copy put on top twice", "Cc: a@x.test\r\nCc: judge+new@demo.example\r\n" + good, false},
		{"another subject on top", "Subject: [samizdat mabc-0-7-aaaaaaaaaaaaaaaa]\r\n" + few, false},
		{"another sender on top", "From: Ben <ben@example.co.uk>\r\n" + good, false},
		{"another type on top", "Content-Type: text/html\r\n" + few, false},
		{"another coding on top, twice", "Content-Transfer-Encoding: base64\r\nContent-Transfer-Encoding: base64\r\n" + few, false},
		{"another time on top", "Date: Tue, 6 Jun 1989 12:00:00 +0000\r\n" + good, false},
		{"another name on top", "Message-ID: <2@example.co.uk>\r\n" + good, false},
		{"text added", good + "PLAY 1 EVENT\r\n", false},
		{"empty lines added", good + "\r\n\r\n", true},
		{"quote marks taken away", strings.Replace(good, "> PLAY", "PLAY", 1), false},
		{"length tag put in", inserted("l=6;"), false},
		{"domain changed", strings.Replace(good, "d=example.co.uk", "d=co.uk", 1), false},
		{"has expired", sign(dkim.SignOptions{Domain: "example.co.uk", Expiration: time.Now().Add(-time.Hour)}), false},
		{"expires later", sign(dkim.SignOptions{Domain: "example.co.uk", Expiration: time.Now().Add(time.Hour)}), true},
		{"key for sha1", sign(dkim.SignOptions{Domain: "example.co.uk", Selector: "sha1only"}), false},
		{"sha1", strings.Replace(good, "rsa-sha256", "rsa-sha1", 1), false},
		{"key for other things", sign(dkim.SignOptions{Domain: "example.co.uk", Selector: "web"}), false},
		{"key withdrawn", sign(dkim.SignOptions{Domain: "example.co.uk", Selector: "gone"}), false},
		{"sibling", sign(dkim.SignOptions{Domain: "other.co.uk"}), false},
		{"child", sign(dkim.SignOptions{Domain: "mail.example.co.uk"}), false},
		{"child in the name of", sign(dkim.SignOptions{Domain: "co.uk.evil.test", Identifier: "ann@co.uk.evil.test"}), false},
		{"ends alike", sign(dkim.SignOptions{Domain: "ample.co.uk"}), false},
		{"top-level domain", sign(dkim.SignOptions{Domain: "uk"}), false},
		{"another's name within", sign(dkim.SignOptions{Domain: "evil.test", Identifier: "ann@example.co.uk.evil.test"}), false},
		{"sender not signed", strings.Replace(good, "h=From", "h=Frim", 1), false},
	} {
		l := Read([]byte(tt.raw))
		got, err := SignatureProof(lookup)(t.Context(), []byte(tt.raw), l)
		if got != tt.want || err != nil {
			t.Errorf("%s: got %v, %v", tt.name, got, err)
		}
	}
}

// TestSignatureBindsToken: a letter that was signed for one match cannot be sent again
// to another, whatever the sender's server signs of it.
func TestSignatureBindsToken(t *testing.T) {
	t.Parallel()
	const token = "judge+mabc-0-7-aaaaaaaaaaaaaaaa@demo.example"
	other := strings.Replace(token, "mabc-0-7", "mxyz-1-3", 1)
	gmail := []string{"to", "subject", "message-id", "date", "from", "mime-version"}
	outlook := []string{"From", "Date", "Subject", "Message-ID", "Content-Type", "MIME-Version", "X-MS-Exchange-SenderADCheck"}
	withCc := []string{"From", "To", "Cc", "Subject", "Message-ID"}
	letter := func(to, cc, subject string) string {
		if cc != "" {
			cc = "Cc: " + cc + "\r\n"
		}
		return "From: ann@example.org\r\nTo: " + to + "\r\n" + cc + "Subject: " + subject + "\r\nMessage-ID: <1@example.org>\r\n\r\nPASS\r\n"
	}
	const id, otherID = "mabc-0-7-aaaaaaaaaaaaaaaa@demo.example", "mxyz-1-3-aaaaaaaaaaaaaaaa@demo.example"
	answer := func(subject string) string {
		return strings.Replace(letter("judge@demo.example", "", subject), "Subject:", "In-Reply-To: <"+id+">\r\nSubject:", 1)
	}
	const reply, before = "Re: Your move: 1989 [mabc]", "Re: [samizdat mabc] your move"
	for _, tt := range []struct {
		name, letter string
		keys         []string
		// from and to change the letter on the way.
		from, to string
		want     bool
	}{
		{"to", letter(token, "", "x"), gmail, "", "", true},
		{"to, copy added", letter(token, "", "x"), gmail, "Subject:", "Cc: " + other + "\r\nSubject:", false},
		{"another's copy added", letter(token, "", "x"), gmail, "Subject:", "Cc: eve@evil.test\r\nSubject:", true},
		{"delivered to another", letter(token, "", "x"), gmail, "From:", "Delivered-To: " + other + "\r\nFrom:", false},
		{"delivered there", letter(token, "", "x"), gmail, "From:", "Delivered-To: " + token + "\r\nFrom:", true},
		{"a letter to a friend", letter("ben@example.org", "", "x"), gmail, "From:", "Delivered-To: " + token + "\r\nFrom:", false},
		{"cc", letter("ben@example.org", token, "x"), withCc, "", "", true},
		{"cc not signed", letter("ben@example.org", token, "x"), gmail, "", "", false},
		{"nothing signed but from", letter(token, "", reply), []string{"From"}, "", "", false},
		{"subject", letter(token, "", reply), outlook, "", "", true},
		{"subject from before", letter(token, "", before), outlook, "", "", true},
		{"subject, sent to another", letter(token, "", reply), outlook, token, other, false},
		{"subject of its own", letter(token, "", "my move"), outlook, "", "", false},
		{"subject, id not signed", letter(token, "", reply), []string{"From", "Subject"}, "", "", false},
		{"token in subject", letter("judge@demo.example", "", "Re: [samizdat mabc-0-7-aaaaaaaaaaaaaaaa] x"), outlook, "", "", true},
		{"token in subject, not signed", letter("judge@demo.example", "", "Re: [samizdat mabc-0-7-aaaaaaaaaaaaaaaa] x"), []string{"From", "To"}, "", "", false},
		{"no token", letter("judge@demo.example", "", "x"), outlook, "", "", true},
		{"answers", answer("x"), append(gmail, "in-reply-to"), "", "", true},
		{"answers, not signed", answer("x"), gmail, "", "", false},
		{"answers, subject", answer(reply), outlook, "", "", true},
		{"answers, subject of another", answer("Re: [mxyz]"), outlook, "", "", false},
		{"answer put in", letter("judge@demo.example", "", "x"), gmail, "From:", "In-Reply-To: <" + id + ">\r\nFrom:", false},
		{"answer put in where none was signed", letter("judge@demo.example", "", "x"), append(gmail, "in-reply-to"), "From:", "In-Reply-To: <" + id + ">\r\nFrom:", false},
		{"another answer put on top", answer("x"), append(gmail, "in-reply-to"), "From:", "In-Reply-To: <" + otherID + ">\r\nFrom:", false},
	} {
		s := newSigner()
		var b bytes.Buffer
		err := dkim.Sign(&b, strings.NewReader(tt.letter), &dkim.SignOptions{Domain: "example.org", Selector: "s", Signer: s.key, Hash: crypto.SHA256, HeaderKeys: tt.keys})
		if err != nil {
			t.Fatal(err)
		}
		raw := []byte(strings.Replace(b.String(), "\r\n"+tt.from, "\r\n"+tt.to, 1))
		if tt.from == token {
			raw = bytes.Replace(b.Bytes(), []byte(token), []byte(other), 1)
		}
		if got, err := SignatureProof(s.lookup)(t.Context(), raw, Read(raw)); got != tt.want || err != nil {
			t.Errorf("%s: got %v, %v\n%s", tt.name, got, err, raw)
		}
	}
}

// TestVouchedForAnother: what a server says of a letter with two of a field was found
// out about one of them, and may be read of the other.
func TestVouchedForAnother(t *testing.T) {
	t.Parallel()
	const head = "Authentication-Results: mx.demo.example; dkim=pass header.d=example.org; dmarc=pass header.from=example.org\r\n"
	const letter = "From: Ann <ann@example.org>\r\nTo: judge@demo.example\r\nSubject: x\r\nContent-Type: text/plain\r\n\r\nPASS\r\n"
	for more, want := range map[string]bool{
		"": true, "X-Spam: no\r\n": true, "To: judge+new@demo.example\r\n": false, "Content-Type: text/html\r\n": false, "Subject: y\r\n": false,
		"From: ben@example.org\r\n": false, "subject : y\r\n": false,
	} {
		raw := []byte(head + more + letter)
		if got, err := ServerProof("mx.demo.example")(t.Context(), raw, Read(raw)); got != want || err != nil {
			t.Errorf("with %q: got %v, %v", more, got, err)
		}
	}
}
