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

// Trial is a position in which orders can be tried.
type Trial struct {
	table
	// reader is the seat that received the letter with the position; empty if the position was not in a letter.
	reader string
}

// Open reads a position from a file: a letter with a position, a record (its last position), or the JSON of a
// position for the given game and number of seats.
func Open(games rules.Games, game string, seats int, path string) (*Trial, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := readTrial(games, game, seats, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

func readTrial(games rules.Games, game string, seats int, data []byte) (*Trial, error) {
	var header struct {
		Format string `json:"format"`
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	// A record begins with a line of JSON.
	_ = json.Unmarshal(first, &header)
	if header.Format == record.Format {
		return newRecordTrial(games, data)
	}
	seatView, err := findSeatView(data)
	switch {
	case errors.Is(err, compose.ErrNoSeatView):
		return newPositionTrial(games, game, seats, data)
	case err != nil:
		return nil, err
	}
	return newSeatViewTrial(games, seatView)
}

func newRecordTrial(games rules.Games, data []byte) (*Trial, error) {
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
	t, err := newPositionTable(g, rec.Header.Setup(g), final.Position)
	if err != nil {
		return nil, err
	}
	for _, e := range rec.Entries() {
		entry := *e
		// The hashes are removed, because the match in memory has a hash chain of its own.
		entry.State, entry.Prev, entry.Hash, entry.Sealed = "", "", "", ""
		t.store.entries = append(t.store.entries, entry)
	}
	t.store.match.EntryCount = len(t.store.entries)
	return &Trial{table: t}, nil
}

func newPositionTrial(games rules.Games, game string, seats int, data []byte) (*Trial, error) {
	g, err := games.Find(game)
	if err != nil {
		return nil, err
	}
	data = bytes.TrimSpace(data)
	if !bytes.HasPrefix(data, []byte("{")) {
		return nil, errors.New("not a record, a position, or a letter that answers POSITION")
	}
	pos, err := g.Decode(data)
	if err != nil {
		return nil, err
	}
	setup, err := rules.NewSetup(g, seats)
	if err != nil {
		return nil, err
	}
	t, err := newPositionTable(g, setup, pos)
	return &Trial{table: t}, err
}

// findSeatView finds the view in a letter that answers POSITION.
func findSeatView(data []byte) (*compose.SeatView, error) {
	p, err := compose.FindSeatView(string(data))
	if err != nil {
		// The file of a mail program may be encoded (RFC 2045).
		if decoded, failed := compose.FindSeatView(message.Read(data).Text); failed == nil {
			return decoded, nil
		}
	}
	return p, err
}

// newSeatViewTrial returns a trial of the position in a letter. Hidden facts are filled in by the game (Imagine). The
// letter of the preview reports only effects that do not depend on hidden facts.
func newSeatViewTrial(games rules.Games, seatView *compose.SeatView) (*Trial, error) {
	g, err := games.Find(seatView.Game)
	if err != nil {
		return nil, err
	}
	if g.DecodeView == nil || g.Imagine == nil {
		return nil, fmt.Errorf("%s does not support trying orders", g.Title())
	}
	setup := rules.Setup{Seats: len(seatView.Seats), Options: seatView.Options, Revision: seatView.Revision}
	seat := slices.Index(g.SeatNames(setup), seatView.Seat)
	if seat < 0 {
		return nil, fmt.Errorf("unknown seat %q", seatView.Seat)
	}
	view, err := g.DecodeView(seatView.View, rules.Seat(seat))
	if err != nil {
		return nil, err
	}
	positions := g.Imagine(view)
	if len(positions) == 0 {
		return nil, errors.New("no position agrees with the view")
	}
	t, err := newPositionTable(g, setup, positions[0])
	return &Trial{table: t, reader: seatView.Seat}, err
}

// Check prints the meaning and the effect of the orders of a seat. If name is "", the seat is t.reader or, if the
// position was not in a letter, the seat to move. It returns false if a line is wrong.
func (t *Trial) Check(ctx context.Context, out io.Writer, name, orders string) (isGood bool, err error) {
	if name == "" {
		name = t.reader
	}
	seat, err := t.findSeat(name)
	if err != nil {
		return false, err
	}
	name = t.store.match.Seats[seat].Name
	if t.reader != "" && name != t.reader {
		return false, fmt.Errorf("the position is the view of the %s; only orders of this seat can be tried", t.reader)
	}
	fmt.Fprintf(out, "Orders of the %s\n\n", name)
	letter, err := t.writeLetter(ctx, seat, "PREVIEW\n"+orders)
	if err != nil {
		return false, err
	}
	parts := splitLetter(letter.Body)
	// The first line, which identifies the preview, is skipped.
	_, results, _ := strings.Cut(joinLines(onlyParts(parts, partOrders)), "\n- ")
	if results == "" {
		return false, errors.New("no orders on standard input")
	}
	fmt.Fprintf(out, "- %s\n", results)
	answers, err := t.selectAnswers(seat, parts, results)
	if err != nil {
		return false, err
	}
	if text := joinParts(answers); text != "" {
		fmt.Fprintf(out, "\n%s\n", text)
	}
	return !strings.Contains(results, ": refused") && !strings.Contains(results, "It would be refused."), nil
}

// selectAnswers returns the parts of a letter that the orders have requested, for example the map after MAP.
func (t *Trial) selectAnswers(seat rules.Seat, parts []letterPart, results string) ([]letterPart, error) {
	pos, err := t.currentPosition()
	if err != nil {
		return nil, err
	}
	view := pos.View(seat)
	droppedTitles := []string{"", partOrders, partEvents, partDecision, partRequest}
	for _, s := range t.game.Sections(view) {
		isAsked := t.game.AnswerQuery != nil && slices.ContainsFunc([]rules.Query{rules.QueryHand, rules.QueryMap}, func(q rules.Query) bool {
			answer := t.game.AnswerQuery(view, q)
			return strings.Contains("\n- "+strings.ToUpper(results), "\n- "+string(q)+": ") && len(answer) > 0 && answer[0].Title == s.Title
		})
		if !isAsked {
			droppedTitles = append(droppedTitles, strings.ToUpper(s.Title))
		}
	}
	return withoutParts(parts, droppedTitles...), nil
}
