package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match/clock"
	"samizdat/mail"
)

// Validate returns an error for the first invalid setting, with its value and the expected form.
func (c *Config) Validate() error {
	atSign := strings.LastIndex(c.Address, "@")
	switch {
	case c.Data == "":
		return errors.New("data is missing: name a directory for the database")
	case atSign < 1 || atSign == len(c.Address)-1:
		return fmt.Errorf("address: invalid mail address %q", c.Address)
	case strings.Contains(c.Address[:atSign], "+"):
		return fmt.Errorf("address: %q must not contain a +, because the part after a + is for tokens", c.Address)
	case atSign > 20:
		return fmt.Errorf("address: %q has %d characters before the @; the maximum is 20, to leave room for tokens", c.Address, atSign)
	case c.Metrics != "" && !isLoopback(c.Metrics):
		return fmt.Errorf("metrics: must be a loopback address such as 127.0.0.1:9189, because there is no login; got %q", c.Metrics)
	case (c.IMAP.Address == "") != (c.SMTP.Address == ""):
		return errors.New("imap and smtp: set both addresses, or neither to use the embedded server")
	}
	if err := errors.Join(c.validateDatabase(), c.validatePages()); err != nil {
		return err
	}
	for _, l := range c.Logins() {
		if err := l.validate(); err != nil {
			return err
		}
	}
	if _, err := c.Level(); err != nil {
		return err
	}
	if err := errors.Join(c.validateSending(), c.validateMatches(), c.Club.Validate()); err != nil {
		return err
	}
	peopleErr := errors.Join(c.validatePerson("operator", c.Operator), c.validatePerson("contact", c.Contact),
		c.validatePerson("director", c.Director))
	if peopleErr != nil {
		return peopleErr
	}
	return errors.Join(c.SenderAuth.validate(), c.ReplyLimits.validate(), c.validateTimes(), c.SMTP.DKIM.validate(c.Address[atSign+1:]))
}

func (c *Config) validateListen() error {
	if c.Listen == "" {
		return nil
	}
	host, port, err := net.SplitHostPort(c.Listen)
	switch {
	case err != nil || host == "" || port == "":
		return fmt.Errorf("listen: expected a host and a port, such as 127.0.0.1:8080 for this machine only, got %q", c.Listen)
	case c.Site == "":
		return errors.New("listen: set site as well, the directory of the served pages")
	}
	return nil
}

// maxPageURLLength is the maximum length of an address of pages, so that links to the desk do not become too long.
const maxPageURLLength = 120

// validateDirectoryURL returns an error if an address is no URL of a directory on a web server, e.g.
// https://club.example/. An empty address is valid.
func validateDirectoryURL(setting, address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || !strings.HasSuffix(u.Path, "/") ||
		u.RawQuery+u.Fragment != "" || len(address) > maxPageURLLength {
		return fmt.Errorf("%s: expected the address of a directory on a web server, such as https://club.example/, got %q", setting, address)
	}
	return nil
}

func (c *Config) validatePages() error {
	if c.SiteURL != "" && c.Site == "" {
		return errors.New("site_url: set site as well, the directory that this address serves")
	}
	return errors.Join(validateDirectoryURL("site_url", c.SiteURL), validateDirectoryURL("desk", c.Desk), c.validateListen())
}

// maxConnections is the maximum number of connections to the submission server. More connections are not faster, and few
// providers allow more.
const maxConnections = 32

func (c *Config) validateSending() error {
	switch {
	case c.SMTP.Limits.PerMinute < 0 || c.SMTP.Limits.PerDay < 0:
		return errors.New("smtp: per_minute and per_day must be numbers of letters, 0 for no limit")
	case c.SMTP.Connections < 1 || c.SMTP.Connections > maxConnections:
		return fmt.Errorf("smtp: connections must be from 1 to %d, got %d", maxConnections, c.SMTP.Connections)
	case c.SMTP.Envelope != mail.EnvelopeAddress && c.SMTP.Envelope != mail.EnvelopeToken:
		return fmt.Errorf("smtp: envelope must be address or token, got %q", c.SMTP.Envelope)
	case c.SMTP.Envelope == mail.EnvelopeToken && c.SenderAuth.InSubject():
		return errors.New("smtp: \"envelope: token\" needs a mail server that delivers letters to address+anything, " +
			"but \"identity: token: subject\" is for a server that does not")
	}
	return nil
}

func (c *Config) validateMatches() error {
	if c.Vacation < 0 || c.Vacation > 366 {
		return fmt.Errorf("vacation must be a number of days from 0 to 366, got %d", c.Vacation)
	}
	if _, err := clock.ParseTempo(c.Tempo); err != nil {
		return fmt.Errorf("tempo: %w", err)
	}
	if _, err := clock.ParseTimeoutPolicy(c.OnTimeout); err != nil {
		return fmt.Errorf("zero: %w", err)
	}
	if _, err := invitation.ParseWords(c.Words); err != nil {
		return fmt.Errorf("words: %w", err)
	}
	return c.Beacon.validate()
}

func (b Beacon) validate() error {
	terms, err := invitation.ParseBeacon(b.Mode)
	if err != nil {
		return fmt.Errorf("beacon: mode: %w", err)
	}
	servers := strings.Fields(b.ServerURLs)
	if terms.IsUsed && len(servers) == 0 {
		return errors.New("beacon: url is missing: new matches need a beacon server")
	}
	for _, s := range servers {
		if u, err := url.Parse(s); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return fmt.Errorf("beacon: url: expected the address of a server, such as https://api.drand.sh, got %q", s)
		}
	}
	return nil
}

// Level returns the lowest level that is logged.
func (c *Config) Level() (slog.Level, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(c.Log)); err != nil {
		return l, fmt.Errorf("log must be debug, info, warn or error, got %q", c.Log)
	}
	return l, nil
}

func (c *Config) validatePerson(key, address string) error {
	parsed, err := netmail.ParseAddress(address)
	switch {
	case address != "" && (err != nil || parsed.Address != address):
		return fmt.Errorf("%s: invalid mail address %q", key, address)
	case strings.EqualFold(address, c.Address):
		return fmt.Errorf("%s: expected the address of a person, got the referee's address", key)
	}
	return nil
}

func (s LoginSection) validate() error {
	host, port, err := net.SplitHostPort(s.Address)
	switch {
	case s.Address != "" && (err != nil || host == "" || port == ""):
		return fmt.Errorf("%s: address: expected a host with a port, such as %s, got %q", s.Key, s.exampleAddress, s.Address)
	case s.TLS != mail.TLS && s.TLS != mail.StartTLS && s.TLS != mail.NoTLS:
		return fmt.Errorf("%s: tls must be tls, starttls or none, got %q", s.Key, s.TLS)
	case s.TLS == mail.NoTLS && s.Address != "" && !isLoopback(s.Address):
		return fmt.Errorf("%s: tls: none is allowed only for this machine (127.0.0.1), because other machines on the way to %s could read "+
			"the password: set tls or starttls", s.Key, s.Address)
	}
	switch s.Auth {
	case mail.AuthAuto:
	case mail.AuthPlain, mail.AuthLogin:
		if s.UsesToken() {
			return fmt.Errorf("%s: auth: %s needs a password, but a token is set", s.Key, s.Auth)
		}
	case mail.AuthXOAuth2, mail.AuthOAuthBearer:
		if !s.UsesToken() {
			return fmt.Errorf("%s: auth: %s needs token_file or token_command", s.Key, s.Auth)
		}
	default:
		return fmt.Errorf("%s: auth must be plain, login, xoauth2 or oauthbearer, got %q", s.Key, s.Auth)
	}
	return nil
}

const (
	// minInterval is the shortest interval that may be set. It prevents a busy loop.
	minInterval = time.Second
	// minLetterSize is the minimum of imap: max_letter in bytes: a letter with the headers of mail servers and a quoted
	// letter must fit.
	minLetterSize = 64 << 10
	// minKeepLetters is the minimum of keep_letters. Mail servers may repeat a delivery for days, and a restored backup
	// may be days old.
	minKeepLetters      = 7 * 24 * time.Hour
	maxConfirmationWait = time.Hour
)

func (c *Config) validateTimes() error {
	for _, t := range []struct {
		key   string
		value time.Duration
	}{
		{"imap: poll_interval", c.IMAP.PollInterval},
		{"imap: command_timeout", c.IMAP.CommandTimeout},
		{"imap: idle_restart", c.IMAP.IdleRestart},
		{"smtp: command_timeout", c.SMTP.CommandTimeout},
	} {
		if t.value < minInterval {
			return fmt.Errorf("%s must be at least 1s, got %v; write a time with its unit, such as 60s or 1m", t.key, t.value)
		}
	}
	if c.InvitationPeriod < 0 || c.InvitationPeriod > 0 && c.InvitationPeriod < time.Hour {
		return fmt.Errorf("invitations must be at least 1h, such as 336h, or 0s for no limit, got %v", c.InvitationPeriod)
	}
	if c.KeepLetters < 0 || c.KeepLetters > 0 && c.KeepLetters < minKeepLetters {
		return fmt.Errorf("keep_letters must be at least %v, such as 720h, or 0s for no limit, got %v", minKeepLetters, c.KeepLetters)
	}
	if r := c.Letters.Confirmations; r < 0 || r > maxConfirmationWait {
		return fmt.Errorf("letters: confirmations must be from 0s to %v, such as 2s or 5m, got %v", maxConfirmationWait, r)
	}
	if c.IMAP.MaxLetter < minLetterSize {
		return fmt.Errorf("imap: max_letter must be at least %d bytes, got %d", minLetterSize, c.IMAP.MaxLetter)
	}
	return nil
}

// isLoopback reports whether only this machine can connect to an address, for example 127.0.0.1:9189 or localhost:1.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
