package main

import (
	"encoding/json"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"samizdat/internal/rehearse"
)

// rehearseCommand is for whoever works on the program; players and operators have no use for it.
func rehearseCommand() *cobra.Command {
	p := rehearse.Plan{Game: games[0], Measured: 200, MemoryMB: 400}
	cmd := &cobra.Command{
		Use:    "rehearse",
		Hidden: true,
		Short:  "Let a club of simulated members live in fast time on this machine",
		Long: "Let a club of simulated members live in fast time: they register, find each other, play,\n" +
			"fall silent and resign, all by mail, through the mail server and the daemon of this program.\n" +
			"Most matches are begun before the month is. Progress goes to standard error, one JSON object\n" +
			"to standard output. The status is 1 if a letter is lost or doubled, something is done late,\n" +
			"a record or the ladder does not verify, or too much memory or room is taken.",
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			p.Progress = cmd.ErrOrStderr()
			if p.Dir == "" {
				if p.Dir, err = os.MkdirTemp("", "samizdat-rehearse-"); err != nil {
					return err
				}
				defer func() { err = errors.Join(err, os.RemoveAll(p.Dir)) }()
			}
			sum, err := rehearse.Run(cmd.Context(), p)
			if err != nil {
				return err
			}
			return orDiffers(len(sum.Wrong) == 0, json.NewEncoder(cmd.OutOrStdout()).Encode(sum))
		},
	}
	f := cmd.Flags()
	f.IntVar(&p.Members, "members", 100, "how many members the club has")
	f.IntVar(&p.Matches, "matches", 500, "how many matches run when the month begins")
	f.IntVar(&p.Days, "days", 10, "how many days it lives; 0 for letters that are measured, and no life")
	f.Uint64Var(&p.Seed, "seed", 1, "seed of what the members do")
	f.DurationVar(&p.Looks, "looks", rehearse.Looks, "how long it is from one look into a member's mailbox to the next, on average")
	f.StringVar(&p.Tempo, "tempo", rehearse.Tempo, "how much time the players have")
	f.IntVar(&p.Measured, "measured", p.Measured, "how many letters are measured with ten matches and with all")
	f.StringVar(&p.Dir, "data", "", "new directory in which database and mailboxes are kept (default: nothing is kept)")
	return cmd
}
