package daemon

import (
	"context"
	"fmt"
	"strings"
	"time"

	"samizdat/internal/config"
	"samizdat/mail"
	"samizdat/storage"
	"samizdat/templates"
)

// alarmTime bounds how long a letter to the operator may take.
const alarmTime = 30 * time.Second

// sendToOperator hands a letter over to the mail server, past the outbox.
func sendToOperator(ctx context.Context, cfg config.Config, out mail.SMTPConfig, raw []byte) error {
	ctx, cancel := context.WithTimeout(ctx, alarmTime)
	defer cancel()
	signing, err := cfg.SMTP.DKIM.Signing()
	if err == nil && signing != nil {
		raw, err = signing.Sign(raw)
	}
	if err != nil {
		return err
	}
	out.Claims = nil // It is no letter of the outbox.
	return mail.SendOnce(ctx, out, mail.Outgoing{EnvelopeFrom: cfg.Address, To: cfg.Operator, Raw: raw})
}

// clockTime is how letters to the operator write a time.
func clockTime(at time.Time) string { return at.UTC().Format("2 January 2006, 15:04 UTC") }

// begunLetter says what is wrong and what to do. It names no player and no match.
func begunLetter(cfg config.Config, now time.Time, is storage.Alarm, c condition) ([]byte, error) {
	about := causes[c.cause]
	text := templates.Wrap(about.title+", since "+clockTime(is.Since)+".") + "\n\n" +
		templates.Wrap(sentence(c.what)) + "\n\n" +
		templates.Wrap("What to do: "+c.advice()+". \"samizdat doctor\" looks at everything, and the log has more.") + "\n\n" +
		templates.Wrap(about.meanwhile+" You are told of this once a day while it lasts, and once when it is over.") + "\n"
	return notice(cfg, cfg.Operator, about.title, fmt.Sprintf("alarm-%s-%d-%s", c.cause, is.Since.Unix(), now.UTC().Format("20060102")), now, text)
}

// endedLetter says that it is over, and what it was: of what kept letters from going out the operator reads
// here for the first time.
func endedLetter(cfg config.Config, now time.Time, is storage.Alarm, until time.Time) ([]byte, error) {
	about := causes[is.Cause]
	text := templates.Wrap("This is over: "+lowerFirst(about.title)+". It began at "+clockTime(is.Since)+" and ended at "+clockTime(until)+".") + "\n\n" +
		templates.Wrap(sentence(is.What)) + "\n\n" +
		templates.Wrap("What waited meanwhile is done now, and nothing more is asked of you.") + "\n"
	return notice(cfg, cfg.Operator, "Over: "+lowerFirst(about.title), fmt.Sprintf("alarm-%s-%d-over", is.Cause, is.Since.Unix()), now, text)
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + strings.TrimRight(s[1:], ".") + "." }

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
