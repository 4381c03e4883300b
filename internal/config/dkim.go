package config

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"samizdat/mail/message"
)

// DKIM configures the signature of letters (RFC 6376). Without a signature all fields are empty.
type DKIM struct {
	Domain   string `mapstructure:"domain"`
	Selector string `mapstructure:"selector"`
	KeyFile  string `mapstructure:"key_file"`
}

// dnsName matches a domain or a selector, for example samizdat2026.
var dnsName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)*$`)

// validate checks the settings but not the key. refereeDomain is the domain of the referee's address. It must be the domain
// of the signature or a subdomain: letters from mail.club.example may have signatures of club.example.
func (c DKIM) validate(refereeDomain string) error {
	if c == (DKIM{}) {
		return nil
	}
	switch {
	case c.Domain == "" || c.Selector == "" || c.KeyFile == "":
		return errors.New("smtp: dkim: set domain, selector and key_file, or none of them for letters without a signature")
	case !dnsName.MatchString(c.Domain):
		return fmt.Errorf("smtp: dkim: domain: invalid domain name %q", c.Domain)
	case !dnsName.MatchString(c.Selector):
		return fmt.Errorf("smtp: dkim: selector: invalid name %q: expected the part before ._domainkey.%s", c.Selector, c.Domain)
	case !strings.HasSuffix("."+strings.ToLower(refereeDomain), "."+strings.ToLower(c.Domain)):
		return fmt.Errorf("smtp: dkim: domain: %s must be the domain of the referee's address, %s, or a parent of it", c.Domain, refereeDomain)
	}
	return nil
}

// NewSigner reads the key and returns the signer of letters; nil without a key.
func (c DKIM) NewSigner() (*message.DKIMSigner, error) {
	if c.KeyFile == "" {
		return nil, nil
	}
	pem, err := os.ReadFile(c.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("smtp: dkim: key_file: %w", err)
	}
	key, err := message.ParseSigningKey(pem)
	if err != nil {
		return nil, fmt.Errorf("smtp: dkim: key_file: %s: %w", c.KeyFile, err)
	}
	return &message.DKIMSigner{Domain: c.Domain, Selector: c.Selector, Key: key}, nil
}
