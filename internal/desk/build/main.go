// Command build makes the files of the desk's page that are not in the repository: the compressed programs, and Go's script
// wasm_exec.js, which starts them.
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	if err := build("page"); err != nil {
		log.Fatal(err)
	}
}

// noInlineFlags disable inlining. They make a program smaller by a tenth and a little slower.
var noInlineFlags = []string{"-gcflags=samizdat/...=-l", "-gcflags=golang.org/x/...=-l", "-gcflags=encoding/...=-l", "-gcflags=regexp/...=-l",
	"-gcflags=time=-l", "-gcflags=fmt=-l", "-gcflags=reflect=-l"}

// build makes the files in a directory of internal/desk.
func build(dir string) error {
	temp, err := os.MkdirTemp("", "desk")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	for _, p := range []struct {
		name, from string
		flags      []string
	}{{"desk.wasm", "samizdat/cmd/desk", noInlineFlags}, {"matches.wasm", "samizdat/cmd/desk/matches", nil}} {
		program := filepath.Join(temp, p.name)
		c := exec.Command("go", slices.Concat([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", program}, p.flags, []string{p.from})...)
		c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
		c.Stderr = os.Stderr
		if err := c.Run(); err != nil {
			return fmt.Errorf("build %s: %w", p.from, err)
		}
		if err := compress(program, filepath.Join(dir, p.name+".gz")); err != nil {
			return fmt.Errorf("compress %s: %w", p.from, err)
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return fmt.Errorf("find GOROOT: %w", err)
	}
	script, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return fmt.Errorf("read the script that starts Go programs: %w", err)
	}
	return os.WriteFile(filepath.Join(dir, "wasm_exec.js"), script, 0o644)
}

// compress writes a gzip file. The output depends only on the content of the input.
func compress(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = z.Write(data)
	if err := errors.Join(err, z.Close()); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}
