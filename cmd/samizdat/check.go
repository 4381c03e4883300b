package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/adjudicator"
	"samizdat/adjudicator/record"
	"samizdat/rules"
)

func checkCommand() *cobra.Command {
	var path, seat, game string
	cmd := &cobra.Command{
		Use:   "check --position FILE",
		Short: "Say what orders mean and whether they are legal",
		Long: "Read orders from the standard input, as a letter would hold them, and say what each\n" +
			"line means in a position, whether it is legal, and what it would do up to the first\n" +
			"die, draw or decision of the other player. Nothing is stored or sent.\n\n" +
			"The position is a letter in which the referee answered POSITION, or the lines of it\n" +
			"(what you cannot see in it is imagined), a record (JSON Lines; its last position\n" +
			"counts), or a position as \"samizdat replay --state\" prints it. \"-\" is not taken:\n" +
			"the orders come that way. The status is 1 when a line is not good.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := openPosition(path, game)
			if err != nil {
				return err
			}
			orders, err := io.ReadAll(cmd.InOrStdin())
			if err != nil {
				return fmt.Errorf("read the orders: %w", err)
			}
			if seat == "" {
				seat = l.whose
			}
			return check(cmd.Context(), cmd.OutOrStdout(), l, seat, string(orders))
		},
	}
	cmd.Flags().StringVar(&path, "position", "", "file of the position: a letter, a record or JSON")
	cmd.Flags().StringVar(&seat, "seat", "", "seat that writes (default: whose letter it is, or who is to move)")
	cmd.Flags().StringVar(&game, "game", games[0].Name(), "game of a position that is not a record")
	_ = cmd.MarkFlagRequired("position") // the flag is there
	return cmd
}

// openPosition puts the position of a file on a table.
func openPosition(path, game string) (*local, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var head struct {
		Format string `json:"format"`
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	// Whatever is no line of JSON is no record.
	_ = json.Unmarshal(first, &head)
	if head.Format != record.Format {
		l, err := postedPosition(path, data)
		if errors.Is(err, adjudicator.ErrNotPosted) {
			return loosePosition(path, game, data)
		}
		return l, err
	}
	rec, err := record.Read(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	g, err := findGame(rec.Header.Game)
	if err != nil {
		return nil, err
	}
	final, err := record.Replay(rec, g, nil)
	if diffs := (record.Differences{}); err != nil && !errors.As(err, &diffs) {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	setup := rec.Header.Setup(g)
	l, err := layOut(g, setup, final.Position)
	if err != nil {
		return nil, err
	}
	for _, e := range rec.Entries() {
		entry := *e
		// The chain is another match's.
		entry.State, entry.Prev, entry.Hash, entry.Sealed = "", "", "", ""
		l.store.entries = append(l.store.entries, entry)
	}
	l.store.match.Entries = len(l.store.entries)
	return l, nil
}

// loosePosition puts a position without a history on a table.
func loosePosition(path, game string, data []byte) (*local, error) {
	g, err := findGame(game)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimSpace(data)
	if !bytes.HasPrefix(data, []byte("{")) {
		return nil, fmt.Errorf("%s is neither a record nor a position, and no letter that answers POSITION", path)
	}
	pos, err := g.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	_, most := g.Seats()
	return layOut(g, rules.Setup{Seats: most, Revision: g.Revision()}, pos)
}

// layOut makes a match in memory that stands at a position.
func layOut(g rules.Game, setup rules.Setup, pos rules.Position) (*local, error) {
	data, err := pos.MarshalJSON()
	if err != nil {
		return nil, err
	}
	m := &adjudicator.Match{ID: "check", Game: g.Name(), Revision: setup.Revision, Options: setup.Options, State: adjudicator.Playing, Position: data}
	if _, over := pos.Result(); over {
		m.State = adjudicator.Over
	}
	if m.Secret, err = record.NewSecret(seededBytes(0)); err != nil {
		return nil, err
	}
	for _, name := range g.SeatNames(setup) {
		m.Seats = append(m.Seats, adjudicator.Seat{Name: name, Address: seatAddress(name), Joined: true, Letters: 1})
	}
	store := newMemory()
	store.match = m
	for i := range m.Seats {
		seat := rules.Seat(i)
		s := adjudicator.Sent{Number: 1}
		for _, d := range pos.Owed(nil) {
			if d.Seat == seat {
				s.Decisions = append(s.Decisions, d.ID)
			}
		}
		store.sent[seat] = []adjudicator.Sent{s}
	}
	return &local{game: g, store: store, adj: newDesk(g, store, seededBytes(0))}, nil
}

// newDesk is an adjudicator of matches that nobody hears of.
func newDesk(g rules.Game, store adjudicator.Store, random io.Reader) *adjudicator.Adjudicator {
	return adjudicator.New(adjudicator.Config{Games: []rules.Game{g}, Store: store, Post: desk{}, Now: time.Now, Random: random})
}

// seatAddress is the address that stands for a seat where no mail is sent.
func seatAddress(seat string) string { return seat + "@table.local" }

// check says what the orders would do.
func check(ctx context.Context, out io.Writer, l *local, name, orders string) error {
	seat, err := l.seat(name)
	if err != nil {
		return err
	}
	if l.whose != "" && l.store.match.Seats[seat].Name != l.whose {
		return fmt.Errorf("the position shows what the %s sees: only his orders can be tried in it", l.whose)
	}
	fmt.Fprintf(out, "Orders of the %s\n\n", l.store.match.Seats[seat].Name)
	d, _, err := l.write(ctx, seat, "PREVIEW\n"+orders)
	if err != nil {
		return err
	}
	parts := letterParts(d.Body)
	fate := joinLines(only(parts, partOrders))
	// The first line only says that this is a preview.
	_, fate, _ = strings.Cut(fate, "\n- ")
	if fate == "" {
		return errors.New("there were no orders on the standard input")
	}
	fmt.Fprintf(out, "- %s\n", fate)
	asked, err := l.answers(seat, parts, fate)
	if err != nil {
		return err
	}
	if text := joinParts(asked); text != "" {
		fmt.Fprintf(out, "\n%s\n", text)
	}
	bad := strings.Contains(fate, ": refused") || strings.Contains(fate, "It would be refused.")
	if bad {
		return errDiffers
	}
	return nil
}

// answers are the parts of a letter that answer questions: what does not stand in
// every letter, and of that what was asked for.
func (l *local) answers(seat rules.Seat, parts []letterPart, fate string) ([]letterPart, error) {
	pos, err := l.game.Decode(l.store.match.Position)
	if err != nil {
		return nil, err
	}
	view := pos.View(seat)
	leave := []string{"", partOrders, partHappened, partDecision}
	informer, informs := l.game.(rules.Informer)
	for _, s := range l.game.Sections(view) {
		asked := informs && slices.ContainsFunc([]rules.Query{rules.QueryHand, rules.QueryMap}, func(q rules.Query) bool {
			answer := informer.Inform(view, q)
			return strings.Contains("\n- "+strings.ToUpper(fate), "\n- "+string(q)+": ") && len(answer) > 0 && answer[0].Title == s.Title
		})
		if !asked {
			leave = append(leave, strings.ToUpper(s.Title))
		}
	}
	return without(parts, leave...), nil
}

// seat is the seat of a name; without a name whoever is to move.
func (l *local) seat(name string) (rules.Seat, error) {
	var names []string
	for _, s := range l.store.match.Seats {
		names = append(names, s.Name)
	}
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) }); i >= 0 {
		return rules.Seat(i), nil
	}
	if name != "" {
		return rules.Nobody, fmt.Errorf("there is no seat %q; there are %s", name, strings.Join(names, " and "))
	}
	pos, err := l.game.Decode(l.store.match.Position)
	if err != nil {
		return rules.Nobody, err
	}
	for _, d := range pos.Owed(nil) {
		return d.Seat, nil
	}
	return rules.Nobody, errors.New("nobody is to move there: say which seat writes with --seat")
}
