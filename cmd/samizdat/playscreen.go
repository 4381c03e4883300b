package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"samizdat/rules"
)

// missed is what the letters before the newest one told, which nobody has read.
func (t *hotSeat) missed(seat rules.Seat) []letterPart {
	var out []letterPart
	for _, d := range t.store.unread[seat] {
		if d.Number <= t.shown[seat] || d.Number == t.store.letters[seat].Number {
			continue
		}
		out = append(out, slices.DeleteFunc(letterParts(d.Body), func(p letterPart) bool {
			return p.title != partHappened && !strings.HasPrefix(p.title, partMessage)
		})...)
	}
	t.store.unread[seat] = nil
	return out
}

// clearScreen forgets what the terminal shows, and what it could be scrolled back to.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// draw draws the curtain when another seat is to see the screen, and waits until its
// player sits there. It returns false when nobody comes.
func (t *hotSeat) draw(seat rules.Seat) bool {
	if !t.curtain || t.last == rules.Nobody || t.last == seat {
		return true
	}
	fmt.Fprint(t.out, "\nPress Enter to clear the screen.")
	if !t.in.Scan() {
		return false
	}
	fmt.Fprintf(t.out, "%sIt is for the %s now. Press Enter when you sit there.", clearScreen, t.store.match.Seats[seat].Name)
	return t.in.Scan()
}

// left says goodbye.
func (t *hotSeat) left() error {
	fmt.Fprintln(t.out, "\nYou have left the table.")
	return t.in.Err()
}

// isTerminal reports whether somebody may sit at a stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
