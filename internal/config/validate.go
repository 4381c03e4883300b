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

// Validate returns the first invalid setting with its value and the expected form.
func (c *Config) Validate() error {
	atSign := strings.LastIndex(c.Address, "@")
	switch {
	case c.Data == "":
		return errors.New("data: name a directory for the database")
	case atSign < 1 || atSign == len(c.Address)-1:
		return fmt.Errorf("address: %q is not a mail address", c.Address)
	case strings.Contains(c.Address[:atSign], "+"):
		return fmt.Errorf("address: %q already has a +; the part after a + is for tokens", c.Address)
	case atSign > 20:
		return fmt.Errorf("address: at most 20 characters may be before the @, so that there is room for tokens; %q has %d", c.Address, atSign)
	case c.Metrics != "" && !isLoopback(c.Metrics):
		return fmt.Errorf("metrics: %q is not an address of this machine alone, such as 127.0.0.1:9189: there is no login", c.Metrics)
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
		return fmt.Errorf("listen: %q needs a host and a port, such as 127.0.0.1:8080 for this machine alone", c.Listen)
	case c.Site == "":
		return errors.New("listen: set site as well, the directory of the pages that are to be served")
	}
	return nil
}

// maxPageURL limits the addresses of pages, so that a link to the desk has room for its parameters.
const maxPageURL = 120

// validateDirectoryURL checks the address of a directory on a web server. It may be empty.
func validateDirectoryURL(setting, address string) error {
	if address == "" {
		return nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || !strings.HasSuffix(u.Path, "/") ||
		u.RawQuery+u.Fragment != "" ||
		len(address) > maxPageURL {
		return fmt.Errorf("%s: %q is not the address of a directory on a web server, such as https://club.example/", setting, address)
	}
	return nil
}

func (c *Config) validatePages() error {
	if c.SiteURL != "" && c.Site == "" {
		return errors.New("site_url: set site as well, the directory that is served at this address")
	}
	return errors.Join(validateDirectoryURL("site_url", c.SiteURL), validateDirectoryURL("desk", c.Desk), c.validateListen())
}

// maxConnections limits the connections to the submission server. More are not faster, and few providers allow them.
const maxConnections = 32

func (c *Config) validateSending() error {
	switch {
	case c.SMTP.Limits.PerMinute < 0 || c.SMTP.Limits.PerDay < 0:
		return errors.New("smtp: per_minute and per_day are numbers of letters, 0 for no limit")
	case c.SMTP.Connections < 1 || c.SMTP.Connections > maxConnections:
		return fmt.Errorf("smtp: connections: %d is not between 1 and %d", c.SMTP.Connections, maxConnections)
	case c.SMTP.Envelope != mail.EnvelopeAddress && c.SMTP.Envelope != mail.EnvelopeToken:
		return fmt.Errorf("smtp: envelope: %q is invalid; use one of address, token", c.SMTP.Envelope)
	case c.SMTP.Envelope == mail.EnvelopeToken && c.SenderAuth.InSubject():
		return errors.New("smtp: envelope: token needs a mail server that delivers address+anything, " +
			"but identity: token is for a server that does not")
	}
	return nil
}

func (c *Config) validateMatches() error {
	if c.Vacation < 0 || c.Vacation > 366 {
		return fmt.Errorf("vacation: %d is invalid; use a number of days from 0 to 366", c.Vacation)
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
	servers := strings.Fields(b.URL)
	if terms.IsUsed && len(servers) == 0 {
		return errors.New("beacon: url: name a server, because new matches require a beacon")
	}
	for _, s := range servers {
		if u, err := url.Parse(s); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			return fmt.Errorf("beacon: url: %q is not the address of a server, such as https://api.drand.sh", s)
		}
	}
	return nil
}

// Level returns the lowest level of the log.
func (c *Config) Level() (slog.Level, error) {
	var l slog.Level
	if err := l.UnmarshalText([]byte(c.Log)); err != nil {
		return l, fmt.Errorf("log: %q is invalid; use one of debug, info, warn, error", c.Log)
	}
	return l, nil
}

func (c *Config) validatePerson(key, address string) error {
	parsed, err := netmail.ParseAddress(address)
	switch {
	case address != "" && (err != nil || parsed.Address != address):
		return fmt.Errorf("%s: %q is not a mail address", key, address)
	case strings.EqualFold(address, c.Address):
		return fmt.Errorf("%s: name an address of a person, not the referee's own", key)
	}
	return nil
}

func (s Section) validate() error {
	host, port, err := net.SplitHostPort(s.Address)
	switch {
	case s.Address != "" && (err != nil || host == "" || port == ""):
		return fmt.Errorf("%s: address: %q is not a name with a port, such as %s", s.Key, s.Address, s.example)
	case s.TLS != mail.TLS && s.TLS != mail.StartTLS && s.TLS != mail.NoTLS:
		return fmt.Errorf("%s: tls: %q is invalid; use one of tls, starttls, none", s.Key, s.TLS)
	case s.TLS == mail.NoTLS && s.Address != "" && !isLoopback(s.Address):
		return fmt.Errorf("%s: tls: none is for this machine alone (127.0.0.1); other machines on the way to %s could read the password: "+
			"set tls or starttls", s.Key, s.Address)
	}
	switch s.Auth {
	case mail.AuthAuto:
	case mail.AuthPlain, mail.AuthLogin:
		if s.UsesToken() {
			return fmt.Errorf("%s: auth: %s logs in with a password, and a token is set", s.Key, s.Auth)
		}
	case mail.AuthXOAuth2, mail.AuthOAuthBearer:
		if !s.UsesToken() {
			return fmt.Errorf("%s: auth: %s needs token_file or token_command", s.Key, s.Auth)
		}
	default:
		return fmt.Errorf("%s: auth: %q is invalid; use one of plain, login, xoauth2, oauthbearer", s.Key, s.Auth)
	}
	return nil
}

const (
	// minInterval is shorter than any useful interval: 60 without a unit would mean 60 nanoseconds.
	minInterval = time.Second
	// minLetterSize has room for the headers of servers and an answer that quotes a complete letter.
	minLetterSize = 64 << 10
	// minKeepLetters is longer than the time in which mail servers repeat a delivery, and longer than the expected age of
	// a restored backup.
	minKeepLetters = 7 * 24 * time.Hour
	// maxConfirmationWait limits the wait for a confirmation.
	maxConfirmationWait = time.Hour
)

// validateTimes checks intervals and sizes. An interval of 0 would cause a busy loop.
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
			return fmt.Errorf("%s: %v is too short; write a second or more with its unit, such as 60s or 1m", t.key, t.value)
		}
	}
	if c.InvitationPeriod < 0 || c.InvitationPeriod > 0 && c.InvitationPeriod < time.Hour {
		return fmt.Errorf("invitations: %v is too short; write an hour or more, such as 336h, or 0s for ever", c.InvitationPeriod)
	}
	if c.KeepLetters < 0 || c.KeepLetters > 0 && c.KeepLetters < minKeepLetters {
		return fmt.Errorf("keep_letters: %v is too short; write %v or more, such as 720h, or 0s for ever", c.KeepLetters, minKeepLetters)
	}
	if r := c.Letters.Confirmations; r < 0 || r > maxConfirmationWait {
		return fmt.Errorf("letters: confirmations: %v is not between 0 and %v; write it with its unit, such as 2s or 5m", r, maxConfirmationWait)
	}
	if c.IMAP.MaxLetter < minLetterSize {
		return fmt.Errorf("imap: max_letter: %d bytes are too few for a letter; %d is the least", c.IMAP.MaxLetter, minLetterSize)
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
