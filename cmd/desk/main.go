//go:build js && wasm

// Command desk is the program of the desk's page for composing orders. It runs in the browser.
package main

import (
	"samizdat/internal/desk/board"
	"samizdat/internal/desk/bridge"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
)

func main() {
	opener := board.NewOpener(rules.Games{dawn1989.Game(), revolution1789.Game(), liarsdice.Game()})
	var current *board.Board
	bridge.Export("deskGames", func(struct{}) (any, error) { return opener.Games(), nil })
	bridge.Export("deskOpen", func(in struct{ Fragment string }) (any, error) {
		b, err := opener.Open(in.Fragment)
		if err != nil {
			return nil, err
		}
		current = b
		return b.Facts(), nil
	})
	// The page calls these functions after deskOpen has succeeded.
	bridge.Export("deskState", func(in struct {
		Lines []string
		Atoms []rules.Atom
	}) (any, error) {
		return current.State(in.Lines, in.Atoms)
	})
	bridge.Export("deskMap", func(in struct{ Lines int }) (any, error) { return current.Map(in.Lines), nil })
	bridge.Ready()
}
