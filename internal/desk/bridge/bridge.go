//go:build js && wasm

// Package bridge lets the scripts of a page call Go functions.
package bridge

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall/js"
)

// Export makes a Go function callable for the page, with JSON as its input and output. Errors become {"error": "..."},
// and so do panics, which forged links and files may cause.
func Export[In any](name string, do func(In) (any, error)) {
	call := func(text string) (out any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("the page cannot read this: %v", p)
			}
		}()
		var in In
		if err := json.Unmarshal([]byte(text), &in); err != nil {
			return nil, err
		}
		return do(in)
	}
	js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
		out, err := call(args[0].String())
		if err != nil {
			out = map[string]string{"error": err.Error()}
		}
		var data strings.Builder
		e := json.NewEncoder(&data)
		e.SetEscapeHTML(false)
		if err := e.Encode(out); err != nil {
			return `{"error":"the answer cannot be written"}`
		}
		return data.String()
	}))
}

// Ready tells the page that the functions can be called, and waits for calls.
func Ready() {
	debug.SetGCPercent(400) // A garbage collection blocks the page.
	js.Global().Call("programReady")
	select {}
}

// GrowMemory grows the memory of the program to a number of bytes in one step. Growing in many small steps would take a
// fifth of the time of a large task.
func GrowMemory(bytes int) {
	var stats runtime.MemStats
	if runtime.ReadMemStats(&stats); uint64(bytes) <= stats.HeapSys {
		return
	}
	memory := make([]byte, uint64(bytes)-stats.HeapSys)
	runtime.KeepAlive(memory)
	runtime.GC() // The memory is free again, and the program keeps it.
}

// Bytes returns the files in a global array of the page, and empties the array.
func Bytes(name string) [][]byte {
	list := js.Global().Get(name)
	out := make([][]byte, list.Length())
	for i := range out {
		data := list.Index(i)
		out[i] = make([]byte, data.Get("length").Int())
		js.CopyBytesToGo(out[i], data)
	}
	js.Global().Set(name, js.Global().Get("Array").New())
	return out
}
