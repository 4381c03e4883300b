package main

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"samizdat/mail/message"
)

// DKIMConfig says how letters are signed; all empty for not at all.
type DKIMConfig struct {
	Domain   string `mapstructure:"domain"`
	Selector string `mapstructure:"selector"`
	KeyFile  string `mapstructure:"key_file"`
}

// dnsName is what may stand in a signature as its domain or selector.
var dnsName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)*$`)

// validate leaves the key alone.
func (c DKIMConfig) validate(ours string) error {
	if c == (DKIMConfig{}) {
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

// signing is what signs letters, or nil.
func (c DKIMConfig) signing() (*message.Signing, error) {
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

// leastTime is less than anybody means; 60 without a unit would be 60 nanoseconds.
const leastTime = time.Second

// validateTimes wants times and sizes that something can be done with: a pause of
// nothing would be a loop without rest.
func (c Config) validateTimes() error {
	for _, t := range []struct {
		key string
		is  time.Duration
	}{
		{"imap: poll_interval", c.IMAP.PollInterval},
		{"imap: command_timeout", c.IMAP.CommandTimeout},
		{"imap: idle_restart", c.IMAP.IdleRestart},
		{"smtp: command_timeout", c.SMTP.CommandTimeout},
	} {
		if t.is < leastTime {
			return fmt.Errorf("%s: %v is too short; write a second or more with its unit, such as 60s or 1m", t.key, t.is)
		}
	}
	if c.IMAP.MaxLetter < leastLetter {
		return fmt.Errorf("imap: max_letter: %d bytes are too few for a letter; %d is the least", c.IMAP.MaxLetter, leastLetter)
	}
	return nil
}

// leastLetter holds the heads that servers write and an answer with the quoted letter.
const leastLetter = 64 << 10
