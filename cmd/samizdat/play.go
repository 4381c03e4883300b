package main

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"samizdat/internal/playout"
	"samizdat/internal/table"
	"samizdat/internal/transcript"
	"samizdat/rules"
)

func playCommand() *cobra.Command {
	plan := table.Plan{}
	var game, path, resume string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play a match in the terminal, against robots or at one keyboard",
		Long: "Play a match in the terminal: the same engine and the same orders as by mail. You\n" +
			"play one seat, and robots the others. With --robot none people play all seats at one\n" +
			"keyboard, and each sees a cleared screen. \"help\" explains orders, \"quit\" ends, also\n" +
			"Ctrl-C. Several orders at once stand between \"begin\" and \"end\". The same --seed gives\n" +
			"the same dice.\n\n" +
			"A match that you leave is kept in the file of --record, or else in\n" +
			"~/.local/state/samizdat, and the command to go on with it is printed.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			// Closing the terminal has the effect of Ctrl-C.
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGHUP)
			defer stop()
			if !cmd.Flags().Changed("seed") {
				var b [8]byte
				if _, err := rand.Read(b[:]); err != nil {
					return err
				}
				plan.Seed = binary.BigEndian.Uint64(b[:])
			}
			if plan.Game, err = games.Find(game); err != nil {
				return err
			}
			if plan.Robot == "" {
				plan.Robot = defaultRobot(plan.Game)
			}
			if plan.Robot == noRobot {
				plan.Robot = ""
			}
			m, err := beginOrResume(ctx, cmd, plan, &path, resume)
			if err != nil {
				return err
			}
			playErr := m.Play(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
			backup, err := m.Save(context.WithoutCancel(ctx), path)
			if backup != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "record: %s\n", backup)
				if !m.Over() {
					fmt.Fprintf(cmd.OutOrStdout(), "To go on: %s play --resume %s\n", programName(), shellWord(backup))
				}
			}
			return errors.Join(playErr, err)
		},
	}
	cmd.Flags().Uint64Var(&plan.Seed, "seed", 0, "seed of the dice and the robots (default: another each time)")
	cmd.Flags().StringVar(&plan.Robot, "robot", "",
		"robot that plays each of the other seats, or "+noRobot+" (default: the game's first beside random)")
	cmd.Flags().StringVar(&plan.Seat, "seat", "", "seat that you play against robots (default: the first)")
	cmd.Flags().StringVar(&game, "game", games[0].Name(), "the game")
	cmd.Flags().IntVar(&plan.Seats, "seats", 0, "number of seats (default: as many as the game has)")
	cmd.Flags().StringVar(&path, "record", "", "new file to write the record of the match to")
	cmd.Flags().StringVar(&resume, "resume", "", "go on with a match that was left, in this file")
	return cmd
}

// noRobot is the value of --robot for persons at all seats.
const noRobot = "none"

// defaultRobot returns the default of --robot: the first robot of a game after the random one.
func defaultRobot(g *rules.Game) string {
	names := g.RobotNames()
	return names[min(1, len(names)-1)]
}

// beginOrResume starts a match, or resumes one from its record and sets path. It checks that a new record can be
// written to path.
func beginOrResume(ctx context.Context, cmd *cobra.Command, plan table.Plan, path *string, resume string) (*table.Match, error) {
	if cmd.Flags().Changed("resume") {
		for _, other := range []string{"robot", "seat", "seats", "game", "record"} {
			if cmd.Flags().Changed(other) {
				return nil, usageError{cmd, fmt.Errorf("--resume continues a match as it was left, without --%s", other)}
			}
		}
		*path = resume
		return table.Resume(ctx, games, resume, plan.Seed)
	}
	m, err := table.Begin(ctx, plan)
	if err == nil && *path != "" {
		err = table.TryRecord(*path)
	}
	return m, err
}

func playoutCommand() *cobra.Command {
	plan := playout.Plan{}
	var game, robots string
	cmd := &cobra.Command{
		Use:   "playout",
		Short: "Play many matches between robots in memory, and sum them up",
		Long: "Play matches between robots, without mail or database, and print one JSON object\n" +
			"that sums them up. The same seed gives the same matches. The first match has the\n" +
			"seed that was given, so that a match told of in \"bad\" is played again alone with\n" +
			"--games 1 and its own seed. The status is 1 if a match was stuck or illegal. Ctrl-C sums\n" +
			"up those that were played.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if plan.Game, err = games.Find(game); err != nil {
				return err
			}
			plan.Robots = strings.Split(robots, ",")
			sum, err := playout.Run(cmd.Context(), plan)
			if err != nil && cmd.Context().Err() == nil {
				return err
			}
			out, failed := json.Marshal(sum)
			if failed != nil {
				return failed
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", out)
			if err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d matches were played.\n", sum.Games, plan.Games)
				return err
			}
			if sum.Illegal > 0 || sum.Stuck > 0 {
				return errDiffers
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&plan.Games, "games", 1000, "number of matches")
	cmd.Flags().Uint64Var(&plan.Seed, "seed", 1, "seed of the dice and the robots")
	cmd.Flags().StringVar(&robots, "robots", "random", "the robot of every seat, or one for each, separated by commas")
	cmd.Flags().StringVar(&game, "game", "1989", "the game")
	cmd.Flags().IntVar(&plan.Seats, "players", 0, "number of seats (default: as many as robots are named, or the least that the game has)")
	cmd.Flags().IntVar(&plan.Revision, "rules", 0, "revision of the rules (default: the newest)")
	return cmd
}

func checkCommand() *cobra.Command {
	var path, seat, game string
	var seats int
	cmd := &cobra.Command{
		Use:   "check --position FILE",
		Short: "Say what orders mean and whether they are legal",
		Long: "Read orders from the standard input, as a letter would hold them, and say what each\n" +
			"line means in a position, whether it is legal, and what it would do up to the first\n" +
			"die, draw or decision of another player. Nothing is stored or sent.\n\n" +
			"The position is a letter in which the referee answered POSITION, or the lines of it\n" +
			"(what you cannot see in it is imagined), a record (JSON Lines; its last position\n" +
			"counts), or a position as \"samizdat replay --state\" prints it. \"-\" is not taken:\n" +
			"the orders come that way. The status is 1 when a line is not good.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path == "" {
				return usageError{cmd, errors.New("--position FILE is missing")}
			}
			trial, err := table.Open(games, game, seats, path)
			if err != nil {
				return err
			}
			orders, err := io.ReadAll(input(cmd, "Write orders, and Ctrl-D on a line of its own behind them."))
			if err != nil {
				return fmt.Errorf("read the orders: %w", err)
			}
			good, err := trial.Check(cmd.Context(), cmd.OutOrStdout(), seat, string(orders))
			return orDiffers(good, err)
		},
	}
	cmd.Flags().StringVar(&path, "position", "", "file of the position: a letter, a record or JSON")
	cmd.Flags().StringVar(&seat, "seat", "", "seat that writes (default: whose letter it is, or who is to move)")
	cmd.Flags().StringVar(&game, "game", games[0].Name(), "game of a position that is not a record")
	cmd.Flags().IntVar(&seats, "seats", 0, "number of seats of a position that is not a record (default: as many as the game has)")
	return cmd
}

func importCommand() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a record of a match that was played at a table and written down",
		Long: "Read a match that was played elsewhere: a line for each order, as in a letter, and\n" +
			"below it what was rolled and drawn, \"!roll 4\" and \"!draw 36\". Every line is checked.\n" +
			"The record goes to the standard output, or to the file of -o; \"replay\", \"verify\" and\n" +
			"\"map\" read it. docs/import.md describes the text. \"-\" reads the standard input. The\n" +
			"status is 1 when a line is not good.",
		Args: exactArgs("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := readText(cmd, args[0])
			if err != nil {
				return err
			}
			imported, err := transcript.Read(games, text)
			var complaints transcript.Complaints
			if errors.As(err, &complaints) {
				for _, c := range complaints {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s, %s\n", args[0], c)
				}
				return errDiffers
			}
			if err != nil {
				return err
			}
			if path == "" {
				err = imported.Record.Write(cmd.OutOrStdout())
			} else {
				err = imported.Record.WriteFile(path)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%d entries. %s\n", len(imported.Record.Entries()), imported.Standing())
			return nil
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write the record to")
	return cmd
}

// readText reads a transcript from a file or, for "-", from the standard input, up to one byte more than allowed.
func readText(cmd *cobra.Command, path string) (string, error) {
	in := io.Reader(nil)
	if path == "-" {
		in = input(cmd, "Write the match, and Ctrl-D on a line of its own behind it.")
	} else {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, transcript.MaxLength+1))
	return string(text), err
}
