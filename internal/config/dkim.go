package config

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"samizdat/mail/message"
)

// DKIM says how letters are signed; all empty for not at all.
type DKIM struct {
	Domain   string `mapstructure:"domain"`
	Selector string `mapstructure:"selector"`
	KeyFile  string `mapstructure:"key_file"`
}

// dnsName is what may stand in a signature as its domain or selector.
var dnsName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)*$`)

// validate leaves the key alone.
func (c DKIM) validate(ours string) error {
	if c == (DKIM{}) {
		return nil
	}
	switch {
	case c.Domain == "" || c.Selector == "" || c.KeyFile == "":
		return errors.New("smtp: dkim: set domain, selector and key_file, or none of them for letters without a signature")
	case !dnsName.MatchString(c.Domain):
		return fmt.Errorf("smtp: dkim: domain: %q is not a name of a domain", c.Domain)
	case !dnsName.MatchString(c.Selector):
		return fmt.Errorf("smtp: dkim: selector: %q is not a name; it stands before ._domainkey.%s", c.Selector, c.Domain)
	case !strings.HasSuffix("."+strings.ToLower(ours), "."+strings.ToLower(c.Domain)):
		return fmt.Errorf("smtp: dkim: domain: letters come from %s, and a signature of %s would not speak for them", ours, c.Domain)
	}
	return nil
}

// Signing is what signs letters, or nil.
func (c DKIM) Signing() (*message.Signing, error) {
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
	return &message.Signing{Domain: c.Domain, Selector: c.Selector, Key: key}, nil
}
