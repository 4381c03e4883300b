package daemon

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/mail/embedded"
)

// Run serves until the context ends, with the embedded mail server if no other is
// configured. It takes the data directory for itself. started is called when it begins,
// with the embedded server or nil.
func (d *Daemon) Run(ctx context.Context, started func(*embedded.Server)) (err error) {
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
	started(server)
	d.log.Info("samizdat serves", "build", build(), "data", d.Config.Data)
	if err := d.Serve(ctx, in, out); err != nil {
		return err
	}
	d.log.Info("samizdat has stopped, as it was told")
	return nil
}

// StartEmbedded runs the embedded mail server and points the daemon to it.
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

// refereePassword is the password of the referee's own embedded mailbox. It is
// made once: nobody else needs it.
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
		return "", fmt.Errorf("the referee's password: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}
