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
	options := table.Options{}
	var game, path, resume string
	cmd := &cobra.Command{
		Use:   "play",
		Short: "Play a match in the terminal, against robots or at one keyboard",
		Long: "Play a match in the terminal: the same engine and the same orders as by mail. You\n" +
			"play one seat, and robots the others. With --robot none people play all seats at one\n" +
			"keyboard, and the screen is cleared between them. \"help\" explains orders; \"quit\" or\n" +
			"Ctrl-C ends the program. To send several orders at once, write them between \"begin\" and\n" +
			"\"end\". The same --seed gives the same dice.\n\n" +
			"An unfinished match is kept in the file of --record, or in\n" +
			"~/.local/state/samizdat, and the command that continues it is printed.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			// Closing the terminal (SIGHUP) ends the match like Ctrl-C.
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGHUP)
			defer stop()
			if !cmd.Flags().Changed("seed") {
				var b [8]byte
				if _, err := rand.Read(b[:]); err != nil {
					return err
				}
				options.Seed = binary.BigEndian.Uint64(b[:])
			}
			if options.Game, err = games.Find(game); err != nil {
				return err
			}
			if options.Robot == "" {
				options.Robot = defaultRobot(options.Game)
			}
			if options.Robot == noRobot {
				options.Robot = ""
			}
			m, err := beginOrResume(ctx, cmd, options, &path, resume)
			if err != nil {
				return err
			}
			playErr := m.Play(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
			backup, err := m.Save(context.WithoutCancel(ctx), path)
			if backup != "" {
				fmt.Fprintf(cmd.OutOrStdout(), "record: %s\n", backup)
				if !m.IsOver() {
					fmt.Fprintf(cmd.OutOrStdout(), "To continue: %s play --resume %s\n", programName(), shellWord(backup))
				}
			}
			return errors.Join(playErr, err)
		},
	}
	cmd.Flags().Uint64Var(&options.Seed, "seed", 0, "seed of the dice and the robots (default: random)")
	cmd.Flags().StringVar(&options.Robot, "robot", "",
		"robot that plays each of the other seats, or "+noRobot+" (default: the first that is not random)")
	cmd.Flags().StringVar(&options.Seat, "seat", "", "seat that you play against robots (default: the first)")
	cmd.Flags().StringVar(&game, "game", games[0].Name(), "the game")
	cmd.Flags().IntVar(&options.Seats, "seats", 0, "number of seats (default: as many as the game has)")
	cmd.Flags().StringVar(&path, "record", "", "new file to write the record of the match to")
	cmd.Flags().StringVar(&resume, "resume", "", "continue the unfinished match in this file")
	return cmd
}

const noRobot = "none"

// defaultRobot returns the default of --robot: the second robot of a game, because the first plays at random.
func defaultRobot(g *rules.Game) string {
	names := g.RobotNames()
	return names[min(1, len(names)-1)]
}

// beginOrResume starts a match, or resumes the match in the file resume and sets path to this file. For a new match it
// checks that the record can be written to path.
func beginOrResume(ctx context.Context, cmd *cobra.Command, options table.Options, path *string, resume string) (*table.Match, error) {
	if cmd.Flags().Changed("resume") {
		for _, other := range []string{"robot", "seat", "seats", "game", "record"} {
			if cmd.Flags().Changed(other) {
				return nil, usageError{cmd, fmt.Errorf("--resume cannot be used with --%s", other)}
			}
		}
		*path = resume
		return table.Resume(ctx, games, resume, options.Seed)
	}
	m, err := table.Begin(ctx, options)
	if err == nil && *path != "" {
		err = table.CheckCanCreate(*path)
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
			"given seed, so a match listed in \"bad\" can be repeated alone with\n" +
			"--games 1 and its own seed. The exit status is 1 if a match was stuck or illegal. After\n" +
			"Ctrl-C the summary covers the matches played so far.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if plan.Game, err = games.Find(game); err != nil {
				return err
			}
			plan.Robots = strings.Split(robots, ",")
			summary, err := playout.Run(cmd.Context(), plan)
			if err != nil && cmd.Context().Err() == nil {
				return err
			}
			out, marshalErr := json.Marshal(summary)
			if marshalErr != nil {
				return marshalErr
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\n", out)
			if err != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d matches were played.\n", summary.Matches, plan.Matches)
				return err
			}
			if summary.Illegal > 0 || summary.Stuck > 0 {
				return errDiffers
			}
			return nil
		},
	}
	cmd.Flags().IntVar(&plan.Matches, "games", 1000, "number of matches")
	cmd.Flags().Uint64Var(&plan.Seed, "seed", 1, "seed of the dice and the robots")
	cmd.Flags().StringVar(&robots, "robots", "random", "the robot of every seat, or one for each, separated by commas")
	cmd.Flags().StringVar(&game, "game", "1989", "the game")
	cmd.Flags().IntVar(&plan.Seats, "seats", 0, "number of seats (default: the number of robots, or the minimum of the game)")
	cmd.Flags().IntVar(&plan.Revision, "rules", 0, "revision of the rules (default: the newest)")
	return cmd
}

func checkCommand() *cobra.Command {
	var path, seat, game string
	var seats int
	cmd := &cobra.Command{
		Use:   "check --position FILE",
		Short: "Explain orders and check whether they are legal",
		Long: "Read orders from the standard input, as in a letter, and explain what each line means in\n" +
			"a position, whether it is legal, and what it would do up to the first die, draw or\n" +
			"decision of another player. Nothing is stored or sent.\n\n" +
			"The position is a letter in which the referee answered POSITION, or the lines from it\n" +
			"(hidden information is imagined), a record (JSON Lines; its last position is used), or a\n" +
			"position as \"samizdat replay --state\" prints it. \"-\" is not accepted, because the\n" +
			"orders come from the standard input. The exit status is 1 if a line is not legal.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path == "" {
				return usageError{cmd, errors.New("--position FILE is missing")}
			}
			trial, err := table.Open(games, game, seats, path)
			if err != nil {
				return err
			}
			orders, err := io.ReadAll(input(cmd, "Write orders, then Ctrl-D on a new line."))
			if err != nil {
				return fmt.Errorf("read the orders: %w", err)
			}
			isGood, err := trial.Check(cmd.Context(), cmd.OutOrStdout(), seat, string(orders))
			return differsError(isGood, err)
		},
	}
	cmd.Flags().StringVar(&path, "position", "", "file of the position: a letter, a record or JSON")
	cmd.Flags().StringVar(&seat, "seat", "", "seat that writes (default: the seat of the letter, or the seat to move)")
	cmd.Flags().StringVar(&game, "game", games[0].Name(), "game of a position that is not a record")
	cmd.Flags().IntVar(&seats, "seats", 0, "number of seats of a position that is not a record (default: as many as the game has)")
	return cmd
}

func importCommand() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Make a record of a match that was played at a table and written down",
		Long: "Read a match that was played elsewhere: a line for each order, as in a letter, followed\n" +
			"by its dice and draws, \"!roll 4\" and \"!draw 36\". Every line is checked. The record\n" +
			"goes to the standard output, or to the file of -o; \"replay\", \"verify\" and \"map\" read\n" +
			"it. docs/import.md describes the text. \"-\" reads the standard input. The exit status is\n" +
			"1 if a line is not legal.",
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
			fmt.Fprintf(cmd.ErrOrStderr(), "%d entries. %s\n", len(imported.Record.Entries()), imported.Summary())
			return nil
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "", "file to write the record to")
	return cmd
}

// readText reads a transcript from a file, or from the standard input for "-". It reads at most one byte more than a
// transcript may have, so that the parser can report a longer transcript.
func readText(cmd *cobra.Command, path string) (string, error) {
	in := io.Reader(nil)
	if path == "-" {
		in = input(cmd, "Write the match, then Ctrl-D on a new line.")
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
