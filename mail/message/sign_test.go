package message

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

func rendered(t *testing.T) []byte {
	t.Helper()
	raw, err := Draft{
		From: "referee+x@club.example", FromName: "The Referee", To: "ann@example.org", ReplyTo: "referee+t@club.example",
		Subject: "Letter 2", MessageID: "m-0-2@club.example", InReplyTo: "1@example.org", ListID: "m.club.example",
		Date: time.Date(1989, 11, 9, 12, 0, 0, 0, time.UTC), Text: "Your move, ünd more.\n", HTML: "<p>Your move</p>",
		Picture: &Attachment{ID: "p@x", Name: "map.png", Type: "image/png", Data: bytes.Repeat([]byte("map"), 200)},
	}.Render()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// published answers as the domain name system of club.example would.
func published(t *testing.T, key crypto.Signer) LookupTXT {
	t.Helper()
	record := ""
	switch pub := key.Public().(type) {
	case ed25519.PublicKey:
		record = "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(pub)
	case *rsa.PublicKey:
		der, err := x509.MarshalPKIXPublicKey(pub)
		if err != nil {
			t.Fatal(err)
		}
		record = "v=DKIM1; k=rsa; p=" + base64.StdEncoding.EncodeToString(der)
	}
	return func(_ context.Context, name string) ([]string, error) {
		if name != "samizdat._domainkey.club.example" {
			return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
		}
		return []string{record}, nil
	}
}

// rsaKey is made once, since that takes long.
var rsaKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func keysOfBothKinds(t *testing.T) map[string]crypto.Signer {
	t.Helper()
	r, err := rsaKey()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]crypto.Signer{"ed25519": ed25519.NewKeyFromSeed([]byte("0123456789abcdef0123456789abcdef")), "rsa": r}
}

// TestSign: who asks for the key finds the letter as we wrote it; and a letter
// that was changed on the way, or got a second field of those that are read,
// is not ours any more.
func TestSign(t *testing.T) {
	t.Parallel()
	for kind, key := range keysOfBothKinds(t) {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := &DKIMSigner{Domain: "club.example", Selector: "samizdat", Key: key}
			raw := rendered(t)
			out, err := s.Sign(raw)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(out, []byte("DKIM-Signature:")) || !bytes.HasSuffix(out, raw) {
				t.Errorf("the letter has changed below its signature:\n%s", out)
			}
			lookup := published(t, key)
			valid := func(letter []byte) bool {
				found, err := dkim.VerifyWithOptions(bytes.NewReader(letter), &dkim.VerifyOptions{
					LookupTXT: func(name string) ([]string, error) { return lookup(t.Context(), name) },
				})
				return err == nil && len(found) == 1 && found[0].Err == nil && found[0].Domain == "club.example"
			}
			if !valid(out) {
				t.Fatalf("the signature does not verify:\n%.1500s", out)
			}
			if ok, err := SignatureProof(lookup)(t.Context(), out, Read(out)); err != nil || !ok {
				t.Errorf("our own proof of senders refuses it: %v", err)
			}
			for _, field := range oversignedFields {
				for where, spoiled := range map[string][]byte{
					"on top": append([]byte(field+": another <x@evil.test>\r\n"), out...),
					"below":  bytes.Replace(out, []byte("\r\n\r\n"), []byte("\r\n"+field+": another <x@evil.test>\r\n\r\n"), 1),
				} {
					if valid(spoiled) {
						t.Errorf("a second %s %s goes unnoticed", field, where)
					}
				}
			}
			for name, spoiled := range map[string][]byte{
				"text":         bytes.Replace(out, []byte("Your move"), []byte("My move"), 1),
				"content type": bytes.Replace(out, []byte("\r\nContent-Type: multipart/related"), []byte("\r\nContent-Type: multipart/mixed"), 1),
				"reply-to":     bytes.Replace(out, []byte("referee+t@"), []byte("referee+u@"), 1),
			} {
				if bytes.Equal(spoiled, out) || valid(spoiled) {
					t.Errorf("another %s goes unnoticed", name)
				}
			}
			// A server on the way may add its own fields and fold ours anew.
			moved := append([]byte("Received: from a by b; Thu, 9 Nov 1989 12:00:00 +0000\r\n"),
				bytes.Replace(out, []byte("\r\nFrom: "), []byte("\r\nFrom:\r\n "), 1)...)
			if !valid(moved) {
				t.Error("an honest server on the way breaks the signature")
			}
		})
	}
}

// TestSignOddForms: what is signed is read by others as we read it, however blanks,
// line ends and folds stand in the letter.
func TestSignOddForms(t *testing.T) {
	t.Parallel()
	const head = "From: a@club.example\r\n"
	for kind, key := range keysOfBothKinds(t) {
		s := &DKIMSigner{Domain: "club.example", Selector: "samizdat", Key: key}
		lookup := published(t, key)
		for _, raw := range []string{
			head + "\r\n", head + "\r\n\r\n\r\n", head + "\r\ntext", head + "\r\ntext\r\n\r\n \t\r\n", head + "\r\n a  b\t c \t\r\n\r\n\r\nd\r\n",
			head + "Subject: a \t b\r\n\t c  \r\n\r\n\ttext \r\n", head + "Subject:\r\n a\r\nsubject : b\r\nSUBJECT:c\r\n\r\nx\r\n",
			head + "To: a@x,\r\n b@x\r\nTo: c@x\r\nSubject:\r\n\r\n\u00fc  \u00a0 x\r\n",
		} {
			out, err := s.Sign([]byte(raw))
			if err != nil {
				t.Fatal(err)
			}
			found, err := dkim.VerifyWithOptions(bytes.NewReader(out), &dkim.VerifyOptions{
				LookupTXT: func(name string) ([]string, error) { return lookup(t.Context(), name) },
			})
			if err != nil || len(found) != 1 || found[0].Err != nil {
				t.Errorf("%s: %q: %v, %+v", kind, out, err, found[0])
			}
		}
	}
}

// TestSignDamaged: what is no letter is not signed, and says so.
func TestSignDamaged(t *testing.T) {
	t.Parallel()
	s := &DKIMSigner{Domain: "club.example", Selector: "s", Key: keysOfBothKinds(t)["ed25519"]}
	for _, raw := range []string{"", "no header\r\n\r\ntext", "From: a@b\r\nno field\r\n\r\ntext"} {
		if out, err := s.Sign([]byte(raw)); err == nil && len(raw) > 0 {
			t.Errorf("%q became %q", raw, out)
		}
	}
}

func TestParseSigningKey(t *testing.T) {
	t.Parallel()
	keys := keysOfBothKinds(t)
	pkcs8 := func(key crypto.Signer) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	}
	public, err := x509.MarshalPKIXPublicKey(keys["rsa"].Public())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		data []byte
		want string // of the error
	}{
		{"ed25519", pkcs8(keys["ed25519"]), ""},
		{"rsa", pkcs8(keys["rsa"]), ""},
		{"rsa of old", pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(keys["rsa"].(*rsa.PrivateKey))}), ""},
		{"public", pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}), "contains a public key"},
		{"passphrase", pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")}), "passphrase"},
		{"damaged", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("x")}), "parse the key"},
		{"text", []byte("secret"), "not in PEM form"},
		{"empty", nil, "not in PEM form"},
	} {
		key, err := ParseSigningKey(tt.data)
		switch {
		case tt.want == "" && (err != nil || key == nil):
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: error %v, want %q in it", tt.name, err, tt.want)
		}
	}
}
