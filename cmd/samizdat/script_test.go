package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the sessions in testdata/script with the real program.
func TestScripts(t *testing.T) {
	t.Parallel()
	sample, err := filepath.Abs(filepath.Join("..", "..", "testdata", "sample-turn.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: filepath.Join("testdata", "script"),
		Setup: func(e *testscript.Env) error {
			e.Setenv(asProgram, "1")
			e.Setenv("GOGC", os.Getenv("GOGC"))
			e.Setenv("SAMIZDAT", os.Args[0])
			e.Setenv("SAMPLE", sample)
			return nil
		},
	})
}

// TestErrorsOfEveryCommand: the script of errors calls every command.
func TestErrorsOfEveryCommand(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile(filepath.Join("testdata", "script", "errors.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range newCommand().Commands() {
		if !strings.Contains(string(script), "! exec $SAMIZDAT "+c.Name()+" ") && !strings.Contains(string(script), "! exec $SAMIZDAT "+c.Name()+"\n") {
			t.Errorf("no error of %q is in the script", c.Name())
		}
	}
}
