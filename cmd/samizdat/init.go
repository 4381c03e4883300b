package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"samizdat/adjudicator/club"
	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/internal/doctor"
)

// defaultConfigPath is the configuration file that "samizdat init" writes if --config names no file.
const defaultConfigPath = "samizdat.yaml"

// initFlags are the answers given as flags. runInit asks for each value that no flag gives.
type initFlags struct {
	provider, address, imap, smtp, ca, passwordFile, tokenCommand, operator, club, data string
	wait                                                                                time.Duration
}

func initCommand() *cobra.Command {
	var flags initFlags
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set up a referee: write a configuration, create the database, run the doctor",
		Long: "Set up a referee. This command asks for the mail provider, the mail address, the file\n" +
			"with the password, your own address and whether there is a club. Then it writes a\n" +
			"configuration file (--config, " + defaultConfigPath + " by default), creates the database, runs the\n" +
			"doctor, and prints the next command. A question is skipped if its flag is set.",
		Example: "  samizdat init\n" +
			"  samizdat init --provider gmail --address referee@gmail.com --password-file password \\\n" +
			"    --operator ann@example.org --club open",
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := defaultConfigPath
			if f := cmd.Flag("config"); f.Changed {
				path = f.Value.String()
			}
			return runInit(cmd, path, flags)
		},
	}
	cmd.Flags().StringVar(&flags.provider, "provider", "", "mail provider: "+strings.Join(config.ProviderNames(), ", "))
	cmd.Flags().StringVar(&flags.address, "address", "", "mail address of the referee")
	cmd.Flags().StringVar(&flags.imap, "imap", "", "your own IMAP server, with its port unless that is 993")
	cmd.Flags().StringVar(&flags.smtp, "smtp", "", "your own SMTP server, with its port unless that is 465, for example mail.example.org:587")
	cmd.Flags().StringVar(&flags.ca, "ca", "", "file with the certificate of your own certificate authority, or none")
	cmd.Flags().StringVar(&flags.passwordFile, "password-file", "", "file with the password of the account")
	cmd.Flags().StringVar(&flags.tokenCommand, "token-command", "", "command that prints an access token, instead of a password")
	cmd.Flags().StringVar(&flags.operator, "operator", "", "your own mail address, for faults and questions of players")
	cmd.Flags().StringVar(&flags.club, "club", "", "who may join a club: none (no club), open (everyone), approval (you decide)")
	cmd.Flags().StringVar(&flags.data, "data", "", "data directory (default: samizdat-data next to the configuration file)")
	cmd.Flags().DurationVar(&flags.wait, "wait", time.Minute, "how long the doctor waits for its letter; 0 sends none")
	return cmd
}

func runInit(cmd *cobra.Command, path string, flags initFlags) error {
	out := cmd.OutOrStdout()
	path, err := filepath.Abs(path)
	if err != nil {
		return fmt.Errorf("find the configuration file: %w", err)
	}
	if exists(path) {
		return fmt.Errorf("%s already exists: edit it, or name another file with --config", path)
	}
	answers, err := askQuestions(cmd, flags, filepath.Dir(path))
	if err != nil {
		return err
	}
	cfg, err := config.WriteInitial(path, answers)
	if err != nil {
		return err
	}
	text, err := answers.Text()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "The configuration is in %s; config.example.yaml has all other settings:\n\n%s\n", path, text)
	if err := cmd.Flags().Set("config", path); err != nil {
		return fmt.Errorf("use the configuration: %w", err)
	}
	if err := withDaemon(cmd, func(*daemon.Daemon) error { return nil }); err != nil {
		return fmt.Errorf("create the database: %w", err)
	}
	fmt.Fprintf(out, "The database is %s. The doctor says:\n\n", cfg.RedactedDSN())
	failures, err := doctor.Run(cmd.Context(), out, path, flags.wait)
	if err != nil {
		return err
	}
	serve := fmt.Sprintf("  %s serve --config %s\n", programName(), shellWord(path))
	if failures > 0 {
		fmt.Fprintf(out, "\nFix the lines that begin with \"bad\". Then:\n  %s doctor --config %s\n%s", programName(), shellWord(path), serve)
		return errDiffers
	}
	fmt.Fprintf(out, "\nNext:\n%s", serve)
	return nil
}

type prompter struct {
	in  *bufio.Reader
	out io.Writer
}

// ask returns the value of a flag. If the value is empty, ask prints the question and reads the answer. An empty answer
// means fallback; without a fallback an answer is required.
func (q prompter) ask(flag, value, question, fallback string) (string, error) {
	if value != "" {
		return value, nil
	}
	if fallback != "" {
		question += " [" + fallback + "]"
	}
	fmt.Fprint(q.out, question+": ")
	line, err := q.in.ReadString('\n')
	if line = cmp.Or(strings.TrimSpace(line), fallback); err != nil {
		fmt.Fprintln(q.out, line) // The end of the input has no newline.
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the answer: %w", err)
	}
	if line == "" {
		return "", fmt.Errorf("--%s is missing: set the flag, or answer the question", flag)
	}
	return line, nil
}

// askQuestions returns the answers of the operator. Answers with paths are relative to the working directory. The default
// paths are in dir.
func askQuestions(cmd *cobra.Command, flags initFlags, dir string) (answers config.InitialConfig, err error) {
	q := prompter{bufio.NewReader(input(cmd, "Answer the questions. Enter takes the value in brackets.")), cmd.OutOrStdout()}
	name, err := q.ask("provider", flags.provider, "Mail provider: "+strings.Join(config.ProviderNames(), ", "), "")
	if err != nil {
		return answers, err
	}
	if answers.Provider, err = config.FindProvider(name); err != nil {
		return answers, err
	}
	if answers.Data, err = filepath.Abs(cmp.Or(flags.data, filepath.Join(dir, "samizdat-data"))); err != nil {
		return answers, fmt.Errorf("find the data directory: %w", err)
	}
	if answers.Provider.Name != config.EmbeddedServer {
		if err := q.askAccount(cmd.Context(), flags, &answers, dir); err != nil {
			return answers, err
		}
	}
	registration, err := q.ask("club", flags.club, "A club, whose members find each other by mail: none, open, approval",
		string(club.RegistrationNone))
	answers.Registration = club.Registration(registration)
	return answers, err
}

func (q prompter) askAccount(ctx context.Context, flags initFlags, answers *config.InitialConfig, dir string) (err error) {
	if answers.Address, err = q.ask("address", flags.address, "Mail address of the referee", ""); err != nil {
		return err
	}
	if answers.Provider.Name == config.OwnServer {
		if err := q.askServers(ctx, flags, answers); err != nil {
			return err
		}
	}
	answers.TokenCommand = flags.tokenCommand
	switch {
	case flags.tokenCommand != "":
	case answers.Provider.UsesToken:
		if answers.TokenCommand, err = q.ask("token-command", "", "Command that prints an access token (docs/providers.md)", ""); err != nil {
			return err
		}
	default:
		file, err := q.ask("password-file", flags.passwordFile, "File with the password", filepath.Join(dir, "password"))
		if err != nil {
			return err
		}
		if answers.PasswordFile, err = q.createPasswordFile(file); err != nil {
			return err
		}
	}
	answers.Operator, err = q.ask("operator", flags.operator, "Your own mail address, for faults and questions of players", "")
	return err
}

func (q prompter) askServers(ctx context.Context, flags initFlags, answers *config.InitialConfig) error {
	_, domain, _ := strings.Cut(answers.Address, "@")
	imap, err := q.ask("imap", flags.imap, "Your IMAP server", "mail."+domain+":993")
	if err != nil {
		return err
	}
	if answers.IMAP, err = config.NewMailServer(ctx, imap, "993"); err != nil {
		return fmt.Errorf("imap: %w", err)
	}
	host, _, _ := net.SplitHostPort(answers.IMAP.Address)
	smtp, err := q.ask("smtp", flags.smtp, "Your SMTP server (port 587 for STARTTLS)", net.JoinHostPort(host, "465"))
	if err != nil {
		return err
	}
	if answers.SMTP, err = config.NewMailServer(ctx, smtp, "465"); err != nil {
		return fmt.Errorf("smtp: %w", err)
	}
	const none = "none"
	file, err := q.ask("ca", flags.ca, "File with the certificate of your own authority", none)
	if err != nil || file == none {
		return err
	}
	if answers.CAFile, err = filepath.Abs(file); err != nil {
		return fmt.Errorf("find the certificate: %w", err)
	}
	return nil
}

// createPasswordFile returns the absolute path of the password file. A missing file is created, readable for this
// user only.
func (q prompter) createPasswordFile(file string) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", fmt.Errorf("find the password file: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return path, nil
	case err != nil:
		return "", fmt.Errorf("create the password file: %w", err)
	}
	fmt.Fprintf(q.out, "%s is a new, empty file that only you can read: write the password into it.\n", path)
	return path, f.Close()
}
