package mail

// Login is a mail server, and how to log in there. Here as in [IMAPConfig] and
// [SMTPConfig] the fields with a tag are settings of the program.
type Login struct {
	// Address is host:port.
	Address string `mapstructure:"address"`
	// TLS is "tls" (the default), "starttls" or "none".
	TLS string `mapstructure:"tls"`
	// CAFile holds certificates to trust besides the system's; it may be empty.
	CAFile string `mapstructure:"ca_file"`
	// User may be empty where letters go out: then there is no login.
	User     string `mapstructure:"user"`
	Password string `mapstructure:"password"`
	// PasswordFile holds the password. It is read for every login, so that a new
	// password needs no restart; Password counts where it cannot be read.
	PasswordFile string `mapstructure:"password_file"`
	// Auth is how to log in; the default takes what the server offers.
	Auth string `mapstructure:"auth"`
	// TokenFile and TokenCommand say where access tokens come from, for a login
	// without a password.
	TokenFile    string `mapstructure:"token_file"`
	TokenCommand string `mapstructure:"token_command"`
	// Tokens gives access tokens; the default is that of TokenFile or TokenCommand.
	Tokens TokenSource
}

func (l Login) withDefaults() Login {
	setDefault(&l.TLS, TLS)
	switch {
	case l.Tokens != nil:
	case l.TokenFile != "":
		l.Tokens = TokenFile(l.TokenFile)
	case l.TokenCommand != "":
		l.Tokens = TokenCommand(l.TokenCommand)
	}
	return l
}

// credentials is what the login needs.
func (l Login) credentials() credentials {
	return credentials{mechanism: l.Auth, user: l.User, password: passwordFrom(l.PasswordFile, l.Password), tokens: l.Tokens}
}
