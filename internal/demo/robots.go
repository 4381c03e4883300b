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

// RecordFile is the name of a whole match's record in its directory.
const RecordFile = "record.jsonl"

// RobotsTime bounds the demonstration of a whole match.
const RobotsTime = 5 * time.Minute

// Manner is how robots play.
type Manner struct {
	// Slow means that each letter waits until all those to players have gone out.
	Slow bool
	// Singly means that each order has a letter of its own.
	Singly bool
	// Sealed means that they seal their words for the dice.
	Sealed bool
	// Write, when it is set, writes the answer to a question out of the letter that asks it.
	Write func(l message.Letter, d rules.Decision, atoms []rules.Atom) (text string, err error)
}

// Robots plays a whole match between robots through the daemon: everything
// that they say goes by mail, and they wait for the answers as people would.
//
// A letter is made for people, so the robots do not read the position out of it:
// they take the view of their own seat from the daemon. That it is their move, and that
// an order was not refused, they read in the letters.
//
// Where they are slow, each answers when all letters have gone out, as people do who
// answer hours later. Without a number of seats as many sit down as the game has.
func Robots(ctx context.Context, out io.Writer, g *rules.Game, seats int, dir string, seed uint64, how Manner) error {
	setup, err := rules.NewSetup(g, seats)
	if err != nil {
		return err
	}
	names := g.SeatNames(setup)
	cfg := config.Local(dir, names)
	cfg.Letters = config.Default().Letters // Letters are counted as people get them.
	if how.Slow {
		cfg.Letters.Confirmations = time.Millisecond // Which is over when they answer.
	}
	return WithPlayers(ctx, cfg, rules.Games{g}, names, func(d *daemon.Daemon, p *Players) error {
		p.Out = out
		m, err := NewMatch(ctx, d, p, g, seed, how)
		if err != nil {
			return err
		}
		if err := m.Play(ctx); err != nil {
			return err
		}
		return m.Finish(ctx, filepath.Join(dir, RecordFile))
	})
}

// Match is a match between robots under way.
type Match struct {
	*Players
	digest
	// ID is the match's name.
	ID string
	// Orders counts the letters with orders.
	Orders int
	how    Manner

	daemon *daemon.Daemon
	game   *rules.Game
	robots []rules.Robot
	parser *order.Parser
}

// NewMatch invites the players to a match that a seed determines, and seats a robot for
// each: the strongest of those that do not think.
func NewMatch(ctx context.Context, d *daemon.Daemon, p *Players, g *rules.Game, seed uint64, how Manner) (*Match, error) {
	robot := g.QuickRobot()
	// Whoever knows the seed knows every die to come: right for a match of
	// robots that can be played again, and for no other.
	d.Adjudicator.Random = playout.Bytes(seed)
	m, err := d.Adjudicator.New(ctx, adjudicator.Invitation{Game: g.Name(), Players: p.Named(), SealedWords: how.Sealed})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(p.Out, "%s by mail between %s robots (%s), seed %d, match %s,\nas the letters to seat %s tell it.\n", g.Title(),
		inWords(len(p.Seats)), robot, seed, m.ID, p.Seats[0])
	out := &Match{Players: p, how: how, daemon: d, game: g, parser: order.New(g), ID: m.ID, digest: newDigest(p.Out, g)}
	for i := range p.Seats {
		r, err := g.Robot(robot, seed+uint64(i))
		if err != nil {
			return nil, err
		}
		out.robots = append(out.robots, r)
	}
	return out, nil
}

// inWords is a small number as one writes it.
func inWords(n int) string {
	words := [...]string{2: "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	if n < 2 || n >= len(words) {
		return strconv.Itoa(n)
	}
	return words[n]
}

// JoinWords are what the robots mix into the dice: the same in every match, so
// that the seed alone decides.
const JoinWords = "robots have nothing to say"

// Play lets the robots join, and send orders until the match is over. What happens is told
// as the first player's letters tell it.
func (m *Match) Play(ctx context.Context) error {
	join := m.Join
	if m.how.Sealed {
		join = m.JoinSealed
	}
	if err := join(ctx, JoinWords); err != nil {
		return err
	}
	m.tell(m.Clients[m.Seats[0]].Last.Text, m.Orders)
	for {
		more, err := m.Order(ctx)
		if err != nil {
			return err
		}
		if !more {
			return m.readEnd(ctx)
		}
	}
}

// Order lets the robot that is asked read its letters and send an order, and waits until it
// was taken up. It returns false when the match is over.
func (m *Match) Order(ctx context.Context) (more bool, err error) {
	stored, err := m.daemon.DB.Match(ctx, m.ID)
	if err != nil {
		return false, err
	}
	pos, err := stored.At(m.game)
	if err != nil {
		return false, err
	}
	if _, over := pos.Result(); over {
		return false, nil
	}
	asked := stored.Unanswered(pos)
	if len(asked) == 0 {
		return false, errors.New("the match goes on, but nobody is asked")
	}
	if err := m.readQuestion(ctx, stored, asked[0].Seat); err != nil {
		return false, err
	}
	if m.how.Slow {
		if err := m.allSent(ctx); err != nil {
			return false, err
		}
	}
	text, err := m.write(pos, asked[0])
	if err != nil {
		return false, err
	}
	if err := m.Send(m.Seats[asked[0].Seat], text); err != nil {
		return false, err
	}
	m.Orders++
	return true, m.takenUp(ctx, stored.Version)
}

// readQuestion lets a player read his letters up to the newest that asks him something.
func (m *Match) readQuestion(ctx context.Context, stored *match.Match, seat rules.Seat) error {
	letters, err := m.daemon.DB.Letters(ctx, m.ID, seat)
	if err != nil {
		return err
	}
	newest := ""
	for _, l := range letters {
		if len(l.Decisions) > 0 {
			newest = m.daemon.Adjudicator.Post.LetterID(stored.Seats[seat].Key, exchange.Token{Match: m.ID, Seat: seat, Number: l.Number})
		}
	}
	c := m.Clients[m.Seats[seat]]
	for c.Last.MessageID != newest {
		if err := m.Read(ctx, m.Seats[seat]); err != nil {
			return err
		}
		if seat == 0 && (IsMove(c.Last) || isEnd(c.Last)) {
			m.tell(c.Last.Text, m.Orders)
		}
	}
	return nil
}

// lookAgain is how often it is looked whether what is waited for is there.
const lookAgain = 2 * time.Millisecond

// takenUp waits until the match has moved on from a version.
func (m *Match) takenUp(ctx context.Context, version int64) error {
	return until(ctx, "a letter is taken up", func() (bool, error) {
		stored, err := m.daemon.DB.Match(ctx, m.ID)
		return err == nil && stored.Version != version, err
	})
}

// allSent waits until no letter waits to be sent.
func (m *Match) allSent(ctx context.Context) error {
	return until(ctx, "all letters are sent", func() (bool, error) {
		_, some, err := m.daemon.DB.Outbox("").NextDue(ctx)
		return !some, err
	})
}

// until waits for something.
func until(ctx context.Context, what string, is func() (bool, error)) error {
	for {
		if yes, err := is(); yes || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait until %s: %w", what, context.Cause(ctx))
		case <-time.After(lookAgain):
		}
	}
}

// readEnd lets everybody read the last letter.
func (m *Match) readEnd(ctx context.Context) error {
	for i, name := range m.Seats {
		for !isEnd(m.Clients[name].Last) {
			if err := m.Read(ctx, name); err != nil {
				return err
			}
		}
		if i == 0 {
			m.tell(m.Clients[name].Last.Text, m.Orders)
		}
	}
	return nil
}

// Finish writes the record to a file and plays it again.
func (m *Match) Finish(ctx context.Context, path string) error {
	fmt.Fprintf(m.Out, "\n%d letters with orders, in %.1f seconds\n", m.Orders, time.Since(m.began).Seconds())
	if err := m.tellCounts(); err != nil {
		return err
	}
	rec, err := m.daemon.Adjudicator.Export(ctx, m.ID, false)
	if err != nil {
		return err
	}
	if err := rec.WriteFile(path); err != nil {
		return err
	}
	if err := m.keepLetters(filepath.Join(filepath.Dir(path), LettersDir)); err != nil {
		return err
	}
	if rec, err = record.ReadFile(path); err != nil {
		return err
	}
	final, err := record.Replay(rec, m.game, nil)
	if err != nil {
		return fmt.Errorf("play the record again: %w", err)
	}
	fmt.Fprintf(m.Out, "record: %d entries, played again without a difference\n", final.Entries)
	return nil
}
