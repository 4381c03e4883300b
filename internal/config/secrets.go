package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ReadSecrets reads the files with the passwords of the mail account, and checks the key that signs letters. So a missing
// file is reported at the start. Commands that use no mail server do not call ReadSecrets, because only the user of the
// daemon may read these files.
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
	_, err := c.SMTP.DKIM.NewSigner()
	return err
}

// readPassword reads the file of a setting, for example of "imap: password_file".
func readPassword(key, file string) (string, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) && IsCredential(file) {
		return "", fmt.Errorf("%s: %w: systemd passes this file only to the running service; write the password into "+
			"/etc/samizdat/%s.password, and run other commands with samizdat-run", key, err, filepath.Base(file))
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

// IsCredential reports whether systemd passes a file to the service (LoadCredential).
func IsCredential(file string) bool { return strings.HasPrefix(file, "/run/credentials/") }

// source is a setting that contains a secret, or says where the secret is, for example password_file.
type source struct {
	key   string
	value *string
}

func (s LoginSection) sources() []source {
	return []source{{"password", &s.Password}, {"password_file", &s.PasswordFile}, {"token_file", &s.TokenFile},
		{"token_command", &s.TokenCommand}}
}

func (c *Config) databaseSources() []source {
	return []source{{"database_password", &c.DatabasePassword}, {"database_password_file", &c.DatabasePasswordFile}}
}

// If the environment sets a source, preferEnvironment clears the sources that the file has set. For example,
// SAMIZDAT_IMAP_PASSWORD clears password_file in the section imap.
func preferEnvironment(prefix string, sources []source) {
	var fromFile []*string
	for _, s := range sources {
		if os.Getenv(strings.ToUpper(envPrefix+"_"+prefix+s.key)) == "" {
			fromFile = append(fromFile, s.value)
		}
	}
	if len(fromFile) == len(sources) {
		return
	}
	for _, value := range fromFile {
		*value = ""
	}
}

func validateSource(prefix string, sources []source) error {
	var set []string
	for _, s := range sources {
		if *s.value != "" {
			set = append(set, s.key)
		}
	}
	if len(set) > 1 {
		return fmt.Errorf("%s%s are set: set only one", prefix, strings.Join(set, " and "))
	}
	return nil
}
