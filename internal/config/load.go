package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/spf13/viper"
)

const envPrefix = "SAMIZDAT"

// keyDelimiter joins the keys of a setting, for example imap::password. It is not a dot, because keys of maps may contain
// dots.
const keyDelimiter = "::"

// Load reads the configuration: the defaults, then the file (none if path is empty), then the environment, and the
// files with passwords. An unknown setting is an error.
func Load(path string) (Config, error) {
	c, err := LoadSettings(path)
	if err == nil {
		err = c.ReadSecrets()
	}
	return c, err
}

// LoadSettings reads the configuration as Load does, but not the files with secrets of the mail account
// (Config.ReadSecrets).
func LoadSettings(path string) (Config, error) {
	c, err := decode(path)
	if err != nil {
		return Config{}, err
	}
	for _, l := range c.Logins() {
		l.TLS, l.Auth = strings.ToLower(l.TLS), strings.ToLower(l.Auth) // Many guides write PLAIN or STARTTLS.
		preferEnvironment(l.Key+"_", l.sources())
	}
	preferEnvironment("", c.databaseSources())
	for _, l := range c.Logins() {
		if err := validateSource(l.Key+": ", l.sources()); err != nil {
			return Config{}, err
		}
	}
	if err := c.Validate(); err != nil {
		return Config{}, err
	}
	c.fillPeople()
	c.fillUsers()
	if c.DatabasePasswordFile != "" {
		// ReadSecrets does not read this password, because all commands need it to open the database.
		c.DatabasePassword, err = readPassword("database_password_file", c.DatabasePasswordFile)
	}
	return c, err
}

func decode(path string) (Config, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter(keyDelimiter), viper.WithDecoderRegistry(textYAML{}),
		viper.WithDecodeHook(mapstructure.DecodeHookFuncType(decodeText)))
	c := Default()
	setDefaults(v, "", reflect.ValueOf(c))
	known := v.AllKeys()
	v.SetEnvPrefix(envPrefix)
	v.SetEnvKeyReplacer(strings.NewReplacer(keyDelimiter, "_"))
	v.AutomaticEnv()
	if path != "" {
		v.SetConfigFile(path)
		v.SetConfigType("yaml") // for any file name; JSON is YAML too
		if err := v.ReadInConfig(); err != nil {
			return Config{}, fmt.Errorf("read the configuration: %w", err)
		}
	}
	if err := checkKeys(v, known); err != nil {
		return Config{}, fmt.Errorf("read the configuration %s: %w", path, err)
	}
	c.Embedded.Accounts = nil // A configured list replaces the default list.
	if err := v.UnmarshalExact(&c); err != nil {
		return Config{}, fmt.Errorf("read the configuration %s: %w", path, formatDecodeError(err))
	}
	return c, nil
}

// setDefaults sets the default of every setting, because viper reads the environment only for settings with a default.
func setDefaults(v *viper.Viper, prefix string, settings reflect.Value) {
	for field, value := range settings.Fields() {
		tag, ok := field.Tag.Lookup("mapstructure")
		if !ok {
			continue
		}
		key, squash := strings.CutSuffix(tag, ",squash")
		switch {
		case squash:
			setDefaults(v, prefix, value)
		case value.Kind() == reflect.Struct:
			setDefaults(v, prefix+key+keyDelimiter, value)
		default:
			v.SetDefault(prefix+key, value.Interface())
		}
	}
}

func checkKeys(v *viper.Viper, known []string) error {
	var unknown []string
	for _, key := range v.AllKeys() {
		// A single value in place of a section is reported by decodeText.
		isSection := slices.ContainsFunc(known, func(k string) bool { return strings.HasPrefix(k, key+keyDelimiter) })
		if isSection || slices.Contains(known, key) {
			continue
		}
		prefix := ""
		if i := strings.LastIndex(key, keyDelimiter); i >= 0 {
			prefix = key[:i+len(keyDelimiter)]
		}
		var siblings []string
		for _, k := range known {
			if k, ok := strings.CutPrefix(k, prefix); ok {
				k, _, _ = strings.Cut(k, keyDelimiter)
				siblings = append(siblings, k)
			}
		}
		slices.Sort(siblings)
		message := "unknown setting " + strings.ReplaceAll(key, keyDelimiter, ": ")
		if len(siblings) > 0 {
			message += "; the settings here are " + strings.Join(slices.Compact(siblings), ", ")
		}
		unknown = append(unknown, message)
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	return errors.New(strings.Join(unknown, "; and "))
}
