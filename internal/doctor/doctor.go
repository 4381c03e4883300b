// Package doctor checks the configuration, data directory, database and mail account of a referee. Each bad finding
// contains advice.
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
	out      io.Writer
	badCount int
	// serveCommand is the command that creates the database, for example "samizdat serve".
	serveCommand string
}

func (d *doctor) reportFinding(f mail.Finding) {
	if f.Level == mail.LevelError {
		d.badCount++
	}
	line := fmt.Sprintf("%-4s  %s", f.Level, f.Text)
	if f.Advice != "" {
		line = strings.TrimRight(line, ".") + ". What to do: " + f.Advice
	}
	fmt.Fprintln(d.out, line)
}

func (d *doctor) reportOK(format string, args ...any) {
	d.reportFinding(mail.Finding{Level: mail.LevelOK, Text: fmt.Sprintf(format, args...)})
}

func (d *doctor) reportNote(format string, args ...any) {
	d.reportFinding(mail.Finding{Level: mail.LevelInfo, Text: fmt.Sprintf(format, args...)})
}

func (d *doctor) reportProblem(advice, format string, args ...any) {
	d.reportFinding(mail.Finding{Level: mail.LevelError, Text: fmt.Sprintf(format, args...), Advice: advice})
}

// Run checks everything in order, prints the findings, and returns the number of bad ones. It sends a letter to the
// referee's address and waits for its arrival; with a wait of 0 it sends none.
func Run(ctx context.Context, out io.Writer, path string, wait time.Duration) (badCount int, err error) {
	d := &doctor{out: out}
	if err := d.run(ctx, path, wait); err != nil {
		return d.badCount, err
	}
	switch d.badCount {
	case 0:
		fmt.Fprintln(out, "Nothing is bad.")
	case 1:
		fmt.Fprintln(out, "One thing is bad.")
	default:
		fmt.Fprintf(out, "%d things are bad.\n", d.badCount)
	}
	return d.badCount, nil
}

func (d *doctor) run(ctx context.Context, path string, wait time.Duration) error {
	cfg, err := config.Load(path)
	if err != nil {
		d.reportProblem("correct the configuration; config.example.yaml shows every setting", "configuration: %s",
			strings.Join(strings.Fields(err.Error()), " "))
		return nil
	}
	if d.serveCommand = "samizdat serve"; path != "" && !filepath.IsAbs(cfg.Data) {
		d.serveCommand += " --create"
	}
	d.checkConfiguration(cfg, path)
	isServed := false
	if d.checkDirectory(cfg.Data) {
		d.checkKey(ctx, cfg)
		d.checkDatabase(ctx, cfg)
		isServed = d.checkDaemon(cfg.Data)
	}
	if cfg.Site != "" {
		d.checkSite(cfg.Site)
	}
	if cfg.UsesEmbedded() {
		d.reportNote("mail: imap and smtp have no address, so samizdat serve runs its own mail server; there is no account to look at")
		return nil
	}
	isNew, err := daemon.NeedsMailboxCheck(ctx, cfg)
	if err != nil {
		d.reportProblem("let this user read the data directory", "data directory: %s", plainError(err))
	}
	mail.Probe{
		IMAP: cfg.IMAP, SMTP: cfg.SMTP.SMTPConfig, Address: cfg.Address, Name: cfg.Name, TokensInSubject: cfg.SenderAuth.InSubject(),
		HasDaemon: isServed, IsNewDatabase: isNew, Wait: wait, OnFinding: d.reportFinding,
	}.Run(ctx)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped before the end: %w", err)
	}
	return nil
}

// checkConfiguration checks a valid configuration for settings that do not fit together.
func (d *doctor) checkConfiguration(cfg config.Config, path string) {
	badCountBefore := d.badCount
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
	if d.badCount == badCountBefore {
		source := "the defaults"
		if path != "" {
			source = path
		}
		d.reportOK("configuration: %s", source)
	}
	if cfg.Operator == "" && !cfg.UsesEmbedded() {
		d.reportNote("configuration: operator is empty: faults are only logged, and questions of players (ASK) are put into %s", mail.Questions)
	}
}

func (d *doctor) checkLogin(l config.LoginSection) {
	if l.User != "" && l.Password == "" && !l.UsesToken() {
		d.reportProblem("set "+l.Key+": password_file or token_command", "configuration: %s has neither a password nor a token", l.Key)
	}
	for _, f := range []string{l.PasswordFile, l.TokenFile} {
		// A file that systemd passes to the service has an access list, which looks like a permission of the group.
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

func (d *doctor) checkPrivate(label, path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		d.reportProblem("create the file, and let this user read it", "%s %s", label, plainError(err))
		return false
	}
	if info.Mode().Perm()&0o077 != 0 {
		d.reportProblem("chmod 600 "+path, "%s %s has the permissions %04o: others on this machine may read it", label, path, info.Mode().Perm())
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
