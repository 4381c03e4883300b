// Package doctor looks whether everything is set up as it should be: configuration, data
// directory, database and mail account. It says what to do about what is not.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"time"

	"samizdat/internal/config"
	"samizdat/internal/daemon"
	"samizdat/mail"
)

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

// Run looks at everything in order, says what it finds, and counts what is bad. The
// letter to the own address is waited for so long; with 0 none is sent.
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
		d.wrong("mend the configuration; config.example.yaml shows every setting", "configuration: %s",
			strings.Join(strings.Fields(err.Error()), " "))
		return nil
	}
	d.configuration(cfg, path)
	served := false
	if d.directory(cfg.Data) {
		d.key(ctx, cfg)
		d.database(ctx, cfg)
		served = d.daemon(cfg.Data)
	}
	if cfg.Site != "" {
		d.site(cfg.Site)
	}
	if cfg.UsesEmbedded() {
		d.note("mail: imap and smtp have no address, so samizdat serve runs its own mail server; there is no account to look at")
		return nil
	}
	fresh, err := daemon.Fresh(ctx, cfg)
	if err != nil {
		d.wrong("let this user read the data directory", "data directory: %s", plainError(err))
	}
	mail.Probe{
		In: cfg.IMAP, Out: cfg.SMTP.SMTPConfig, Address: cfg.Address, Name: cfg.Name, InSubject: cfg.Identity.InSubject(),
		Served: served, Fresh: fresh, Wait: wait, Tell: d.tell,
	}.Run(ctx)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("stopped before the end: %w", err)
	}
	return nil
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
		for _, l := range cfg.Logins() {
			d.login(l)
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
		d.note("configuration: operator is empty: faults are only logged, and questions of players (ASK) are put into %s", mail.Questions)
	}
}

// login looks at a login and at the files of its secrets.
func (d *doctor) login(l config.Section) {
	if l.User != "" && l.Password == "" && !l.UsesToken() {
		d.wrong("set "+l.Key+": password_file or token_command", "configuration: %s has neither a password nor a token", l.Key)
	}
	for _, f := range []string{l.PasswordFile, l.TokenFile} {
		// What systemd hands over has an access list, which looks like a
		// group's permission.
		if f != "" && !config.HandedOver(f) {
			d.private("secret file", f)
		}
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
