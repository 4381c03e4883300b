// Package config contains the settings of the program. A setting is written twice: as a field with its default, here
// or in the package that uses it, and in config.example.yaml.
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

// Config is all settings. The tag of a field is its key in the file. An environment variable overrides the file, for
// example SAMIZDAT_IMAP_PASSWORD for imap: password. config.example.yaml shows each setting with its default.
type Config struct {
	// Data is the directory of the database, the key file and the embedded mailboxes.
	Data string `mapstructure:"data"`
	// DatabaseAt is a file in the data directory, for example samizdat.db, or the URL of a PostgreSQL database, for
	// example postgres://samizdat@db.example.org/samizdat. DatabasePassword is for a URL without a password.
	DatabaseAt           string `mapstructure:"database"`
	DatabasePassword     string `mapstructure:"database_password"`
	DatabasePasswordFile string `mapstructure:"database_password_file"`
	// Address is the referee's mail address. Letters are sent from address+token.
	Address string `mapstructure:"address"`
	// Name is the displayed name of the address.
	Name string `mapstructure:"name"`
	// Operator, Contact and Director are mail addresses of persons. An empty address defaults to another of the
	// three. The operator gets reports of faults, for example a full disk; the contact gets the questions of
	// players; the director directs matches by mail, and gets reports of bounces.
	Operator string `mapstructure:"operator"`
	Contact  string `mapstructure:"contact"`
	Director string `mapstructure:"director"`
	// Log is the lowest level of the log: debug, info, warn or error.
	Log string `mapstructure:"log"`
	// Metrics is a loopback address for /healthz and /metrics, for example 127.0.0.1:9189, or empty.
	Metrics string `mapstructure:"metrics"`
	// Site is the directory for the pages of finished matches and of the club, or empty.
	Site string `mapstructure:"site"`
	// Listen is the HTTP address that serves Site, for example 127.0.0.1:8080, or empty.
	Listen string `mapstructure:"listen"`
	// SiteURL is the address at which a web server serves Site, for example https://club.example/, or empty.
	SiteURL string `mapstructure:"site_url"`
	// Desk is the address of the page on which players click orders, for example https://desk.example/. If empty,
	// DeskURL finds the page in the site.
	Desk string `mapstructure:"desk"`
	// Tempo is the default clock of new matches, for example 72h+12h<=120h, and OnTimeout the default result of a
	// time-out.
	Tempo     string `mapstructure:"tempo"`
	OnTimeout string `mapstructure:"zero"`
	// Words is the default for the words of players in new matches: open or sealed.
	Words string `mapstructure:"words"`
	// Beacon is the servers of the public beacon, and the default for new matches.
	Beacon Beacon `mapstructure:"beacon"`
	// Letters is the parts of letters other than the text.
	Letters     conversation.LetterOptions `mapstructure:"letters"`
	SenderAuth  SenderAuth                 `mapstructure:"identity"`
	ReplyLimits ReplyLimits                `mapstructure:"answers"`
	// Vacation is the number of days of vacation of a player in a calendar year.
	Vacation int `mapstructure:"vacation"`
	// InvitationPeriod is how long an invitation is valid; 0 means forever.
	InvitationPeriod time.Duration `mapstructure:"invitations"`
	// KeepLetters is how long the letters of a finished match are kept; 0 means forever.
	KeepLetters time.Duration `mapstructure:"keep_letters"`
	// Club is the settings of a club, in which players find opponents by mail.
	Club club.Config `mapstructure:"club"`
	// IMAP is the server of incoming letters. Without an address the embedded server is used.
	IMAP mail.IMAPConfig `mapstructure:"imap"`
	SMTP SMTP            `mapstructure:"smtp"`
	// Embedded is the mail server on this machine, which is used unless IMAP has an address.
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

// Beacon is the public beacon for the dice (https://drand.love).
type Beacon struct {
	// Mode is the default of new matches: none, wait or try.
	Mode string `mapstructure:"mode"`
	// URL is the addresses of the servers, separated by spaces. They are used in this order.
	URL string `mapstructure:"url"`
}

// SMTP is the submission server of outgoing letters (RFC 6409), and how letters are signed.
type SMTP struct {
	mail.SMTPConfig `mapstructure:",squash"`
	DKIM            DKIM `mapstructure:"dkim"`
}

// Default returns the configuration without a file: everything on this machine, with the mailboxes of two players.
func Default() Config {
	return Config{
		Data: "samizdat-data", DatabaseAt: "samizdat.db", Address: "referee@samizdat.local", Name: "Samizdat", Log: "info", Tempo: "none",
		OnTimeout: string(clock.Claim), Words: invitation.WordsOpen,
		Beacon:     Beacon{Mode: invitation.BeaconNone, URL: "https://api.drand.sh https://api2.drand.sh https://drand.cloudflare.com"},
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
	c.Letters.Confirmations = 0 // A program reads each answer at once.
	c.Embedded = embedded.Config{IMAPAddr: "127.0.0.1:0", SMTPAddr: "127.0.0.1:0"}
	for _, n := range names {
		c.Embedded.Accounts = append(c.Embedded.Accounts, embedded.Account{Address: n + "@samizdat.local", Password: n})
	}
	return c
}

// Terms returns the default terms of new matches, of a valid configuration. Everyone may watch.
func (c *Config) Terms() (inv adjudicator.Invitation) {
	inv.ObserverPolicy.Allowed = true
	inv.Tempo, _ = clock.ParseTempo(c.Tempo)
	inv.OnTimeout, _ = clock.ParseTimeoutPolicy(c.OnTimeout)
	inv.SealedWords, _ = invitation.ParseWords(c.Words)
	inv.Beacon, _ = invitation.ParseBeacon(c.Beacon.Mode)
	return inv
}

// UsesEmbedded reports whether the mail server is the embedded one.
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

// Logins returns the logins at the IMAP and the SMTP server.
func (c *Config) Logins() []Section {
	return []Section{{"imap", "mail.example.org:993", &c.IMAP.Login}, {"smtp", "mail.example.org:465", &c.SMTP.Login}}
}

// Section is a login with the key of its section, imap or smtp, and an example of its address.
type Section struct {
	Key     string
	example string
	*mail.Login
}

// fillPeople sets the default of operator, contact and director to one of the others, so that a club with one
// organizer needs one address.
func (c *Config) fillPeople() {
	operator, contact, director := c.Operator, c.Contact, c.Director
	c.Operator = cmp.Or(operator, contact, director)
	c.Contact = cmp.Or(contact, operator, director)
	c.Director = cmp.Or(director, operator, contact)
}

// fillUsers sets the default of a login's user to the referee's address. A submission server without password or
// token is used without login.
func (c *Config) fillUsers() {
	for _, l := range c.Logins() {
		secret := slices.ContainsFunc(l.sources(), func(s source) bool { return *s.value != "" })
		if l.User == "" && l.Address != "" && (secret || l.Key == "imap") {
			l.User = c.Address
		}
	}
}

// UsesToken reports whether the login uses an access token in place of a password.
func (s Section) UsesToken() bool { return s.TokenFile != "" || s.TokenCommand != "" }
