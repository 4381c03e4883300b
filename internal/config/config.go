// Package config is every setting of the program. A setting is written twice: as a
// field with its default, here or in the package that it is for, and in
// config.example.yaml.
package config

import (
	"cmp"
	"path/filepath"
	"slices"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/club"
	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/invitation"
	"samizdat/adjudicator/match/clock"
	"samizdat/mail"
	"samizdat/mail/embedded"
)

// Config is every setting: the fields with a tag, whose key in the file it is.
// config.example.yaml shows each with its default and one line of why; the environment
// overrides the file (SAMIZDAT_IMAP_PASSWORD for imap::password).
type Config struct {
	// Data is the directory of database, key file and embedded mailboxes.
	Data string `mapstructure:"data"`
	// DatabaseAt is the file of the database, in that directory, or the URL of a database of a
	// PostgreSQL server; then DatabasePassword is what opens it, where the URL has none.
	DatabaseAt           string `mapstructure:"database"`
	DatabasePassword     string `mapstructure:"database_password"`
	DatabasePasswordFile string `mapstructure:"database_password_file"`
	// Address is the referee's mail address; tokens are added behind a "+".
	Address string `mapstructure:"address"`
	// Name is the name that stands beside the address.
	Name string `mapstructure:"name"`
	// Operator, Contact and Director are mail addresses of persons; an empty one is the same as another. The
	// operator is told of faults, for example a full disk. The contact gets the questions of players. The
	// director directs matches by mail, and is told of players whose letters bounce.
	Operator string `mapstructure:"operator"`
	Contact  string `mapstructure:"contact"`
	Director string `mapstructure:"director"`
	// Log is the least level that is logged.
	Log string `mapstructure:"log"`
	// Metrics is a loopback address for /healthz and /metrics; empty for none.
	Metrics string `mapstructure:"metrics"`
	// Site is a directory for the pages of finished matches; empty for none.
	Site string `mapstructure:"site"`
	// Listen is the address at which the pages are served by HTTP; empty for none.
	Listen string `mapstructure:"listen"`
	// Desk is the address of the page on which players click orders together; empty for no link to it.
	Desk string `mapstructure:"desk"`
	// Tempo is how much time the players of a new match have, and Zero what happens when
	// none is left, where nothing else is said.
	Tempo string `mapstructure:"tempo"`
	Zero  string `mapstructure:"zero"`
	// Words is how the players of a new match mix words into the dice, where nothing else is
	// said: open or sealed.
	Words string `mapstructure:"words"`
	// Beacon says where a public beacon is asked, and whether new matches mix it in.
	Beacon Beacon `mapstructure:"beacon"`
	// Letters says what letters are beside their text.
	Letters  conversation.Letters `mapstructure:"letters"`
	Identity Identity             `mapstructure:"identity"`
	Answers  Answers              `mapstructure:"answers"`
	// Vacation is how many days of vacation a player has in a calendar year.
	Vacation int `mapstructure:"vacation"`
	// Invitations is how long an invitation is good; 0 for ever.
	Invitations time.Duration `mapstructure:"invitations"`
	// KeepLetters is for how long letters that came in to a match are kept when it is over,
	// and what is known of those that went out; 0 for ever.
	KeepLetters time.Duration `mapstructure:"keep_letters"`
	// Club is a club whose members find each other by mail.
	Club club.Config `mapstructure:"club"`
	// IMAP says where letters come in. Without an address the embedded server is used.
	IMAP mail.IMAPConfig `mapstructure:"imap"`
	SMTP SMTP            `mapstructure:"smtp"`
	// Embedded is the mail server that serves when no other is configured.
	Embedded embedded.Config `mapstructure:"embedded"`
}

// Beacon is the public beacon for the dice.
type Beacon struct {
	// Mode is none, wait or try, where nothing else is said of a new match.
	Mode string `mapstructure:"mode"`
	// URL are the servers that are asked for rounds, one after the other, with spaces between.
	URL string `mapstructure:"url"`
}

// SMTP says where letters go out, and how they are signed.
type SMTP struct {
	mail.SMTPConfig `mapstructure:",squash"`
	DKIM            DKIM `mapstructure:"dkim"`
}

// Default is the configuration that needs no file: everything on this machine, with
// two players' mailboxes.
func Default() Config {
	return Config{
		Data: "samizdat-data", DatabaseAt: "samizdat.db", Address: "referee@samizdat.local", Name: "Samizdat", Log: "info", Tempo: "none",
		Zero: string(clock.Claim), Words: invitation.WordsOpen,
		Beacon:   Beacon{Mode: invitation.BeaconNone, URL: "https://api.drand.sh https://api2.drand.sh https://drand.cloudflare.com"},
		Letters:  conversation.Letters{HTML: true, Pictures: true, Confirmations: 2 * time.Second},
		Identity: Identity{Token: tokenInAddress, Proof: proofNone}, Answers: defaultAnswers, Vacation: 28, Invitations: 14 * 24 * time.Hour,
		KeepLetters: 30 * 24 * time.Hour, Club: club.Default(),
		IMAP: mail.IMAPConfig{}.WithDefaults(), SMTP: SMTP{SMTPConfig: mail.SMTPConfig{}.WithDefaults()},
		Embedded: embedded.Config{IMAPAddr: "127.0.0.1:1143", SMTPAddr: "127.0.0.1:1025", Accounts: []embedded.Account{
			{Address: "ada@samizdat.local", Password: "ada"}, {Address: "ben@samizdat.local", Password: "ben"},
		}},
	}
}

// Local is the configuration of a daemon on free ports of this machine, with a mailbox
// for everybody who is named; the names are the passwords.
func Local(dir string, names []string) Config {
	c := Default()
	c.Data = dir
	c.Letters.Confirmations = 0 // Whoever sends letters one by one reads each answer.
	c.Embedded = embedded.Config{IMAPAddr: "127.0.0.1:0", SMTPAddr: "127.0.0.1:0"}
	for _, n := range names {
		c.Embedded.Accounts = append(c.Embedded.Accounts, embedded.Account{Address: n + "@samizdat.local", Password: n})
	}
	return c
}

// Terms are those of matches for which nothing else is said, of a configuration that is valid.
// All may be watched.
func (c *Config) Terms() (inv adjudicator.Invitation) {
	inv.ObserverPolicy.Allowed = true
	inv.Tempo, _ = clock.ParseTempo(c.Tempo)
	inv.Zero, _ = clock.ParseTimeoutPolicy(c.Zero)
	inv.SealedWords, _ = invitation.ParseWords(c.Words)
	inv.Beacon, _ = invitation.ParseBeacon(c.Beacon.Mode)
	return inv
}

// UsesEmbedded reports whether the mail server is our own.
func (c *Config) UsesEmbedded() bool { return c.IMAP.Address == "" }

// Mailboxes is what the embedded server serves: the referee's own mailbox with its
// password, and those of the configuration.
func (c *Config) Mailboxes(password string) embedded.Config {
	e := c.Embedded
	e.Dir = filepath.Join(c.Data, "mail")
	e.Accounts = append([]embedded.Account{{Address: c.Address, Password: password}}, e.Accounts...)
	return e
}

// KeyFile is the file of the key that the database's secrets are wrapped with.
func (c *Config) KeyFile() string { return filepath.Join(c.Data, "secret.key") }

// Logins are the logins at the two servers, by the section that they stand in.
func (c *Config) Logins() []Section {
	return []Section{{"imap", "mail.example.org:993", &c.IMAP.Login}, {"smtp", "mail.example.org:465", &c.SMTP.Login}}
}

// Section is a login with its section's key, and what its address may look like.
type Section struct {
	Key     string
	example string
	*mail.Login
}

// fillPeople lets operator, contact and director default to one another: a club of one organiser
// names its organiser once.
func (c *Config) fillPeople() {
	operator, contact, director := c.Operator, c.Contact, c.Director
	c.Operator = cmp.Or(operator, contact, director)
	c.Contact = cmp.Or(contact, operator, director)
	c.Director = cmp.Or(director, operator, contact)
}

// fillUsers lets the user of a login default to the referee's address. A submission server
// without a password or token is used without a login.
func (c *Config) fillUsers() {
	for _, l := range c.Logins() {
		secret := slices.ContainsFunc(l.sources(), func(s source) bool { return *s.value != "" })
		if l.User == "" && l.Address != "" && (secret || l.Key == "imap") {
			l.User = c.Address
		}
	}
}

// UsesToken reports whether the login is by an access token.
func (s Section) UsesToken() bool { return s.TokenFile != "" || s.TokenCommand != "" }
