// Package config loads and checks the settings of the program. Each setting is a field of Config or of a struct in it, and
// is shown in config.example.yaml.
package config

import (
	"cmp"
	"net"
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

// Config holds all settings. The tag of a field is its key in the file. An environment variable overrides the file, for
// example SAMIZDAT_IMAP_PASSWORD for imap: password. config.example.yaml shows each setting with its default.
type Config struct {
	// Data is the directory of the database, the key file and the embedded mailboxes.
	Data string `mapstructure:"data"`
	// DatabaseLocation is a file in the data directory, for example samizdat.db, or the URL of a PostgreSQL database, for
	// example postgres://samizdat@db.example.org/samizdat.
	DatabaseLocation string `mapstructure:"database"`
	// DatabasePassword is the password for a URL without a password. LoadSettings reads it from DatabasePasswordFile if
	// that is set.
	DatabasePassword     string `mapstructure:"database_password"`
	DatabasePasswordFile string `mapstructure:"database_password_file"`
	// Address is the referee's mail address. Replies to a letter go to address+token, unless tokens are in subjects.
	Address string `mapstructure:"address"`
	// Name is the displayed name of the address.
	Name string `mapstructure:"name"`
	// Operator, Contact and Director are mail addresses of persons. fillPeople fills an empty address with another of the three. The
	// operator gets reports of faults, for example a full disk; the contact gets the questions of players; the director corrects
	// matches by mail, and gets reports of bounces.
	Operator string `mapstructure:"operator"`
	Contact  string `mapstructure:"contact"`
	Director string `mapstructure:"director"`
	// Log is the lowest level that is logged: debug, info, warn or error.
	Log string `mapstructure:"log"`
	// Metrics is a loopback address for /healthz and /metrics, for example 127.0.0.1:9189, or empty.
	Metrics string `mapstructure:"metrics"`
	// Site is the directory for the pages of finished matches and of the club, or empty.
	Site string `mapstructure:"site"`
	// Listen is the HTTP address that serves Site, for example 127.0.0.1:8080, or empty.
	Listen string `mapstructure:"listen"`
	// SiteURL is the address at which a web server serves Site, for example https://club.example/, or empty.
	SiteURL string `mapstructure:"site_url"`
	// Desk is the address of the page on which players click orders, for example https://desk.example/. If it is empty,
	// DeskURL returns the address of the page in Site.
	Desk string `mapstructure:"desk"`
	// Tempo is the default clock of new matches, for example 72h+12h<=120h. OnTimeout is their default time-out policy: claim, forfeit
	// or silence.
	Tempo     string `mapstructure:"tempo"`
	OnTimeout string `mapstructure:"zero"`
	// Words says how the players of new matches send the words that they mix into the dice: open or sealed.
	Words       string                     `mapstructure:"words"`
	Beacon      Beacon                     `mapstructure:"beacon"`
	Letters     conversation.LetterOptions `mapstructure:"letters"`
	SenderAuth  SenderAuth                 `mapstructure:"identity"`
	ReplyLimits ReplyLimits                `mapstructure:"answers"`
	// Vacation is the number of vacation days that a player has in a calendar year.
	Vacation int `mapstructure:"vacation"`
	// InvitationPeriod is the time for which an invitation is valid; 0 means forever.
	InvitationPeriod time.Duration `mapstructure:"invitations"`
	// KeepLetters is the time for which the letters of a finished match are kept; 0 means forever.
	KeepLetters time.Duration `mapstructure:"keep_letters"`
	Club        club.Config   `mapstructure:"club"`
	// IMAP and SMTP are the servers of incoming and outgoing letters. If they have no address, Embedded is used.
	IMAP     mail.IMAPConfig `mapstructure:"imap"`
	SMTP     SMTP            `mapstructure:"smtp"`
	Embedded embedded.Config `mapstructure:"embedded"`
}

// DeskDir is the directory of the desk's page in Site.
const DeskDir = "desk"

// DeskURL returns the address of the page on which players click orders, or "" if players cannot reach the page. For
// example, site_url: https://club.example/ gives https://club.example/desk/. A loopback address in listen counts only
// with the embedded mailboxes, because their players use this machine.
func (c *Config) DeskURL() string {
	host, port, err := net.SplitHostPort(c.Listen)
	switch {
	case c.Desk != "":
		return c.Desk
	case c.Site == "":
		return ""
	case c.SiteURL != "":
		return c.SiteURL + DeskDir + "/"
	case err != nil || port == "0" || net.ParseIP(host).IsUnspecified() || isLoopback(c.Listen) && !c.UsesEmbedded():
		return ""
	}
	return "http://" + c.Listen + "/" + DeskDir + "/"
}

// Beacon configures the use of a public source of random numbers, https://drand.love, for the dice.
type Beacon struct {
	// Mode says whether new matches use the source: none, wait (without a limit) or try (for a limited time).
	Mode string `mapstructure:"mode"`
	// ServerURLs are the addresses of the servers, separated by spaces, in the order in which they are tried.
	ServerURLs string `mapstructure:"url"`
}

// SMTP configures the submission server of outgoing letters (RFC 6409) and the signature of letters.
type SMTP struct {
	mail.SMTPConfig `mapstructure:",squash"`
	DKIM            DKIM `mapstructure:"dkim"`
}

// Default returns the configuration that applies without a file: a mail server on this machine, with the mailboxes of
// two players.
func Default() Config {
	return Config{
		Data: "samizdat-data", DatabaseLocation: "samizdat.db", Address: "referee@samizdat.local", Name: "Samizdat", Log: "info", Tempo: "none",
		OnTimeout: string(clock.Claim), Words: invitation.WordsOpen,
		Beacon:     Beacon{Mode: invitation.BeaconNone, ServerURLs: "https://api.drand.sh https://api2.drand.sh https://drand.cloudflare.com"},
		Letters:    conversation.LetterOptions{HTML: true, Pictures: true, Confirmations: 2 * time.Second, Analysis: true},
		SenderAuth: SenderAuth{Token: tokenInAddress, Proof: proofNone}, ReplyLimits: defaultReplyLimits, Vacation: 28,
		InvitationPeriod: 14 * 24 * time.Hour,
		KeepLetters:      30 * 24 * time.Hour, Club: club.Default(),
		IMAP: mail.IMAPConfig{}.WithDefaults(), SMTP: SMTP{SMTPConfig: mail.SMTPConfig{}.WithDefaults()},
		Embedded: embedded.Config{IMAPAddr: "127.0.0.1:1143", SMTPAddr: "127.0.0.1:1025", Accounts: []embedded.Account{
			{Address: "ada@samizdat.local", Password: "ada"}, {Address: "ben@samizdat.local", Password: "ben"},
		}},
	}
}

// Local returns the configuration of a daemon on free ports of this machine, with a mailbox for each name. For
// example, the mailbox of democrat is democrat@samizdat.local with the password democrat.
func Local(dir string, names []string) Config {
	c := Default()
	c.Data = dir
	c.Letters.Confirmations = 0 // Programs wait for each confirmation, so it is sent at once.
	c.Embedded = embedded.Config{IMAPAddr: "127.0.0.1:0", SMTPAddr: "127.0.0.1:0"}
	for _, n := range names {
		c.Embedded.Accounts = append(c.Embedded.Accounts, embedded.Account{Address: n + "@samizdat.local", Password: n})
	}
	return c
}

// Terms returns the default terms of new matches. The configuration must be valid. All persons may observe the matches.
func (c *Config) Terms() (inv adjudicator.Invitation) {
	inv.ObserverPolicy.Allowed = true
	inv.Tempo, _ = clock.ParseTempo(c.Tempo)
	inv.OnTimeout, _ = clock.ParseTimeoutPolicy(c.OnTimeout)
	inv.SealedWords, _ = invitation.ParseWords(c.Words)
	inv.Beacon, _ = invitation.ParseBeacon(c.Beacon.Mode)
	return inv
}

// UsesEmbedded reports whether the embedded mail server is used.
func (c *Config) UsesEmbedded() bool { return c.IMAP.Address == "" }

// Mailboxes returns the configuration of the embedded server: the referee's mailbox with its password, and the
// configured accounts.
func (c *Config) Mailboxes(password string) embedded.Config {
	e := c.Embedded
	e.Dir = filepath.Join(c.Data, "mail")
	e.Accounts = append([]embedded.Account{{Address: c.Address, Password: password}}, e.Accounts...)
	return e
}

// KeyFile returns the file of the key that encrypts the secrets in the database.
func (c *Config) KeyFile() string { return filepath.Join(c.Data, "secret.key") }

// Logins returns the settings of the IMAP and the SMTP login.
func (c *Config) Logins() []LoginSection {
	return []LoginSection{{"imap", "mail.example.org:993", &c.IMAP.Login}, {"smtp", "mail.example.org:465", &c.SMTP.Login}}
}

// LoginSection is a section of the configuration with the data of a login.
type LoginSection struct {
	// Key is the key of the section: imap or smtp.
	Key            string
	exampleAddress string
	*mail.Login
}

// fillPeople sets each empty address of operator, contact and director to another address that is set, so that a club
// with a single organizer needs only one address.
func (c *Config) fillPeople() {
	operator, contact, director := c.Operator, c.Contact, c.Director
	c.Operator = cmp.Or(operator, contact, director)
	c.Contact = cmp.Or(contact, operator, director)
	c.Director = cmp.Or(director, operator, contact)
}

// fillUsers sets an empty user of a login to the referee's address, except for a submission server without password and
// token, which is used without login.
func (c *Config) fillUsers() {
	for _, l := range c.Logins() {
		secret := slices.ContainsFunc(l.sources(), func(s source) bool { return *s.value != "" })
		if l.User == "" && l.Address != "" && (secret || l.Key == "imap") {
			l.User = c.Address
		}
	}
}

// UsesToken reports whether the login uses an access token in place of a password.
func (s LoginSection) UsesToken() bool { return s.TokenFile != "" || s.TokenCommand != "" }
