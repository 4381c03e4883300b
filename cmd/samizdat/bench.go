package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/internal/bench"
	"samizdat/internal/config"
)

// quickTime bounds a quick measurement.
const quickTime = time.Minute

// benchCommand is for whoever works on the program; players and operators have no use for it.
func benchCommand() *cobra.Command {
	plan := bench.Standard
	var quick, inJSON bool
	var only, profile string
	cmd := &cobra.Command{
		Use:    "bench",
		Hidden: true,
		Short:  "Measure how fast this program is on this machine",
		Long: "Measure how fast this program is on this machine, and print the table of\n" +
			"docs/speed.md. It takes some minutes, most of them for the many matches, which --data\n" +
			"keeps for the next time. With --config the mail servers of the configuration take the\n" +
			"place of the embedded one in the loops; they need an account for the referee that is\n" +
			"used for nothing else, and mailboxes for the players, to whom --player gives addresses.\n\n" +
			"Measures: " + strings.Join(bench.Names(), ", ") + ".",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if only != "" {
				if plan.Only, err = regexp.Compile("^(?:" + only + ")$"); err != nil {
					return fmt.Errorf("--only: %w", err)
				}
			}
			if plan.Servers, err = benchServers(cmd); err != nil {
				return err
			}
			if plan.Servers != nil && len(plan.Players) == 0 {
				return errors.New("--player is missing: letters to players need mailboxes at the servers of the configuration")
			}
			return inDirectoryOf(&plan, func() error {
				return profiled(profile, func() error { return runBench(cmd, plan, quick, inJSON) })
			})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&quick, "quick", false, "measure little, in a few seconds: it shows that everything can be measured, and no more")
	f.BoolVar(&inJSON, "json", false, "print the table as JSON, with the value of each run")
	f.StringVar(&only, "only", "", "measure only this: names of measures, with | between them")
	f.StringVar(&profile, "profile", "", "file for a profile of the processor's time, for go tool pprof")
	f.StringVar(&plan.Dir, "data", "", "directory in which matches and mailboxes are made and kept (default: nothing is kept)")
	f.IntVar(&plan.Runs, "runs", plan.Runs, "how often everything is measured")
	f.IntVar(&plan.Matches, "matches", plan.Matches, "how many matches many are")
	f.IntVar(&plan.Letters, "letters", plan.Letters, "how many letters go through a loop")
	f.IntVar(&plan.Backlog, "backlog", plan.Backlog, "how many letters wait to be sent")
	f.IntVar(&plan.Inbox, "inbox", plan.Inbox, "how many letters of strangers lie in a full inbox")
	f.StringArrayVar(&plan.Players, "player", nil, "address of a player's mailbox at the servers of the configuration; once for each")
	return cmd
}

// benchServers are the servers of the configuration that the command was called with; nil
// without one.
func benchServers(cmd *cobra.Command) (*config.Config, error) {
	file := cmd.Flag("config")
	if !file.Changed {
		return nil, nil
	}
	cfg, err := config.Load(file.Value.String())
	if err == nil && cfg.UsesEmbedded() {
		err = fmt.Errorf("%s names no mail servers: without --config the embedded one is measured", file.Value)
	}
	return &cfg, err
}

// inDirectoryOf gives a plan a directory that is removed again, if it has none.
func inDirectoryOf(plan *bench.Plan, run func() error) error {
	if plan.Dir != "" {
		return run()
	}
	dir, err := os.MkdirTemp("", "samizdat-bench-")
	if err != nil {
		return err
	}
	plan.Dir = dir
	return errors.Join(run(), os.RemoveAll(dir))
}

// profiled writes a profile of what runs to a file, if one is named.
func profiled(file string, run func() error) error {
	if file == "" {
		return run()
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	err = run()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}

// runBench measures, and prints what it has measured also where something cannot be.
func runBench(cmd *cobra.Command, plan bench.Plan, quick, inJSON bool) (err error) {
	ctx := cmd.Context()
	if quick {
		q := bench.Quick
		q.Dir, q.Only, q.Servers, q.Players = plan.Dir, plan.Only, plan.Servers, plan.Players
		plan = q
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, quickTime, errors.New("it took too long"))
		defer cancel()
	}
	plan.Games, plan.Progress = games, cmd.ErrOrStderr()
	if plan.Program, err = os.Executable(); err != nil {
		return err
	}
	table, err := bench.Run(ctx, plan)
	print := table.Write
	if inJSON {
		print = table.WriteJSON
	}
	return errors.Join(err, print(cmd.OutOrStdout()))
}
