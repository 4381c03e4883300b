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
		var err error
		if l.Password, err = readPassword(l.Key+": password_file", l.PasswordFile); err != nil {
			return err
		}
	}
	_, err := c.SMTP.DKIM.Signing()
	return err
}

// readPassword reads the file that a setting names.
func readPassword(key, file string) (string, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && HandedOver(file) {
		return "", fmt.Errorf("%s: %w: systemd hands it over to the service alone, as long as that runs", key, err)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", key, err)
	}
	password := strings.TrimRight(string(b), "\r\n")
	if password == "" {
		return "", fmt.Errorf("%s: %s is empty: write the password into it", key, file)
	}
	return password, nil
}

// HandedOver reports whether a file is where systemd puts what LoadCredential names.
func HandedOver(file string) bool { return strings.HasPrefix(file, "/run/credentials/") }

// source is one way in which a secret is set.
type source struct {
	key   string
	value *string
}

func (s Section) sources() []source {
	return []source{{"password", &s.Password}, {"password_file", &s.PasswordFile}, {"token_file", &s.TokenFile},
		{"token_command", &s.TokenCommand}}
}

func (c *Config) databaseSources() []source {
	return []source{{"database_password", &c.DatabasePassword}, {"database_password_file", &c.DatabasePasswordFile}}
}

// preferEnvironment lets a secret from the environment take the place of all that
// the file says of that login's.
func preferEnvironment(above string, sources []source) {
	var others []*string
	for _, s := range sources {
		if os.Getenv(strings.ToUpper(environment+"_"+above+s.key)) == "" {
			others = append(others, s.value)
		}
	}
	if len(others) == len(sources) {
		return
	}
	for _, value := range others {
		*value = ""
	}
}

// validateSource wants one place for a secret: of two, one would be forgotten
// when the password changes.
func validateSource(above string, sources []source) error {
	var set []string
	for _, from := range sources {
		if *from.value != "" {
			set = append(set, from.key)
		}
	}
	if len(set) > 1 {
		return fmt.Errorf("%s%s are set: set one, not both", above, strings.Join(set, " and "))
	}
	return nil
}
