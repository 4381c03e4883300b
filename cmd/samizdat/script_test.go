package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"samizdat/internal/test/pgtest"
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
		Condition: func(c string) (bool, error) {
			if c != "server" {
				return false, fmt.Errorf("no condition is called %q", c)
			}
			return pgtest.Used(), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv(asProgram, "1")
			e.Setenv("GOGC", os.Getenv("GOGC"))
			e.Setenv("SAMIZDAT", os.Args[0])
			e.Setenv("SAMPLE", sample)
			e.Setenv("RECORDS", filepath.Join(filepath.Dir(sample), "records"))
			if !pgtest.Used() {
				return nil
			}
			where, err := pgtest.Empty(t, e.WorkDir)
			e.Setenv("SAMIZDAT_DATABASE", where)
			return err
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
