package rules

import "fmt"

// Games are the games that a program knows, the one that is meant unasked first.
type Games []Game

// Find returns the game of a name.
func (gs Games) Find(name string) (Game, error) {
	known := ""
	for _, g := range gs {
		if g.Name() == name {
			return g, nil
		}
		if known != "" {
			known += "; "
		}
		known += g.Name() + ", " + g.Title()
	}
	return nil, fmt.Errorf("no game is called %q; there is %s", name, known)
}
