// Command samizdat referees board games by e-mail.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/revolution1789"
	"samizdat/storage"
)

// games is the registry: the one place that knows every game.
var games = rules.Games{dawn1989.Game{}, revolution1789.Game{}}

// errDiffers ends the program with status 1 without a further message: what
// differs has been printed.
var errDiffers = errors.New("differences were found")

// statusStopped is the status of a program that was stopped by Ctrl-C, as shells have it.
const statusStopped = 130

// statusDamaged is the status of a program whose database is damaged: to start it again does
// not help.
const statusDamaged = 3

// orDiffers is errDiffers where what was compared is not the same.
func orDiffers(same bool, err error) error {
	if err == nil && !same {
		return errDiffers
	}
	return err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// Who asks twice is not asked to wait.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program with its arguments and outputs as values, so that
// tests can call it.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	cmd := newCommand()
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(errs)
	err := cmd.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errDiffers):
	case ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(ctx))):
		fmt.Fprintln(errs, "samizdat: stopped")
		return statusStopped
	case errors.Is(err, storage.ErrDamaged):
		fmt.Fprintln(errs, "samizdat:", err)
		return statusDamaged
	default:
		fmt.Fprintln(errs, "samizdat:", pointed(cmd, err))
	}
	return 1
}

func newCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "samizdat",
		Short: "Samizdat referees board games by e-mail",
		Long: "Samizdat referees board games by e-mail. It watches an inbox for orders, resolves\n" +
			"them, keeps every game in a database, and writes each player a private letter.",
		SilenceUsage: true, SilenceErrors: true, Version: version(),
	}
	cmd.SetVersionTemplate("samizdat {{.Version}}\n")
	cmd.SetFlagErrorFunc(flagError)
	cmd.PersistentFlags().String("config", "", "configuration file (without it everything runs on this machine)")
	cmd.AddCommand(addressCommand(), backupCommand(), benchCommand(), checkCommand(), clubCommand(), copyCommand(), demoCommand(), directorCommand(), doctorCommand(), exportCommand(),
		historyCommand(), importCommand(), ladderCommand(), logCommand(), mapCommand(), matchesCommand(), newMatchCommand(), playCommand(), playoutCommand(), rehearseCommand(),
		renameCommand(), replaceCommand(), replayCommand(), resendCommand(), restoreCommand(), retryCommand(), sealCommand(), serveCommand(), siteCommand(), statsCommand(), verifyCommand(), versionCommand())
	strict(cmd)
	return cmd
}

// configOf loads the configuration that a command was called with, without the
// secrets of the mail account: only the daemon's user may read those.
func configOf(cmd *cobra.Command) (config.Config, error) {
	path, err := cmd.Flags().GetString("config")
	if err != nil {
		return config.Config{}, err
	}
	return config.LoadSettings(path)
}

// findDatabase looks whether there is a database, and a whole one.
func findDatabase(cfg config.Config) error {
	if err := storage.Restorable(cfg.Database()); err != nil {
		return err
	}
	_, err := cfg.FindDatabase()
	return err
}

// withDatabase is withDaemon for commands that need a database that is there.
func withDatabase(cmd *cobra.Command, use func(*daemon.Daemon) error) error {
	cfg, err := configOf(cmd)
	if err != nil {
		return err
	}
	if err := findDatabase(cfg); err != nil {
		return err
	}
	return withDaemon(cmd, use)
}

// withDaemon opens the daemon that a command's configuration names, lets the
// command use it, and closes it.
func withDaemon(cmd *cobra.Command, use func(*daemon.Daemon) error) error {
	return withOpened(cmd, daemon.Open, use)
}

func withOpened(cmd *cobra.Command, open func(context.Context, config.Config, rules.Games, *slog.Logger) (*daemon.Daemon, error), use func(*daemon.Daemon) error) (err error) {
	cfg, err := configOf(cmd)
	if err != nil {
		return err
	}
	level, err := cfg.Level()
	if err != nil {
		return err
	}
	d, err := open(cmd.Context(), cfg, games, daemon.NewLog(cmd.ErrOrStderr(), level))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return use(d)
}
