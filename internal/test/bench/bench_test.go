//go:build long && linux

// Package bench measures how fast the program is on the machine that it runs on. tools/bench
// prints the table of docs/speed.md with it; a long run of all tests measures little, which
// shows that everything can be measured.
//
// The program is measured as it is used: the daemon's loop with mail servers, a database on the
// disk, the commands as processes of their own. Beside the loop stands one that does nothing
// (null_test.go). Everything is measured once in each of several runs, so that what else the
// machine does falls on all alike.
package bench

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"testing"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// plan is what to measure.
type plan struct {
	// brief leaves out what takes long: the end of the long match.
	brief bool
	// runs is how often everything is measured.
	runs int
	// matches is how many many matches are, entries how many entries each has.
	matches, entries int
	// letters is how many letters go through a loop.
	letters int
	// history is how many entries a long match has.
	history int
	// backlog is how many letters wait to be sent, inbox how many strangers' letters lie in
	// a full inbox.
	backlog, inboxful int
	// decisions is how many decisions the engine is measured by.
	decisions int
	// rest is for how long a daemon is left alone before its memory is looked at, and its
	// database is weighed: some of its work it does beside the rest.
	rest time.Duration
}

var (
	full = plan{runs: 3, matches: 10_000, entries: 40, letters: 300, history: 350, backlog: 10_000, inboxful: 20_000, decisions: 200_000,
		rest: 3 * time.Second}
	quick = plan{brief: true, runs: 1, matches: 60, entries: 5, letters: 8, history: 30, backlog: 100, inboxful: 40, decisions: 2_000,
		rest: 50 * time.Millisecond}
)

// The flags of tools/bench.
var (
	chosen   = quick
	only     = flag.String("only", "", "measure only this: names of measures, with | between them")
	data     = flag.String("data", "", "directory in which the many matches are made, and kept for the next time; empty keeps nothing")
	program  = flag.String("program", "", "the built program; empty builds it")
	revision = flag.String("revision", "unknown source", "revision of the source, which stands below the table")
	inJSON   = flag.Bool("json", false, "print the table as JSON, with the value of each run")
)

func init() {
	choose := func(p plan) func(string) error { return func(string) error { chosen = p; return nil } }
	flag.BoolFunc("full", "measure as the table of docs/speed.md", choose(full))
	flag.BoolFunc("quick", "measure little, in seconds: it shows only that everything can be measured", choose(quick))
	flag.IntVar(&chosen.runs, "runs", chosen.runs, "how often everything is measured")
	flag.IntVar(&chosen.matches, "matches", chosen.matches, "how many matches many are")
	flag.IntVar(&chosen.letters, "letters", chosen.letters, "how many letters go through a loop")
	flag.IntVar(&chosen.backlog, "backlog", chosen.backlog, "how many letters wait to be sent")
	flag.IntVar(&chosen.inboxful, "inbox", chosen.inboxful, "how many letters of strangers lie in a full inbox")
}

// bench is a plan under way.
type bench struct {
	plan
	game  *rules.Game
	setup rules.Setup
	seats []string
	// dir holds the many matches, program is the file of the program, build the name that it has
	// for itself.
	dir, program, build string
	// servers has the account at given mail servers which takes the place of the embedded
	// server, and inbox its mailbox without encryption; nil for the embedded one.
	servers *config.Config
	inbox   string
	// mailboxes are the addresses whose owners play all matches, each under an address of
	// its own with a detail behind a plus.
	mailboxes []string
	// filled is set when the many matches are there, used is how many of them have moved.
	filled bool
	used   int
	// ones counts the matches that were alone in a loop: each is another.
	ones uint64
	// long is the long match; nil before it was played.
	long  *longMatch
	table table
}

// measures are all that is measured, in the order of the table. Each notes what it finds.
var measures = []struct {
	name string
	run  func(*bench, *testing.T)
}{
	{"loop", (*bench).loops},
	{"pictures", (*bench).pictureLoops},
	{"picture", (*bench).pictures},
	{"record", (*bench).records},
	{"engine", (*bench).engine},
	{"size", (*bench).size},
	{"history", (*bench).requests},
	{"outbox", (*bench).outbox},
	{"start", (*bench).start},
	{"commands", (*bench).commands},
	{"memory", (*bench).memory},
}

// TestBench measures what the flags say, and prints the table, also where something cannot be
// measured.
func TestBench(t *testing.T) {
	b := newBench(t, chosen)
	print := b.table.write
	if *inJSON {
		print = b.table.writeJSON
	}
	defer func() { check(t, print(os.Stdout)) }()
	b.measure(t, *only)
}

func newBench(t *testing.T, p plan) *bench {
	t.Helper()
	g := dawn1989.Game()
	setup, err := rules.NewSetup(g, 2)
	check(t, err)
	b := &bench{plan: p, game: g, setup: setup, seats: g.SeatNames(setup), dir: *data, program: *program,
		mailboxes: []string{"ada@samizdat.local", "ben@samizdat.local"}}
	if b.dir == "" {
		b.dir = t.TempDir()
	}
	return b
}

// measure measures what a pattern names, with the runtime as it is in a process that serves:
// what is measured first must not decide how what comes after it is.
func (b *bench) measure(t *testing.T, pattern string) {
	t.Helper()
	daemon.TuneRuntime()
	wanted, err := regexp.Compile("^(?:" + pattern + ")$")
	check(t, err)
	for run := range b.runs {
		for _, m := range measures {
			if pattern != "" && !wanted.MatchString(m.name) {
				continue
			}
			began := time.Now()
			if !t.Run(fmt.Sprintf("%s %d", m.name, run+1), func(t *testing.T) { m.run(b, t) }) {
				return
			}
			say("run %d of %d: %s, %v", run+1, b.runs, m.name, time.Since(began).Round(time.Millisecond))
		}
	}
}

// say tells what is under way.
func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// check ends a measure that has failed.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
