package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/viper"

	"samizdat/mail/embedded"
)

// odd are values without quotation marks that YAML takes for numbers, switches, times, or nothing.
var odd = []string{"0123456", "0x1F", "0b11", "0o17", "1e5", "12_34", "1.10", "1e999", "True", "yes", "null", "~", ".inf", ".NaN", "2026-11-26", "1:30", "007", "9999999999999999999999"}

// write writes a configuration file with this text.
func write(t *testing.T, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// textSettings are the keys of all settings that are text.
func textSettings() []string {
	v := viper.NewWithOptions(viper.KeyDelimiter(keyDelimiter))
	setDefaults(v, "", reflect.ValueOf(Default()))
	var out []string
	for _, key := range v.AllKeys() {
		if reflect.TypeOf(v.Get(key)).Kind() == reflect.String {
			out = append(out, key)
		}
	}
	return out
}

// TestTextSettings: each text setting has the characters of the file.
func TestTextSettings(t *testing.T) {
	t.Parallel()
	keys := textSettings()
	if len(keys) < 45 {
		t.Fatalf("only %d settings are text: %v", len(keys), keys)
	}
	file := ""
	for _, key := range keys {
		file += key + ": VALUE\n"
	}
	for _, value := range odd {
		c, err := decode(write(t, strings.ReplaceAll(file, "VALUE", value)))
		if err != nil {
			t.Errorf("%s: %v", value, err)
			continue
		}
		for _, key := range keys {
			if is := setting(reflect.ValueOf(c), strings.Split(key, keyDelimiter)); is != value {
				t.Errorf("%s: %s is %q", key, value, is)
			}
		}
	}
}

// setting is the value of a setting, by its path.
func setting(v reflect.Value, path []string) string {
	for field, value := range v.Fields() {
		tag, ok := field.Tag.Lookup("mapstructure")
		switch key, squash := strings.CutSuffix(tag, ",squash"); {
		case !ok:
		case squash:
			if s := setting(value, path); s != "" {
				return s
			}
		case key == path[0] && len(path) > 1:
			return setting(value, path[1:])
		case key == path[0]:
			return value.String()
		}
	}
	return ""
}

// TestTextInEnvironment: the environment's values are text, too.
func TestTextInEnvironment(t *testing.T) {
	keys := textSettings()
	for _, value := range odd {
		for _, key := range keys {
			t.Setenv(envPrefix+"_"+strings.ToUpper(strings.ReplaceAll(key, keyDelimiter, "_")), value)
		}
		c, err := decode("")
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range keys {
			if is := setting(reflect.ValueOf(c), strings.Split(key, keyDelimiter)); is != value {
				t.Errorf("%s: %s is %q", key, value, is)
			}
		}
	}
}

// TestTextOfAccounts: the passwords of the embedded server's mailboxes are text.
func TestTextOfAccounts(t *testing.T) {
	t.Parallel()
	for _, value := range odd {
		c, err := LoadSettings(write(t, "embedded:\n  accounts:\n    - {address: ada@samizdat.local, password: "+value+"}\n"))
		if want := []embedded.Account{{Address: "ada@samizdat.local", Password: value}}; err != nil || !reflect.DeepEqual(c.Embedded.Accounts, want) {
			t.Errorf("%s: %+v, %v", value, c.Embedded.Accounts, err)
		}
	}
}

// TestQuoteIt: a value that YAML cuts, or reads as something else, is refused with a line that says
// what to write, and with no character of it. What is quoted is taken as it stands.
func TestQuoteIt(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"imap:\n  password: !s3cret\n", "imap:\n  password: !s3cret x\n", "imap:\n  password: !!int 0123\n", "imap:\n  password: &s3cret\n", "imap:\n  password: s3c #ret\n",
		"imap:\n  password: #s3cret\n", "smtp:\n  PASSWORD: #s3cret\n", "smtp:\n  password: [s3cret]\n", "name: [a]\n", "embedded: {accounts: [{address: a@b, password: [s3cret]}]}\n", "database_password: !s3cret\n",
	} {
		if _, err := LoadSettings(write(t, text)); err == nil || !strings.Contains(err.Error(), "quotation marks") || strings.Contains(err.Error(), "s3c") {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"imap:\n  password: '!s3 #cret'\n": "!s3 #cret", "imap:\n  password: \"0123\"\n": "0123", "imap:\n  password: s3#cret\n": "s3#cret", "imap:\n  password: s3cret # of 2026\n": "s3cret",
		"imap:\n  password: # comes later\n": "", "imap:\n  password:\n": "", "{\"imap\": {\"password\": \"0123\"}}": "0123", "IMAP::Password: 0123\n": "0123",
	} {
		if c, err := LoadSettings(write(t, text)); err != nil || c.IMAP.Password != want {
			t.Errorf("%q: %q, %v", text, c.IMAP.Password, err)
		}
	}
}

// TestNumbersAndTimes: what is no text is taken as it is meant, or refused by name.
func TestNumbersAndTimes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"vacation: 1.5\n": `vacation: expected a whole number, such as 60, got "1.5"`, "vacation: 0x1F\n": "expected a whole number", "answers: {burst: true}\n": `answers: burst: expected a whole number, such as 60, got "true"`, "vacation: ''\n": `vacation: expected a whole number`,
		"answers: {every: 20}\n": `answers: every: expected a time with its unit, such as 60s, 1m or 24h, got "20"`, "letters: {html: 2}\n": `letters: html: expected true or false, got "2"`, "imap: 3\n": "imap: expected a section with settings",
		"data: a\nDATA: b\n": "already defined", "data: a\n---\ndata: b\n": "several documents", "s3cret\n": "expected settings such as", "[a]\n": "expected settings such as", "data = 'x'\n": "expected settings such as",
	} {
		if _, err := LoadSettings(write(t, text)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
	c, err := LoadSettings(write(t, "vacation: 010\nletters: {html: False, confirmations: 1m}\nsmtp: {per_day:  500}\noperator:\nimap: {max_letter: 2000000}\n"))
	if err != nil || c.Vacation != 10 || c.Letters.HTML || c.Letters.Confirmations.Minutes() != 1 || c.SMTP.Limits.PerDay != 500 || c.Operator != "" || c.IMAP.MaxLetter != 2_000_000 {
		t.Errorf("%+v, %v", c, err)
	}
}
