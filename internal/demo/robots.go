package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/playout"
	"samizdat/mail/message"
	"samizdat/rules"
)

// RecordFile is the file name of the record of a whole match.
const RecordFile = "record.jsonl"

// RobotsTimeout limits the time of a demonstration of a whole match.
const RobotsTimeout = 5 * time.Minute

// Options are the options of a match between robots.
type Options struct {
	// IsSlow means that a robot answers only after all letters to players were sent.
	IsSlow            bool
	OneOrderPerLetter bool
	SealWords         bool
	// WriteAnswer, if set, writes the text of an answer. It gets the letter with the question.
	WriteAnswer func(l message.Letter, pos rules.Position, d rules.Decision, atoms []rules.Atom) (text string, err error)
}

// PlayRobots plays a complete match between robots through the daemon, by mail, and writes its record and letters to the
// directory dir. The match has the largest number of seats if seats is 0.
//
// Robots get the view of their seat from the daemon, because letters are written for people. They read letters only to
// learn whether they are to move, and whether an order was refused.
//
// A slow robot waits until all letters are sent, like a person who answers hours later.
func PlayRobots(ctx context.Context, out io.Writer, g *rules.Game, seats int, dir string, seed uint64, options Options) error {
	setup, err := rules.NewSetup(g, seats)
	if err != nil {
		return err
	}
	names := g.SeatNames(setup)
	cfg := config.Local(dir, names)
	cfg.Letters = config.Default().Letters // The letters are counted, so they are sent as in a real match.
	if options.IsSlow {
		cfg.Letters.Confirmations = time.Millisecond // shorter than the time to an answer
	}
	return WithPlayers(ctx, cfg, rules.Games{g}, names, func(d *daemon.Daemon, p *Players) error {
		p.Out = out
		m, err := NewMatch(ctx, d, p, g, seed, options)
		if err != nil {
			return err
		}
		if err := m.Play(ctx); err != nil {
			return err
		}
		return m.Finish(ctx, filepath.Join(dir, RecordFile))
	})
}

// Match is a running match between robots.
type Match struct {
	*Players
	matchSummary
	ID string
	// OrderLetters is the number of letters with orders that the robots have sent.
	OrderLetters int
	options      Options

	daemon *daemon.Daemon
	game   *rules.Game
	robots []rules.Robot
	parser *order.Parser
}

// NewMatch invites the players to a match determined by the seed, and makes a robot for each seat: the strongest that
// answers without delay.
func NewMatch(ctx context.Context, d *daemon.Daemon, p *Players, g *rules.Game, seed uint64, options Options) (*Match, error) {
	robot := g.QuickRobot()
	// The seed determines every die. Only a demonstration may have a known seed.
	d.Adjudicator.Random = playout.RandomBytes(seed)
	m, err := d.Adjudicator.CreateMatch(ctx, adjudicator.Invitation{Game: g.Name(), Players: p.NamedAddresses(),
		SealedWords: options.SealWords})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(p.Out, "%s by mail between %s robots (%s), seed %d, match %s,\nas the letters to seat %s tell it.\n", g.Title(),
		spellNumber(len(p.Seats)), robot, seed, m.ID, p.Seats[0])
	out := &Match{Players: p, options: options, daemon: d, game: g, parser: order.New(g), ID: m.ID, matchSummary: newMatchSummary(p.Out, g)}
	for i := range p.Seats {
		r, err := g.Robot(robot, seed+uint64(i))
		if err != nil {
			return nil, err
		}
		out.robots = append(out.robots, r)
	}
	return out, nil
}

func spellNumber(n int) string {
	words := [...]string{2: "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	if n < 2 || n >= len(words) {
		return strconv.Itoa(n)
	}
	return words[n]
}

// JoinWords are the words that the robots mix into the dice. They are the same in every match, so that only the seed
// determines the dice.
const JoinWords = "robots have nothing to say"

// Play lets the robots join and send orders until the match is over. It prints the events as the letters to the first
// player report them.
func (m *Match) Play(ctx context.Context) error {
	join := m.Join
	if m.options.SealWords {
		join = m.JoinSealed
	}
	if err := join(ctx, JoinWords); err != nil {
		return err
	}
	m.printSummary(m.Clients[m.Seats[0]].Last.Text, m.OrderLetters)
	for {
		hasMore, err := m.PlayNextOrder(ctx)
		if err != nil {
			return err
		}
		if !hasMore {
			return m.readEnd(ctx)
		}
	}
}

// PlayNextOrder lets the robot to move read its letters and send an order, and waits until the order was executed. It returns
// false after the end of the match.
func (m *Match) PlayNextOrder(ctx context.Context) (hasMore bool, err error) {
	stored, err := m.daemon.DB.Match(ctx, m.ID)
	if err != nil {
		return false, err
	}
	pos, err := stored.CurrentPosition(m.game)
	if err != nil {
		return false, err
	}
	if _, isOver := pos.Result(); isOver {
		return false, nil
	}
	decisions := stored.UnansweredDecisions(pos)
	if len(decisions) == 0 {
		return false, errors.New("the match is not over, but no player has an open decision")
	}
	if err := m.readQuestion(ctx, stored, decisions[0].Seat); err != nil {
		return false, err
	}
	if m.options.IsSlow {
		if err := m.awaitSent(ctx); err != nil {
			return false, err
		}
	}
	text, err := m.writeOrder(pos, decisions[0])
	if err != nil {
		return false, err
	}
	if err := m.Send(m.Seats[decisions[0].Seat], text); err != nil {
		return false, err
	}
	m.OrderLetters++
	return true, m.awaitHandled(ctx, stored.Version)
}

// readQuestion reads the letters of a player up to the newest with a question.
func (m *Match) readQuestion(ctx context.Context, stored *match.Match, seat rules.Seat) error {
	letters, err := m.daemon.DB.Letters(ctx, m.ID, seat)
	if err != nil {
		return err
	}
	newest := ""
	for _, l := range letters {
		if len(l.Decisions) > 0 {
			newest = m.daemon.Adjudicator.Codec.LetterID(stored.Seats[seat].Key, exchange.Token{Match: m.ID, Seat: seat, Number: l.Number})
		}
	}
	c := m.Clients[m.Seats[seat]]
	for c.Last.MessageID != newest {
		if err := m.Read(ctx, m.Seats[seat]); err != nil {
			return err
		}
		if seat == 0 && (IsMoveRequest(c.Last) || isEnd(c.Last)) {
			m.printSummary(c.Last.Text, m.OrderLetters)
		}
	}
	return nil
}

const pollInterval = 2 * time.Millisecond

func (m *Match) awaitHandled(ctx context.Context, version int64) error {
	return waitUntil(ctx, "a letter is processed", func() (bool, error) {
		stored, err := m.daemon.DB.Match(ctx, m.ID)
		return err == nil && stored.Version != version, err
	})
}

func (m *Match) awaitSent(ctx context.Context) error {
	return waitUntil(ctx, "all letters are sent", func() (bool, error) {
		_, isWaiting, err := m.daemon.DB.Outbox("").NextDue(ctx)
		return !isWaiting, err
	})
}

func waitUntil(ctx context.Context, description string, condition func() (bool, error)) error {
	for {
		if isMet, err := condition(); isMet || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait until %s: %w", description, context.Cause(ctx))
		case <-time.After(pollInterval):
		}
	}
}

func (m *Match) readEnd(ctx context.Context) error {
	for i, name := range m.Seats {
		for !isEnd(m.Clients[name].Last) {
			if err := m.Read(ctx, name); err != nil {
				return err
			}
		}
		if i == 0 {
			m.printSummary(m.Clients[name].Last.Text, m.OrderLetters)
		}
	}
	return nil
}

// Finish prints the counts of the match, writes the record to a file and the letters next to it, and replays the record.
func (m *Match) Finish(ctx context.Context, path string) error {
	fmt.Fprintf(m.Out, "\n%d letters with orders, in %.1f seconds\n", m.OrderLetters, time.Since(m.started).Seconds())
	if err := m.printCounts(); err != nil {
		return err
	}
	rec, err := m.daemon.Adjudicator.Export(ctx, m.ID, false)
	if err != nil {
		return err
	}
	if err := rec.WriteFile(path); err != nil {
		return err
	}
	if err := m.saveLetters(filepath.Join(filepath.Dir(path), LettersDir)); err != nil {
		return err
	}
	if rec, err = record.ReadFile(path); err != nil {
		return err
	}
	final, err := record.Replay(rec, m.game, nil)
	if err != nil {
		return fmt.Errorf("replay record: %w", err)
	}
	fmt.Fprintf(m.Out, "record: %d entries, played again without a difference\n", final.EntryCount)
	return nil
}
