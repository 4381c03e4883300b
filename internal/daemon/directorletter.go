package daemon

import (
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode"

	"samizdat/internal/config"
	"samizdat/mail/message"
	"samizdat/storage"
	"samizdat/templates"
)

// tellDirector queues one letter a day at most to the director, on players whose
// letters do not arrive. What he has been told is kept in the database.
func (d *Daemon) tellDirector(ctx context.Context, now time.Time) error {
	if d.Config.Director == "" {
		return nil
	}
	_, err := d.DB.TellDirector(ctx, now, d.Config.Director, func(list []storage.Trouble) ([]byte, error) { return directorLetter(d.Config, now, list) })
	return err
}

// inReason are addresses, and with them tokens, in what a mail server said.
var inReason = regexp.MustCompile(`\S*@\S*|\S*m[a-z2-7]{7}-\d+-\d+-\S*`)

// mostReason is how much of a reason the director is shown.
const mostReason = 160

// plainReason is a mail server's reason without addresses, tokens and line ends: the
// director may be a player.
func plainReason(reason string) string {
	reason = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, reason)
	reason = strings.Join(strings.Fields(inReason.ReplaceAllString(reason, "(address)")), " ")
	if r := []rune(reason); len(r) > mostReason {
		reason = string(r[:mostReason]) + " ..."
	}
	if reason == "" {
		return "No reason was given."
	}
	return reason
}

// directorLetter names matches, seats and what mail servers said, and nothing that
// stood in a letter.
func directorLetter(cfg config.Config, now time.Time, list []storage.Trouble) ([]byte, error) {
	var b strings.Builder
	b.WriteString(templates.Wrap("Letters to these players do not arrive. Each is named once; you are told at most once a day, and only of what is new.") + "\n")
	for _, t := range list {
		var what []string
		if t.Returned > 0 {
			what = append(what, letters(t.Returned)+" came back from an address that does not work")
		}
		if t.Failed > 0 {
			what = append(what, letters(t.Failed)+" could not be sent")
		}
		fmt.Fprintf(&b, "\nMatch %s, %s:\n%s\n%s\n", t.Match, t.Name, templates.Wrap(strings.Join(what, "; ")+"."), templates.Wrap(plainReason(t.Reason)))
	}
	b.WriteString("\n" + templates.Wrap("While letters that ask something come back, the player's clock stands still, for seven days at most in a match. "+
		"A player can forge such reports; the others were told. If a player has lost his mailbox, \"samizdat address MATCH SEAT NEW\" sends his letters elsewhere; "+
		"\"samizdat resend MATCH SEAT\" writes him anew how his match stands.") + "\n")
	sum := sha256.Sum256([]byte(b.String()))
	// A clock that is set back comes twice to the same day.
	id := fmt.Sprintf("director-%s-%x", now.UTC().Format("20060102"), sum[:6])
	return notice(cfg, cfg.Director, "Letters that do not arrive", id, now, b.String())
}

// notice is a letter to somebody who looks after the daemon.
func notice(cfg config.Config, to, subject, id string, date time.Time, text string) ([]byte, error) {
	_, domain, _ := strings.Cut(cfg.Address, "@")
	raw, err := message.Draft{
		From: cfg.Address, FromName: cfg.Name, To: to, Subject: subject, MessageID: id + "@" + domain, Date: date.UTC(),
		AutoSubmitted: "auto-generated", Text: text,
	}.Render()
	if err != nil {
		return nil, fmt.Errorf("write to %s: %w", to, err)
	}
	return raw, nil
}

func letters(n int) string {
	if n == 1 {
		return "1 letter"
	}
	return fmt.Sprintf("%d letters", n)
}
