package adjudicator

import (
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/letter"
	"samizdat/rules"
	"samizdat/templates"
)

// mostMessages is how many messages a seat may send in a day for each of the others, so
// that one to all counts once for each.
const mostMessages = 5

// mostAsked is how many questions a seat may have passed on in a day.
const mostAsked = 5

// Said counts what a seat has sent on a day, or in a part of it.
type Said struct {
	Day   string
	Count int
}

// talkOff refuses messages in a match without talk.
const talkOff = "This match is played without talk: no message is carried. It was sent to nobody."

// ParseTalk reads "on" or "off", and reports whether messages are carried.
func ParseTalk(text string) (on bool, err error) {
	if text != "on" && text != "off" {
		return false, fmt.Errorf("%q is neither on nor off", text)
	}
	return text == "on", nil
}

// Send implements letter.Host: it puts a message into the letters of the seats that it is
// for.
func (s host) Send(to []rules.Seat, text string) (letter.Outcome, error) {
	if s.j.turn.m.Acts.TalkOff {
		return letter.Declined(talkOff)
	}
	if !s.mayTell(len(to)) {
		return letter.Declined(fmt.Sprintf("You have sent %d messages today, and more are not carried. It was sent to nobody.", s.j.turn.m.Seats[s.j.play.seat].Said.Count))
	}
	lines := barred(text)
	var names []string
	for _, to := range to {
		title := capital(s.j.turn.called(s.j.play.seat)) + " writes"
		if n := len(s.j.reply.mail[to]); n > 0 {
			title = fmt.Sprintf("%s (%d)", title, n+1)
		}
		s.j.reply.mail[to] = append(s.j.reply.mail[to], rules.Section{Title: title, Lines: lines})
		names = append(names, s.j.turn.called(to))
	}
	return letter.Done(fmt.Sprintf("Sent to %s: %s.", templates.List(names), lineCount(1+strings.Count(text, "\n"))))
}

// mayTell counts a message to so many, as long as that is not too much for the day and for
// what several are asked together: a new question of that sort is something new to talk about.
func (s host) mayTell(others int) bool {
	during := s.j.play.a.Now().UTC().Format(time.DateOnly)
	if group := s.j.turn.groupAsked(); group != 0 {
		during = fmt.Sprintf("%s in %d", during, group)
	}
	return s.j.turn.m.Seats[s.j.play.seat].Said.add(during, others, mostMessages*(len(s.j.turn.m.Seats)-1))
}

// mayAsk counts a question that is passed on.
func (s host) mayAsk() bool {
	return s.j.turn.m.Seats[s.j.play.seat].Timing.Asked.add(s.j.play.a.Now().UTC().Format(time.DateOnly), 1, mostAsked)
}

// add counts n more in a time, if that makes no more than so many.
func (s *Said) add(during string, n, most int) bool {
	if s.Day != during {
		*s = Said{Day: during}
	}
	if s.Count+n > most {
		return false
	}
	s.Count += n
	return true
}

// groupAsked is the group of sealed answers that is asked now, or 0.
func (c *account) groupAsked() uint32 {
	if c.pos == nil {
		return 0
	}
	for _, d := range c.pos.Owed(nil) {
		if d.Sealed {
			return d.Group
		}
	}
	return 0
}

// barred lays out what a player writes. The bar keeps it apart from what Samizdat writes.
func barred(text string) (lines []string) {
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrappedTo(mostColumns, l, "| ", "| ")...)
	}
	return lines
}

// mostColumns is how wide a row of a player's words is at most, with its bar; where two columns stand
// before that, it is 54. A mail program that quotes it again and again still need not break
// it, and nothing of it comes back as if its reader had written it.
const mostColumns = 52

func lineCount(n int) string {
	if n == 1 {
		return "one line"
	}
	return fmt.Sprintf("%d lines", n)
}
