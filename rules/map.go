package rules

import "samizdat/templates/picture"

// Cartographer is a game that draws maps. It is optional: a caller asks whether
// a Game is one. Maps are made from a View, so that they show what its seat may
// see; since are events that the seat is an audience of, and what they changed
// is marked. Without events nothing is.
type Cartographer interface {
	// TextMap draws the map in plain ASCII, at most 78 columns wide.
	TextMap(v View, since []Event) []string
	// Draw draws the map as a picture.
	Draw(v View, since []Event) *picture.Picture
}
