package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/viper"

	"samizdat/mail"
	"samizdat/mail/embedded"
)

// Config is every setting. config.example.yaml shows each with its default and
// one line of why; the environment overrides the file (SAMIZDAT_IMAP_PASSWORD
// for imap::password).
type Config struct {
	// Data is the directory of database, key file and embedded mailboxes.
	Data string `mapstructure:"data"`
	// Address is the referee's mail address; tokens are added behind a "+".
	Address string `mapstructure:"address"`
	// Name is the name that stands beside the address.
	Name string `mapstructure:"name"`
	// Operator is told by letter of what the log alone may not show him in time;
	// empty for nobody.
	Operator string `mapstructure:"operator"`
	// Director is told by letter, once a day at most, of players whose letters do not
	// arrive; empty for nobody.
	Director string `mapstructure:"director"`
	Log      string `mapstructure:"log"`
	// Metrics is a loopback address for /healthz and /metrics; empty for none.
	Metrics  string         `mapstructure:"metrics"`
	Letters  LettersConfig  `mapstructure:"letters"`
	Identity IdentityConfig `mapstructure:"identity"`
	Answers  AnswersConfig  `mapstructure:"answers"`
	IMAP     IMAPConfig     `mapstructure:"imap"`
	SMTP     SMTPConfig     `mapstructure:"smtp"`
	Embedded EmbeddedConfig `mapstructure:"embedded"`
}

// LettersConfig says what letters are beside their text, for players who do not
// ask for something else.
type LettersConfig struct {
	HTML     bool `mapstructure:"html"`
	Pictures bool `mapstructure:"pictures"`
}

// IMAPConfig says where letters come in. Without an address the embedded server
// is used.
type IMAPConfig struct {
	Address        string        `mapstructure:"address"`
	TLS            string        `mapstructure:"tls"`
	CAFile         string        `mapstructure:"ca_file"`
	User           string        `mapstructure:"user"`
	Password       string        `mapstructure:"password"`
	PasswordFile   string        `mapstructure:"password_file"`
	Auth           string        `mapstructure:"auth"`
	TokenFile      string        `mapstructure:"token_file"`
	TokenCommand   string        `mapstructure:"token_command"`
	Mailbox        string        `mapstructure:"mailbox"`
	PollInterval   time.Duration `mapstructure:"poll_interval"`
	CommandTimeout time.Duration `mapstructure:"command_timeout"`
	IdleRestart    time.Duration `mapstructure:"idle_restart"`
	MaxLetter      int64         `mapstructure:"max_letter"`
}

// SMTPConfig says where letters go out.
type SMTPConfig struct {
	Address        string        `mapstructure:"address"`
	TLS            string        `mapstructure:"tls"`
	CAFile         string        `mapstructure:"ca_file"`
	User           string        `mapstructure:"user"`
	Password       string        `mapstructure:"password"`
	PasswordFile   string        `mapstructure:"password_file"`
	Auth           string        `mapstructure:"auth"`
	TokenFile      string        `mapstructure:"token_file"`
	TokenCommand   string        `mapstructure:"token_command"`
	Hello          string        `mapstructure:"hello"`
	CommandTimeout time.Duration `mapstructure:"command_timeout"`
	PerMinute      int           `mapstructure:"per_minute"`
	PerDay         int           `mapstructure:"per_day"`
	Envelope       string        `mapstructure:"envelope"`
	DKIM           DKIMConfig    `mapstructure:"dkim"`
}

// To which address reports on letters are sent.
const (
	envelopeAddress = "address"
	envelopeToken   = "token"
)

// EmbeddedConfig is the mail server that serves when no other is configured.
type EmbeddedConfig struct {
	IMAP     string            `mapstructure:"imap"`
	SMTP     string            `mapstructure:"smtp"`
	Accounts []EmbeddedAccount `mapstructure:"accounts"`
}

// EmbeddedAccount is a mailbox of the embedded server.
type EmbeddedAccount struct {
	Address  string `mapstructure:"address"`
	Password string `mapstructure:"password"`
}

// DefaultConfig is the configuration that needs no file: everything on this
// machine, with two players' mailboxes.
func DefaultConfig() Config {
	return Config{
		Data: "samizdat-data", Address: "referee@samizdat.local", Name: "Samizdat", Log: "info",
		Letters:  LettersConfig{HTML: true, Pictures: true},
		Identity: IdentityConfig{Token: tokenInAddress, Proof: proofNone}, Answers: defaultAnswers,
		IMAP: IMAPConfig{TLS: mail.TLS, Mailbox: "INBOX", PollInterval: time.Minute, CommandTimeout: 30 * time.Second,
			IdleRestart: 9 * time.Minute, MaxLetter: 1 << 20},
		SMTP: SMTPConfig{TLS: mail.TLS, Hello: "localhost", CommandTimeout: 30 * time.Second, Envelope: envelopeAddress},
		Embedded: EmbeddedConfig{IMAP: "127.0.0.1:1143", SMTP: "127.0.0.1:1025", Accounts: []EmbeddedAccount{
			{"ada@samizdat.local", "ada"}, {"ben@samizdat.local", "ben"},
		}},
	}
}

// environment is what the names of environment variables begin with.
const environment = "SAMIZDAT"

// keyDelimiter keeps dots free for values.
const keyDelimiter = "::"

// LoadConfig reads the configuration: defaults, then the file (none when path
// is empty), then the environment, and the files with secrets that it names. A
// setting that does not exist is an error.
func LoadConfig(path string) (Config, error) {
	c, err := loadSettings(path)
	if err == nil {
		err = c.readSecrets()
	}
	return c, err
}

// loadSettings leaves the files with secrets alone.
func loadSettings(path string) (Config, error) {
	v := viper.NewWithOptions(viper.KeyDelimiter(keyDelimiter))
	setDefaults(v)
	known := v.AllKeys()
	v.SetEnvPrefix(environment)
	v.SetEnvKeyReplacer(strings.NewReplacer(keyDelimiter, "_"))
	v.AutomaticEnv()
	if path != "" {
		v.SetConfigFile(path)
		if err := v.ReadInConfig(); err != nil {
			return Config{}, fmt.Errorf("read the configuration: %w", err)
		}
	}
	if err := errors.Join(checkKeys(v, known), checkPasswords(v)); err != nil {
		return Config{}, fmt.Errorf("read the configuration %s: %w", path, err)
	}
	var c Config
	if err := v.UnmarshalExact(&c); err != nil {
		return Config{}, fmt.Errorf("read the configuration %s: %w", path, err)
	}
	for _, word := range []*string{&c.IMAP.TLS, &c.IMAP.Auth, &c.SMTP.TLS, &c.SMTP.Auth} {
		*word = strings.ToLower(*word) // Servers and guides write PLAIN, TLS, STARTTLS.
	}
	c.preferEnvironment(os.Getenv)
	if err := c.checkSources(); err != nil {
		return Config{}, err
	}
	return c, c.validate()
}

// setDefaults names every key, without which the environment would not be seen.
func setDefaults(v *viper.Viper) {
	d := DefaultConfig()
	accounts := make([]map[string]any, 0, len(d.Embedded.Accounts))
	for _, a := range d.Embedded.Accounts {
		accounts = append(accounts, map[string]any{"address": a.Address, "password": a.Password})
	}
	for k, val := range map[string]any{
		"data": d.Data, "address": d.Address, "name": d.Name, "operator": d.Operator, "director": d.Director, "log": d.Log, "metrics": d.Metrics,
		"letters::html": d.Letters.HTML, "letters::pictures": d.Letters.Pictures,
		"identity::token": d.Identity.Token, "identity::proof": d.Identity.Proof, "identity::server": d.Identity.Server,
		"answers::burst": d.Answers.Burst, "answers::every": d.Answers.Every,
		"answers::all_burst": d.Answers.AllBurst, "answers::all_every": d.Answers.AllEvery,
		"imap::address": d.IMAP.Address, "imap::tls": d.IMAP.TLS, "imap::ca_file": d.IMAP.CAFile, "imap::user": d.IMAP.User,
		"imap::password": d.IMAP.Password, "imap::password_file": d.IMAP.PasswordFile, "imap::mailbox": d.IMAP.Mailbox,
		"imap::auth": d.IMAP.Auth, "imap::token_file": d.IMAP.TokenFile, "imap::token_command": d.IMAP.TokenCommand,
		"imap::poll_interval": d.IMAP.PollInterval, "imap::command_timeout": d.IMAP.CommandTimeout,
		"imap::idle_restart": d.IMAP.IdleRestart, "imap::max_letter": d.IMAP.MaxLetter,
		"smtp::address": d.SMTP.Address, "smtp::tls": d.SMTP.TLS, "smtp::ca_file": d.SMTP.CAFile, "smtp::user": d.SMTP.User,
		"smtp::password": d.SMTP.Password, "smtp::password_file": d.SMTP.PasswordFile, "smtp::hello": d.SMTP.Hello,
		"smtp::auth": d.SMTP.Auth, "smtp::token_file": d.SMTP.TokenFile, "smtp::token_command": d.SMTP.TokenCommand,
		"smtp::command_timeout": d.SMTP.CommandTimeout, "smtp::per_minute": d.SMTP.PerMinute, "smtp::per_day": d.SMTP.PerDay, "smtp::envelope": d.SMTP.Envelope,
		"smtp::dkim::domain": d.SMTP.DKIM.Domain, "smtp::dkim::selector": d.SMTP.DKIM.Selector, "smtp::dkim::key_file": d.SMTP.DKIM.KeyFile,
		"embedded::imap": d.Embedded.IMAP, "embedded::smtp": d.Embedded.SMTP, "embedded::accounts": accounts,
	} {
		v.SetDefault(k, val)
	}
}

// validate returns the first problem, with what to do about it.
func (c Config) validate() error {
	at := strings.LastIndex(c.Address, "@")
	switch {
	case c.Data == "":
		return errors.New("data: name a directory for the database")
	case at < 1 || at == len(c.Address)-1:
		return fmt.Errorf("address: %q is not a mail address", c.Address)
	case strings.Contains(c.Address[:at], "+"):
		return fmt.Errorf("address: %q has a + already; the part behind it is for the tokens of seats", c.Address)
	case at > 20:
		return fmt.Errorf("address: at most 20 letters may stand before the @, so that there is room for tokens; %q has %d", c.Address, at)
	case c.Metrics != "" && !loopback(c.Metrics):
		return fmt.Errorf("metrics: %q is not an address of this machine alone, such as 127.0.0.1:9189: there is no login", c.Metrics)
	case (c.IMAP.Address == "") != (c.SMTP.Address == ""):
		return errors.New("imap and smtp: set both addresses, or neither to use the embedded server")
	}
	if err := c.checkServers(); err != nil {
		return err
	}
	if _, err := logger(io.Discard, c.Log); err != nil {
		return err
	}
	switch {
	case c.SMTP.PerMinute < 0 || c.SMTP.PerDay < 0:
		return errors.New("smtp: per_minute and per_day are numbers of letters, 0 for no limit")
	case c.SMTP.Envelope != envelopeAddress && c.SMTP.Envelope != envelopeToken:
		return fmt.Errorf("smtp: envelope: %q is none of address, token", c.SMTP.Envelope)
	case c.SMTP.Envelope == envelopeToken && c.Identity.Token == tokenInSubject:
		return errors.New("smtp: envelope: token needs a mail server that delivers address+anything, and identity: token says that ours does not")
	case c.Operator != "" && !strings.Contains(c.Operator, "@"):
		return fmt.Errorf("operator: %q is not a mail address", c.Operator)
	case strings.EqualFold(c.Operator, c.Address):
		return errors.New("operator: name an address of a person, not the referee's own")
	case c.Director != "" && !strings.Contains(c.Director, "@"):
		return fmt.Errorf("director: %q is not a mail address", c.Director)
	case strings.EqualFold(c.Director, c.Address):
		return errors.New("director: name an address of a person, not the referee's own")
	}
	return errors.Join(c.Identity.validate(), c.Answers.validate(), c.validateTimes(), c.SMTP.DKIM.validate(c.Address[at+1:]))
}

// usesEmbedded reports whether the mail server is our own.
func (c Config) usesEmbedded() bool { return c.IMAP.Address == "" }

func (c Config) database() string { return filepath.Join(c.Data, "samizdat.db") }
func (c Config) keyFile() string  { return filepath.Join(c.Data, "secret.key") }

func (c Config) imap() mail.IMAPConfig {
	return mail.IMAPConfig{
		Address: c.IMAP.Address, TLS: c.IMAP.TLS, CAFile: c.IMAP.CAFile, User: c.IMAP.User, Password: c.IMAP.Password,
		PasswordFile: c.IMAP.PasswordFile, Mailbox: c.IMAP.Mailbox, PollInterval: c.IMAP.PollInterval, CommandTimeout: c.IMAP.CommandTimeout,
		IdleRestart: c.IMAP.IdleRestart, MaxLetter: c.IMAP.MaxLetter,
		Auth: c.IMAP.Auth, Tokens: tokens(c.IMAP.TokenFile, c.IMAP.TokenCommand), InHand: filepath.Join(c.Data, "letter-in-hand"),
	}
}

// tokens is where access tokens come from, or nil when the login is by password.
func tokens(file, command string) mail.TokenSource {
	switch {
	case file != "":
		return mail.TokenFile(file)
	case command != "":
		return mail.TokenCommand(command)
	}
	return nil
}

func (c Config) smtp() mail.SMTPConfig {
	return mail.SMTPConfig{
		Address: c.SMTP.Address, TLS: c.SMTP.TLS, CAFile: c.SMTP.CAFile, User: c.SMTP.User, Password: c.SMTP.Password,
		PasswordFile: c.SMTP.PasswordFile, Hello: c.SMTP.Hello, CommandTimeout: c.SMTP.CommandTimeout,
		Auth: c.SMTP.Auth, Tokens: tokens(c.SMTP.TokenFile, c.SMTP.TokenCommand),
		Limits: mail.Limits{PerMinute: c.SMTP.PerMinute, PerDay: c.SMTP.PerDay}, ReportAddresses: c.SMTP.Envelope == envelopeToken,
	}
}

// embedded is the embedded server's configuration. The referee's own mailbox
// comes first; its password is made once and kept beside the database.
func (c Config) embedded(password string) embedded.Config {
	e := embedded.Config{
		Dir: filepath.Join(c.Data, "mail"), IMAPAddr: c.Embedded.IMAP, SMTPAddr: c.Embedded.SMTP,
		Accounts: []embedded.Account{{Address: c.Address, Password: password}},
	}
	for _, a := range c.Embedded.Accounts {
		e.Accounts = append(e.Accounts, embedded.Account{Address: a.Address, Password: a.Password})
	}
	return e
}
