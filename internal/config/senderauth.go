package config

import (
	"errors"
	"fmt"
	"net"
	"time"

	"samizdat/mail"
	"samizdat/mail/message"
)

// Values of SenderAuth.Proof.
const (
	proofNone   = "none"
	proofDKIM   = "dkim"
	proofServer = "server"
)

const (
	tokenInAddress = "address"
	tokenInSubject = "subject"
)

// SenderAuth configures the proof that a letter comes from its player.
type SenderAuth struct {
	// Token is the place of tokens: address or subject.
	Token string `mapstructure:"token"`
	// Proof is the proof that a letter needs in addition to its token: none, dkim or server.
	Proof string `mapstructure:"proof"`
	// Server is the authserv-id of the referee's mail server in Authentication-Results (RFC 8601). It is used only
	// if Proof is "server".
	Server string `mapstructure:"server"`
}

// ReplyLimits limits the answers to letters without an executed order. Each sender may get Burst answers at once, and
// then one answer in each period Every. AllBurst and AllEvery limit the answers to all senders together.
type ReplyLimits struct {
	Burst    int           `mapstructure:"burst"`
	Every    time.Duration `mapstructure:"every"`
	AllBurst int           `mapstructure:"all_burst"`
	AllEvery time.Duration `mapstructure:"all_every"`
}

// defaultReplyLimits allow a player to try orders for an evening, and stop two programs that answer each other.
var defaultReplyLimits = ReplyLimits{Burst: 60, Every: 20 * time.Minute, AllBurst: 3000, AllEvery: time.Second}

func (c SenderAuth) validate() error {
	switch {
	case c.Token != tokenInAddress && c.Token != tokenInSubject:
		return fmt.Errorf("identity: token must be address or subject, got %q", c.Token)
	case c.Proof != proofNone && c.Proof != proofDKIM && c.Proof != proofServer:
		return fmt.Errorf("identity: proof must be none, dkim or server, got %q", c.Proof)
	case c.Proof == proofServer && c.Server == "":
		return errors.New("identity: server is missing: name the server whose Authentication-Results are trusted")
	}
	return nil
}

func (c ReplyLimits) validate() error {
	if c.Burst < 0 || c.AllBurst < 0 || c.Burst > 0 && c.Every <= 0 || c.AllBurst > 0 && c.AllEvery <= 0 {
		return errors.New("answers: burst and all_burst must be 0 (no limit) or more; with a limit, every and all_every must be greater than 0s")
	}
	return nil
}

// InSubject reports whether tokens are in subjects instead of addresses.
func (c SenderAuth) InSubject() bool { return c.Token == tokenInSubject }

// NewProof returns the proof that letters of players need in addition to the token; nil for none.
func (c SenderAuth) NewProof() message.Proof {
	switch c.Proof {
	case proofDKIM:
		return message.SignatureProof(net.DefaultResolver.LookupTXT)
	case proofServer:
		return message.ServerProof(c.Server)
	}
	return nil
}

// Rates returns the limits for each sender and for all senders together.
func (c ReplyLimits) Rates() (perSender, total mail.Rate) {
	return mail.Rate{Burst: c.Burst, Every: c.Every}, mail.Rate{Burst: c.AllBurst, Every: c.AllEvery}
}
