package rules

import "samizdat/templates/picture"

// Desk is the data of a game for the page on which a player builds orders by clicking. A letter links to the page, and
// the link contains the player's view.
type Desk struct {
	// Dictionary is the preset dictionary for the compression of links: the JSON of some typical links. It must never
	// change, because the page could not decompress older links.
	Dictionary []byte
	// ImaginePositions returns possible positions for a view, like Game.Imagine. In the first position the seat has
	// the same open decision and options as in the match.
	ImaginePositions func(v View) []Position
	// Places returns the clickable places on the picture that Game.Map draws of a view. If nil, the map is not
	// clickable.
	Places func(v View) []Place
	// SlowRobots are the names of the robots that take longer than 2 s for some answers in a browser. The page
	// does not offer them.
	SlowRobots []string
}

// Place is the area of a name on the map. The page puts a button there.
type Place struct {
	Kind NameKind
	Code int
	Box  picture.Box
}
