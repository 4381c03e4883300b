// Command samizdat referees board games by e-mail.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
	"samizdat/storage"
)

var games = rules.Games{dawn1989.Game(), revolution1789.Game(), liarsdice.Game()}

// errDiffers ends the program with status 1 and no message, because the command has printed the differences.
var errDiffers = errors.New("differences were found")

// statusStopped is the exit status after Ctrl-C: 128 plus the number of SIGINT, as in shells.
const statusStopped = 130

// statusDamaged is the exit status for a damaged database. The systemd service does not restart after it.
const statusDamaged = 3

func differsError(isSame bool, err error) error {
	if err == nil && !isSame {
		return errDiffers
	}
	return err
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl-C kills the program.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run executes a command line, and returns the exit status. Tests call it with their own outputs.
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
		fmt.Fprintln(errs, "samizdat:", explainUnknownCommand(cmd, err))
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
	cmd.PersistentFlags().String("config", "", "configuration file (default: "+systemConfig+" if it exists;\n"+
		"\"\": no file, everything runs on this machine)")
	cmd.AddCommand(addressCommand(), analyseCommand(), backupCommand(), checkCommand(), clubCommand(), copyCommand(), demoCommand(),
		deskCommand(), directorCommand(), doctorCommand(), exportCommand(), historyCommand(), importCommand(),
		initCommand(), ladderCommand(), logCommand(), mapCommand(),
		matchesCommand(), newMatchCommand(), playCommand(), playoutCommand(), renameCommand(), replaceCommand(),
		replayCommand(), resendCommand(), restoreCommand(), retryCommand(), sealCommand(), serveCommand(), siteCommand(),
		statsCommand(), verifyCommand(), versionCommand())
	rejectUnknown(cmd)
	return cmd
}

// systemConfig is the configuration file that the Debian package installs.
var systemConfig = "/etc/samizdat/config.yaml"

// configPath returns the configuration file of a command: --config, or else systemConfig if it exists. It returns "" for
// the default configuration.
func configPath(cmd *cobra.Command) string {
	if f := cmd.Flag("config"); f.Changed || !exists(systemConfig) {
		return f.Value.String()
	}
	return systemConfig
}

// loadConfig loads the configuration of a command, without the passwords of the mail account, which only the daemon's
// user may read.
func loadConfig(cmd *cobra.Command) (config.Config, error) {
	return config.LoadSettings(configPath(cmd))
}

func checkDatabase(cfg config.Config) error {
	if err := storage.CheckRestoreFinished(cfg.DSN()); err != nil {
		return err
	}
	_, err := cfg.FindDatabase()
	return err
}

// withDatabase opens a daemon, passes it to do, and closes it. Unlike withDaemon, it does not create a missing database,
// and refuses a database with an interrupted restore.
func withDatabase(cmd *cobra.Command, do func(*daemon.Daemon) error) error {
	cfg, err := loadConfig(cmd)
	if err != nil {
		return err
	}
	if err := checkDatabase(cfg); err != nil {
		return err
	}
	return withDaemon(cmd, do)
}

// withDaemon opens a daemon for the configured database, passes it to do, and closes it.
func withDaemon(cmd *cobra.Command, do func(*daemon.Daemon) error) error {
	return withOpenedDaemon(cmd, daemon.Open, do)
}

func withOpenedDaemon(cmd *cobra.Command, open func(context.Context, config.Config, rules.Games, *slog.Logger) (*daemon.Daemon, error),
	do func(*daemon.Daemon) error) (err error) {
	cfg, err := loadConfig(cmd)
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
	return do(d)
}

// usageError is an error in the arguments of a command. Its text contains the usage of the command.
type usageError struct {
	cmd *cobra.Command
	err error
}

func (e usageError) Unwrap() error { return e.err }

func (e usageError) Error() string {
	return fmt.Sprintf("%s: %v\nUsage: %s\nFor more: \"%s --help\".", e.cmd.Name(), e.err, e.cmd.UseLine(), e.cmd.CommandPath())
}

// exactArgs requires exactly the named arguments, for example MATCH and SEAT.
func exactArgs(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch missingCount := len(names) - len(args); {
		case missingCount == 1:
			return usageError{cmd, fmt.Errorf("%s is missing", names[len(args)])}
		case missingCount > 1:
			return usageError{cmd, fmt.Errorf("%s are missing", strings.Join(names[len(args):], " and "))}
		case missingCount < 0:
			return usageError{cmd, fmt.Errorf("unexpected argument %q", strings.Join(args[len(names):], " "))}
		}
		return nil
	}
}

// flagError returns the error for an invalid flag, with the expected values. For example: --wait must be a time with its
// unit, such as 30s or 5m, not "60".
func flagError(cmd *cobra.Command, err error) error {
	if invalid := (*pflag.InvalidValueError)(nil); errors.As(err, &invalid) {
		expected, ok := map[string]string{
			"int": "a whole number", "uint64": "a whole number, at least 0", "float64": "a number",
			"bool": "true or false", "duration": "a time with its unit, such as 30s or 5m",
		}[invalid.GetFlag().Value.Type()]
		if ok {
			err = fmt.Errorf("--%s must be %s, not %q", invalid.GetFlag().Name, expected, invalid.GetValue())
		}
	}
	return usageError{cmd, err}
}

// release is the version of a released package, set by "go build -ldflags -X". If it is empty, the version is the revision
// of the source, if known.
var release string

// version returns the release or the revision, the Go version and the platform, for example
// "1.2.3, go1.26.0 linux/amd64".
func version() string { return versionOf(release) }

func versionOf(release string) string {
	info, ok := debug.ReadBuildInfo()
	if release != "" {
		return fmt.Sprintf("%s, %s %s/%s", release, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	}
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return fmt.Sprintf("of an unknown source, %s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	}
	return fmt.Sprintf("%s, %s %s/%s", info.Main.Version, info.GoVersion, runtime.GOOS, runtime.GOARCH)
}

// shellWord quotes a word for a shell if needed, for example a file name with a space.
func shellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@%:,=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// programName returns the command that runs this program, for printed commands: "samizdat", its path, or "go run
// ./cmd/samizdat".
func programName() string {
	executable, err := os.Executable()
	switch {
	case err != nil:
		return "samizdat"
	case strings.Contains(filepath.ToSlash(executable), "/go-build"):
		return "go run ./cmd/samizdat"
	}
	if found, err := exec.LookPath("samizdat"); err == nil {
		a, errFound := os.Stat(found)
		b, errExecutable := os.Stat(executable)
		if errFound == nil && errExecutable == nil && os.SameFile(a, b) {
			return "samizdat"
		}
	}
	return os.Args[0]
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version, as --version does", Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "samizdat", version())
			return err
		},
	}
}

// rejectUnknown makes unknown commands an error everywhere, including below another command ("club bna") and for help
// ("help bogus"). Cobra alone would print help in these cases and exit with status 0, and a script would continue.
func rejectUnknown(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		rejectUnknownBelow(c)
		if c.Name() == "help" {
			showHelp := c.Run
			c.RunE = func(cmd *cobra.Command, args []string) error {
				found, remaining, err := root.Find(args)
				if err == nil && len(remaining) > 0 && found.HasSubCommands() {
					err = newUnknownCommand(found, remaining[0])
				}
				if err != nil {
					return err
				}
				showHelp(cmd, args)
				return nil
			}
		}
	}
}

func rejectUnknownBelow(c *cobra.Command) {
	for _, sub := range c.Commands() {
		rejectUnknownBelow(sub)
	}
	if c.HasSubCommands() && !c.Runnable() {
		c.DisableFlagsInUseLine = true
		c.Args = cobra.ArbitraryArgs
		c.RunE = func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return newUnknownCommand(cmd, args[0])
			}
			return cmd.Help()
		}
	}
}

func newUnknownCommand(parent *cobra.Command, name string) error {
	var suggestions strings.Builder
	parent.SuggestionsMinimumDistance = 2
	for i, s := range parent.SuggestionsFor(name) {
		if i == 0 {
			suggestions.WriteString("\n\nDid you mean this?\n")
		}
		fmt.Fprintf(&suggestions, "\t%s\n", s)
	}
	return unknownCommandError{parent, fmt.Errorf("unknown command %q for %q%s", name, parent.CommandPath(), suggestions.String())}
}

type unknownCommandError struct {
	parent *cobra.Command
	error
}

func explainUnknownCommand(root *cobra.Command, err error) string {
	text, unknown := err.Error(), unknownCommandError{parent: root}
	if !errors.As(err, &unknown) && !strings.HasPrefix(text, "unknown command ") {
		return text
	}
	help := strings.Replace(unknown.parent.CommandPath(), root.Name(), root.Name()+" help", 1)
	return fmt.Sprintf("%s\n%q lists the commands.", strings.TrimRight(text, "\n"), help)
}

// input returns the standard input of a command. Ctrl-C ends the input. If the input is a terminal, the hint is printed.
func input(cmd *cobra.Command, hint string) io.Reader {
	in := cmd.InOrStdin()
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintln(cmd.ErrOrStderr(), hint)
	}
	reader, writer := io.Pipe()
	context.AfterFunc(cmd.Context(), func() { writer.CloseWithError(context.Cause(cmd.Context())) })
	go func() {
		_, err := io.Copy(writer, in)
		writer.CloseWithError(err)
	}()
	return reader
}
