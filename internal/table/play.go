package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"samizdat/adjudicator"
	"samizdat/internal/playout"
	"samizdat/rules"
	"samizdat/templates"
)

// Plan is a match to play at one terminal.
type Plan struct {
	Game rules.Game
	// Seats is how many play; 0 is as many as the game has seats for.
	Seats int
	// Seed determines dice, cards and robots.
	Seed uint64
	// Robot names the robot of all seats but one; without it people play them all.
	Robot string
	// Seat is the one that a person plays against robots; empty for the first.
	Seat string
}

// Match is a match at one terminal.
type Match struct {
	table
	seed uint64
	// resumed: it was begun at another time.
	resumed bool
	// watched: somebody sits at a terminal.
	watched bool
	// robot names what plays the seats that no person plays.
	robot string
	// robots play the seats that no person plays. Each has its seat to itself: what a
	// robot remembers it has seen.
	robots map[rules.Seat]rules.Robot
	// you is the seat that is told of what robots do.
	you rules.Seat
}

// Begin begins a match.
func Begin(ctx context.Context, p Plan) (*Match, error) {
	m := &Match{table: newTable(p.Game, p.Seed), seed: p.Seed, robots: map[rules.Seat]rules.Robot{}}
	m.adj.AtTable = true
	setup, err := rules.NewSetup(p.Game, p.Seats)
	if err != nil {
		return nil, err
	}
	inv := adjudicator.Invitation{Game: p.Game.Name()}
	for _, name := range p.Game.SeatNames(setup) {
		inv.Players = append(inv.Players, seatAddress(name))
	}
	if _, err := m.adj.New(ctx, inv); err != nil {
		return nil, err
	}
	if p.Seat != "" && p.Robot == "" {
		return nil, errors.New("--seat is for a match against a robot")
	}
	if p.Seat != "" {
		you, err := m.seat(p.Seat)
		if err != nil {
			return nil, err
		}
		m.you = you
	}
	if p.Robot != "" {
		if err := m.seatRobots(p.Robot); err != nil {
			return nil, err
		}
	}
	for i := range inv.Players {
		// The seed alone decides.
		if _, err := m.write(ctx, rules.Seat(i), "JOIN at one table"); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// seatRobots gives every other seat a robot.
func (m *Match) seatRobots(name string) error {
	for i := range m.store.match.Seats {
		if rules.Seat(i) == m.you {
			continue
		}
		if err := m.seatRobot(rules.Seat(i), name); err != nil {
			return err
		}
	}
	return nil
}

// seatRobot gives a seat a robot.
func (m *Match) seatRobot(seat rules.Seat, name string) error {
	known := []string{"none"}
	maker, ok := m.game.(rules.RobotMaker)
	if ok {
		known = maker.Robots()
	}
	if !ok || !slices.Contains(known, name) {
		return fmt.Errorf("there is no robot %q; there are %s", name, templates.List(known))
	}
	r, err := maker.Robot(name, m.seed+uint64(len(m.robots)))
	if err != nil {
		return err
	}
	m.robot, m.robots[seat] = name, r
	return nil
}

// Play asks for orders until the match is over, somebody quits, or ctx ends.
func (m *Match) Play(ctx context.Context, in io.Reader, out io.Writer) error {
	s := m.newScreen(in, out)
	m.watched = isTerminal(in) && isTerminal(out)
	how := fmt.Sprintf("seed %d", m.seed)
	if m.resumed {
		how = "which goes on"
	}
	fmt.Fprintf(out, "%s, %s. \"help\" explains orders, \"quit\" ends.\n", m.game.Title(), how)
	for {
		if ctx.Err() != nil {
			return s.left()
		}
		asked, pos, err := m.asked()
		switch {
		case err != nil:
			return err
		case len(asked) == 0:
			s.end(pos)
			return nil
		case m.robots[asked[0].Seat] != nil:
			err = m.move(ctx, s, pos, asked[0])
		default:
			if err = m.order(ctx, s, pos, asked[0].Seat); errors.Is(err, errLeft) {
				return s.left()
			}
		}
		if err != nil {
			return err
		}
	}
}

// order shows a person what is asked, and carries out what is typed.
func (m *Match) order(ctx context.Context, s *screen, pos rules.Position, seat rules.Seat) error {
	if err := s.draw(ctx, seat); err != nil {
		return err
	}
	s.show(seat, m.game.Sections(pos.View(seat)))
	text, err := s.read(ctx, seat)
	if err != nil || text == "" {
		return err
	}
	s.all = strings.EqualFold(strings.Trim(text, "."), "status")
	// What is typed is carried out whole, whoever presses Ctrl-C meanwhile.
	ctx = context.WithoutCancel(ctx)
	if _, err := m.write(ctx, seat, text); err != nil {
		return err
	}
	if err := m.agree(ctx); err != nil {
		return err
	}
	asked, _, err := m.asked()
	if err != nil {
		return err
	}
	next := rules.Nobody
	if len(asked) > 0 {
		next = asked[0].Seat
	}
	if next != seat {
		s.became(seat, next)
	}
	return nil
}

// agree lets robots agree to what a person wants to take back.
func (m *Match) agree(ctx context.Context) error {
	for seat := range m.store.match.Seats {
		t := m.store.match.Takeback
		if t == nil || m.robots[rules.Seat(seat)] == nil || m.robots[t.Seat] != nil {
			continue
		}
		if _, err := m.write(ctx, rules.Seat(seat), "TAKEBACK YES"); err != nil {
			return err
		}
	}
	return nil
}

// move lets a robot answer.
func (m *Match) move(ctx context.Context, s *screen, pos rules.Position, d rules.Decision) error {
	atoms, err := playout.Answer(pos, d, m.robots[d.Seat])
	if err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // An order is carried out whole.
	line := m.game.Line(atoms)
	entries := m.store.match.Entries
	// A robot may have to do what loses the match: it is not asked twice.
	for _, text := range []string{line, line + " SURELY"} {
		if _, err := m.write(ctx, d.Seat, text); err != nil {
			return err
		}
		asked, _, err := m.asked()
		if err != nil {
			return err
		}
		if m.store.match.Entries > entries || len(asked) == 0 || asked[0].ID != d.ID {
			// What it did is told to who plays against it, as it happens.
			s.happened(m.you)
			return nil
		}
	}
	return fmt.Errorf("the robot's %q was refused", line)
}
