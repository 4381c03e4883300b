package message

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/emersion/go-msgauth/dkim"
)

// Signing signs letters of ours in the name of their domain (DKIM, RFC 6376).
type Signing struct {
	// Domain is the domain of our address, or one above it.
	Domain string
	// Selector names the key: its public half stands in the domain name system
	// at Selector._domainkey.Domain.
	Selector string
	// Key is an Ed25519 or RSA key.
	Key crypto.Signer
}

// signedTwice are the fields that nobody may change, and of which nobody may put a
// second one into the letter: each is signed once more than it is there.
var signedTwice = []string{"From", "Subject", "Reply-To", "Date", "Message-ID", "In-Reply-To", "References", "List-Id"}

// signedToo are further fields that are signed when they are there. Without those
// of MIME the same body could be made to be shown as another.
var signedToo = []string{"To", "Auto-Submitted", "List-Unsubscribe", "MIME-Version", "Content-Type", "Content-Transfer-Encoding"}

// Sign puts a signature on top of a complete letter. It tells when it was made: the
// same letter signed later is another one, so what goes out has to be kept.
func (s *Signing) Sign(raw []byte) ([]byte, error) {
	h, _, state := splitHeader(raw)
	if state != 0 {
		return nil, errors.New("sign a letter: its header is damaged")
	}
	var keys []string
	for _, k := range signedTwice {
		keys = append(keys, slices.Repeat([]string{k}, len(h.all(k))+1)...)
	}
	for _, k := range signedToo {
		keys = append(keys, slices.Repeat([]string{k}, len(h.all(k)))...)
	}
	var b bytes.Buffer
	err := dkim.Sign(&b, bytes.NewReader(raw), &dkim.SignOptions{
		Domain: s.Domain, Selector: s.Selector, Signer: s.Key, Hash: crypto.SHA256, HeaderKeys: keys,
		// Servers on the way may fold lines anew.
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	})
	if err != nil {
		return nil, fmt.Errorf("sign a letter: %w", err)
	}
	return b.Bytes(), nil
}

// leastRSA is what RFC 8301 demands of a signer.
const leastRSA = 1024

// ParseSigningKey reads an Ed25519 or RSA key in PEM form, as openssl writes it
// without a passphrase.
func ParseSigningKey(data []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, errors.New("it is not in PEM form")
	}
	var key any
	var err error
	switch block.Type {
	case "PRIVATE KEY":
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	default:
		return nil, errors.New("it holds a " + strings.ToLower(block.Type) + ", not a private key without a passphrase")
	}
	if err != nil {
		return nil, fmt.Errorf("its block cannot be read: %w", err)
	}
	switch key := key.(type) {
	case ed25519.PrivateKey:
		return key, nil
	case *rsa.PrivateKey:
		if key.N.BitLen() < leastRSA {
			return nil, fmt.Errorf("%d bits are too few, make one of 2048", key.N.BitLen())
		}
		return key, nil
	}
	return nil, errors.New("it is neither an Ed25519 nor an RSA key")
}
