package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"samizdat/mail"
)

// DKIMConfig says how letters are signed; all empty for not at all.
type DKIMConfig struct {
	Domain   string `mapstructure:"domain"`
	Selector string `mapstructure:"selector"`
	KeyFile  string `mapstructure:"key_file"`
}

// dnsName is what may stand in a signature as its domain or selector.
var dnsName = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?)*$`)

// validate also reads the key: a letter must not be the first to find it missing.
func (c DKIMConfig) validate(ours string) error {
	if c == (DKIMConfig{}) {
		return nil
	}
	switch {
	case c.Domain == "" || c.Selector == "" || c.KeyFile == "":
		return errors.New("smtp::dkim: set domain, selector and key_file, or none of them for letters without a signature")
	case !dnsName.MatchString(c.Domain):
		return fmt.Errorf("smtp::dkim::domain: %q is not a name of a domain", c.Domain)
	case !dnsName.MatchString(c.Selector):
		return fmt.Errorf("smtp::dkim::selector: %q is not a name; it stands before ._domainkey.%s", c.Selector, c.Domain)
	case !strings.HasSuffix("."+strings.ToLower(ours), "."+strings.ToLower(c.Domain)):
		return fmt.Errorf("smtp::dkim::domain: letters come from %s, and a signature of %s would not speak for them", ours, c.Domain)
	}
	_, err := c.signing()
	return err
}

// signing is what signs letters, or nil.
func (c DKIMConfig) signing() (*mail.Signing, error) {
	if c.KeyFile == "" {
		return nil, nil
	}
	key, err := mail.ReadSigningKey(c.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("smtp::dkim::key_file: %w", err)
	}
	return &mail.Signing{Domain: c.Domain, Selector: c.Selector, Key: key}, nil
}

// validateTimes wants times and sizes that something can be done with: a pause of
// nothing would be a loop without rest.
func (c Config) validateTimes() error {
	for _, t := range []struct {
		key  string
		good bool
	}{
		{"imap::poll_interval", c.IMAP.PollInterval > 0},
		{"imap::command_timeout", c.IMAP.CommandTimeout > 0},
		{"imap::idle_restart", c.IMAP.IdleRestart > 0},
		{"imap::max_letter", c.IMAP.MaxLetter > 0},
		{"smtp::command_timeout", c.SMTP.CommandTimeout > 0},
	} {
		if !t.good {
			return fmt.Errorf("%s: it must be more than nothing", t.key)
		}
	}
	return nil
}
