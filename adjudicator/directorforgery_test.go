package adjudicator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"samizdat/mail"
	"samizdat/mail/message"
)

// directedClub is a club whose director was asked whether he means to put another player into a
// seat, and somebody who wants to be that player.
type directedClub struct {
	*club
	id, other string
	// asking is the address that answers the question, older that of the letter before it,
	// elsewhere that of his letter about the other match; theirs is a player's.
	asking, older, elsewhere, theirs string
	// wrote is the letter in which he wanted it, as it came.
	wrote message.Draft
}

const seatsMallory = "REPLACE smith WITH " + mallory + " BECAUSE he is away"

// beforeDirecting is what each such club is a copy of.
var beforeDirecting directedClub

func newDirectedClub(t *testing.T) *directedClub {
	t.Helper()
	c, _ := copyOf(t, "directed", func() (*club, string) {
		f := &beforeDirecting
		f.club, f.id = council5(t)
		f.theirs = f.last("miller").ReplyTo[0]
		f.other = f.match("council", nil, councillors...)
		f.elsewhere = f.directs(f.other).ReplyTo[0]
		f.older = f.directs(f.id).ReplyTo[0]
		f.wrote = f.letter("director", seatsMallory)
		f.receive(f.wrote)
		f.asking = f.last("director").ReplyTo[0]
		return f.club, f.id
	})
	f := beforeDirecting
	f.club = c
	return &f
}

// state is everything that no forged letter may change.
func (f *directedClub) state() string {
	var b strings.Builder
	for _, id := range []string{f.id, f.other} {
		m := f.stored(id)
		b.Write(f.export(id, true))
		fmt.Fprintf(&b, "%s %+v %+v\n", m.State, m.Pending, m.Takeback)
		for _, s := range m.Seats {
			fmt.Fprintf(&b, "%s %s %x %d\n", s.Name, s.Player.Address, s.Key, s.LastLetter)
		}
	}
	return b.String()
}

// note is a letter as it comes: header lines, and a text.
func note(text string, header ...string) string {
	return strings.Join(append(header, "Subject: Re: Do you mean it?", "Message-ID: <1@elsewhere.test>", "Date: Sun, 4 Jun 1989 12:00:00 +0000"), "\n") + "\n\n" + text + "\n"
}

// tokenWith gives the address of a token with one of its parts changed.
func tokenWith(token string, part int, to string) string {
	at := strings.LastIndexByte(token, '@')
	p := strings.Split(token[:at], "-")
	p[part] = to
	return strings.Join(p, "-") + token[at:]
}

// takeover is a letter that somebody makes up to direct a match.
type takeover struct {
	name string
	raw  func(f *directedClub) string
	// answered means that the director gets a letter, and some player the fixed one.
	answered, fixed bool
	// told is who is told that another has shown his token.
	told string
	// again means that what the director was asked is asked no more, or with another token.
	again bool
}

var director = "From: " + address("director")

// spoofYes says YES with the director's good token, from whoever the header says.
func spoofYes(header ...string) func(*directedClub) string {
	return func(f *directedClub) string { return note("YES", append(header, "To: "+f.asking)...) }
}

// yesTo says YES in the director's name to an address.
func yesTo(to func(f *directedClub) string) func(*directedClub) string {
	return func(f *directedClub) string { return note("YES", director, "To: "+to(f)) }
}

var takeovers = []takeover{
	{name: "stranger with the director's token", told: "director", raw: spoofYes("From: " + mallory)},
	{name: "player with the director's token", told: "director", raw: spoofYes("From: " + address("miller")), fixed: true},
	{name: "director's name beside another address", told: "director", raw: spoofYes(`From: "` + address("director") + `" <` + mallory + ">")},
	{name: "director in a comment", told: "director", raw: spoofYes("From: " + mallory + " (" + address("director") + ")")},
	{name: "two From lines", told: "director", raw: spoofYes(director, "From: "+mallory)},
	{name: "two From lines, the other way", told: "director", raw: spoofYes("From: "+mallory, director)},
	{name: "two addresses in From", told: "director", raw: spoofYes(director + ", " + mallory)},
	{name: "director as Sender", told: "director", raw: spoofYes("Sender: "+address("director"), "From: "+mallory)},
	{name: "director as Reply-To", told: "director", raw: spoofYes("Reply-To: "+address("director"), "From: "+mallory)},
	{name: "resent by the director", told: "director", raw: spoofYes("Resent-From: "+address("director"), "From: "+mallory)},
	{name: "plus variant of the director", told: "director", raw: spoofYes("From: " + strings.Replace(address("director"), "@", "+x@", 1))},
	{name: "look-alike letters", told: "director", raw: spoofYes("From: " + strings.Replace(address("director"), "e", "\u0435", 1))},
	{name: "domain that begins alike", told: "director", raw: spoofYes("From: " + address("director") + ".elsewhere.test")},
	{name: "YES without a token", raw: yesTo(func(f *directedClub) string { return f.codec.Address })},
	{name: "act without a token", raw: func(f *directedClub) string { return note(seatsMallory, director, "To: "+f.codec.Address) }},
	{name: "YES to an older letter", answered: true, raw: yesTo(func(f *directedClub) string { return f.older })},
	{name: "act in answer to an older letter", answered: true, raw: func(f *directedClub) string { return note(seatsMallory, director, "To: "+f.older) }},
	{name: "YES to a letter of another match", answered: true, raw: yesTo(func(f *directedClub) string { return f.elsewhere })},
	{name: "YES with a player's token", told: "miller", raw: yesTo(func(f *directedClub) string { return f.theirs })},
	{name: "act with a player's token", told: "miller", raw: func(f *directedClub) string { return note(seatsMallory, director, "To: "+f.theirs) }},
	{name: "older token with the newest number", raw: yesTo(func(f *directedClub) string { return tokenWith(f.older, 2, "1") })},
	{name: "token with a number to come", raw: yesTo(func(f *directedClub) string { return tokenWith(f.asking, 2, "2") })},
	{name: "token of another match, its name changed", raw: yesTo(func(f *directedClub) string { return strings.Replace(f.elsewhere, f.other, f.id, 1) })},
	{name: "first sign of the MAC", raw: yesTo(func(f *directedClub) string { return changeMAC(f.asking, 0) })},
	{name: "last sign of the MAC", raw: yesTo(func(f *directedClub) string { return changeMAC(f.asking, 15) })},
	{name: "without the MAC", raw: yesTo(func(f *directedClub) string { return tokenWith(f.asking, 3, "") })},
	{name: "token as a seat's", raw: yesTo(func(f *directedClub) string { return tokenWith(f.asking, 1, "0") })},
	{name: "token as an observer's", raw: yesTo(func(f *directedClub) string { return tokenWith(f.asking, 1, "o0") })},
	{name: "token of another director", raw: yesTo(func(f *directedClub) string { return tokenWith(f.asking, 1, "d1") })},
	{name: "a player's token as the director's", raw: yesTo(func(f *directedClub) string { return tokenWith(f.theirs, 1, "d0") })},
	{name: "tokens of two matches", raw: yesTo(func(f *directedClub) string { return f.asking + ", " + f.elsewhere })},
	{name: "tokens of a player and the director", told: "miller", raw: yesTo(func(f *directedClub) string { return f.asking + ", " + f.theirs })},
	{name: "token at another domain", raw: yesTo(func(f *directedClub) string { return strings.Replace(f.asking, "@club.test", "@elsewhere.test", 1) })},
	{name: "token in the text", raw: func(f *directedClub) string {
		return note("YES\n\n> "+f.asking, director, "To: "+f.codec.Address)
	}},
	{name: "token in the subject, where none belongs", raw: func(f *directedClub) string {
		tag := message.SubjectTag(strings.TrimSuffix(f.asking[strings.Index(f.asking, "+")+1:], "@club.test"))
		return strings.Replace(note("YES", director, "To: "+f.codec.Address), "Subject: Re:", "Subject: Re: "+tag, 1)
	}},
	{name: "automatic answer", raw: spoofYes("Auto-Submitted: auto-replied", director)},
	{name: "vacation note", raw: spoofYes("Precedence: auto_reply", director)},
	{name: "bulk mail", raw: spoofYes("Return-Path: <>", "Precedence: bulk", director)},
	{name: "mailing list's copy", again: true, answered: true, raw: func(f *directedClub) string {
		return note("YES", "List-Id: <directors.elsewhere.test>", director, "To: directors@elsewhere.test", "Cc: "+f.asking)
	}},
	{name: "copy to another address", again: true, answered: true, raw: spoofYes(director, "Cc: "+mallory)},
	{name: "delivery report with a YES", raw: func(f *directedClub) string {
		return strings.Replace(note("", director, "To: "+f.asking), "\n\n", "\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nYES\n", 1) + "--b--\n"
	}},
	{name: "the same letter again", raw: func(f *directedClub) string {
		m := f.wrote
		raw, _ := m.Render()
		return strings.ReplaceAll(string(raw), "\r\n", "\n")
	}},
	{name: "the same letter under another name", answered: true, raw: func(f *directedClub) string {
		m := f.wrote
		m.MessageID = "again@elsewhere.test"
		raw, _ := m.Render()
		return strings.ReplaceAll(string(raw), "\r\n", "\n")
	}},
	{name: "YES in a quote", answered: true, raw: func(f *directedClub) string { return note("Hello,\n\n> YES\n", director, "To: "+f.asking) }},
	{name: "YES below a signature and a quote", answered: true, raw: func(f *directedClub) string {
		return note("Hello,\n\n-- \nDora\n\n> You wrote\n\nYES", director, "To: "+f.asking)
	}},
	{name: "YES hidden in a page", answered: true, raw: func(f *directedClub) string {
		return strings.Replace(note("", director, "To: "+f.asking), "\n\n", "\nContent-Type: text/html\n\n<p>Hello</p>"+
			`<div style="display:none">YES</div><p style="font-size:0px">YES</p><!-- YES --><p hidden>YES</p>`, 1)
	}},
	{name: "YES in a sentence", answered: true, raw: func(f *directedClub) string { return note("Yes, I have read that.", director, "To: "+f.asking) }},
	{name: "YES with a subject of another match", answered: true, raw: func(f *directedClub) string {
		return strings.Replace(note("YES", director, "To: "+f.asking), "Do you mean it?", "Do you mean it? ["+f.other+"]", 1)
	}},
	{name: "YES in an attached letter", answered: true, raw: func(f *directedClub) string {
		return strings.Replace(note("", director, "To: "+f.asking), "\n\n", "\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee below.\n--b\nContent-Type: message/rfc822\n\n"+
			note("YES", director, "To: "+f.asking)+"--b--\n", 1)
	}},
	{name: "YES above too much", answered: true, raw: func(f *directedClub) string {
		return note("YES\n"+strings.Repeat("and more of it\n", 2000), director, "To: "+f.asking)
	}},
	{name: "stranger who asks to direct", raw: func(f *directedClub) string { return note("DIRECT "+f.id, "From: "+mallory, "To: "+f.codec.Address) }},
	{name: "player who asks to direct", fixed: true, raw: func(f *directedClub) string {
		return note("DIRECT "+f.id, "From: "+address("miller"), "To: "+f.codec.Address)
	}},
}

// TestDirectorForgery: letters that the director did not write, or did not write as answers to
// what he was asked, do nothing. What is told of the match goes to his own address, and the
// players hear nothing.
func TestDirectorForgery(t *testing.T) {
	t.Parallel()
	for _, a := range takeovers {
		t.Run(strings.ReplaceAll(a.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			f := newDirectedClub(t)
			before, asked := f.state(), f.stored(f.id).Director
			folder := (&forged{club: f.club}).handle(t, strings.ReplaceAll(a.raw(f), "\n", "\r\n"))
			out, err := f.box().Due(t.Context(), f.now, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if folder == mail.Done && a.name != "the same letter again" {
				t.Errorf("it is filed in %s", folder)
			}
			told := ""
			out = slices.DeleteFunc(out, func(o mail.Outgoing) bool {
				ok := strings.Contains(string(o.Raw), warning)
				if ok && !strings.Contains(string(o.Raw), mallory) {
					told, _, _ = strings.Cut(o.To, "@")
				}
				return ok
			})
			if told != a.told {
				t.Errorf("%q is told of it, want %q", told, a.told)
			}
			want := 0
			if a.answered || a.fixed {
				want = 1
			}
			if len(out) != want {
				t.Fatalf("%d letters go out, want %d; the first is\n%s", len(out), want, first(out))
			}
			for _, o := range out {
				to := map[bool]string{true: address("miller"), false: address("director")}[a.fixed]
				if o.To != to || strings.Contains(string(o.Raw), mallory) && !a.answered {
					t.Errorf("a letter goes to %s:\n%s", o.To, o.Raw)
				}
			}
			after := f.state()
			if before != after {
				t.Errorf("the letter changed the matches:\n%s\n\n%s", before, after)
			}
			if again := asked.LastLetter != f.stored(f.id).Director.LastLetter; again != a.again {
				t.Errorf("the director's question is another: %v", again)
			}
			if a.again || a.answered {
				return
			}
			// The director's own YES counts as before.
			f.deliver()
			m := f.reply(message.Letter{ReplyTo: []string{f.asking}, Subject: "Please confirm"}, "director", "YES")
			if f.receive(m); f.stored(f.id).Seats[2].Player.Address != mallory {
				t.Errorf("the director's YES is answered with\n%s", f.last("director").Text)
			}
		})
	}
}
