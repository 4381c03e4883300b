package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"samizdat/adjudicator/invitation"
	"samizdat/internal/demo"
)

// runInDirectory runs a demonstration in keepDir or, if keepDir is empty, in a temporary directory.
func runInDirectory(cmd *cobra.Command, keepDir string, run func(dir string) error) (err error) {
	out := cmd.OutOrStdout()
	if keepDir == "" {
		dir, err := os.MkdirTemp("", "samizdat-demo-")
		if err != nil {
			return err
		}
		end := watchSignals(cmd)
		err = errors.Join(end(run(dir)), os.RemoveAll(dir))
		if err == nil {
			fmt.Fprintln(out, "The files were deleted; --data DIRECTORY keeps database, mailboxes and record.")
		}
		return err
	}
	if entries, err := os.ReadDir(keepDir); !errors.Is(err, fs.ErrNotExist) && (err != nil || len(entries) > 0) {
		return errors.Join(fmt.Errorf("--data %s: name a new or an empty directory", keepDir), err)
	}
	if err := run(keepDir); err != nil {
		return err
	}
	fmt.Fprintf(out, "To look at it:\n  SAMIZDAT_DATA=%s %s matches --all\n", shellWord(keepDir), programName())
	if record := filepath.Join(keepDir, demo.RecordFile); exists(record) {
		fmt.Fprintf(out, "  %s verify %s --letters %s\n", programName(), shellWord(record), shellWord(filepath.Join(keepDir, demo.LettersDir)))
	}
	return nil
}

var errOutputClosed = errors.New("stopped, because the output was closed")

// watchSignals cancels the command's context when its output is closed ("| head", or a closed terminal). So the command
// can delete its files; by default the signal would kill it. end takes the error of the command, and returns
// errOutputClosed instead if the closed output caused it.
func watchSignals(cmd *cobra.Command) (end func(error) error) {
	signals := []os.Signal{syscall.SIGPIPE}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	parent := cmd.Context()
	ctx, stop := signal.NotifyContext(parent, signals...)
	cmd.SetContext(ctx)
	return func(err error) error {
		isClosed := ctx.Err() != nil && parent.Err() == nil
		stop()
		if isClosed && errors.Is(err, context.Canceled) {
			return errOutputClosed
		}
		return err
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// playSample plays the sample turn. isSame is set if the final position equals the position in the rulebook.
func playSample(cmd *cobra.Command, dir string) (isSame bool, err error) {
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), demo.SampleTimeout, errTooLong)
	defer cancel()
	n, err := demo.PlaySample(ctx, cmd.OutOrStdout(), games, dir)
	return n == 0, err
}

func playRobots(cmd *cobra.Command, dir string, game string, players int, seed uint64, options demo.Options) error {
	g, err := games.Find(game)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(cmd.Context(), demo.RobotsTimeout, errTooLong)
	defer cancel()
	return demo.PlayRobots(ctx, cmd.OutOrStdout(), g, players, dir, seed, options)
}

var errTooLong = errors.New("the demonstration took too long")

func demoCommand() *cobra.Command {
	var sample bool
	var options demo.Options
	var dir, words string
	var seed uint64
	var game string
	var players int
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Play a whole game by mail, or the rulebook's sample turn, on this machine",
		Long: "Start a mail server and the daemon, and let mail programs play a match from the\n" +
			"invitation to the end, with robots for players. The record is replayed. The same --seed\n" +
			"gives the same match; without it every match is different. The files are kept only with\n" +
			"--data.\n\n" +
			"Robots write like experienced players: both support checks in one order, and after an\n" +
			"order the answers to the questions that will certainly follow. With --singly each order\n" +
			"has a separate letter, so many more letters are sent. Robots answer so fast that most\n" +
			"confirmations of their orders are not sent; with --slow they get as many confirmations as\n" +
			"people who answer hours later.\n\n" +
			"With --sample the mail programs play the sample turn of the 1989 rulebook with one letter\n" +
			"for each decision, and the position is compared with that of the book.",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			switch {
			case sample && cmd.Flags().Changed("seed"):
				return errors.New("--sample cannot be used with --seed: the sample turn has its own dice")
			case sample && (cmd.Flags().Changed("game") || players != 0):
				return errors.New("--sample cannot be used with --game and --seats: the sample turn is a turn of 1989 for two players")
			case sample && options.IsSlow:
				return errors.New("--sample cannot be used with --slow: the sample turn always sends all letters")
			case sample && options.OneOrderPerLetter:
				return errors.New("--sample cannot be used with --singly: the sample turn already has one letter for each decision")
			case sample && cmd.Flags().Changed("words"):
				return errors.New("--sample cannot be used with --words: the sample turn has its own dice")
			}
			if options.SealWords, err = invitation.ParseWords(words); err != nil {
				return fmt.Errorf("--words: %w", err)
			}
			if !cmd.Flags().Changed("seed") {
				seed = rand.Uint64()
			}
			return runInDirectory(cmd, dir, func(dir string) error {
				if sample {
					return differsError(playSample(cmd, dir))
				}
				return playRobots(cmd, dir, game, players, seed, options)
			})
		},
	}
	cmd.Flags().StringVar(&game, "game", games[0].Name(), "the game of a whole match")
	cmd.Flags().IntVar(&players, "seats", 0, "number of seats (default: as many as the game has)")
	cmd.Flags().BoolVar(&sample, "sample", false, "play the sample turn of the 1989 rulebook")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed of the dice and the robots of a whole game")
	cmd.Flags().BoolVar(&options.IsSlow, "slow", false,
		"let the robots of a whole game answer only after all letters have been sent, as people do")
	cmd.Flags().BoolVar(&options.OneOrderPerLetter, "singly", false, "let the robots of a whole game write each order in a separate letter")
	cmd.Flags().StringVar(&words, "words", invitation.WordsOpen, "how the robots of a whole game mix words into the dice: open or sealed")
	cmd.Flags().StringVar(&dir, "data", "", "new directory in which database, mailboxes and record are kept (default: nothing is kept)")
	return cmd
}
