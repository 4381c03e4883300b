package config

import (
	"errors"
	"fmt"
	"net"
	"time"

	"samizdat/mail"
	"samizdat/mail/message"
)

// The proofs of its sender that a letter can be made to have beside its token.
const (
	proofNone   = "none"
	proofDKIM   = "dkim"
	proofServer = "server"
)

// The places where letters carry tokens.
const (
	tokenInAddress = "address"
	tokenInSubject = "subject"
)

// Identity says what shows that a letter comes from its player.
type Identity struct {
	Token string `mapstructure:"token"`
	Proof string `mapstructure:"proof"`
	// Server is the name by which our mail server signs its
	// Authentication-Results.
	Server string `mapstructure:"server"`
}

// Answers bounds the answers to letters that did nothing.
type Answers struct {
	Burst    int           `mapstructure:"burst"`
	Every    time.Duration `mapstructure:"every"`
	AllBurst int           `mapstructure:"all_burst"`
	AllEvery time.Duration `mapstructure:"all_every"`
}

// defaultAnswers lets a player who tries things out for an evening write as he
// likes, and two machines that answer each other come to an end.
var defaultAnswers = Answers{Burst: 60, Every: 20 * time.Minute, AllBurst: 3000, AllEvery: time.Second}

func (c Identity) validate() error {
	switch {
	case c.Token != tokenInAddress && c.Token != tokenInSubject:
		return fmt.Errorf("identity: token: %q is none of address, subject", c.Token)
	case c.Proof != proofNone && c.Proof != proofDKIM && c.Proof != proofServer:
		return fmt.Errorf("identity: proof: %q is none of none, dkim, server", c.Proof)
	case c.Proof == proofServer && c.Server == "":
		return errors.New("identity: server: name the server whose Authentication-Results are to be believed")
	}
	return nil
}

func (c Answers) validate() error {
	if c.Burst < 0 || c.AllBurst < 0 || c.Burst > 0 && c.Every <= 0 || c.AllBurst > 0 && c.AllEvery <= 0 {
		return errors.New("answers: burst and all_burst are numbers of letters, 0 for no limit; every and all_every are times")
	}
	return nil
}

// InSubject reports whether tokens stand in subjects.
func (c Identity) InSubject() bool { return c.Token == tokenInSubject }

// NewProof is what a player's letter must have beside its token; nil is nothing.
func (c Identity) NewProof() message.Proof {
	switch c.Proof {
	case proofDKIM:
		return message.SignatureProof(net.DefaultResolver.LookupTXT)
	case proofServer:
		return message.ServerProof(c.Server)
	}
	return nil
}

// Rates are what each sender may be answered, and all together.
func (c Answers) Rates() (each, all mail.Rate) {
	return mail.Rate{Burst: c.Burst, Every: c.Every}, mail.Rate{Burst: c.AllBurst, Every: c.AllEvery}
}
