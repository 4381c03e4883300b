package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"samizdat/internal/config"
	"samizdat/mail"
)

func doctorCommand() *cobra.Command {
	var wait time.Duration
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look whether everything is set up as it should be, and say what to do",
		Long: "Look at the configuration, the data directory, the database and the mail account, one\n" +
			"line for each: ok, bad with what to do about it, or note. Then send a letter to the\n" +
			"referee's own address and wait for it, to see whether letters arrive and whether the\n" +
			"part behind a plus may be anything. The letter is moved to Samizdat/Ignored; nothing\n" +
			"is deleted, and nothing in the database is changed. The status is 1 when something is\n" +
			"bad. No password is shown.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := cmd.Flags().GetString("config")
			if err != nil {
				return err
			}
			d := doctor{out: cmd.OutOrStdout()}
			return d.run(cmd.Context(), path, wait)
		},
	}
	cmd.Flags().DurationVar(&wait, "wait", time.Minute, "for how long the letter is waited for; 0 sends none")
	return cmd
}

// doctor says what it finds, and counts what is bad.
type doctor struct {
	out io.Writer
	bad int
}

func (d *doctor) tell(f mail.Finding) {
	if f.Level == mail.Wrong {
		d.bad++
	}
	line := fmt.Sprintf("%-4s  %s", f.Level, f.What)
	if f.Do != "" {
		line = strings.TrimRight(line, ".") + ". What to do: " + f.Do
	}
	fmt.Fprintln(d.out, line)
}

func (d *doctor) ok(format string, args ...any) {
	d.tell(mail.Finding{Level: mail.Fine, What: fmt.Sprintf(format, args...)})
}

func (d *doctor) note(format string, args ...any) {
	d.tell(mail.Finding{Level: mail.Remark, What: fmt.Sprintf(format, args...)})
}

// wrong takes what to do first, for it is never left out.
func (d *doctor) wrong(do, format string, args ...any) {
	d.tell(mail.Finding{Level: mail.Wrong, What: fmt.Sprintf(format, args...), Do: do})
}

// run looks at everything in order.
func (d *doctor) run(ctx context.Context, path string, wait time.Duration) error {
	cfg, err := config.Load(path)
	if err != nil {
		d.wrong("mend the configuration; config.example.yaml shows every setting", "configuration: %s", strings.Join(strings.Fields(err.Error()), " "))
		return d.end()
	}
	d.configuration(cfg, path)
	served := false
	if d.directory(cfg.Data) {
		d.key(cfg)
		d.database(ctx, cfg)
		served = d.daemon(cfg.Data)
	}
	if cfg.UsesEmbedded() {
		d.note("mail: imap and smtp have no address, so samizdat serve runs its own mail server; there is no account to look at")
		return d.end()
	}
	in := cfg.IMAP
	mail.Probe{
		In: in, Out: cfg.SMTP.SMTPConfig, Address: cfg.Address, Name: cfg.Name, InSubject: cfg.Identity.InSubject(),
		Served: served, Wait: wait, Tell: d.tell,
	}.Run(ctx)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped before the end: %w", err)
	}
	return d.end()
}

// end sums up.
func (d *doctor) end() error {
	switch d.bad {
	case 0:
		fmt.Fprintln(d.out, "Nothing is bad.")
		return nil
	case 1:
		fmt.Fprintln(d.out, "One thing is bad.")
	default:
		fmt.Fprintf(d.out, "%d things are bad.\n", d.bad)
	}
	return errDiffers
}

// configuration looks at what can be loaded and is wrong all the same.
func (d *doctor) configuration(cfg config.Config, path string) {
	before := d.bad
	if path != "" {
		d.passwordsIn(path)
	}
	if !cfg.UsesEmbedded() {
		if cfg.Address == config.Default().Address {
			d.wrong("set address to the mail address of the account", "configuration: address is still %s", cfg.Address)
		}
		for _, s := range []struct{ key, user, password, tokenFile, tokenCommand, passwordFile string }{
			{"imap", cfg.IMAP.User, cfg.IMAP.Password, cfg.IMAP.TokenFile, cfg.IMAP.TokenCommand, cfg.IMAP.PasswordFile},
			{"smtp", cfg.SMTP.User, cfg.SMTP.Password, cfg.SMTP.TokenFile, cfg.SMTP.TokenCommand, cfg.SMTP.PasswordFile},
		} {
			token := s.tokenFile != "" || s.tokenCommand != ""
			switch {
			case s.user == "" && s.key == "imap":
				d.wrong("set imap: user, mostly to the mail address", "configuration: imap: user is empty")
			case s.user != "" && s.password == "" && !token:
				d.wrong("set "+s.key+": password_file or token_command", "configuration: %s has neither a password nor a token", s.key)
			}
			for _, f := range []string{s.passwordFile, s.tokenFile} {
				// What systemd hands over has an access list, which looks like a
				// group's permission.
				if f != "" && !config.HandedOver(f) {
					d.private("secret file", f)
				}
			}
		}
	}
	if d.bad == before {
		where := "the defaults"
		if path != "" {
			where = path
		}
		d.ok("configuration: %s", where)
	}
	if cfg.Operator == "" && !cfg.UsesEmbedded() {
		d.note("configuration: operator is empty, so of letters in quarantine only the log tells")
	}
}

// plainPassword is a password that stands in the configuration itself.
var plainPassword = regexp.MustCompile(`(?m)^[^#\n]*\bpassword:[ \t]*["']?[^"'\s#]`)

// passwordsIn says that others may read the passwords in the configuration.
func (d *doctor) passwordsIn(path string) {
	text, err := os.ReadFile(path)
	if err != nil || !plainPassword.Match(text) {
		return
	}
	d.private("configuration with a password in it,", path)
}

// private says when others may read a file.
func (d *doctor) private(what, path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		d.wrong("see that it is there and can be read", "%s %s", what, plainError(err))
		return false
	}
	if info.Mode().Perm()&0o077 != 0 {
		d.wrong("chmod 600 "+path, "%s %s has the permissions %04o: others on this machine may read it", what, path, info.Mode().Perm())
		return false
	}
	return true
}

// plainError leaves out the name of the system call.
func plainError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Path + ": " + p.Err.Error()
	}
	return err.Error()
}
