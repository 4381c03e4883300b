// Package demo plays matches by mail on this machine, with the daemon, a mail server, and a mail program for every
// player.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"samizdat/adjudicator/match/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/mailclient"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Players holds the mail programs of the players of a match.
type Players struct {
	// Out is the output for the report of the match.
	Out io.Writer
	// Seats are the names of the seats, in order.
	Seats []string
	// Clients are the mail programs, by seat.
	Clients map[string]*mailclient.Client
	// OnSent is called after each letter of a player, if set.
	OnSent func()
}

// WithPlayers runs a daemon, a mail server, and a mail program for each mailbox of the configuration, calls use, and
// stops them when use returns. names are the names of the seats.
func WithPlayers(ctx context.Context, cfg config.Config, games rules.Games, names []string,
	use func(*daemon.Daemon, *Players) error) (err error) {
	d, err := daemon.Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	in, out := cfg.IMAP, cfg.SMTP.SMTPConfig
	server, err := daemon.StartEmbedded(ctx, cfg, &in, &out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	serveCtx, stop := context.WithCancel(ctx)
	serveResult := make(chan error, 1)
	go func() { serveResult <- d.Serve(serveCtx, in, out) }()
	defer func() { stop(); err = errors.Join(err, <-serveResult) }()

	p := &Players{Out: io.Discard, Seats: names, Clients: map[string]*mailclient.Client{}}
	for i, name := range names {
		a := cfg.Embedded.Accounts[i]
		c, err := mailclient.Dial(mailclient.Account{IMAP: server.IMAPAddr(), SMTP: server.SMTPAddr(), Address: a.Address, Password: a.Password})
		if err != nil {
			return err
		}
		defer c.Close()
		p.Clients[name] = c
	}
	return use(d, p)
}

// Addresses returns the players' addresses, in the order of seats.
func (p *Players) Addresses() []string {
	var out []string
	for _, s := range p.Seats {
		out = append(out, p.Clients[s].Address)
	}
	return out
}

var playerNames = [...]string{"Ada", "Ben", "Eva", "Max", "Zoe"}

// NamedAddresses returns the addresses with names, for example "Ada <democrat@samizdat.local>".
func (p *Players) NamedAddresses() []string {
	out := p.Addresses()
	for i := range min(len(out), len(playerNames)) {
		out[i] = playerNames[i] + " <" + out[i] + ">"
	}
	return out
}

// Join lets every player accept the invitation, and mix the given words into the dice.
func (p *Players) Join(ctx context.Context, words string) error {
	if err := p.readInvitations(ctx); err != nil {
		return err
	}
	return p.sendAll(ctx, strings.TrimSpace("JOIN "+words))
}

// JoinSealed lets every player accept the invitation with the seal of words, and open the words when all have joined.
func (p *Players) JoinSealed(ctx context.Context, words string) error {
	if err := p.readInvitations(ctx); err != nil {
		return err
	}
	if err := p.sendAll(ctx, "JOIN SEALED "+record.SealWords(words)); err != nil {
		return err
	}
	return p.sendAll(ctx, "OPEN "+words)
}

func (p *Players) readInvitations(ctx context.Context) error {
	for _, s := range p.Seats {
		if _, err := p.Clients[s].Next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sendAll lets every player send a text and read the answer. The text takes effect when the last player has sent it.
func (p *Players) sendAll(ctx context.Context, text string) error {
	for i, s := range p.Seats {
		if err := p.Send(s, text); err != nil {
			return err
		}
		// The last text leads to a letter to every player.
		readers := []string{s}
		if i == len(p.Seats)-1 {
			readers = p.Seats
		}
		if err := p.Read(ctx, readers...); err != nil {
			return err
		}
	}
	return nil
}

// Send sends a text as the player's answer to the newest letter.
func (p *Players) Send(name, text string) error {
	c := p.Clients[name]
	if err := c.Reply(text); err != nil {
		return fmt.Errorf("send a letter of %s: %w", c.Address, err)
	}
	if p.OnSent != nil {
		p.OnSent()
	}
	return nil
}

// Read waits for a letter to each of the given players. It fails if a letter refuses an order.
func (p *Players) Read(ctx context.Context, names ...string) error {
	for _, n := range names {
		l, err := p.Clients[n].Next(ctx)
		if err != nil {
			return err
		}
		if isRefusal(l) {
			return fmt.Errorf("the order was refused:\n%s", l.Text)
		}
	}
	return nil
}

// isRefusal reports whether an order was refused. A saved order that lapsed does not count.
func isRefusal(l message.Letter) bool {
	return strings.Contains(l.Text, ": refused")
}

// IsMoveRequest reports whether a letter asks its reader for a move.
func IsMoveRequest(l message.Letter) bool {
	return strings.Contains(l.Text, "\nIt is your move.") || strings.Contains(l.Text, "\nThe match has begun. It is your move.")
}

func isInvitation(l message.Letter) bool { return strings.HasPrefix(l.Subject, "You are invited") }

func isEnd(l message.Letter) bool { return strings.Contains(l.Text, "\nThe match is over") }

// eventLines returns the lines of a letter below WHAT HAPPENED, up to the first empty line.
func eventLines(text string) []string {
	_, remaining, ok := strings.Cut(text, "WHAT HAPPENED\n")
	if !ok {
		return nil
	}
	var out []string
	for line := range strings.Lines(remaining) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "---"):
		case line == "":
			return out
		default:
			out = append(out, line)
		}
	}
	return out
}
