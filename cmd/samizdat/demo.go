package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail/message"
	"samizdat/testdata"
)

func demoCommand() *cobra.Command {
	var sample bool
	var dir string
	var seed uint64
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a whole game by mail, or the rulebook's sample turn, on this machine",
		Long: "Start a mail server and the daemon, and let two mail programs play a match of 1989\n" +
			"from the invitation to the end, a letter for each order, with robots for players. The\n" +
			"record is written to a file and played again. The same --seed gives the same match;\n" +
			"without it every match is another.\n\n" +
			"With --sample the mail programs play the sample turn of the 1989 rulebook one letter a\n" +
			"decision, and the position is compared with the book's.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if sample && cmd.Flags().Changed("seed") {
				return errors.New("the sample turn has its own dice: --seed is for a whole game")
			}
			if dir == "" {
				if dir, err = os.MkdirTemp("", "samizdat-demo-"); err != nil {
					return err
				}
			}
			limit := demoTime
			if !sample {
				limit = demoGameTime
			}
			ctx, cancel := context.WithTimeoutCause(cmd.Context(), limit, errors.New("the demonstration took too long"))
			defer cancel()
			if sample {
				return demoSample(ctx, cmd.OutOrStdout(), dir)
			}
			if !cmd.Flags().Changed("seed") {
				seed = rand.Uint64()
			}
			return demoGame(ctx, cmd.OutOrStdout(), dir, seed)
		},
	}
	cmd.Flags().BoolVar(&sample, "sample", false, "play the sample turn of the 1989 rulebook")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the dice and the robots of a whole game")
	cmd.Flags().StringVar(&dir, "data", "", "directory for database and mailboxes (default: a new temporary one)")
	return cmd
}

// demoTime bounds the demonstration of the sample turn.
const demoTime = 55 * time.Second

// demoSample plays the sample turn through the daemon.
func demoSample(ctx context.Context, out io.Writer, dir string) error {
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		return fmt.Errorf("the sample's record: %w", err)
	}
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return err
	}
	seats := g.SeatNames(rec.Header.Setup(g))
	return withTable(ctx, config.Local(dir, seats), seats, func(d *daemon.Daemon, t *clients) error {
		t.out = out
		m, err := d.Adjudicator.New(ctx, adjudicator.Invitation{Game: g.Name(), Players: t.addresses(), Recorded: rec.Outcomes()})
		if err != nil {
			return err
		}
		if err := t.play(ctx); err != nil {
			return err
		}
		fmt.Fprintf(out, "\nThe database is in %s. Its record: SAMIZDAT_DATA=%s samizdat export %s\n", dir, dir, m.ID)
		return compareSample(ctx, out, d, m.ID, rec, t.rounds)
	})
}

// withTable runs a daemon and a mail server with a player for each seat, for as
// long as the table is used.
func withTable(ctx context.Context, cfg config.Config, seats []string, use func(d *daemon.Daemon, t *clients) error) (err error) {
	d, err := daemon.Open(ctx, cfg, games, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	in, smtp := cfg.IMAP, cfg.SMTP.SMTPConfig
	server, err := daemon.StartEmbedded(ctx, cfg, &in, &smtp)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	running, stop := context.WithCancel(ctx)
	served := make(chan error, 1)
	go func() { served <- d.Serve(running, in, smtp) }()
	defer func() { stop(); err = errors.Join(err, <-served) }()

	t := clients{seats: seats, players: map[string]*player{}}
	for i, s := range seats {
		a := cfg.Embedded.Accounts[i]
		p, err := newPlayer(server.IMAPAddr(), server.SMTPAddr(), a.Address, a.Password)
		if err != nil {
			return err
		}
		defer p.close()
		t.players[s] = p
	}
	return use(d, &t)
}

// clients are the mail programs of the players of the demonstration.
type clients struct {
	out     io.Writer
	seats   []string
	players map[string]*player
	rounds  int
	// handedIn, when set, is called after each letter was sent.
	handedIn func()
}

// addresses are the players', in the order of seats.
func (t *clients) addresses() []string {
	var out []string
	for _, s := range t.seats {
		out = append(out, t.players[s].address)
	}
	return out
}

// join lets every player accept the invitation, with the words that are given.
func (t *clients) join(ctx context.Context, words string) error {
	for _, s := range t.seats {
		if _, err := t.players[s].next(ctx); err != nil {
			return err
		}
	}
	for i, s := range t.seats {
		if err := t.send(t.players[s], strings.TrimSpace("JOIN "+words)); err != nil {
			return err
		}
		// The last to join begins the match, and everybody gets a letter.
		readers := []string{s}
		if i == len(t.seats)-1 {
			readers = t.seats
		}
		if err := t.read(ctx, readers); err != nil {
			return err
		}
	}
	return nil
}

// play sends the sample's letters, one a decision, each when its answer and the
// other players' letters have come.
func (t *clients) play(ctx context.Context) error {
	if err := t.join(ctx, ""); err != nil {
		return err
	}
	fmt.Fprintln(t.out, "Both have joined; the sample turn begins.")
	for _, f := range txtar.Parse(testdata.SampleLetters).Files {
		_, seat, _ := strings.Cut(f.Name, " ")
		p, ok := t.players[seat]
		if !ok {
			return fmt.Errorf("the sample's letter %q is of no seat", f.Name)
		}
		orders := string(f.Data)
		if strings.HasPrefix(orders, "PLAY ") {
			t.rounds++
		}
		if err := t.send(p, orders); err != nil {
			return err
		}
		// The writer first: a refusal is answered to nobody else.
		readers := []string{seat}
		for _, s := range t.seats {
			if s != seat {
				readers = append(readers, s)
			}
		}
		if err := t.read(ctx, readers); err != nil {
			return err
		}
		fmt.Fprintf(t.out, "\n%-9s > %s\n", seat, strings.TrimSpace(orders))
		for _, l := range happened(p.last.Text) {
			fmt.Fprintf(t.out, "          | %s\n", l)
		}
	}
	return nil
}

func (t *clients) send(p *player, text string) error {
	if err := p.reply(text); err != nil {
		return fmt.Errorf("send a letter of %s: %w", p.address, err)
	}
	if t.handedIn != nil {
		t.handedIn()
	}
	return nil
}

// read waits for a letter to each of some seats.
func (t *clients) read(ctx context.Context, seats []string) error {
	for _, s := range seats {
		l, err := t.players[s].next(ctx)
		if err != nil {
			return err
		}
		if refused(l) {
			return fmt.Errorf("the order was refused:\n%s", l.Text)
		}
	}
	return nil
}

func refused(l message.Letter) bool { return strings.Contains(l.Text, ": refused") }

// happened cuts the part of a letter that tells what happened.
func happened(text string) []string {
	_, rest, ok := strings.Cut(text, "WHAT HAPPENED\n")
	if !ok {
		return nil
	}
	var out []string
	for line := range strings.Lines(rest) {
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

// compareSample holds the final position against what the record expects last.
func compareSample(ctx context.Context, out io.Writer, d *daemon.Daemon, id string, rec *record.Record, rounds int) error {
	m, err := d.DB.Match(ctx, id)
	if err != nil {
		return err
	}
	g, err := games.Find(m.Game)
	if err != nil {
		return err
	}
	pos, err := g.Decode(m.Position)
	if err != nil {
		return err
	}
	var want json.RawMessage
	for _, s := range rec.Steps {
		if s.Expect != nil {
			want = s.Expect
		}
	}
	diffs, err := g.Differences(pos, want)
	if err != nil {
		return err
	}
	for _, x := range diffs {
		fmt.Fprintln(out, "differs:", x)
	}
	var p struct {
		VP int `json:"vp"`
	}
	if err := json.Unmarshal(m.Position, &p); err != nil {
		return err
	}
	fmt.Fprintf(out, "sample turn: %d action rounds, VP %+d, %d differences from the rulebook\n", rounds, p.VP, len(diffs))
	if len(diffs) > 0 {
		return errDiffers
	}
	return nil
}
