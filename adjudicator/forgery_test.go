package adjudicator_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/internal/test/rulestest"
	"samizdat/mail"
	"samizdat/mail/message"
)

// forged is a club with two matches of the same players, in which the victim is
// to move, and somebody who wants to move for him.
type forged struct {
	*club
	// id is the match that is attacked, other another match of the same players.
	id, other string
	// victim is to move, rival sits beside him; line is a good order of the victim.
	victim, rival, line string
	// token is the address that the victim's newest letter wants to be answered
	// at, older that of the letter before, theirs the rival's, elsewhere the
	// victim's in the other match.
	token, older, theirs, elsewhere string
}

const mallory = "mallory@elsewhere.test"

func newForged(t *testing.T) *forged {
	t.Helper()
	c, _ := copyOf(t, "forged", func() (*club, string) {
		f := &beforeForgery
		f.club, f.id, f.victim, f.line = inTurn(t, rulestest.Game())
		for _, s := range orchards {
			if s != f.victim {
				f.rival = s
				break
			}
		}
		f.older = f.last(f.victim).ReplyTo[0]
		f.sends(f.victim, "STATUS")
		f.sends(f.rival, "STATUS")
		f.token, f.theirs = f.last(f.victim).ReplyTo[0], f.last(f.rival).ReplyTo[0]
		f.other = f.match(rulestest.Game().Name(), nil, orchards...)
		f.elsewhere = f.last(f.victim).ReplyTo[0]
		return f.club, f.id
	})
	f := beforeForgery
	f.club = c
	return &f
}

// beforeForgery is what each forged club is a copy of.
var beforeForgery forged

// state is everything that no forged letter may change.
func (f *forged) state(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, id := range []string{f.id, f.other} {
		b.Write(f.export(id, true))
		m, err := f.db.Match(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %+v\n", m.State, m.Pending)
		for _, s := range m.Seats {
			fmt.Fprintf(&b, "%s %s %x %v %q %q\n", s.Name, s.Player.Address, s.Key, s.Joined, s.Format, s.Script)
		}
	}
	return b.String()
}

// handle takes in a letter as it came.
func (f *forged) handle(t *testing.T, raw string) mail.Folder {
	t.Helper()
	f.uid++
	f.now = f.now.Add(time.Minute)
	folder, err := f.handler().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: f.uid, Arrived: f.now, Size: int64(len(raw)), Raw: []byte(raw)})
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// changeMAC gives the address of a token with another sign at a place of its MAC.
func changeMAC(token string, at int) string {
	i := strings.LastIndexByte(token, '@') - 16 + at
	c := byte('a')
	if token[i] == 'a' {
		c = 'b'
	}
	return token[:i] + string(c) + token[i+1:]
}

// attack is a letter that somebody makes up.
type attack struct {
	name string
	// raw is the letter. Its lines end with \n here, and with \r\n on the way.
	raw func(f *forged) string
	// answered is who gets an answer: nobody, or the one registered player; and
	// whether it may speak of a match, since he wrote it with his own token.
	answered func(f *forged) string
	match    bool
	// told is whose token it bears, without being from him: he is told, but not by whom. Silent attacks show no
	// token, or are a machine's: nobody is told.
	told   func(f *forged) string
	silent bool
	// rekeys means that the victim's key changes, since his token was shown.
	rekeys bool
}

func victim(f *forged) string { return f.victim }
func rival(f *forged) string  { return f.rival }

// plain is a letter with an order, from whoever the From line says, to an address.
func plain(f *forged, from, to string, more ...string) string {
	return from + "\nTo: " + to + "\n" + strings.Join(append(more, ""), "\n") +
		"Subject: Re: your move\nMessage-ID: <1@elsewhere.test>\nDate: Sun, 4 Jun 1989 12:00:00 +0000\n\n" + f.line + "\n"
}

// spoof is a letter with the victim's good token and a From line of one's own.
func spoof(from string) func(*forged) string {
	return func(f *forged) string {
		return plain(f, strings.ReplaceAll(from, "VICTIM", address(f.victim)), f.token)
	}
}

var attacks = []attack{
	{name: "stranger with a good token", raw: spoof("From: " + mallory)},
	{name: "right sender without a token", answered: victim,
		raw: func(f *forged) string { return plain(f, "From: "+address(f.victim), f.codec.Address) }},
	{name: "right sender, token of the other seat", answered: victim, told: rival,
		raw: func(f *forged) string { return plain(f, "From: "+address(f.victim), f.theirs) }},
	{name: "other seat, token of the victim", answered: rival, told: victim,
		raw: func(f *forged) string { return plain(f, "From: "+address(f.rival), f.token) }},
	{name: "token of another match, subject of this one", answered: victim, match: true, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.elsewhere), "Subject: Re:", "Subject: Re: [samizdat "+f.id+"]", 1)
	}},
	{name: "token of another match, its name changed", answered: victim, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.victim), strings.Replace(f.elsewhere, f.other, f.id, 1))
	}},
	{name: "token of a match that is none", answered: victim, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.victim), strings.Replace(f.token, f.id, "mzzzzzzz", 1))
	}},
	{name: "token of an older letter, its number changed", answered: victim, raw: func(f *forged) string {
		mac := f.older[strings.LastIndexByte(f.older, '-'):]
		return plain(f, "From: "+address(f.victim), f.token[:strings.LastIndexByte(f.token, '-')]+mac)
	}},
	{name: "token with another seat's number", answered: victim, raw: func(f *forged) string {
		p := strings.Split(f.token, "-")
		p[1] = strings.Split(f.theirs, "-")[1]
		return plain(f, "From: "+address(f.victim), strings.Join(p, "-"))
	}},
	{name: "token with a seat that is none", answered: victim, raw: func(f *forged) string {
		p := strings.Split(f.token, "-")
		p[1] = "99"
		return plain(f, "From: "+address(f.victim), strings.Join(p, "-"))
	}},
	{name: "token with its first sign changed", answered: victim,
		raw: func(f *forged) string { return plain(f, "From: "+address(f.victim), changeMAC(f.token, 0)) }},
	{name: "token with its last sign changed", answered: victim,
		raw: func(f *forged) string { return plain(f, "From: "+address(f.victim), changeMAC(f.token, 15)) }},
	{name: "token cut short", answered: victim, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.victim), strings.Replace(f.token, "@", "", 1)[:len(f.token)-4]+"@club.test")
	}},
	{name: "token without its MAC", answered: victim, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.victim), f.token[:strings.LastIndexByte(f.token, '-')+1]+"@club.test")
	}},
	{name: "token of a seat as an observer's", answered: victim, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.victim), strings.Replace(f.token, f.id+"-", f.id+"-o", 1))
	}},
	{name: "token with an encoded plus", answered: victim,
		raw: func(f *forged) string {
			return plain(f, "From: "+address(f.victim), strings.Replace(f.token, "+", "%2B", 1))
		}},
	{name: "token at another domain", answered: victim, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.victim), strings.Replace(f.token, "@club.test", "@elsewhere.test", 1))
	}},
	{name: "token in the subject, where none belongs", answered: victim, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.codec.Address), "Subject: Re:", "Subject: "+message.SubjectTag(strings.TrimSuffix(f.token[strings.Index(f.token, "+")+1:], "@club.test")), 1)
	}},
	{name: "token in the text only", answered: victim,
		raw: func(f *forged) string {
			return plain(f, "From: "+address(f.victim), f.codec.Address) + "\n> " + f.token + "\n"
		}},
	{name: "token in Cc, from a stranger", raw: func(f *forged) string { return plain(f, "From: "+mallory, f.codec.Address, "Cc: "+f.token) }},
	{name: "token in Delivered-To, from a stranger",
		raw: func(f *forged) string {
			return "Delivered-To: " + f.token + "\n" + plain(f, "From: "+mallory, f.codec.Address)
		}},
	{name: "tokens of two seats", answered: victim,
		raw: func(f *forged) string { return plain(f, "From: "+address(f.victim), f.token+", "+f.theirs) }},
	{name: "redirected to another token", answered: victim,
		raw: func(f *forged) string {
			return "Delivered-To: " + f.theirs + "\n" + plain(f, "From: "+address(f.victim), f.token)
		}},
	{name: "second From above", raw: spoof("From: " + mallory + "\nFrom: VICTIM")},
	{name: "second From below", raw: spoof("From: VICTIM\nFrom: " + mallory)},
	{name: "second From, the same", raw: spoof("From: VICTIM\nFrom: VICTIM")},
	{name: "second From that cannot be read", raw: spoof("From: VICTIM\nFrom: <<>>")},
	{name: "second From, empty", raw: spoof("From:\nFrom: VICTIM")},
	{name: "second From with a space before its colon", raw: spoof("From : " + mallory + "\nFROM: VICTIM")},
	{name: "second From behind a broken line", raw: spoof("From: VICTIM\nthis is no header line\nfrom: " + mallory)},
	{name: "second From behind the limit of headers", silent: true, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.victim)+"\n"+strings.Repeat("X-Filler: "+strings.Repeat("x", 900)+"\n", 400)+"From: "+mallory, f.token)
	}},
	{name: "header without end", raw: func(f *forged) string {
		return "From: " + address(f.victim) + "\nTo: " + f.token + "\n" + strings.Repeat("X: y\n", 200_000)
	}},
	{name: "two addresses in From", raw: spoof("From: VICTIM, " + mallory)},
	{name: "two addresses in From, folded", raw: spoof("From: " + mallory + ",\n VICTIM")},
	{name: "no From", raw: spoof("Sender: VICTIM")},
	{name: "display name is an address", raw: spoof(`From: "VICTIM" <` + mallory + ">")},
	{name: "display name is an address in angle brackets", raw: spoof(`From: "<VICTIM>" <` + mallory + ">")},
	{name: "display name without quotes", raw: spoof("From: VICTIM <" + mallory + ">")},
	{name: "address behind the angle brackets", raw: spoof("From: <" + mallory + "> VICTIM")},
	{name: "two angle brackets", raw: spoof("From: <" + mallory + "> <VICTIM>")},
	{name: "nested angle brackets", raw: spoof("From: <" + mallory + "<VICTIM>>")},
	{name: "open quote before the address", raw: spoof(`From: ` + mallory + ` " <VICTIM>`)},
	{name: "look-alike letters", raw: func(f *forged) string {
		return plain(f, "From: "+strings.Replace(address(f.victim), "a", "\u0430", 1), f.token)
	}},
	{name: "letters that fold to ASCII", raw: func(f *forged) string {
		return plain(f, "From: "+strings.NewReplacer("k", "\u212a", "s", "\u017f").Replace(address(f.victim)), f.token)
	}},
	{name: "full-width letters", raw: func(f *forged) string {
		return plain(f, "From: "+strings.Replace(address(f.victim), "p", "\uff50", 1), f.token)
	}},
	{name: "full-width at sign", raw: func(f *forged) string {
		return plain(f, "From: "+strings.Replace(address(f.victim), "@", "\uff20", 1), f.token)
	}},
	{name: "encoded name", raw: func(f *forged) string {
		return plain(f, "From: =?utf-8?q?"+strings.Replace(address(f.victim), "@", "=40", 1)+"?= <"+mallory+">", f.token)
	}},
	{name: "encoded address", raw: func(f *forged) string {
		return plain(f, "From: =?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(address(f.victim)))+"?=", f.token)
	}},
	{name: "encoded address in angle brackets", raw: func(f *forged) string {
		return plain(f, "From: <=?utf-8?b?"+base64.StdEncoding.EncodeToString([]byte(address(f.victim)))+"?=>", f.token)
	}},
	{name: "encoded line break and a second From", raw: func(f *forged) string {
		return plain(f, "From: =?utf-8?q?x=0D=0AFrom:_"+strings.Replace(address(f.victim), "@", "=40", 1)+"?= <"+mallory+">", f.token)
	}},
	{name: "comment with the address", raw: spoof("From: " + mallory + " (VICTIM)")},
	{name: "comment before the address", raw: spoof("From: (VICTIM) " + mallory)},
	{name: "comment within the address", raw: spoof("From: VICTIM(x)@elsewhere.test")},
	{name: "comment that does not end", raw: spoof("From: " + mallory + " (x <VICTIM>")},
	{name: "group", raw: spoof("From: Players: VICTIM;")},
	{name: "group with more", raw: spoof("From: Players: VICTIM, " + mallory + ";")},
	{name: "empty group and address", raw: spoof("From: Nobody:;, VICTIM")},
	{name: "route", raw: spoof("From: <@elsewhere.test:VICTIM>")},
	{name: "quoted local part", raw: spoof(`From: "VICTIM"@elsewhere.test`)},
	{name: "quoted local part in angle brackets", raw: spoof(`From: <"VICTIM>"@elsewhere.test>`)},
	{name: "null byte behind the address", raw: spoof("From: VICTIM\x00@elsewhere.test")},
	{name: "null byte in the domain", raw: spoof("From: VICTIM\x00.elsewhere.test")},
	{name: "null byte before the address", raw: spoof("From: \x00VICTIM")},
	{name: "zero-width space in the address", raw: spoof("From: \u200bVICTIM")},
	{name: "invalid UTF-8 in the address", raw: spoof("From: \xffVICTIM")},
	{name: "bare carriage return before a From", raw: spoof("From: " + mallory + "\rFrom: VICTIM")},
	{name: "dot behind the domain", raw: spoof("From: VICTIM.")},
	{name: "domain that only begins alike", raw: spoof("From: VICTIM.elsewhere.test")},
	{name: "plus variant of the sender",
		raw: func(f *forged) string {
			return plain(f, "From: "+strings.Replace(address(f.victim), "@", "+x@", 1), f.token)
		}},
	{name: "Sender is right, From is not", raw: spoof("Sender: VICTIM\nFrom: " + mallory)},
	{name: "resent by the right one", raw: spoof("Resent-From: VICTIM\nFrom: " + mallory)},
	{name: "Reply-To is right, From is not", raw: spoof("Reply-To: VICTIM\nFrom: " + mallory)},
	{name: "Return-Path is right, From is not", raw: spoof("Return-Path: <VICTIM>\nFrom: " + mallory)},
	{name: "Reply-To of a stranger", answered: victim, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.victim), f.codec.Address, "Reply-To: "+mallory, "Errors-To: "+mallory, "Disposition-Notification-To: "+mallory)
	}},
	{name: "header lines within the Message-ID", answered: victim, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.codec.Address), "<1@elsewhere.test>", "<1\rBcc:"+mallory+">", 1)
	}},
	{name: "the referee himself", silent: true, raw: func(f *forged) string { return plain(f, "From: "+f.codec.Address, f.token) }},
	{name: "the referee himself, with a token", silent: true, raw: func(f *forged) string { return plain(f, "From: "+f.theirs, f.token) }},
	{name: "bounce with orders", silent: true, raw: func(f *forged) string {
		return "Return-Path: <>\nPrecedence: bulk\n" + plain(f, "From: "+address(f.victim), f.token)
	}},
	{name: "delivery report with orders", silent: true, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.token), "\n\n",
			"\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n", 1) + "--b--\n"
	}},
	{name: "mailer-daemon with the victim's token", silent: true, raw: spoof("From: MAILER-DAEMON@players.test")},
	{name: "machine with a good token", silent: true, raw: spoof("Auto-Submitted: auto-generated\nFrom: VICTIM")},
	{name: "vacation note with a good token", silent: true, raw: spoof("Precedence: auto_reply\nFrom: VICTIM")},
	{name: "mailing list with a good token", silent: true, raw: spoof("Return-Path: <>\nList-Id: <players.elsewhere.test>\nFrom: VICTIM")},
	{name: "read receipt with a good token", silent: true, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.token), "\n\n",
			"\nContent-Type: multipart/report; report-type=disposition-notification; boundary=b\n\n--b\n\n", 1) +
			"--b\nContent-Type: message/disposition-notification\n\nDisposition: automatic-action/MDN-sent-automatically; displayed\n--b--\n"
	}},
	{name: "rival forwards the victim's letter", answered: rival, raw: func(f *forged) string {
		return plain(f, "From: "+address(f.rival), f.codec.Address) + "\n---------- Forwarded message ---------\nFrom: " + address(f.victim) +
			"\nTo: " + f.token + "\n\n" + f.line + "\n"
	}},
	{name: "rival attaches the victim's letter", answered: rival, match: true, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.rival), f.theirs), "\n\n"+f.line+"\n", "\nContent-Type: multipart/mixed; boundary=b\n\n"+
			"--b\n\nSee below.\n--b\nContent-Type: message/rfc822\n\n"+plain(f, "From: "+address(f.victim), f.token)+"--b--\n", 1)
	}},
	{name: "rival answers with the victim's order", answered: rival, match: true,
		raw: func(f *forged) string { return plain(f, "From: "+address(f.rival), f.theirs) }},
	{name: "victim replies to all, without orders", answered: victim, match: true, rekeys: true, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.token, "Cc: "+address(f.rival)+", "+mallory), f.line, "Nice weather today.", 1)
	}},
	{name: "order hidden in a page", answered: victim, match: true, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.token), "\n\n"+f.line+"\n", "\nContent-Type: text/html\n\n<p>Hello</p>"+
			`<div style="DISPLAY : none">`+f.line+`</div><p style="visibility:hidden">`+f.line+`</p><p style="font-size:0px">`+f.line+
			"</p><template>"+f.line+"</template><p hidden>"+f.line+"</p><!-- "+f.line+` --><p style="mso-hide:all">`+f.line+"</p>\n", 1)
	}},
	{name: "order in a quote", answered: victim, match: true, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.token), f.line, "> "+f.line, 1)
	}},
	{name: "new token asked for by a stranger",
		raw: func(f *forged) string {
			return strings.Replace(plain(f, "From: "+mallory, f.token), f.line, "NEW TOKEN", 1)
		}},
	{name: "new token asked for without a token", answered: victim, raw: func(f *forged) string {
		return strings.Replace(plain(f, "From: "+address(f.victim), f.codec.Address), f.line, "NEW TOKEN", 1)
	}},
}

// TestForgery: letters that their seat's player did not write, or did not write
// as orders, change nothing. They are answered to the registered address or not
// at all, and only who wrote with his own token is told anything of a match.
func TestForgery(t *testing.T) {
	t.Parallel()
	for _, a := range attacks {
		t.Run(strings.ReplaceAll(a.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			f := newForged(t)
			before, export := f.state(t), f.export(f.id, true)
			var log bytes.Buffer
			f.adj.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			defer func() {
				if text := log.String(); strings.Contains(text, "@") || strings.Contains(text, "elsewhere") || !strings.Contains(text, "letter handled") {
					t.Errorf("the log names somebody, or no letter:\n%s", text)
				}
			}()
			raw := strings.ReplaceAll(a.raw(f), "\n", "\r\n")
			folder := f.handle(t, raw)
			if own := a.match && a.answered != nil; own != strings.Contains(log.String(), " seat=") {
				t.Errorf("the log names the letter's match and seat: %v", !own)
			}
			box := f.box()
			out, err := box.Due(t.Context(), f.now.Add(time.Hour), 1000)
			if err != nil {
				t.Fatal(err)
			}
			after := f.state(t)
			if a.rekeys == (before == after) {
				t.Errorf("the letter changed the matches: %v", before != after)
			}
			if !bytes.Equal(export, f.export(f.id, true)) {
				t.Error("the letter changed the export")
			}
			if a.answered == nil && a.told == nil && !a.silent {
				a.told = victim
			}
			if a.told != nil {
				out = f.warned(t, raw, a.told(f), out)
			}
			if a.answered == nil {
				if len(out) > 0 || a.silent != (folder == mail.Ignored) {
					t.Errorf("%d answers, and it is filed in %s; the first is\n%s", len(out), folder, first(out))
				}
				return
			}
			if len(out) != 1 || out[0].To != address(a.answered(f)) || folder != mail.Refused {
				t.Fatalf("%d answers, and it is filed in %s; want one to %s; the first is\n%s", len(out), folder, a.answered(f), first(out))
			}
			answer := string(out[0].Raw)
			if strings.Contains(answer, mallory) {
				t.Errorf("the answer names the stranger:\n%s", answer)
			}
			for _, secret := range []string{f.id, f.other, f.line, "\nReply-To", "referee+", "Bcc"} {
				if !a.match && strings.Contains(answer, secret) {
					t.Errorf("the answer speaks of a match (%q):\n%s", secret, answer)
				}
			}
			if a.match {
				return
			}
			// The victim plays on as if nothing had been.
			f.deliver()
			mine := slices.DeleteFunc(f.mailbox[address(f.victim)], func(l message.Letter) bool { return !slices.Contains(l.ReplyTo, f.token) })
			f.mailbox[address(f.victim)] = mine
			if got := f.sends(f.victim, f.line).Text; !strings.Contains(got, "done") {
				t.Errorf("the victim's own order is answered with\n%s", got)
			}
		})
	}
}

// warning is the subject of the letter to somebody whose token another has shown.
const warning = "A letter not sent from your address"

// warned checks that somebody is told of a letter that bears his token and is not from him, once a day and by no word
// of its writer's, and gives the other answers.
func (f *forged) warned(t *testing.T, raw, name string, out []mail.Outgoing) []mail.Outgoing {
	t.Helper()
	i := slices.IndexFunc(out, func(o mail.Outgoing) bool { return o.To == address(name) })
	if i < 0 {
		t.Fatalf("%s is not told", name)
	}
	note := string(out[i].Raw)
	if !strings.Contains(note, warning) || strings.Contains(note, "\nReply-To") || strings.Contains(note, "referee+") {
		t.Errorf("%s is told\n%s", name, note)
	}
	for _, other := range []string{mallory, address(f.rival), address(f.victim), "1@elsewhere.test", f.line} {
		if other != address(name) && strings.Contains(note, other) {
			t.Errorf("the letter names %s:\n%s", other, note)
		}
	}
	f.handle(t, strings.Replace(raw, "<1@elsewhere.test>", "<2@elsewhere.test>", 1))
	again, err := f.box().Due(t.Context(), f.now.Add(time.Hour), 1000)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(slices.DeleteFunc(again, func(o mail.Outgoing) bool { return o.To != address(name) })); n != 1 {
		t.Errorf("%s is told %d times on a day", name, n)
	}
	return slices.Delete(out, i, i+1)
}

func first(out []mail.Outgoing) string {
	if len(out) == 0 {
		return ""
	}
	return string(out[0].Raw)
}
