package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

func playCommand() *cobra.Command {
	var seed uint64
	var robot, seat, path string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play a match in the terminal, at one keyboard or against a robot",
		Long: "Play a match in the terminal: the same engine and the same orders as by mail. Both\n" +
			"sides share the keyboard, or a robot plays one of them. \"help\" explains orders,\n" +
			"\"quit\" ends. Several orders at once stand between \"begin\" and \"end\". Two people at\n" +
			"one terminal each see a cleared screen. The same --seed gives the same dice.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("seed") {
				var b [8]byte
				if _, err := rand.Read(b[:]); err != nil {
					return err
				}
				seed = binary.BigEndian.Uint64(b[:])
			}
			t, err := sitDown(cmd.Context(), games[0], seed, robot, seat)
			if err != nil {
				return err
			}
			t.in, t.out = bufio.NewScanner(cmd.InOrStdin()), cmd.OutOrStdout()
			t.curtain = t.robot == nil && isTerminal(cmd.InOrStdin()) && isTerminal(cmd.OutOrStdout())
			if err := t.play(cmd.Context(), seed); err != nil {
				return err
			}
			return t.keep(cmd.Context(), path)
		},
	}
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the dice and the robot (default: another each time)")
	cmd.Flags().StringVar(&robot, "robot", "", "robot that plays the other side")
	cmd.Flags().StringVar(&seat, "seat", "", "seat that you play against the robot (default: the first)")
	cmd.Flags().StringVar(&path, "record", "", "file to write the record of the match to")
	return cmd
}

// hotSeat is a match at one keyboard.
type hotSeat struct {
	local
	in  *bufio.Scanner
	out io.Writer
	// curtain clears the screen between two people at one terminal.
	curtain bool
	// robot plays against the seat you; it is nil where people play.
	robot rules.Robot
	you   rules.Seat
	// shown is the number of the newest letter that each seat has been shown, last
	// the seat that sits at the keyboard.
	shown map[rules.Seat]int64
	last  rules.Seat
	// all: the whole letter was asked for.
	all bool
	// standing are the titles of the parts that every letter has now, usual those that
	// it has from the beginning, the hand first.
	standing, usual []string
	// told is how the other standing parts were last shown to who sits there.
	told map[string]string
}

// sitDown begins a match.
func sitDown(ctx context.Context, g rules.Game, seed uint64, robot, seat string) (*hotSeat, error) {
	store := newMemory()
	t := &hotSeat{local: local{game: g, store: store, adj: newDesk(g, store, seededBytes(seed))}, shown: map[rules.Seat]int64{}, last: rules.Nobody}
	t.adj.AtTable = true
	_, most := g.Seats()
	inv := adjudicator.Invitation{Game: g.Name()}
	for _, name := range g.SeatNames(rules.Setup{Seats: most, Revision: g.Revision()}) {
		inv.Players = append(inv.Players, seatAddress(name))
	}
	if _, err := t.adj.New(ctx, inv); err != nil {
		return nil, err
	}
	if seat != "" && robot == "" {
		return nil, errors.New("--seat is for a match against a robot")
	}
	if seat == "" {
		seat = t.store.match.Seats[0].Name
	}
	var err error
	if t.you, err = t.seat(seat); err != nil {
		return nil, err
	}
	if robot != "" {
		maker, ok := g.(rules.RobotMaker)
		if !ok || !slices.Contains(maker.Robots(), robot) {
			return nil, fmt.Errorf("there is no robot %q; there are %s", robot, strings.Join(robotNames(g), " and "))
		}
		if t.robot, err = maker.Robot(robot, seed); err != nil {
			return nil, err
		}
	}
	for i := range inv.Players {
		// The seed alone decides.
		if _, _, err := t.write(ctx, rules.Seat(i), "JOIN at one table"); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func robotNames(g rules.Game) []string {
	if maker, ok := g.(rules.RobotMaker); ok {
		return maker.Robots()
	}
	return []string{"none"}
}

// play asks for orders until the match is over or somebody quits.
func (t *hotSeat) play(ctx context.Context, seed uint64) error {
	fmt.Fprintf(t.out, "%s, seed %d. \"help\" explains orders, \"quit\" ends.\n", t.game.Title(), seed)
	for {
		seat, pos, err := t.next()
		if err != nil {
			return err
		}
		if seat == rules.Nobody {
			t.end(pos)
			return nil
		}
		if t.robot != nil && seat != t.you {
			if err := t.move(ctx, seat, pos); err != nil {
				return err
			}
			continue
		}
		if !t.draw(seat) {
			return t.left()
		}
		t.standing = nil
		for _, s := range t.game.Sections(pos.View(seat)) {
			t.standing = append(t.standing, strings.ToUpper(s.Title))
		}
		if t.usual == nil {
			t.usual = t.standing
		}
		t.show(seat)
		fmt.Fprintf(t.out, "\n%s> ", t.store.match.Seats[seat].Name)
		text, ok := t.read()
		if !ok {
			return t.left()
		}
		if text == "" {
			continue
		}
		t.all = strings.EqualFold(strings.Trim(text, "."), "status")
		if _, _, err := t.write(ctx, seat, text); err != nil {
			return err
		}
		next, _, err := t.next()
		if err != nil {
			return err
		}
		if next != seat {
			t.became(seat, next)
		}
	}
}

// became shows the writer of an order what became of it, when it is no longer for
// him to go on; what happened only where the next letter shown does not tell it.
func (t *hotSeat) became(seat, next rules.Seat) {
	parts := letterParts(t.store.letters[seat].Body)
	wanted := []string{partOrders}
	told := func(s rules.Seat) string { return joinParts(only(letterParts(t.store.letters[s].Body), partHappened)) }
	if next == rules.Nobody || t.robot != nil || told(next) != told(seat) {
		wanted = append(wanted, partHappened)
	}
	if text := joinParts(only(parts, wanted...)); text != "" {
		fmt.Fprintf(t.out, "\n%s\n", text)
	}
	t.shown[seat] = t.store.letters[seat].Number
}

// read reads one order, or several between BEGIN and END, or a message. It returns
// false when there is no more.
func (t *hotSeat) read() (string, bool) {
	if !t.in.Scan() {
		return "", false
	}
	text := strings.TrimSpace(t.in.Text())
	first := strings.ToLower(strings.Join(order.Words(text), " "))
	end := ""
	switch {
	case first == "quit", first == "exit":
		return "", false
	case first == "begin":
		end = "end"
	case strings.HasPrefix(first+" ", "message ") && !strings.HasSuffix(first, "end message"):
		end = "end message"
	}
	for end != "" && t.in.Scan() {
		text += "\n" + t.in.Text()
		if strings.Join(order.Words(t.in.Text()), " ") == end {
			break
		}
	}
	return text, true
}

// next is the seat that is asked, or Nobody when none is.
func (t *hotSeat) next() (rules.Seat, rules.Position, error) {
	m := t.store.match
	pos, err := t.game.Decode(m.Position)
	if err != nil {
		return rules.Nobody, nil, err
	}
	for _, d := range pos.Owed(nil) {
		// Who has given a sealed answer waits for the others.
		if !slices.ContainsFunc(m.Held, func(h adjudicator.Held) bool { return h.Decision == d.ID }) {
			return d.Seat, pos, nil
		}
	}
	return rules.Nobody, pos, nil
}

// move lets the robot answer.
func (t *hotSeat) move(ctx context.Context, seat rules.Seat, pos rules.Position) error {
	atoms, err := wholeAnswer(pos, seat, t.robot)
	if err != nil {
		return err
	}
	line := t.game.Line(atoms)
	// A robot may have to do what loses the match: it is not asked twice.
	for _, text := range []string{line, line + " SURELY"} {
		before, _, err := t.next()
		if err != nil {
			return err
		}
		entries := t.store.match.Entries
		if _, _, err := t.write(ctx, seat, text); err != nil {
			return err
		}
		if after, _, err := t.next(); err != nil || after != before || t.store.match.Entries > entries {
			// What it did is told to who plays against it, as it happens.
			t.happened(t.you)
			return err
		}
	}
	return fmt.Errorf("the robot's %q was refused", line)
}

// happened shows what a seat's newest letter tells of, once.
func (t *hotSeat) happened(seat rules.Seat) {
	d := t.store.letters[seat]
	if d.Number == t.shown[seat] {
		return
	}
	t.shown[seat] = d.Number
	if text := joinParts(only(letterParts(d.Body), partHappened)); text != "" {
		fmt.Fprintf(t.out, "\n%s\n", text)
	}
	// The decision is still to be shown.
	t.last = rules.Nobody
}

// show shows a seat its newest letter: all of it but the standing parts, which can
// be asked for; the hand only when the seat changes.
func (t *hotSeat) show(seat rules.Seat) {
	d := t.store.letters[seat]
	fresh := d.Number != t.shown[seat]
	if !fresh && seat == t.last {
		return
	}
	parts := letterParts(d.Body)
	// An answer to questions alone has nothing that stands in every letter.
	answer := len(only(parts, t.standing[len(t.standing)-1])) == 0
	switch {
	case !fresh:
		parts = without(parts, partOrders, partHappened)
	case answer:
		parts = without(parts, partDecision)
	}
	if seat != t.last {
		t.told = map[string]string{}
	}
	if !answer && !t.all {
		parts = without(parts, t.usual[1:]...)
		if seat == t.last {
			parts = without(parts, t.usual[0])
		}
		parts = slices.DeleteFunc(parts, func(p letterPart) bool {
			return slices.Contains(t.standing, p.title) && !slices.Contains(t.usual, p.title) && t.told[p.title] == p.text()
		})
	}
	for _, p := range parts {
		t.told[p.title] = p.text()
	}
	if seat != t.last {
		fmt.Fprintf(t.out, "\n%s\n", banner(t.store.match.Seats[seat].Name))
	}
	if text := joinParts(t.missed(seat)); text != "" {
		fmt.Fprintf(t.out, "\n%s\n", text)
	}
	fmt.Fprintf(t.out, "\n%s\n", joinParts(parts))
	t.shown[seat], t.last, t.all = d.Number, seat, false
}

// banner says who is to sit down now.
func banner(seat string) string {
	text := "==== For the eyes of the " + seat + " "
	return text + strings.Repeat("=", max(0, 72-len(text)))
}

// end tells how the match ended.
func (t *hotSeat) end(pos rules.Position) {
	t.happened(t.you)
	r, over := pos.Result()
	if !over {
		fmt.Fprintln(t.out, "\nNobody is asked anything.")
		return
	}
	winner := "A draw"
	for i, s := range t.store.match.Seats {
		if r.Winners.Has(rules.Seat(i)) && r.Winners != 0 {
			winner = "The " + s.Name + " wins"
		}
	}
	fmt.Fprintf(t.out, "\nThe match is over. %s (%s).\n", winner, r.Reason)
}

// keep writes the record of the match to a file.
func (t *hotSeat) keep(ctx context.Context, path string) error {
	if path == "" {
		return nil
	}
	rec, err := t.adj.Export(ctx, t.store.match.ID, true)
	if err != nil {
		return err
	}
	if err := writeRecord(path, rec); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "record: %s\n", path)
	return nil
}
