package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"samizdat/adjudicator"
	"samizdat/adjudicator/match/record"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Trial is a position in which orders can be tried.
type Trial struct {
	table
	// reader is the seat whose view the position is imagined from; empty where all of
	// it is known.
	reader string
}

// Open reads the position in a file: a letter that carries one, a record, whose last
// position counts, or a position by itself, which is of the game that is named and has
// as many seats, as rules.NewSetup counts them.
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

// read finds out what a file holds.
func read(games rules.Games, game string, seats int, data []byte) (*Trial, error) {
	var head struct {
		Format string `json:"format"`
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(data), []byte("\n"))
	// Whatever is no line of JSON is no record.
	_ = json.Unmarshal(first, &head)
	if head.Format == record.Format {
		return fromRecord(games, data)
	}
	seen, err := findSeatView(data)
	switch {
	case errors.Is(err, adjudicator.ErrNoSeatView):
		return fromPosition(games, game, seats, data)
	case err != nil:
		return nil, err
	}
	return fromSeatView(games, seen)
}

// fromRecord takes the last position of a record, and its history.
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
	if diffs := (record.Differences{}); err != nil && !errors.As(err, &diffs) {
		return nil, err
	}
	t, err := layOut(g, rec.Header.Setup(g), final.Position)
	if err != nil {
		return nil, err
	}
	for _, e := range rec.Entries() {
		entry := *e
		// The chain is another match's.
		entry.State, entry.Prev, entry.Hash, entry.Sealed = "", "", "", ""
		t.store.entries = append(t.store.entries, entry)
	}
	t.store.match.Entries = len(t.store.entries)
	return &Trial{table: t}, nil
}

// fromPosition takes a position without a history.
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

// findSeatView finds the position that a letter carries.
func findSeatView(data []byte) (*adjudicator.SeatView, error) {
	p, err := adjudicator.FindSeatView(string(data))
	if err != nil {
		// A letter as mail programs store it may be encoded.
		if again, failed := adjudicator.FindSeatView(message.Read(data).Text); failed == nil {
			return again, nil
		}
	}
	return p, err
}

// fromSeatView takes the position that a letter carries. What its reader cannot see is
// imagined; what orders would do is told only as far as it does not depend on that.
func fromSeatView(games rules.Games, seen *adjudicator.SeatView) (*Trial, error) {
	g, err := games.Find(seen.Game)
	if err != nil {
		return nil, err
	}
	reader, reads := g.(rules.ViewReader)
	imaginer, imagines := g.(rules.Imaginer)
	if !reads || !imagines {
		return nil, fmt.Errorf("orders of %s cannot be tried", g.Title())
	}
	setup := rules.Setup{Seats: len(seen.Seats), Options: seen.Options, Revision: seen.Revision}
	seat := slices.Index(g.SeatNames(setup), seen.Seat)
	if seat < 0 {
		return nil, fmt.Errorf("there is no seat %q", seen.Seat)
	}
	view, err := reader.DecodeView(seen.View, rules.Seat(seat))
	if err != nil {
		return nil, err
	}
	worlds := imaginer.Imagine(view)
	if len(worlds) == 0 {
		return nil, errors.New("there is nothing to try in it")
	}
	t, err := layOut(g, setup, worlds[0])
	return &Trial{table: t, reader: seen.Seat}, err
}
