package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// ReadSecrets reads the files that hold passwords, and the key that letters are
// signed with, so that a letter is not the first to find it missing. Only who talks
// to mail servers needs them: every other command does without.
func (c *Config) ReadSecrets() error {
	for _, l := range c.Logins() {
		if l.PasswordFile == "" {
			continue
		}
		b, err := os.ReadFile(l.PasswordFile)
		if errors.Is(err, fs.ErrNotExist) && HandedOver(l.PasswordFile) {
			return fmt.Errorf("%s: password_file: %w: systemd hands it over to the service alone, as long as that runs", l.Key, err)
		}
		if err != nil {
			return fmt.Errorf("%s: password_file: %w", l.Key, err)
		}
		if l.Password = strings.TrimRight(string(b), "\r\n"); l.Password == "" {
			return fmt.Errorf("%s: password_file: %s is empty: write the password into it", l.Key, l.PasswordFile)
		}
	}
	_, err := c.SMTP.DKIM.Signing()
	return err
}

// HandedOver reports whether a file is where systemd puts what LoadCredential names.
func HandedOver(file string) bool { return strings.HasPrefix(file, "/run/credentials/") }

// source is one way in which a login gets its secret.
type source struct {
	key   string
	value *string
}

func (s Section) sources() []source {
	return []source{{"password", &s.Password}, {"password_file", &s.PasswordFile}, {"token_file", &s.TokenFile}, {"token_command", &s.TokenCommand}}
}

// preferEnvironment lets a secret from the environment take the place of all that
// the file says of that login's.
func preferEnvironment(l Section) {
	var others []*string
	for _, s := range l.sources() {
		if os.Getenv(strings.ToUpper(environment+"_"+l.Key+"_"+s.key)) == "" {
			others = append(others, s.value)
		}
	}
	if len(others) == len(l.sources()) {
		return
	}
	for _, value := range others {
		*value = ""
	}
}

// validateSource wants one place for a login's secret: of two, one would be forgotten
// when the password changes.
func (s Section) validateSource() error {
	var set []string
	for _, from := range s.sources() {
		if *from.value != "" {
			set = append(set, from.key)
		}
	}
	if len(set) > 1 {
		return fmt.Errorf("%s: %s are set: set one, not both", s.Key, strings.Join(set, " and "))
	}
	return nil
}
