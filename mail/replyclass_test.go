package mail

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-smtp"
)

func smtpError(code, class, subject, detail int, text string) error {
	return &smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{class, subject, detail}, Message: text}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	const temporary, permanent, doubtful, ours, lost = "temporary", "permanent", "doubtful", "ours", "lost"
	tests := []struct {
		name string
		at   stage
		err  error
		want string
	}{
		// The recipient's fault.
		{"unknown recipient", atRcpt, smtpError(550, 5, 1, 1, "no such user"), permanent},
		{"unknown recipient, no code", atRcpt, smtpError(550, 0, 0, 0, "No such user here"), permanent},
		{"address is no address", atRcpt, smtpError(501, 5, 1, 3, "Bad recipient address syntax"), permanent},
		{"mailbox disabled", atRcpt, smtpError(550, 5, 2, 1, "mailbox disabled"), permanent},
		{"mailbox full for good", atRcpt, smtpError(552, 5, 2, 2, "mailbox full"), permanent},
		{"no such domain", atRcpt, smtpError(550, 5, 4, 4, "host not found"), permanent},
		{"no SMTPUTF8", atRcpt, smtpError(550, 5, 6, 7, "the mail server cannot send to this address"), permanent},
		{"mailbox full", atRcpt, smtpError(452, 4, 2, 2, ""), temporary},
		{"mailbox busy", atRcpt, smtpError(450, 4, 2, 1, "receives mail at a rate that is too high"), temporary},
		{"greylisted", atRcpt, smtpError(451, 4, 7, 1, "Greylisting in action"), temporary},
		{"disk full", atDot, smtpError(452, 4, 3, 1, "Insufficient system storage"), temporary},
		// The letter's.
		{"too big", atMail, smtpError(552, 5, 3, 4, "size limit exceeded"), permanent},
		{"too big, at the end", atDot, smtpError(552, 5, 3, 4, "Message too big"), permanent},
		{"too big, another code", atMail, smtpError(554, 0, 0, 0, "Message size exceeds fixed limit"), permanent},
		{"too big, no enhanced code", atMail, smtpError(552, 0, 0, 0, "Message size limit exceeded"), permanent},
		{"too big, RFC 3463", atMail, smtpError(552, 5, 2, 3, "too long for you"), permanent},
		{"no room for it now", atMail, smtpError(452, 4, 3, 1, "insufficient storage"), temporary},
		// Of the letter, or of all.
		{"spam", atDot, smtpError(554, 5, 7, 1, "looks like spam"), doubtful},
		{"policy", atRcpt, smtpError(550, 5, 7, 1, "rejected by policy"), doubtful},
		{"relay closed", atRcpt, smtpError(554, 5, 7, 1, "Relay access denied"), doubtful},
		{"relay closed, no code", atRcpt, smtpError(550, 0, 0, 0, "relay not permitted"), doubtful},
		{"command not known", atData, smtpError(502, 5, 5, 1, "unimplemented"), doubtful},
		{"order of commands", atRcpt, smtpError(503, 5, 5, 1, "bad sequence"), doubtful},
		// Ours.
		{"login required", atMail, smtpError(530, 5, 7, 0, ""), ours},
		{"login required, at RCPT", atRcpt, smtpError(530, 5, 7, 0, "Authentication required"), ours},
		{"sender not ours", atMail, smtpError(553, 5, 7, 1, "Sender address rejected: not owned by user"), ours},
		{"sender not ours, at RCPT", atRcpt, smtpError(553, 5, 7, 1, "Sender address rejected: not owned by user"), doubtful},
		{"sender's domain", atRcpt, smtpError(450, 4, 1, 8, "Sender address rejected: Domain not found"), doubtful},
		{"sender's domain, at the end", atDot, smtpError(450, 4, 1, 8, "Sender address rejected: Domain not found"), ours},
		{"MAIL later", atMail, smtpError(451, 4, 3, 0, "later"), ours},
		{"Gmail's day", atRcpt, smtpError(550, 5, 4, 5, "Daily user sending limit exceeded."), doubtful},
		{"Gmail's day, at DATA", atData, smtpError(550, 5, 4, 5, "Daily SMTP relay limit exceeded"), ours},
		{"Exchange without login", atMail, smtpError(530, 5, 7, 57, "SMTP; Client was not authenticated to send anonymous mail during MAIL FROM"), ours},
		{"Exchange, not our name", atDot, smtpError(550, 5, 7, 60, "SMTP; Client does not have permissions to send as this sender"), ours},
		{"Microsoft's SendAs", atDot, smtpError(554, 5, 2, 252, "SendAsDenied; a@x not allowed to send as b@x"), ours},
		{"Microsoft's quota", atDot, smtpError(554, 5, 2, 0, "STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message"), ours},
		{"Microsoft, suspended", atDot, smtpError(554, 5, 2, 0, "STOREDRV.Submission.Exception:OutboundSpamException; WASCL UserAction verdict is not None"), ours},
		{"suspended", atRcpt, smtpError(550, 5, 7, 1, "Your account has been suspended"), doubtful},
		{"suspended, at DATA", atData, smtpError(550, 5, 7, 1, "Your account has been suspended"), ours},
		{"sender blocked", atRcpt, smtpError(554, 5, 7, 1, "sender blocked"), doubtful},
		{"his limit", atRcpt, smtpError(452, 4, 2, 2, "recipient exceeded daily message limit"), doubtful},
		{"his server wants a login", atRcpt, smtpError(550, 5, 7, 57, "Client not authenticated to send mail"), doubtful},
		{"Yahoo's dead address", atDot, smtpError(554, 5, 0, 0, "delivery error: dd This account has been disabled or discontinued [#102]."), permanent},
		{"dead address", atRcpt, smtpError(550, 5, 2, 1, "This account has been disabled"), permanent},
		{"our quota", atMail, smtpError(552, 5, 7, 0, "Daily sending quota exceeded"), ours},
		{"our storage", atMail, smtpError(552, 0, 0, 0, "Requested mail action aborted: exceeded storage allocation"), ours},
		{"our mailbox is full", atMail, smtpError(552, 5, 2, 2, "Sender mailbox is full"), ours},
		{"our quota, another code", atMail, smtpError(550, 0, 0, 0, "Mail quota exceeds the limit"), ours},
		// The connection's.
		{"closing", atRcpt, &smtp.SMTPError{Code: 421}, lost},
		{"unknown outcome", atDot, io.ErrUnexpectedEOF, lost},
		{"no answer", atMail, io.ErrUnexpectedEOF, lost},
	}
	for _, tt := range tests {
		reply := classifyReply(tt.at, tt.err)
		got := temporary
		switch {
		case reply.cause == causeAccount:
			got = ours
		case reply.isLost:
			got = lost
		case reply.cause == causeUnclear:
			got = doubtful
		case reply.isPermanent:
			got = permanent
		}
		if got != tt.want || reply.isPermanent && reply.cause != causeLetter {
			t.Errorf("%s: got %s (%+v), want %s", tt.name, got, reply, tt.want)
		}
	}
	if reply := classifyReply(atMail, &smtp.SMTPError{Code: 421}); !reply.isLost || reply.cause != causeAccount {
		t.Errorf("421 to MAIL: %+v", reply)
	}
}

// TestRefusedForAWeek: a login that may not send for longer than letters are tried
// costs no letter and no address, at whatever step the server says so.
func TestRefusedForAWeek(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		at   stage
		err  error
	}{
		{"the day's limit", atRcpt, smtpError(550, 5, 4, 5, "Daily user sending limit exceeded.")},
		{"our address", atMail, smtpError(550, 5, 7, 1, "not yours")},
		{"our quota", atMail, smtpError(552, 5, 7, 0, "Daily sending quota exceeded")},
		{"our account", atRcpt, smtpError(550, 5, 7, 1, "Your account has been suspended")},
		{"MAIL, later", atMail, smtpError(451, 4, 3, 0, "later")},
		{"policy against us", atDot, smtpError(550, 5, 7, 1, "rejected by policy")},
		{"relay", atRcpt, smtpError(554, 5, 7, 1, "Relay access denied")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				box := newBox("a@x", "b@x", "c@x", "a@x")
				s := NewSender(SMTPConfig{}, box, nil)
				over := time.Now().Add(7 * 24 * time.Hour)
				tries := 0
				var sent []int64
				s.dial = scripted(func(letter Outgoing) (stage, error) {
					if time.Now().Before(over) {
						tries++
						return tt.at, tt.err
					}
					sent = append(sent, letter.ID)
					return "", nil
				})
				ctx, cancel := context.WithTimeout(t.Context(), 8*24*time.Hour)
				defer cancel()
				if err := s.Run(ctx); err != nil {
					t.Fatal(err)
				}
				if len(sent) != 4 {
					t.Errorf("sent %v", sent)
				}
				for id, l := range box.letters {
					if l.permanent || l.Attempts > 1 {
						t.Errorf("letter %d: %d tries, given up %v", id, l.Attempts, l.permanent)
					}
				}
				if tries > 300 {
					t.Errorf("%d tries in a week", tries)
				}
			})
		})
	}
}

// TestOneLetterRefused: what the server says of one letter alone, while it takes
// others, is that letter's fault in the end, and holds up nobody for long.
func TestOneLetterRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("odd@x")
		s := NewSender(SMTPConfig{}, box, nil)
		var slowest time.Duration
		queued := map[int64]time.Time{}
		s.dial = scripted(func(letter Outgoing) (stage, error) {
			if letter.To == "odd@x" {
				return atDot, smtpError(554, 5, 7, 1, "looks like spam")
			}
			slowest = max(slowest, time.Since(queued[letter.ID]))
			return "", nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		go func() {
			for id := int64(2); id < 30; id++ {
				time.Sleep(17 * time.Minute)
				box.mu.Lock()
				queued[id] = time.Now()
				box.mu.Unlock()
				box.add(id, "ann@x")
				s.Wake()
			}
		}()
		if err := s.Run(ctx); err != nil {
			t.Fatal(err)
		}
		odd := box.letters[1]
		if !odd.permanent || odd.Attempts != ambiguousTries {
			t.Errorf("%d tries, given up %v", odd.Attempts, odd.permanent)
		}
		if slowest > time.Second {
			t.Errorf("another letter waited %v", slowest)
		}
	})
}

// TestLogNamesNoAddress: what the log says of letters that do not go out holds no
// address; the outbox has the rest.
func TestLogNamesNoAddress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		box := newBox("ann@players.test", "cyd@players.test", "eve @players.test", "ben@players.test")
		var log logBuffer
		s := NewSender(SMTPConfig{}, box, log.logger())
		s.dial = scripted(func(letter Outgoing) (stage, error) {
			switch letter.ID {
			case 1:
				return atRcpt, smtpError(550, 5, 1, 1, "<ann@players.test>: no such user, see ann@players.test")
			case 4:
				return atMail, smtpError(550, 5, 7, 60, "<referee+b-mabc-0-7-aaaaaaaaaaaaaaaa@club.test> may not send")
			}
			return atDot, errors.New("write tcp: for cyd@players.test: broken pipe")
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
		got := log.String()
		for _, want := range []string{"letter was not sent\" id=1", "no such user", "letters are waiting", "may not send", "id=3", "connection lost", "(address)"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is not in the log", want)
			}
		}
		if strings.Contains(got, "@") || strings.Contains(got, "players") || strings.Contains(got, "aaaa") {
			t.Errorf("an address is in the log:\n%s", got)
		}
	})
}
