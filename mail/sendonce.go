package mail

import (
	"context"
	"errors"
	"fmt"
)

// SendOnce hands one letter over that is in no outbox: it is tried once.
func SendOnce(ctx context.Context, cfg SMTPConfig, o Outgoing) error {
	if reason := unsendable(o); reason != "" {
		return errors.New(reason)
	}
	c, err := dialSMTP(ctx, cfg.WithDefaults())
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = c.Close() })()
	if at, err := c.deliver(o); err != nil {
		return errors.Join(fmt.Errorf("at %s: %w", at, err), c.Close())
	}
	return c.Quit()
}
