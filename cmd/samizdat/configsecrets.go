package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"

	"github.com/spf13/viper"

	"samizdat/mail"
)

// readSecrets reads the files that hold passwords, and the key that letters are
// signed with, so that a letter is not the first to find it missing. Only who talks
// to mail servers needs them: every other command does without.
func (c *Config) readSecrets() error {
	for _, p := range []struct {
		key, file string
		to        *string
	}{
		{"imap: password_file", c.IMAP.PasswordFile, &c.IMAP.Password},
		{"smtp: password_file", c.SMTP.PasswordFile, &c.SMTP.Password},
	} {
		if p.file == "" {
			continue
		}
		b, err := os.ReadFile(p.file)
		if errors.Is(err, fs.ErrNotExist) && strings.HasPrefix(p.file, credentials) {
			return fmt.Errorf("%s: %w: systemd hands it over to the service alone, as long as that runs", p.key, err)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.key, err)
		}
		if *p.to = strings.TrimRight(string(b), "\r\n"); *p.to == "" {
			return fmt.Errorf("%s: %s is empty: write the password into it", p.key, p.file)
		}
	}
	_, err := c.SMTP.DKIM.signing()
	return err
}

// credentials is where systemd puts what LoadCredential names.
const credentials = "/run/credentials/"

// checkKeys finds settings that do not exist, and says which do.
func checkKeys(v *viper.Viper, known []string) error {
	var unknown []string
	for _, key := range v.AllKeys() {
		// The decoder tells of a value where settings should be.
		section := slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(k, key+keyDelimiter) })
		if section || slices.Contains(known, key) {
			continue
		}
		above := ""
		if i := strings.LastIndex(key, keyDelimiter); i >= 0 {
			above = key[:i+len(keyDelimiter)]
		}
		var there []string
		for _, k := range known {
			if k, ok := strings.CutPrefix(k, above); ok {
				k, _, _ = strings.Cut(k, keyDelimiter)
				there = append(there, k)
			}
		}
		slices.Sort(there)
		what := strings.ReplaceAll(key, keyDelimiter, ": ") + " is not a setting"
		if len(there) > 0 {
			what += "; in its place there are " + strings.Join(slices.Compact(there), ", ")
		}
		unknown = append(unknown, what)
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return errors.New(strings.Join(unknown, "; and "))
}

// checkPasswords wants passwords that are text: of 0123 the reader of the file
// would make another number. The error shows none.
func checkPasswords(v *viper.Viper) error {
	for _, section := range []string{"imap", "smtp"} {
		if _, ok := v.Get(section + keyDelimiter + "password").(string); !ok {
			return fmt.Errorf("%s: password: write it in quotation marks", section)
		}
	}
	return nil
}

// preferEnvironment lets a secret from the environment take the place of all that
// the file says of that login's.
func (c *Config) preferEnvironment(getenv func(string) string) {
	for section, from := range map[string]map[string]*string{
		"IMAP": {"PASSWORD": &c.IMAP.Password, "PASSWORD_FILE": &c.IMAP.PasswordFile, "TOKEN_FILE": &c.IMAP.TokenFile, "TOKEN_COMMAND": &c.IMAP.TokenCommand},
		"SMTP": {"PASSWORD": &c.SMTP.Password, "PASSWORD_FILE": &c.SMTP.PasswordFile, "TOKEN_FILE": &c.SMTP.TokenFile, "TOKEN_COMMAND": &c.SMTP.TokenCommand},
	} {
		ours := func(name string) bool { return getenv(environment+"_"+section+"_"+name) != "" }
		if !ours("PASSWORD") && !ours("PASSWORD_FILE") && !ours("TOKEN_FILE") && !ours("TOKEN_COMMAND") {
			continue
		}
		for name, value := range from {
			if !ours(name) {
				*value = ""
			}
		}
	}
}

// checkSources wants one place for each login's secret: of two, one would be
// forgotten when the password changes.
func (c Config) checkSources() error {
	for _, l := range []struct{ key, password, passwordFile, file, command string }{
		{"imap", c.IMAP.Password, c.IMAP.PasswordFile, c.IMAP.TokenFile, c.IMAP.TokenCommand},
		{"smtp", c.SMTP.Password, c.SMTP.PasswordFile, c.SMTP.TokenFile, c.SMTP.TokenCommand},
	} {
		var set []string
		for _, s := range []struct{ name, value string }{
			{"password", l.password}, {"password_file", l.passwordFile}, {"token_file", l.file}, {"token_command", l.command},
		} {
			if s.value != "" {
				set = append(set, s.name)
			}
		}
		if len(set) > 1 {
			return fmt.Errorf("%s: %s are set: set one, not both", l.key, strings.Join(set, " and "))
		}
	}
	return nil
}

// checkServers looks at how the two servers are to be talked to.
func (c Config) checkServers() error {
	for _, l := range []struct{ key, address, mode, example, auth, file, command string }{
		{"imap", c.IMAP.Address, c.IMAP.TLS, "mail.example.org:993", c.IMAP.Auth, c.IMAP.TokenFile, c.IMAP.TokenCommand},
		{"smtp", c.SMTP.Address, c.SMTP.TLS, "mail.example.org:465", c.SMTP.Auth, c.SMTP.TokenFile, c.SMTP.TokenCommand},
	} {
		host, port, err := net.SplitHostPort(l.address)
		token := l.file != "" || l.command != ""
		switch {
		case l.address != "" && (err != nil || host == "" || port == ""):
			return fmt.Errorf("%s: address: %q is not a name with a port, such as %s", l.key, l.address, l.example)
		case l.mode != mail.TLS && l.mode != mail.StartTLS && l.mode != mail.NoTLS:
			return fmt.Errorf("%s: tls: %q is none of tls, starttls, none", l.key, l.mode)
		case l.mode == mail.NoTLS && l.address != "" && !loopback(l.address):
			return fmt.Errorf("%s: tls: none is for this machine alone (127.0.0.1); on the way to %s all could read the password: set tls or starttls", l.key, l.address)
		}
		switch l.auth {
		case mail.AuthAuto:
		case mail.AuthPlain, mail.AuthLogin:
			if token {
				return fmt.Errorf("%s: auth: %s logs in with a password, and a token is set", l.key, l.auth)
			}
		case mail.AuthXOAuth2, mail.AuthOAuthBearer:
			if !token {
				return fmt.Errorf("%s: auth: %s needs token_file or token_command", l.key, l.auth)
			}
		default:
			return fmt.Errorf("%s: auth: %q is none of plain, login, xoauth2, oauthbearer", l.key, l.auth)
		}
	}
	return nil
}
