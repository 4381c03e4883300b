// Package report prints the output of commands about matches and records: lists, verification, replays and maps.
package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

type matchLine struct {
	match.ListedMatch
	// toMove names the seats to move or, before the match begins, the seats that have not joined. waitingSince is the time
	// when the first of these seats was asked or invited.
	toMove       string
	waitingSince time.Time
	result       string
}

// listedStates has the name of each state in the list of matches. The list is sorted in this order of states.
var listedStates = []struct {
	state match.State
	word  string
}{{match.Playing, "running"}, {match.Inviting, "inviting"}, {match.Over, "over"}, {match.CalledOff, "called off"}}

func stateOrder(s match.State) int {
	for i, w := range listedStates {
		if w.state == s {
			return i
		}
	}
	return len(listedStates)
}

func stateName(s match.State) string {
	if i := stateOrder(s); i < len(listedStates) {
		return listedStates[i].word
	}
	return string(s)
}

func newMatchLines(list []match.ListedMatch) (lines []*matchLine) {
	for _, l := range list {
		lines = append(lines, newMatchLine(l))
	}
	slices.SortStableFunc(lines, compareMatchLines)
	return lines
}

// PrintMatches prints a table of matches. includeOver means that the list also contains finished matches.
func PrintMatches(out io.Writer, list []match.ListedMatch, includeOver, addresses bool) error {
	if len(list) == 0 {
		emptyText := "No match is running; --all also lists finished matches."
		if includeOver {
			emptyText = "There is no match yet."
		}
		_, err := fmt.Fprintln(out, emptyText)
		return err
	}
	lines := newMatchLines(list)
	b := bufio.NewWriter(out) // Without the buffer, the tabwriter would write to out for each cell.
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	header := "MATCH\tGAME\tSTATE\tSINCE\tTO MOVE\tASKED\tRESULT"
	isTimed := slices.ContainsFunc(list, match.ListedMatch.IsTimed)
	if isTimed {
		header += "\tTIME LEFT"
	}
	if addresses {
		header += "\tADDRESSES"
	}
	fmt.Fprintln(w, header)
	for _, l := range lines {
		state := stateName(l.State)
		if l.Diverged {
			state = "stopped"
		}
		row := []string{l.ID, l.Game, state, formatTime(l.Since), cmp.Or(l.toMove, "-"), formatTime(l.waitingSince), cmp.Or(l.result, "-")}
		if isTimed {
			row = append(row, formatClocks(l.Seats))
		}
		if addresses {
			row = append(row, formatAddresses(l.Seats))
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	return errors.Join(w.Flush(), b.Flush())
}

// compareMatchLines compares lines for sorting: first by state, in the order of listedStates. Finished matches are then
// sorted by their end, newest first, and all others by waitingSince, the longest wait first.
func compareMatchLines(a, b *matchLine) int {
	if c := cmp.Compare(stateOrder(a.State), stateOrder(b.State)); c != 0 {
		return c
	}
	if a.State == match.Over {
		return b.Since.Compare(a.Since)
	}
	return a.waitingSince.Compare(b.waitingSince)
}

func newMatchLine(l match.ListedMatch) *matchLine {
	line := &matchLine{ListedMatch: l}
	if l.State == match.Inviting {
		var names []string
		for _, s := range l.Seats {
			if !s.Joined {
				names = append(names, s.Name)
			}
		}
		line.toMove, line.waitingSince = strings.Join(names, ", "), l.Since
		return line
	}
	if l.State == match.CalledOff {
		if l.Lifecycle != nil && l.Lifecycle.Invitations.CallOff != nil {
			line.result = string(l.Lifecycle.Invitations.CallOff.Cause)
		}
		return line
	}
	if line.Summary == nil {
		line.toMove = "?"
		return line
	}
	if r, isOver := line.Summary.Result(); isOver {
		line.toMove, line.result = "", formatResult(r, l.Seats)
		return line
	}
	line.toMove, line.waitingSince = findSeatsToMove(line.Summary, l.Seats)
	return line
}

// findSeatsToMove returns the names of the seats to move, as letters name them, and when the first seat was asked. The
// names include seats with a sealed answer, because the list must not reveal which seats have answered.
func findSeatsToMove(s *match.Summary, seats []match.ListedSeat) (names string, since time.Time) {
	if s.Stalled {
		return "chance", since
	}
	var list []string
	for i, seat := range seats {
		if !s.ToMove.Has(rules.Seat(i)) {
			continue
		}
		list = append(list, seat.Name)
		if !seat.ToMoveSince.IsZero() && (since.IsZero() || seat.ToMoveSince.Before(since)) {
			since = seat.ToMoveSince
		}
	}
	return strings.Join(list, ", "), since
}

// formatResult describes a result, for example "won by democrat (resignation)".
func formatResult(r rules.Result, seats []match.ListedSeat) string {
	var names []string
	for _, s := range seats {
		names = append(names, s.Name)
	}
	winners := r.WinnersOf(names)
	text := "a draw"
	switch {
	case r.AllLost:
		text = "nobody wins"
	case len(winners) > 0:
		text = "won by " + strings.Join(winners, ", ")
	}
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	return text
}

// formatAddresses lists the addresses of the seats, for example "democrat=ada@example.org".
func formatAddresses(seats []match.ListedSeat) string {
	var out []string
	for _, s := range seats {
		out = append(out, s.Name+"="+s.Address)
	}
	return strings.Join(out, " ")
}

// formatClocks lists the remaining time of each seat and, if its clock is running, when the time ends, for example
// "democrat=71h30m (2026-11-29 20:15)".
func formatClocks(seats []match.ListedSeat) string {
	var out []string
	for _, s := range seats {
		if !s.HasClock {
			continue
		}
		text := fmt.Sprintf("%s=%dh%02dm", s.Name, int(s.TimeLeft.Hours()), int(s.TimeLeft.Minutes())%60)
		if !s.Until.IsZero() {
			text += " (" + formatTime(s.Until) + ")"
		}
		out = append(out, text)
	}
	return cmp.Or(strings.Join(out, " "), "-")
}

func formatTime(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return at.UTC().Format("2006-01-02 15:04")
}

// matchJSON is a match in the JSON list. The game defines score, turn and phase.
type matchJSON struct {
	Match   string             `json:"match"`
	Game    string             `json:"game"`
	State   string             `json:"state"`
	Stopped bool               `json:"stopped,omitempty"`
	Since   time.Time          `json:"since"`
	Turn    int                `json:"turn,omitempty"`
	Phase   string             `json:"phase,omitempty"`
	Score   []match.CurveValue `json:"score,omitempty"`
	Chance  bool               `json:"chance,omitempty"`
	Result  string             `json:"result,omitempty"`
	Winners []string           `json:"winners,omitempty"`
	Seats   []seatJSON         `json:"seats"`
}

// seatJSON is a seat in the JSON list. Left is the remaining time in seconds.
type seatJSON struct {
	Seat    string     `json:"seat"`
	Address string     `json:"address,omitempty"`
	Joined  bool       `json:"joined"`
	ToMove  bool       `json:"to_move"`
	Asked   time.Time  `json:"asked,omitzero"`
	Left    *int64     `json:"left,omitempty"`
	Until   *time.Time `json:"until,omitempty"`
	Bounces int        `json:"bounces,omitempty"`
}

// WriteMatchesJSON writes one line of JSON for each match, in the order of PrintMatches.
func WriteMatchesJSON(out io.Writer, list []match.ListedMatch, addresses bool) error {
	lines := newMatchLines(list)
	b := bufio.NewWriter(out)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for _, l := range lines {
		if err := enc.Encode(l.toJSON(addresses)); err != nil {
			return fmt.Errorf("write match %s: %w", l.ID, err)
		}
	}
	return b.Flush()
}

func (l *matchLine) toJSON(addresses bool) matchJSON {
	o := matchJSON{Match: l.ID, Game: l.Game, State: stateName(l.State), Stopped: l.Diverged, Since: l.Since.UTC(), Result: l.result}
	var seatsToMove rules.Seats
	if s := l.Summary; s != nil {
		seatsToMove = s.ToMove
		o.Turn, o.Phase, o.Score, o.Chance = s.Turn, s.Phase, s.Score, s.Stalled
	}
	for i, s := range l.Seats {
		seat := seatJSON{Seat: s.Name, Joined: s.Joined, Bounces: s.Bounces, Asked: s.ToMoveSince}
		seat.ToMove = seatsToMove.Has(rules.Seat(i)) || l.State == match.Inviting && !s.Joined
		if addresses {
			seat.Address = s.Address
		}
		if s.HasClock {
			remaining := int64(s.TimeLeft / time.Second)
			seat.Left = &remaining
			if !s.Until.IsZero() {
				until := s.Until.UTC()
				seat.Until = &until
			}
		}
		if l.Summary != nil && l.Summary.Over && l.Summary.Winners.Has(rules.Seat(i)) {
			o.Winners = append(o.Winners, s.Name)
		}
		o.Seats = append(o.Seats, seat)
	}
	return o
}
