package config

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"samizdat/adjudicator/club"
	"samizdat/mail"
)

// Provider is a mail provider with its servers, see docs/providers.md.
type Provider struct {
	// Name is the value of "samizdat init --provider".
	Name string
	// UsesToken is set if the provider requires an access token in place of a password.
	UsesToken bool

	imap, smtp section
}

// section is the part of a configuration for one mail server. Empty fields are left out.
type section struct {
	Address      string `yaml:"address"`
	TLS          string `yaml:"tls,omitempty"`
	CAFile       string `yaml:"ca_file,omitempty"`
	PasswordFile string `yaml:"password_file,omitempty"`
	Auth         string `yaml:"auth,omitempty"`
	TokenCommand string `yaml:"token_command,omitempty"`
	PerMinute    int    `yaml:"per_minute,omitempty"`
	PerDay       int    `yaml:"per_day,omitempty"`
}

// Values of Provider.Name if the mail server belongs to no provider.
const (
	OwnServer      = "own"  // a mail server of the operator, for example Dovecot and Postfix
	EmbeddedServer = "none" // the mail server of samizdat itself, for trying out on one machine
)

// Providers are the mail providers that "samizdat init" knows.
var Providers = []Provider{
	{Name: "gmail", imap: section{Address: "imap.gmail.com:993"}, smtp: section{Address: "smtp.gmail.com:465", PerDay: 400}},
	{Name: "microsoft", UsesToken: true, imap: section{Address: "outlook.office365.com:993"},
		smtp: section{Address: "smtp.office365.com:587", TLS: "starttls", PerMinute: 20}},
	{Name: "fastmail", imap: section{Address: "imap.fastmail.com:993"}, smtp: section{Address: "smtp.fastmail.com:465"}},
	{Name: OwnServer},
	{Name: EmbeddedServer},
}

// ProviderNames returns the names of [Providers].
func ProviderNames() (names []string) {
	for _, p := range Providers {
		names = append(names, p.Name)
	}
	return names
}

// FindProvider finds a provider by its name, in upper or lower case.
func FindProvider(name string) (Provider, error) {
	i := slices.Index(ProviderNames(), strings.ToLower(name))
	if i < 0 {
		return Provider{}, fmt.Errorf("provider must be one of %s, got %q", strings.Join(ProviderNames(), ", "), name)
	}
	return Providers[i], nil
}

// InitialConfig holds the answers of an operator to the questions of "samizdat init".
type InitialConfig struct {
	Provider Provider
	// Data is the data directory, as an absolute path.
	Data              string
	Address, Operator string
	// IMAP and SMTP are the servers of [OwnServer]. CAFile is the file with the certificate of their private certificate
	// authority; it is empty for a public authority.
	IMAP, SMTP MailServer
	CAFile     string
	// PasswordFile is the file with the password. TokenCommand, in place of PasswordFile, is a command that prints an access
	// token.
	PasswordFile, TokenCommand string
	Registration               club.Registration
}

// MailServer is a server of [OwnServer]. Address is host:port. TLS is mail.StartTLS, or "" for TLS from the start.
type MailServer struct{ Address, TLS string }

// NewMailServer parses the server in an answer of the operator: a host with or without a port. mail.NeedsStartTLS chooses
// the encryption: for example, mail.example.org:587 has STARTTLS.
func NewMailServer(ctx context.Context, answer, defaultPort string) (MailServer, error) {
	host, port, err := net.SplitHostPort(answer)
	if err != nil {
		host, port = strings.Trim(answer, "[]"), defaultPort
	}
	if host == "" || port == "" || strings.ContainsAny(host+port, "/ ") {
		return MailServer{}, fmt.Errorf("invalid mail server %q: write mail.example.org or mail.example.org:%s", answer, defaultPort)
	}
	s := MailServer{Address: net.JoinHostPort(host, port)}
	if mail.NeedsStartTLS(ctx, s.Address) {
		s.TLS = mail.StartTLS
	}
	return s, nil
}

type initialFile struct {
	Data     string                       `yaml:"data"`
	Address  string                       `yaml:"address,omitempty"`
	Operator string                       `yaml:"operator,omitempty"`
	IMAP     *section                     `yaml:"imap,omitempty"`
	SMTP     *section                     `yaml:"smtp,omitempty"`
	Club     map[string]club.Registration `yaml:"club,omitempty"`
}

// Text returns the configuration file, about ten lines of YAML. For example, for Gmail:
//
//	data: /home/ann/samizdat-data
//	address: referee@gmail.com
//	operator: ann@example.org
//	imap:
//	  address: imap.gmail.com:993
//	  password_file: /home/ann/password
//	smtp:
//	  address: smtp.gmail.com:465
//	  password_file: /home/ann/password
//	  per_day: 400
func (f InitialConfig) Text() ([]byte, error) {
	file := initialFile{Data: f.Data, Address: f.Address, Operator: f.Operator}
	if f.Provider.Name != EmbeddedServer {
		file.IMAP, file.SMTP = new(f.Provider.imap), new(f.Provider.smtp)
		file.IMAP.Address, file.SMTP.Address = cmp.Or(file.IMAP.Address, f.IMAP.Address), cmp.Or(file.SMTP.Address, f.SMTP.Address)
		file.IMAP.TLS, file.SMTP.TLS = cmp.Or(file.IMAP.TLS, f.IMAP.TLS), cmp.Or(file.SMTP.TLS, f.SMTP.TLS)
		for _, s := range []*section{file.IMAP, file.SMTP} {
			s.CAFile, s.PasswordFile, s.TokenCommand = f.CAFile, f.PasswordFile, f.TokenCommand
			if f.TokenCommand != "" {
				s.Auth = "xoauth2"
			}
		}
	}
	if f.Registration != club.RegistrationNone {
		file.Club = map[string]club.Registration{"registration": f.Registration}
	}
	var text strings.Builder
	e := yaml.NewEncoder(&text)
	e.SetIndent(2)
	err := errors.Join(e.Encode(file), e.Close())
	return []byte(text.String()), err
}

// WriteInitial writes a new configuration file and loads its settings. It removes the file if the settings are invalid.
func WriteInitial(path string, f InitialConfig) (c Config, err error) {
	text, err := f.Text()
	if err != nil {
		return Config{}, fmt.Errorf("write the configuration: %w", err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return Config{}, fmt.Errorf("%s already exists: edit it, or name another file with --config", path)
	}
	if err != nil {
		return Config{}, fmt.Errorf("write the configuration: %w", err)
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		c, err = LoadSettings(path)
	}
	if err != nil {
		return Config{}, errors.Join(err, os.Remove(path))
	}
	return c, nil
}
