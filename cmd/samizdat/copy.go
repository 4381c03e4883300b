package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"samizdat/internal/daemon"
)

func copyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "copy FROM TO",
		Short: "Copy the club to another database: a file, or one of PostgreSQL",
		Long: "Copy the club from one database to another. Each is a file of SQLite, or the URL of a\n" +
			"database of a PostgreSQL server. No daemon may be running. TO is empty, or new, or what an\n" +
			"earlier copy of the same club has left unfinished: that begins again. A database of a\n" +
			"server has to be there, made with createdb.\n\n" +
			"Everything is copied as it is stored: matches, letters that wait, receipts, the club. The key\n" +
			"in the data directory goes on being the key. Then the rows of every table are counted and\n" +
			"compared, and every match of the copy is exported, compared with that of FROM to the byte, and\n" +
			"verified. Nobody can use TO before all of it is done. FROM is left as it is.\n\n" +
			"A password does not belong into a command. SAMIZDAT_DATABASE_PASSWORD, or database_password in\n" +
			"the configuration, is that of the server which is copied to or from; where the configuration\n" +
			"already names one as database, it is that one's alone, and another has that of ~/.pgpass or\n" +
			"PGPASSWORD.",
		Example: "  samizdat copy samizdat-data/samizdat.db \"postgres://samizdat@db.example.org/samizdat?sslmode=verify-full\"",
		Args:    arguments("FROM", "TO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			cfg, err := configOf(cmd)
			if err != nil {
				return err
			}
			sum, err := daemon.Copy(cmd.Context(), cfg, games, cfg.DatabaseOf(args[0]), cfg.DatabaseOf(args[1]), func(format string, args ...any) {
				fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...)
			})
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "The club is copied: %d rows in %d tables, the same in both. Of %d matches the records are the same to the byte, and the %d that have begun are verified.\n"+
				"Set database in the configuration to the copy. Let no daemon serve the database that was copied any more: both together would tell coming dice.\n",
				sum.Rows, sum.Tables, sum.Matches, sum.Begun)
			return nil
		},
	}
}
