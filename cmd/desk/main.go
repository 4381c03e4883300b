//go:build js && wasm

// Command desk is the program of the desk's page: it runs in the browser.
package main

import (
	"errors"

	"samizdat/internal/desk/board"
	"samizdat/internal/desk/bridge"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
)

// opened is the board of the link that was opened last.
var opened *board.Board

// errClosed answers a page that has opened nothing.
var errClosed = errors.New("no link is open")

func main() {
	opener := board.NewOpener(rules.Games{dawn1989.Game(), revolution1789.Game(), liarsdice.Game()})
	bridge.Export("deskOpen", func(in struct{ Fragment string }) (any, error) {
		b, err := opener.Open(in.Fragment)
		if err != nil {
			return nil, err
		}
		opened = b
		return b.Facts(), nil
	})
	bridge.Export("deskGames", func(struct{}) (any, error) { return opener.Games(), nil })
	bridge.Export("deskState", func(in struct {
		Lines []string
		Atoms []rules.Atom
	}) (any, error) {
		if opened == nil {
			return nil, errClosed
		}
		return opened.State(in.Lines, in.Atoms)
	})
	bridge.Export("deskMap", func(in struct{ Lines int }) (any, error) {
		if opened == nil {
			return nil, errClosed
		}
		m, ok := opened.Map(in.Lines)
		if !ok {
			return nil, nil
		}
		return m, nil
	})
	bridge.Ready()
}
