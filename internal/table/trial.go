package table

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

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/match/record"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Trial is a position to try orders in.
type Trial struct {
	table
	// reader is the seat whose view the position is imagined from; empty if the whole position is known.
	reader string
}

// Open reads a position from a file: a letter with a position, a record (its last position), or the JSON of a
// position, for which the game and the number of seats are given.
func Open(games rules.Games, game string, seats int, path string) (*Trial, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := read(games, game, seats, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func read(games rules.Games, game string, seats int, data []byte) (*Trial, error) {
	var head struct {
		Format string `json:"format"`
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	// A record begins with a line of JSON.
	_ = json.Unmarshal(first, &head)
	if head.Format == record.Format {
		return fromRecord(games, data)
	}
	seen, err := findSeatView(data)
	switch {
	case errors.Is(err, compose.ErrNoSeatView):
		return fromPosition(games, game, seats, data)
	case err != nil:
		return nil, err
	}
	return fromSeatView(games, seen)
}

// fromRecord uses the last position of a record, and its history.
func fromRecord(games rules.Games, data []byte) (*Trial, error) {
	rec, err := record.Read(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return nil, err
	}
	final, err := record.Replay(rec, g, nil)
	if diffs := (record.DifferencesError{}); err != nil && !errors.As(err, &diffs) {
		return nil, err
	}
	t, err := layOut(g, rec.Header.Setup(g), final.Position)
	if err != nil {
		return nil, err
	}
	for _, e := range rec.Entries() {
		entry := *e
		// The record's chain is not the one of the match in memory.
		entry.State, entry.Prev, entry.Hash, entry.Sealed = "", "", "", ""
		t.store.entries = append(t.store.entries, entry)
	}
	t.store.match.Entries = len(t.store.entries)
	return &Trial{table: t}, nil
}

// fromPosition uses a position without history.
func fromPosition(games rules.Games, game string, seats int, data []byte) (*Trial, error) {
	g, err := games.Find(game)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimSpace(data)
	if !bytes.HasPrefix(data, []byte("{")) {
		return nil, errors.New("this is neither a record nor a position, and no letter that answers POSITION")
	}
	pos, err := g.Decode(data)
	if err != nil {
		return nil, err
	}
	setup, err := rules.NewSetup(g, seats)
	if err != nil {
		return nil, err
	}
	t, err := layOut(g, setup, pos)
	return &Trial{table: t}, err
}

func findSeatView(data []byte) (*compose.SeatView, error) {
	p, err := compose.FindSeatView(string(data))
	if err != nil {
		// The file of a mail program may be encoded (RFC 2045).
		if again, failed := compose.FindSeatView(message.Read(data).Text); failed == nil {
			return again, nil
		}
	}
	return p, err
}

// fromSeatView uses the position in a letter. Hidden facts are imagined; effects of orders are told as far as they do
// not depend on these.
func fromSeatView(games rules.Games, seen *compose.SeatView) (*Trial, error) {
	g, err := games.Find(seen.Game)
	if err != nil {
		return nil, err
	}
	if g.DecodeView == nil || g.Imagine == nil {
		return nil, fmt.Errorf("orders of %s cannot be tried", g.Title())
	}
	setup := rules.Setup{Seats: len(seen.Seats), Options: seen.Options, Revision: seen.Revision}
	seat := slices.Index(g.SeatNames(setup), seen.Seat)
	if seat < 0 {
		return nil, fmt.Errorf("there is no seat %q", seen.Seat)
	}
	view, err := g.DecodeView(seen.View, rules.Seat(seat))
	if err != nil {
		return nil, err
	}
	positions := g.Imagine(view)
	if len(positions) == 0 {
		return nil, errors.New("there is nothing to try in it")
	}
	t, err := layOut(g, setup, positions[0])
	return &Trial{table: t, reader: seen.Seat}, err
}

// Check prints the meaning and the effect of the orders of a seat; an empty name is the reader of the position, or the
// seat to move. It returns false if a line is wrong.
func (t *Trial) Check(ctx context.Context, out io.Writer, name, orders string) (good bool, err error) {
	if name == "" {
		name = t.reader
	}
	seat, err := t.seat(name)
	if err != nil {
		return false, err
	}
	name = t.store.match.Seats[seat].Name
	if t.reader != "" && name != t.reader {
		return false, fmt.Errorf("the position shows what the %s sees: only his orders can be tried in it", t.reader)
	}
	fmt.Fprintf(out, "Orders of the %s\n\n", name)
	d, err := t.write(ctx, seat, "PREVIEW\n"+orders)
	if err != nil {
		return false, err
	}
	parts := letterParts(d.Body)
	// Skip the first line, which says that this is a preview.
	_, outcome, _ := strings.Cut(joinLines(onlyParts(parts, partOrders)), "\n- ")
	if outcome == "" {
		return false, errors.New("there were no orders on the standard input")
	}
	fmt.Fprintf(out, "- %s\n", outcome)
	answers, err := t.answers(seat, parts, outcome)
	if err != nil {
		return false, err
	}
	if text := joinParts(answers); text != "" {
		fmt.Fprintf(out, "\n%s\n", text)
	}
	return !strings.Contains(outcome, ": refused") && !strings.Contains(outcome, "It would be refused."), nil
}

func (t *Trial) answers(seat rules.Seat, parts []letterPart, outcome string) ([]letterPart, error) {
	pos, err := t.position()
	if err != nil {
		return nil, err
	}
	view := pos.View(seat)
	leave := []string{"", partOrders, partHappened, partDecision}
	for _, s := range t.game.Sections(view) {
		asked := t.game.AnswerQuery != nil && slices.ContainsFunc([]rules.Query{rules.QueryHand, rules.QueryMap}, func(q rules.Query) bool {
			answer := t.game.AnswerQuery(view, q)
			return strings.Contains("\n- "+strings.ToUpper(outcome), "\n- "+string(q)+": ") && len(answer) > 0 && answer[0].Title == s.Title
		})
		if !asked {
			leave = append(leave, strings.ToUpper(s.Title))
		}
	}
	return withoutParts(parts, leave...), nil
}
