//go:build js && wasm

// Command desk is the program of the desk's page: it runs in the browser.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"syscall/js"

	"samizdat/internal/desk/board"
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
	export("deskOpen", func(in struct{ Fragment string }) (any, error) {
		b, err := opener.Open(in.Fragment)
		if err != nil {
			return nil, err
		}
		opened = b
		return b.Facts(), nil
	})
	export("deskState", func(in struct {
		Lines []string
		Atoms []rules.Atom
	}) (any, error) {
		if opened == nil {
			return nil, errClosed
		}
		return opened.State(in.Lines, in.Atoms)
	})
	export("deskMap", func(in struct{ Lines int }) (any, error) {
		if opened == nil {
			return nil, errClosed
		}
		m, ok := opened.Map(in.Lines)
		if !ok {
			return nil, nil
		}
		return m, nil
	})
	js.Global().Call("deskReady")
	select {}
}

// export makes a function of JSON for the page. What goes wrong is said in "error": what stands in
// links and letters may be anything, and the page goes on.
func export[In any](name string, do func(In) (any, error)) {
	answer := func(text string) (out any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("the page cannot make sense of this: %v", p)
			}
		}()
		var in In
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			return nil, err
		}
		return do(in)
	}
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		out, err := answer(args[0].String())
		if err != nil {
			out = map[string]string{"error": err.Error()}
		}
		data, err := json.Marshal(out)
		if err != nil {
			return `{"error":"the answer cannot be written"}`
		}
		return string(data)
	}))
}
