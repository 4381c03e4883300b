package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/playout"
	"samizdat/mail/message"
	"samizdat/rules"
)

// demoGameTime bounds the demonstration of a whole game.
const demoGameTime = 5 * time.Minute

// demoGame plays a whole match between robots through the daemon: everything
// that they say goes by mail, and they wait for the answers as people would.
//
// A letter is made for people, so the robots do not read the position out of it:
// they take the view of their own seat from the daemon (see robotSeat). That it
// is their move, and that an order was not refused, they read in the letters.
func demoGame(ctx context.Context, out io.Writer, dir string, seed uint64) error {
	g := games[0]
	maker, ok := g.(rules.RobotMaker)
	if !ok {
		return fmt.Errorf("%s has no robots", g.Title())
	}
	// The last robot is the best.
	names := maker.Robots()
	robot := names[len(names)-1]
	_, most := g.Seats()
	setup := rules.Setup{Seats: most, Revision: g.Revision()}
	cfg := config.Local(dir, g.SeatNames(setup))
	// Robots look at no pictures, and to draw them is most of the work.
	cfg.Letters.Pictures = false
	return withTable(ctx, cfg, g.SeatNames(setup), func(d *daemon.Daemon, t *clients) error {
		t.out = out
		// Whoever knows the seed knows every die to come: right for a match of
		// robots that can be played again, and for no other.
		d.Adjudicator.Random = playout.Bytes(seed)
		m, err := d.Adjudicator.New(ctx, adjudicator.Invitation{Game: g.Name(), Players: t.addresses()})
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s by mail between two robots (%s), seed %d, match %s.\n", g.Title(), robot, seed, m.ID)
		show := demoGameTable{clients: t, daemon: d, game: g, match: m.ID, digest: digest{to: out, began: time.Now()}}
		for i := range t.seats {
			r, err := maker.Robot(robot, seed+uint64(i))
			if err != nil {
				return err
			}
			show.robots = append(show.robots, r)
		}
		if err := show.play(ctx); err != nil {
			return err
		}
		return show.finish(ctx, filepath.Join(dir, "record.jsonl"))
	})
}

// demoGameTable is a match between robots under way.
type demoGameTable struct {
	*clients
	digest
	daemon *daemon.Daemon
	game   rules.Game
	match  string
	robots []rules.Robot
}

// joinWords are what the robots mix into the dice: the same in every match, so
// that the seed alone decides.
const joinWords = "robots have nothing to say"

// play sends orders until a letter says that the match is over.
func (t *demoGameTable) play(ctx context.Context) error {
	if err := t.join(ctx, joinWords); err != nil {
		return err
	}
	t.tell(t.players[t.seats[0]].last.Text)
	seat := 0
	for !isOver(t.players[t.seats[seat]].last) {
		if !isMove(t.players[t.seats[seat]].last) {
			// The one who has moved waits; the other reads until he is asked.
			seat = (seat + 1) % len(t.seats)
			if err := t.untilAsked(ctx, seat); err != nil {
				return err
			}
			continue
		}
		line, err := t.robotOrder(ctx, seat)
		if err != nil {
			return err
		}
		name := t.seats[seat]
		if err := t.send(t.players[name], line); err != nil {
			return err
		}
		if err := t.read(ctx, []string{name}); err != nil {
			return fmt.Errorf("%s answered %q: %w", name, line, err)
		}
		t.orders++
		t.tell(t.players[name].last.Text)
	}
	return nil
}

// untilAsked reads the letters of a seat up to one that asks it something, or
// tells the end.
func (t *demoGameTable) untilAsked(ctx context.Context, seat int) error {
	p := t.players[t.seats[seat]]
	for !isMove(p.last) && !isOver(p.last) {
		if err := t.read(ctx, []string{t.seats[seat]}); err != nil {
			return err
		}
	}
	return nil
}

// isMove and isOver read the line of a letter that says whose move it is.
func isMove(l message.Letter) bool { return strings.Contains(l.Text, "\nIt is your move.") }
func isOver(l message.Letter) bool { return strings.Contains(l.Text, "\nThe match is over") }

// robotOrder is what a seat's robot answers to the question that it is asked, as
// a line of orders. Out of the stored position robots get to see the view of their
// seat only.
func (t *demoGameTable) robotOrder(ctx context.Context, seat int) (string, error) {
	m, err := t.daemon.DB.Match(ctx, t.match)
	if err != nil {
		return "", err
	}
	pos, err := t.game.Decode(m.Position)
	if err != nil {
		return "", err
	}
	asked := m.Unanswered(pos)
	i := slices.IndexFunc(asked, func(d rules.Decision) bool { return d.Seat == rules.Seat(seat) })
	if i < 0 {
		return "", errors.New("the robot's letter asks for an order, but nothing is owed")
	}
	atoms, err := playout.Answer(pos, asked[i], t.robots[seat])
	if err != nil {
		return "", err
	}
	return t.game.Line(atoms), nil
}

// finish writes the record to a file and plays it again.
func (t *demoGameTable) finish(ctx context.Context, path string) error {
	m, err := t.daemon.DB.Match(ctx, t.match)
	if err != nil {
		return err
	}
	letters := int64(0)
	for i := range m.Seats {
		letters += m.Seats[i].Letters
	}
	took := time.Since(t.began)
	fmt.Fprintf(t.out, "\n%d letters with orders, %d letters of the referee, in %.1f seconds\n", t.orders, letters, took.Seconds())
	rec, err := t.daemon.Adjudicator.Export(ctx, t.match, false)
	if err != nil {
		return err
	}
	if err := rec.WriteFile(path); err != nil {
		return err
	}
	if rec, err = record.ReadFile(path); err != nil {
		return err
	}
	final, err := record.Replay(rec, t.game, nil)
	if err != nil {
		return fmt.Errorf("play the record again: %w", err)
	}
	fmt.Fprintf(t.out, "record: %s (%d entries, played again without a difference)\nsamizdat replay %s\n", path, final.Entries, path)
	return nil
}
