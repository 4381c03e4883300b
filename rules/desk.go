package rules

import "samizdat/templates/picture"

// Desk is the data of a game that the page of a letter's link needs beside the words of the letter. The page gets a
// view in the link, and its reader builds an order by clicking.
type Desk struct {
	// Dictionary is the JSON of some links in typical positions. Links are compressed by it, so it
	// never changes: older links could not be read any more.
	Dictionary []byte
	// ImaginePositions returns positions that agree with a view and are made from nothing else, as Game.Imagine
	// does. In the first its seat is asked what it is asked, and has the same options.
	ImaginePositions func(v View) []Position
	// Places are where named things lie on the picture that Game.Map draws of a view. Without it no
	// place of the map can be clicked.
	Places func(v View) []Place
	// SlowRobots are the names of the robots that take longer than 2 s for some answers in a browser. The page
	// does not offer them.
	SlowRobots []string
}

// Place is the position of a name on the map. The page puts a button there.
type Place struct {
	Kind NameKind
	Code int
	Box  picture.Box
}
