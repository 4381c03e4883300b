// Package doctor checks the set-up of a referee: configuration, data directory, database and mail account. Each
// finding that is bad says what to do.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail"
)

type doctor struct {
	out io.Writer
	bad int
	// create is the command that makes the database, for example "samizdat serve".
	create string
}

func (d *doctor) reportFinding(f mail.Finding) {
	if f.Level == mail.Wrong {
		d.bad++
	}
	line := fmt.Sprintf("%-4s  %s", f.Level, f.What)
	if f.Do != "" {
		line = strings.TrimRight(line, ".") + ". What to do: " + f.Do
	}
	fmt.Fprintln(d.out, line)
}

func (d *doctor) reportOK(format string, args ...any) {
	d.reportFinding(mail.Finding{Level: mail.Fine, What: fmt.Sprintf(format, args...)})
}

func (d *doctor) reportNote(format string, args ...any) {
	d.reportFinding(mail.Finding{Level: mail.Remark, What: fmt.Sprintf(format, args...)})
}

// reportProblem prints a bad finding. do says what to do about it.
func (d *doctor) reportProblem(do, format string, args ...any) {
	d.reportFinding(mail.Finding{Level: mail.Wrong, What: fmt.Sprintf(format, args...), Do: do})
}

// Run checks everything in order, prints the findings, and returns the number of bad ones. It sends a letter to the
// own address and waits for it as long as wait; with 0 it sends none.
func Run(ctx context.Context, out io.Writer, path string, wait time.Duration) (bad int, err error) {
	d := &doctor{out: out}
	if err := d.run(ctx, path, wait); err != nil {
		return d.bad, err
	}
	switch d.bad {
	case 0:
		fmt.Fprintln(out, "Nothing is bad.")
	case 1:
		fmt.Fprintln(out, "One thing is bad.")
	default:
		fmt.Fprintf(out, "%d things are bad.\n", d.bad)
	}
	return d.bad, nil
}

func (d *doctor) run(ctx context.Context, path string, wait time.Duration) error {
	cfg, err := config.Load(path)
	if err != nil {
		d.reportProblem("mend the configuration; config.example.yaml shows every setting", "configuration: %s",
			strings.Join(strings.Fields(err.Error()), " "))
		return nil
	}
	if d.create = "samizdat serve"; path != "" && !filepath.IsAbs(cfg.Data) {
		d.create += " --create"
	}
	d.checkConfiguration(cfg, path)
	served := false
	if d.checkDirectory(cfg.Data) {
		d.checkKey(ctx, cfg)
		d.checkDatabase(ctx, cfg)
		served = d.checkDaemon(cfg.Data)
	}
	if cfg.Site != "" {
		d.checkSite(cfg.Site)
	}
	if cfg.UsesEmbedded() {
		d.reportNote("mail: imap and smtp have no address, so samizdat serve runs its own mail server; there is no account to look at")
		return nil
	}
	fresh, err := daemon.NeedsMailboxCheck(ctx, cfg)
	if err != nil {
		d.reportProblem("let this user read the data directory", "data directory: %s", plainError(err))
	}
	mail.Probe{
		In: cfg.IMAP, Out: cfg.SMTP.SMTPConfig, Address: cfg.Address, Name: cfg.Name, InSubject: cfg.SenderAuth.InSubject(),
		HasDaemon: served, IsNewDatabase: fresh, Wait: wait, Tell: d.reportFinding,
	}.Run(ctx)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped before the end: %w", err)
	}
	return nil
}

// checkConfiguration checks a valid configuration for settings that do not work together.
func (d *doctor) checkConfiguration(cfg config.Config, path string) {
	before := d.bad
	if path != "" {
		d.checkPasswords(path)
	}
	if !cfg.UsesEmbedded() {
		if cfg.Address == config.Default().Address {
			d.reportProblem("set address to the mail address of the account", "configuration: address is still %s", cfg.Address)
		}
		for _, l := range cfg.Logins() {
			d.checkLogin(l)
		}
	}
	if d.bad == before {
		where := "the defaults"
		if path != "" {
			where = path
		}
		d.reportOK("configuration: %s", where)
	}
	if cfg.Operator == "" && !cfg.UsesEmbedded() {
		d.reportNote("configuration: operator is empty: faults are only logged, and questions of players (ASK) are put into %s", mail.Questions)
	}
}

func (d *doctor) checkLogin(l config.Section) {
	if l.User != "" && l.Password == "" && !l.UsesToken() {
		d.reportProblem("set "+l.Key+": password_file or token_command", "configuration: %s has neither a password nor a token", l.Key)
	}
	for _, f := range []string{l.PasswordFile, l.TokenFile} {
		// systemd's files have an access list, which looks like a permission of the group.
		if f != "" && !config.IsCredential(f) {
			d.checkPrivate("secret file", f)
		}
	}
}

// plainPassword matches a password in the configuration file itself, for example "  password: x".
var plainPassword = regexp.MustCompile(`(?m)^[^#\n]*\bpassword:[ \t]*["']?[^"'\s#]`)

// checkPasswords checks that only the owner can read a configuration with a password.
func (d *doctor) checkPasswords(path string) {
	text, err := os.ReadFile(path)
	if err != nil || !plainPassword.Match(text) {
		return
	}
	d.checkPrivate("configuration with a password in it,", path)
}

// checkPrivate checks that only the owner can read a file.
func (d *doctor) checkPrivate(what, path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		d.reportProblem("make the file, readable for this user", "%s %s", what, plainError(err))
		return false
	}
	if info.Mode().Perm()&0o077 != 0 {
		d.reportProblem("chmod 600 "+path, "%s %s has the permissions %04o: others on this machine may read it", what, path, info.Mode().Perm())
		return false
	}
	return true
}

// plainError returns the text of an error without the name of the system call.
func plainError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Path + ": " + p.Err.Error()
	}
	return err.Error()
}
