package daemon

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"time"
	"unicode"

	"samizdat/adjudicator/club"
	"samizdat/internal/config"
	"samizdat/internal/post"
	"samizdat/internal/webhook"
	"samizdat/mail"
	"samizdat/mail/message"
	"samizdat/storage"
	"samizdat/templates"
)

// maxQuarantineNotices is the maximum number of notices to the operator about quarantine in a day (UTC). A single fault
// may affect many letters.
const maxQuarantineNotices = 20

// operatorNotifier returns a function that queues a notice to the operator about each letter put in quarantine, at most
// maxQuarantineNotices a day. The notice identifies the letter but does not quote it, because the operator may be a
// player. The quarantined letters of the day are recorded in the database, so a restart does not report a letter again.
// If no operator is configured, the function only writes this record. If the record cannot be written, e.g. because the
// disk is full, the letter is not put in quarantine.
func (d *Daemon) operatorNotifier(outbox *storage.Outbox, wake func()) func(context.Context, mail.BadLetter) error {
	return func(ctx context.Context, b mail.BadLetter) error {
		quarantined := storage.QuarantinedLetter{UIDValidity: b.Letter.UIDValidity, UID: b.Letter.UID}
		if b.Letter.Raw != nil {
			quarantined.SHA256 = fmt.Sprintf("%x", sha256.Sum256(b.Letter.Raw))
		}
		queued, err := outbox.RecordQuarantined(ctx, d.Config.Operator, quarantined, time.Now(), maxQuarantineNotices,
			func(isLast bool) ([]byte, error) { return newQuarantineNotice(d.Config, b, quarantined.SHA256, isLast) })
		if queued {
			wake()
		}
		return err
	}
}

// writerNotifier returns a function that tells the sender of a quarantined letter that the letter had no effect, and
// then calls next.
func (d *Daemon) writerNotifier(
	h post.Handler, next func(context.Context, mail.BadLetter) error,
) func(context.Context, mail.BadLetter) error {
	return func(ctx context.Context, b mail.BadLetter) error {
		if b.Letter.Raw != nil && !b.KilledProcess {
			err := notifyFailure(ctx, h, b.Letter)
			if _, ok := findFault(d.DB, err); ok {
				return err
			}
			if err != nil { // The notice may fail for the same reason as the letter.
				d.log.Error("cannot notify the sender of a quarantined letter", "uid", b.Letter.UID, "error", err)
			}
		}
		return next(ctx, b)
	}
}

func notifyFailure(ctx context.Context, h post.Handler, r mail.Received) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
		}
	}()
	return h.NotifyFailure(ctx, r)
}

// newQuarantineNotice writes a notice about a letter in quarantine. sum is the SHA-256 of the letter in hex. isLast is
// set for the last notice of the day. The date of the notice is the time at which the letter came into the inbox.
func newQuarantineNotice(cfg config.Config, b mail.BadLetter, sum string, isLast bool) ([]byte, error) {
	var text strings.Builder
	number := fmt.Sprintf("%d (uidvalidity %d)", b.Letter.UID, b.Letter.UIDValidity)
	at := b.Letter.Arrived.UTC().Format(time.RFC1123Z)
	id := fmt.Sprintf("quarantine-%d-%d", b.Letter.UIDValidity, b.Letter.UID)
	if b.Letter.Raw == nil {
		fmt.Fprintf(&text, "The mail server lists a letter but did not deliver it in %d tries, while it\ndelivered other letters. "+
			"The letter was moved unread to the folder\n%s. Other letters are handled as usual.\n\n"+
			"  missed since  %s\n  number        %s\n  bytes         %d, as the server says\n\n"+
			"The log has the answers of the server. Perhaps another mail program can open\nthe letter. When the server delivers it again, "+
			"\"samizdat retry\" moves it back\nto the inbox, and it is handled like a new letter.\n",
			b.Failures, mail.Quarantine, at, number, b.Letter.Size)
	} else {
		id += "-" + sum[:16]
		if b.Letter.Truncated {
			sum += fmt.Sprintf("\n           (of the first %d bytes, more were not read)", len(b.Letter.Raw))
		}
		fmt.Fprintf(&text, "The program failed to handle a letter, in %d tries. The letter was moved\nunchanged to the folder %s. "+
			"Other letters are handled\nas usual.\n\n"+
			"  arrived  %s\n  number   %s\n  bytes    %d\n  sha256   %s\n\n"+
			"The log has the error. If the sender is known, a letter tells the sender that\nnothing was done. After the fault is fixed, "+
			"\"samizdat retry\" moves all\nletters of the folder back to the inbox, where they are handled like new ones.\n",
			b.Failures, mail.Quarantine, at, number, b.Letter.Size, sum)
	}
	if isLast {
		fmt.Fprintf(&text, "\nThis is the last notice about quarantine today (UTC): at most %d are sent a\nday. More letters may be moved to "+
			"the folder; the log has a line at level error\nfor each of them.\n", maxQuarantineNotices)
	}
	return renderNotice(cfg, cfg.Operator, "A letter is in quarantine", id, b.Letter.Arrived, text.String())
}

// notifyDirector queues at most one letter a day to the director about undelivered letters. The database records what
// was reported.
func (d *Daemon) notifyDirector(ctx context.Context, now time.Time) error {
	if d.Config.Director == "" {
		return nil
	}
	_, err := d.DB.Operator.ReportUndelivered(ctx, now, d.Config.Director,
		func(list []storage.SeatFailures) ([]byte, error) { return newDirectorLetter(d.Config, now, list) })
	return err
}

// addressInReason matches addresses and tokens in the answer of a mail server, e.g. "<ada@x.test>".
var addressInReason = regexp.MustCompile(`\S*@\S*|\S*m[a-z2-7]{7}-\d+-\d+-\S*`)

// maxReason limits the characters of a reason in letters to the director.
const maxReason = 160

// cleanReason removes addresses, tokens and line ends from the answer of a mail server, because the director may be a
// player. For example, "550 <ada@x.test>: unknown" becomes "550 (address) unknown".
func cleanReason(reason string) string {
	reason = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, reason)
	reason = strings.Join(strings.Fields(addressInReason.ReplaceAllString(reason, "(address)")), " ")
	if r := []rune(reason); len(r) > maxReason {
		reason = string(r[:maxReason]) + " ..."
	}
	if reason == "" {
		return "No reason was given."
	}
	return reason
}

// newDirectorLetter writes the letter about undelivered letters. It names matches and seats, and quotes mail servers, but
// no letter of a player.
func newDirectorLetter(cfg config.Config, now time.Time, list []storage.SeatFailures) ([]byte, error) {
	var b strings.Builder
	b.WriteString(templates.Wrap("Letters to these players do not arrive. Each failure is reported once, and you get this notice "+
		"at most once a day.") + "\n")
	for _, t := range list {
		var failures []string
		if t.Returned > 0 {
			failures = append(failures, formatLetterCount(t.Returned)+" came back from an address that does not work")
		}
		if t.Failed > 0 {
			failures = append(failures, formatLetterCount(t.Failed)+" could not be sent")
		}
		fmt.Fprintf(&b, "\nMatch %s, %s:\n%s\n%s\n", t.Match, t.Name, templates.Wrap(strings.Join(failures, "; ")+"."),
			templates.Wrap(cleanReason(t.Reason)))
	}
	b.WriteString("\n" + templates.Wrap("If a letter with a question comes back, the player's clock stops, for at most seven days "+
		"in each match. "+
		"A player can forge such reports, so the other players have been told that the clock has stopped. If a player has lost his mailbox, "+
		"\"samizdat address MATCH SEAT NEW\" sends his letters elsewhere; "+
		"\"samizdat resend MATCH SEAT\" sends him the state of his match again.") + "\n")
	sum := sha256.Sum256([]byte(b.String()))
	// If the clock was set back, two letters may have the same day; the hash of the text tells them apart.
	id := fmt.Sprintf("director-%s-%x", now.UTC().Format("20060102"), sum[:6])
	return renderNotice(cfg, cfg.Director, "Letters that do not arrive", id, now, b.String())
}

func renderNotice(cfg config.Config, to, subject, id string, date time.Time, text string) ([]byte, error) {
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

func (s *service) runWebHooks(ctx context.Context) error {
	var hooks []club.Hook
	for i, c := range s.Config.Club.Hooks {
		h, err := c.Hook(i)
		if err != nil {
			return err
		}
		hooks = append(hooks, h)
	}
	stored := false
	sender := webhook.NewSender(webhook.Sender{Store: s.DB.Hooks, Now: s.clock.Now, Log: s.log, ComposeDropLetter: s.newHookLetter,
		Link: func(n club.Notice) string {
			if s.Config.SiteURL == "" || n.Kind != club.MatchOver {
				return s.Config.SiteURL
			}
			return s.Config.SiteURL + n.Match + pageExt
		}}, s.Config.Club.PrivateHooks)
	return s.repeatTask(ctx, s.tickInterval, func(ctx context.Context) error {
		if !stored {
			if err := s.DB.Club.SetOperatorHooks(ctx, hooks); err != nil {
				return err
			}
			stored = true
		}
		return sender.Send(ctx)
	}, "notices to web hooks cannot be sent")
}

func (d *Daemon) newHookLetter(ctx context.Context, h club.Hook) (to string, raw []byte, err error) {
	to = d.Config.Operator
	advice := "When the web hook works again, restart the daemon; or remove the hook from the configuration (club: notify)."
	if h.ID > 0 {
		m, err := d.DB.Club.Member(ctx, h.ID)
		if err != nil || m == nil {
			return "", nil, err
		}
		to, advice = m.Address, "To get notices again, send NOTIFY with the web address to the club."
	}
	if to == "" {
		return "", nil, nil
	}
	now := d.clock.Now()
	text := templates.Wrap(fmt.Sprintf("Notices to the web hook at %s have failed for a week, and no more are sent there. %s", h.Host(),
		advice))
	raw, err = renderNotice(d.Config, to, "A web hook does not work", fmt.Sprintf("hook-%d-%d", h.ID, now.UnixMicro()), now, text+"\n")
	return to, raw, err
}

func formatLetterCount(n int) string {
	if n == 1 {
		return "1 letter"
	}
	return fmt.Sprintf("%d letters", n)
}

// damageReportFile returns the path of the file with the day of the last letter about damage, e.g. "2026-11-26". A
// supervisor that restarts the daemon repeatedly must not cause a letter each time.
func damageReportFile(dir string) string { return filepath.Join(dir, "damage-told") }

// notifyDamage tells the operator that the database is damaged, at most once a day (UTC). Its letter is sent directly,
// because the outbox is in the damaged database.
func (d *Daemon) notifyDamage(ctx context.Context, out mail.SMTPConfig, now time.Time) {
	today := now.UTC().Format(time.DateOnly)
	lastReport, err := os.ReadFile(damageReportFile(d.Config.Data))
	if d.Config.Operator == "" || err == nil && string(lastReport) == today {
		return
	}
	raw, err := newDamageLetter(d.Config, now)
	if err == nil {
		err = sendToOperator(ctx, d.Config, out, raw)
	}
	if err == nil {
		err = os.WriteFile(damageReportFile(d.Config.Data), []byte(today), 0o600)
	}
	if err != nil {
		d.log.Error("cannot notify the operator of the damaged database", "error", err)
	}
}

func newDamageLetter(cfg config.Config, now time.Time) ([]byte, error) {
	text := templates.Wrap("The database is damaged, and the daemon has stopped. Letters stay in the inbox, and nothing is lost there. "+
		"The log says what was found.") +
		"\n\n  " + cfg.RedactedDSN() + "\n\n" +
		templates.Wrap("Look whether the disk is sound, and restore the newest backup from before the damage: "+
			"\"samizdat restore FILE\" keeps the damaged file under another name. "+
			"\"Backups\" in docs/running.md explains how letters that came after that backup are handled.") + "\n"
	return renderNotice(cfg, cfg.Operator, "The database is damaged", fmt.Sprintf("damaged-%d", now.UnixMicro()), now, text)
}
