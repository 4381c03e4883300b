package main

import (
	"fmt"

	"samizdat/adjudicator"
	"samizdat/mail/message"
	"samizdat/rules"
)

// postedPosition puts the position that a letter carries on a table. What its reader
// cannot see is imagined; what orders would do is told only as far as it does not
// depend on that.
func postedPosition(path string, data []byte) (*local, error) {
	posted, err := adjudicator.FindPosted(string(data))
	if err != nil {
		// A letter as mail programs store it may be encoded.
		p, again := adjudicator.FindPosted(message.Read(data).Text)
		if again != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		posted = p
	}
	g, err := findGame(posted.Game)
	if err != nil {
		return nil, err
	}
	reader, reads := g.(rules.ViewReader)
	imaginer, imagines := g.(rules.Imaginer)
	if !reads || !imagines {
		return nil, fmt.Errorf("%s: orders of %s cannot be tried", path, g.Title())
	}
	setup := rules.Setup{Seats: len(posted.Seats), Options: posted.Options, Revision: posted.Revision}
	seat := rules.Nobody
	for i, name := range g.SeatNames(setup) {
		if name == posted.Seat {
			seat = rules.Seat(i)
		}
	}
	if seat == rules.Nobody {
		return nil, fmt.Errorf("%s: there is no seat %q", path, posted.Seat)
	}
	view, err := reader.DecodeView(posted.View, seat)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	worlds := imaginer.Imagine(view)
	if len(worlds) == 0 {
		return nil, fmt.Errorf("%s: there is nothing to try in it", path)
	}
	l, err := layOut(g, setup, worlds[0])
	if err != nil {
		return nil, err
	}
	l.whose = posted.Seat
	return l, nil
}
