package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"samizdat/internal/table"
)

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
		Args: arguments(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if path == "" {
				return errUsage{cmd, errors.New("--position FILE is missing")}
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
