package transcript

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/order"
	"samizdat/rules"
)

// headerLine is a line of the header. For example, "seat democrat Ada" has the keyword "seat", the name "democrat" and
// the value "Ada".
type headerLine struct {
	number               int
	keyword, name, value string
}

var headerKeywords = []string{"game", "rules", "match", "option", "seat"}

// parseHeaderLine parses a header line. It returns false if the line does not start with a keyword. Then it is the
// first line below the header.
func parseHeaderLine(l order.Line) (headerLine, bool) {
	word, remaining, _ := strings.Cut(strings.ReplaceAll(l.Text, "\t", " "), " ")
	name, value, _ := strings.Cut(strings.TrimSpace(remaining), " ")
	line := headerLine{l.Number, strings.ToLower(strings.TrimSuffix(word, ":")), strings.TrimSuffix(name, ":"), strings.TrimSpace(value)}
	return line, slices.Contains(headerKeywords, line.keyword)
}

// readHeader checks the header and sets up the match. It returns false after complaints, because without a correct
// header the orders cannot be read.
func (r *reader) readHeader(rows []headerLine) bool {
	r.game = r.games[0]
	h := record.Header{Format: record.Format, Version: record.Version, Options: map[string]string{}, Seats: map[string]string{},
		Chance: record.ChanceRecorded}
	var seats []headerLine
	revision, errorLine := 0, 1 // errorLine is the line to complain about if the game refuses the set-up.
	for _, row := range rows {
		var err error
		switch row.keyword {
		case "game":
			var g *rules.Game
			if g, err = r.games.Find(row.name); err == nil {
				r.game = g
			}
		case "rules":
			errorLine = row.number
			if revision, err = strconv.Atoi(row.name); err != nil || revision < 1 {
				err = fmt.Errorf("invalid rules revision %q: expected a number, for example 1", row.name)
			}
		case "match":
			h.Match = row.name
		case "option":
			h.Options[row.name], errorLine = row.value, row.number
			if row.name == "" || row.value == "" {
				err = errors.New(`expected "option NAME VALUE"`)
			}
		case "seat":
			seats = append(seats, row)
		}
		if err != nil {
			r.complain(row.number, "%v", err)
		}
	}
	if len(r.complaints) > 0 {
		return false
	}
	setup, err := rules.NewSetup(r.game, len(seats))
	if err != nil {
		errorLine = seats[0].number
	}
	if err == nil && revision > r.game.Revision() {
		err = fmt.Errorf("unknown rules revision %d of %s; the newest is %d", revision, r.game.Title(), r.game.Revision())
	}
	setup.Revision, setup.Options = cmp.Or(revision, setup.Revision), h.Options
	if err == nil {
		r.pos, err = r.game.Begin(setup)
	}
	if err != nil {
		r.complain(errorLine, "%v", err)
		return false
	}
	h.Game, h.Rules = r.game.Name(), setup.Revision
	r.names, r.parser = record.NewOutcomeNames(r.game, setup), order.New(r.game)
	r.rec = record.Record{Header: h}
	return r.setPlayers(seats)
}

// setPlayers records the player of each seat. It returns false after a complaint about an unknown or repeated seat.
func (r *reader) setPlayers(rows []headerLine) bool {
	for _, name := range r.names.Seats {
		r.rec.Header.Seats[name] = ""
	}
	for _, row := range rows {
		name, isKnown := r.rec.Header.Seats[strings.ToLower(row.name)]
		switch {
		case !isKnown:
			r.complain(row.number, "%v", r.unknownSeatError(row.name))
		case name != "":
			r.complain(row.number, "seat %s already has the player %s", strings.ToLower(row.name), name)
		}
		r.rec.Header.Seats[strings.ToLower(row.name)] = cmp.Or(row.value, row.name)
	}
	return len(r.complaints) == 0
}

func (r *reader) unknownSeatError(name string) error {
	return fmt.Errorf("unknown seat %q; the seats are %s", name, match.JoinAnd(r.names.Seats))
}

// findSeat returns the seat that name identifies. name is the name of the seat or of its player, or a prefix of the
// name of only one seat. For example, "dem" finds "democrat".
func (r *reader) findSeat(name string) (rules.Seat, bool) {
	name = strings.TrimSpace(name)
	found := rules.NoSeat
	for i, seat := range r.names.Seats {
		if strings.EqualFold(name, seat) || strings.EqualFold(name, r.rec.Header.Seats[seat]) {
			return rules.Seat(i), true
		}
		if name == "" || len(name) > len(seat) || !strings.EqualFold(seat[:len(name)], name) {
			continue
		}
		if found != rules.NoSeat {
			return rules.NoSeat, false
		}
		found = rules.Seat(i)
	}
	return found, found != rules.NoSeat
}

// readSeat separates the seat from an order. For example, "democrat: PLAY 26 EVENT" gives the seat democrat and "PLAY
// 26 EVENT". If the text before the colon is a keyword of the game, it belongs to the order.
func (r *reader) readSeat(text string) (seat rules.Seat, remaining string, err error) {
	name, remaining, hasColon := strings.Cut(text, ":")
	if !hasColon {
		return rules.NoSeat, text, nil
	}
	if seat, ok := r.findSeat(name); ok {
		return seat, strings.TrimSpace(remaining), nil
	}
	if _, err := r.parser.ParseOrder(text); err == nil &&
		slices.ContainsFunc(r.game.Keywords(), func(k rules.Keyword) bool { return startsWith(text, k.Word) }) {
		return rules.NoSeat, text, nil
	}
	return rules.NoSeat, text, r.unknownSeatError(strings.TrimSpace(name))
}

func startsWith(text, word string) bool {
	return len(text) >= len(word) && strings.EqualFold(text[:len(word)], word)
}
