package daemon

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/mail/embedded"
	"samizdat/storage"
)

// Run serves until the context ends. If no mail server is configured, it runs the embedded mail server. It locks the
// data directory. Before it serves, it calls onStart with the embedded server, or with nil if there is none.
func (d *Daemon) Run(ctx context.Context, onStart func(*embedded.Server)) (err error) {
	if err := d.Config.ReadSecrets(); err != nil {
		return err
	}
	release, err := Lock(d.Config.Data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	in, out := d.Config.IMAP, d.Config.SMTP.SMTPConfig
	var server *embedded.Server
	if d.Config.UsesEmbedded() {
		if server, err = StartEmbedded(ctx, d.Config, &in, &out); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.Close()) }()
	}
	onStart(server)
	d.log.Info("samizdat serves", "build", buildID(), "data", d.Config.Data)
	if err := d.serveAndCheckDatabase(ctx, out, func(ctx context.Context) error { return d.Serve(ctx, in, out) }); err != nil {
		return err
	}
	d.log.Info("samizdat has stopped")
	return nil
}

// serveAndCheckDatabase serves and, at the same time, checks a database that was not closed cleanly. If the database is
// damaged, the daemon stops and notifies the operator. A sound database is marked clean at the end.
func (d *Daemon) serveAndCheckDatabase(ctx context.Context, out mail.SMTPConfig, serve func(context.Context) error) error {
	// The database is marked as in use even if the daemon is stopped immediately.
	isSound, err := d.DB.MarkInUse(context.WithoutCancel(ctx))
	if err != nil {
		return err
	}
	g, serving := errgroup.WithContext(ctx)
	if !isSound {
		d.log.Info("the database was not closed properly; it is checked for damage")
		g.Go(func() (err error) {
			isSound, err = d.inspectDatabase(serving)
			return err
		})
	}
	g.Go(func() error { return serve(serving) })
	err = g.Wait()
	if errors.Is(err, storage.ErrDamaged) {
		d.log.Error("the daemon stops: the database is damaged", "database", d.Config.RedactedDSN(), "error", err,
			"hint", "check whether the disk is sound, and restore the newest backup from before the damage: docs/running.md, \"Backups\"")
		d.notifyDamage(context.WithoutCancel(ctx), out, time.Now())
		return err
	}
	if isSound {
		if err := d.DB.MarkClean(context.WithoutCancel(ctx)); err != nil {
			d.log.Warn("the database cannot be marked as clean; the next start checks it for damage", "error", err)
		}
	}
	return err
}

// inspectDatabase checks the database for damage. isSound is also false if the check failed or was stopped.
func (d *Daemon) inspectDatabase(ctx context.Context) (isSound bool, err error) {
	startTime := time.Now()
	switch err := d.DB.QuickCheck(ctx); {
	case ctx.Err() != nil:
		return false, nil
	case errors.Is(err, storage.ErrDamaged):
		return false, err
	case err != nil:
		d.log.Error("the database could not be checked for damage; the next start tries again", "error", err)
		return false, nil
	}
	d.log.Info("the database is sound", "took", time.Since(startTime).Round(time.Millisecond))
	return true, nil
}

const embeddedKeyPrefix = "embedded: "

// CheckStart returns an error if a secret is missing, or if an address to listen at is in use or not allowed. If a daemon
// already serves the data directory, CheckStart does not check the addresses; [Daemon.Run] reports that daemon.
func CheckStart(ctx context.Context, cfg config.Config) error {
	if err := cfg.ReadSecrets(); err != nil {
		return err
	}
	if isServed, err := IsServed(cfg.Data); isServed || err != nil {
		return err
	}
	listeners := []struct{ key, address string }{{"metrics", cfg.Metrics}, {"listen", cfg.Listen}}
	if cfg.UsesEmbedded() {
		listeners = append(listeners, struct{ key, address string }{embeddedKeyPrefix + "imap", cfg.Embedded.IMAPAddr},
			struct{ key, address string }{embeddedKeyPrefix + "smtp", cfg.Embedded.SMTPAddr})
	}
	for _, l := range listeners {
		if l.address == "" {
			continue
		}
		listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", l.address)
		if err == nil {
			at := listener.Addr()
			if err = listener.Close(); err == nil && strings.HasPrefix(l.key, embeddedKeyPrefix) {
				if err := cfg.Embedded.CheckAddress(at, l.address); err != nil {
					return fmt.Errorf("%s: %w", l.key, err)
				}
			}
		}
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("%s: %s is in use by another program, perhaps by another \"samizdat serve\": stop it, or set another address",
				l.key, l.address)
		}
		if err != nil {
			return fmt.Errorf("%s: %w: set another address", l.key, err)
		}
	}
	return nil
}

// StartEmbedded starts the embedded mail server, and sets the addresses and logins of in and out to it.
func StartEmbedded(ctx context.Context, cfg config.Config, in *mail.IMAPConfig, out *mail.SMTPConfig) (*embedded.Server, error) {
	password, err := refereePassword(cfg.Data)
	if err != nil {
		return nil, err
	}
	server, err := embedded.Start(ctx, cfg.Mailboxes(password))
	if err != nil {
		return nil, err
	}
	login := mail.Login{TLS: mail.NoTLS, User: cfg.Address, Password: password}
	in.Login, out.Login = login, login
	in.Address, out.Address = server.IMAPAddr(), server.SMTPAddr()
	return server, nil
}

// ReturnQuarantined moves the letters in quarantine back into the inbox, and returns their number. It can be called while
// a daemon serves. With the embedded mail server, a daemon must serve.
func ReturnQuarantined(ctx context.Context, cfg config.Config) (int, error) {
	if err := cfg.ReadSecrets(); err != nil {
		return 0, err
	}
	in := cfg.IMAP
	if cfg.UsesEmbedded() {
		if isServed, err := IsServed(cfg.Data); !isServed || err != nil {
			return 0, errors.Join(errors.New("no daemon serves: start \"samizdat serve\" first, which runs the embedded mail server"), err)
		}
		password, err := refereePassword(cfg.Data)
		if err != nil {
			return 0, err
		}
		in.Login = mail.Login{Address: cfg.Embedded.IMAPAddr, TLS: mail.NoTLS, User: cfg.Address, Password: password}
	}
	return mail.ReturnQuarantined(ctx, in)
}

// refereePassword returns the password of the referee's mailbox in the embedded server. The first call creates it.
func refereePassword(dir string) (string, error) {
	path := filepath.Join(dir, "referee.password")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		raw := make([]byte, 16)
		if _, err := rand.Read(raw); err != nil {
			return "", err
		}
		b = []byte(hex.EncodeToString(raw) + "\n")
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("read the password of the referee's mailbox: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// The file at uncheckedFile says that the mailbox of a new database has not been checked yet. The check looks for letters of other
// programs, because the daemon moves all letters that it finds. Older databases have no such file and are not checked.
func uncheckedFile(dir string) string { return filepath.Join(dir, "mailbox-unchecked") }

// markUnchecked creates uncheckedFile if there is no database yet.
func markUnchecked(ctx context.Context, cfg config.Config) error {
	if _, err := os.Stat(uncheckedFile(cfg.Data)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if found, err := storage.Exists(ctx, cfg.DSN()); found || err != nil {
		return err
	}
	const text = "Samizdat has not checked the mailbox of this database yet. If you remove this file,\n" +
		"Samizdat skips the check and moves all letters in the mailbox to its own folders,\n" +
		"including those of other programs.\n"
	if err := os.WriteFile(uncheckedFile(cfg.Data), []byte(text), 0o600); err != nil {
		return fmt.Errorf("mark the database as new: %w", err)
	}
	return nil
}

// NeedsMailboxCheck reports whether the daemon must check its mailbox before it reads letters.
func NeedsMailboxCheck(ctx context.Context, cfg config.Config) (bool, error) {
	if _, err := os.Stat(uncheckedFile(cfg.Data)); !errors.Is(err, fs.ErrNotExist) {
		return true, err
	}
	found, err := storage.Exists(ctx, cfg.DSN())
	return !found, err
}

// checkMailbox returns an error for a mailbox with foreign letters, because a daemon with a new database would move
// them. The mailbox of the embedded server is not checked. reportUnreachable gets the errors while the mail server cannot
// be reached.
func (d *Daemon) checkMailbox(ctx context.Context, in mail.IMAPConfig, reportUnreachable func(error)) error {
	if d.DB.IsShared() {
		// Another daemon may have checked the mailbox.
		if at, err := d.DB.Inbox.Watermark(ctx); err != nil || !at.IsZero() {
			return err
		}
		if !d.Config.UsesEmbedded() {
			if err := d.refuseForeignLetters(ctx, in, reportUnreachable); err != nil || ctx.Err() != nil {
				return err
			}
		}
		return d.DB.Inbox.SetWatermark(ctx, d.clock.Now())
	}
	path := uncheckedFile(d.Config.Data)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || d.Config.UsesEmbedded() {
		return nil
	}
	err := d.refuseForeignLetters(ctx, in, reportUnreachable)
	switch {
	case err == nil && ctx.Err() == nil:
		return os.Remove(path)
	case errors.Is(err, errForeignLetters):
		return fmt.Errorf("%w. To let Samizdat move these letters, remove %s", err, path)
	}
	return err // A stopped daemon checks at the next start.
}

var errForeignLetters = errors.New("may contain letters of another program")

func (d *Daemon) refuseForeignLetters(ctx context.Context, in mail.IMAPConfig, reportUnreachable func(error)) error {
	found, err := mail.FindForeignLetters(ctx, in, func(err error, pause time.Duration) {
		reportUnreachable(err)
		d.log.Warn("the mailbox cannot be checked yet", "server", in.Address, "error", err, "hint", mail.Hint(err), "retry_in",
			pause.Round(time.Millisecond))
	})
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	if problem, advice := found.Describe(); problem != "" {
		return fmt.Errorf("the mailbox of %s at %s %w: %s. What to do: %s", in.User, in.Address, errForeignLetters, problem, advice)
	}
	return nil
}
