// Package bench measures how fast the program is on the machine that it runs on, and makes
// the table of docs/speed.md.
//
// What is measured is the program as it is used: the daemon's loop with the embedded mail
// server on loopback or with given servers, a database on the disk, the commands as processes
// of their own. Beside the loop stands one that does nothing (null.go): the same inbox and
// the same outbox, one commit and two answers of the same size. Everything is measured once
// in each of several runs, so that what else the machine does falls on all alike.
//
// Matches are not played by mail for it, but honestly (maker.go): robots give legal answers,
// dice come from the match's secret, and each record verifies.
package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules"
)

// Plan is what to measure.
type Plan struct {
	// Games are those that the program knows. Matches are of the first.
	Games rules.Games
	// Dir is where matches and mailboxes are made. Many matches that are there already, from
	// a plan with as many, are taken again.
	Dir string
	// Program is how this program is started for what is measured in processes.
	Program string
	// Only bounds what is measured to the measures whose names fit; nil is all.
	Only *regexp.Regexp
	// Runs is how often everything is measured.
	Runs int
	// Matches is how many many matches are, Entries how many entries each has.
	Matches, Entries int
	// Letters is how many letters go through a loop.
	Letters int
	// History is how many entries a long match has.
	History int
	// Brief leaves out what takes long: the end of the long match.
	Brief bool
	// Backlog is how many letters wait to be sent, Inbox how many strangers' letters lie in
	// a full inbox.
	Backlog, Inbox int
	// Decisions is how many decisions the engine is measured by.
	Decisions int
	// Rest is for how long a daemon is left alone before its memory is looked at, and its
	// database is weighed: some of its work it does beside the rest.
	Rest time.Duration
	// Servers has the account at given mail servers which takes the place of the embedded
	// server, and the addresses of its players; nil for none.
	Servers *config.Config
	Players []string
	// Progress is told what is under way.
	Progress io.Writer
}

// Standard is the plan of docs/speed.md, Quick one that takes seconds and says only that
// everything can be measured.
var (
	Standard = Plan{Runs: 3, Matches: 10_000, Entries: 40, Letters: 300, History: 350, Backlog: 10_000, Inbox: 20_000, Decisions: 200_000, Rest: 3 * time.Second}
	Quick    = Plan{Brief: true, Runs: 1, Matches: 60, Entries: 5, Letters: 8, History: 30, Backlog: 100, Inbox: 40, Decisions: 2_000, Rest: 50 * time.Millisecond}
)

// bench is a plan under way.
type bench struct {
	Plan
	maker
	table Table
	// many is set when the many matches are there, used is how many of them have moved.
	many bool
	used int
	// null is how many letters a second the null loop had last, nullBusy what the processor did for
	// a letter of it.
	null     float64
	nullBusy time.Duration
	// long is the long match; nil before it was played.
	long *longMatch
}

// measure is one thing that is measured. It notes what it finds.
type measure struct {
	name string
	run  func(*bench, context.Context) error
}

// measures are all, in the order of the table.
var measures = []measure{
	{"loop", (*bench).loops},
	{"pictures", (*bench).pictureLoops},
	{"picture", (*bench).picture},
	{"record", (*bench).record},
	{"engine", (*bench).engine},
	{"size", (*bench).size},
	{"history", (*bench).history},
	{"outbox", (*bench).outbox},
	{"start", (*bench).start},
	{"commands", (*bench).commands},
	{"memory", (*bench).memory},
}

// Names are the names of all measures.
func Names() (out []string) {
	for _, m := range measures {
		out = append(out, m.name)
	}
	return out
}

// Run measures what a plan says, with the runtime as it is in a process that serves: what is measured first
// must not decide how what comes after it is.
func Run(ctx context.Context, p Plan) (Table, error) {
	daemon.Tune()
	k, err := newMaker(p.Games[0], p.Players)
	if err != nil {
		return Table{}, err
	}
	b := &bench{Plan: p, maker: k}
	for run := range p.Runs {
		for _, m := range measures {
			if p.Only != nil && !p.Only.MatchString(m.name) {
				continue
			}
			began := time.Now()
			if err := m.run(b, ctx); err != nil {
				return b.table, fmt.Errorf("measure %s: %w", m.name, err)
			}
			b.say("run %d of %d: %s, %v", run+1, p.Runs, m.name, time.Since(began).Round(time.Millisecond))
		}
	}
	return b.table, nil
}

func (b *bench) say(format string, args ...any) {
	if b.Progress != nil {
		fmt.Fprintf(b.Progress, format+"\n", args...)
	}
}

// scratch is an empty directory, which remove takes away.
func (b *bench) scratch(name string) (dir string, remove func() error, err error) {
	dir = filepath.Join(b.Dir, "scratch", name)
	if err := os.RemoveAll(dir); err != nil {
		return "", nil, err
	}
	return dir, func() error { return os.RemoveAll(dir) }, os.MkdirAll(dir, 0o700)
}
