package adjudicator

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

const (
	// mostMessage and mostMessageLines are how many characters and lines a message
	// may have, mostMessages how many messages a seat may send in a day.
	mostMessage      = 4000
	mostMessageLines = 80
	mostMessages     = 5
)

// Said counts the messages that a seat has sent to others on a day.
type Said struct {
	Day   string
	Count int
}

// message is a message of a player to others, as it was read.
type message struct {
	// to are the seats that it is for.
	to    []rules.Seat
	lines []string
}

// aside reports whether a line leaves the match alone: it asks, or is a message.
func (t task) aside() bool { return t.query != nil || t.message != nil }

// aside answers a query or sends a message. Unsent, when not empty, says why no
// message of this letter is sent.
func (s *session) aside(ctx context.Context, t task, unsent string) error {
	switch {
	case t.query != nil:
		return s.answer(ctx, t.text, *t.query)
	case unsent != "":
		s.report(t.text, fateNotReached, unsent)
		return nil
	}
	s.send(t)
	return nil
}

// cutMessages takes the messages out of a letter, before anything in it is read as
// orders. A message that does not end takes the rest of the letter with it, and
// refuses the whole.
func (s *session) cutMessages(text string) (rest string, messages []task) {
	var left []string
	rows := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	for i := 0; i < len(rows); i++ {
		if !begins(rows[i], verbMessage) {
			left = append(left, rows[i])
			continue
		}
		// The row stays as an empty one: what stands above and below is not one list.
		left = append(left, "")
		t := task{text: echo(strings.TrimSpace(rows[i]))}
		m, first := s.addressed(rows[i])
		ended := false
		if body, ok := cutEnd(first); ok {
			m.lines, ended = append(m.lines, body), true
		} else {
			m.lines = append(m.lines, first)
			for i++; i < len(rows); i++ {
				if body, ok := cutEnd(rows[i]); ok {
					m.lines, ended = append(m.lines, body), true
					break
				}
				m.lines = append(m.lines, rows[i])
			}
		}
		switch m.tidy(); {
		case !ended:
			t.fate = fateRefused
			t.note = "A message ends with END MESSAGE on a line of its own. Without it nobody can tell where the message ends and the orders begin, so " +
				"nothing of your letter was carried out, and the message was sent to nobody."
		case len(m.to) == 0:
			t.fate, t.note = fateRefused, "You cannot send a message to yourself."
		case len(m.lines) == 0:
			t.fate, t.note = fateIgnored, "The message is empty; it was sent to nobody."
		case len(m.lines) > mostMessageLines || m.length() > mostMessage:
			t.fate = fateRefused
			t.note = fmt.Sprintf("The message is too long; it may have %d characters and %d lines. It was sent to nobody.", mostMessage, mostMessageLines)
		default:
			t.message = &m
		}
		messages = append(messages, t)
	}
	return strings.Join(left, "\n"), messages
}

// addressed reads the first row of a message: the seats that it is for, if any are
// named, and what else stands there.
func (s *session) addressed(row string) (m message, text string) {
	words := strings.Fields(row)[1:]
	if len(words) > 0 && strings.EqualFold(words[0], "to") {
		words = words[1:]
	}
	named := false
	for len(words) > 0 {
		w := words
		if named && strings.EqualFold(w[0], "and") && len(w) > 1 {
			w = w[1:]
		}
		seat := s.seatNamed(w[0])
		if seat == rules.Nobody {
			break
		}
		named, words = true, w[1:]
		if seat != s.seat && !slices.Contains(m.to, seat) {
			m.to = append(m.to, seat)
		}
	}
	if named {
		return m, strings.Join(words, " ")
	}
	for i := range s.m.Seats {
		if rules.Seat(i) != s.seat {
			m.to = append(m.to, rules.Seat(i))
		}
	}
	return m, strings.Join(strings.Fields(row)[1:], " ")
}

// seatNamed returns the seat that a word names, or Nobody.
func (s *session) seatNamed(word string) rules.Seat {
	name := strings.Join(order.Words(word), " ")
	for i := range s.m.Seats {
		if name != "" && name == strings.Join(order.Words(s.m.Seats[i].Name), " ") {
			return rules.Seat(i)
		}
	}
	return rules.Nobody
}

// cutEnd returns what stands before END MESSAGE at the end of a row.
func cutEnd(row string) (before string, ok bool) {
	words := strings.Fields(row)
	n := len(words)
	if n < 2 || !strings.EqualFold(words[n-2], "end") || !strings.EqualFold(strings.Trim(words[n-1], ".!:"), verbMessage) {
		return row, false
	}
	// "In the end, message received" ends nothing: the words stand alone, or are
	// shouted.
	if n > 2 && words[n-2] != strings.ToUpper(words[n-2]) {
		return row, false
	}
	return strings.Join(words[:n-2], " "), true
}

// tidy takes out of a message what cannot be shown, and the empty lines around it.
func (m *message) tidy() {
	for i, l := range m.lines {
		m.lines[i] = printable(l)
	}
	for len(m.lines) > 0 && m.lines[0] == "" {
		m.lines = m.lines[1:]
	}
	for len(m.lines) > 0 && m.lines[len(m.lines)-1] == "" {
		m.lines = m.lines[:len(m.lines)-1]
	}
}

func (m *message) length() (n int) {
	for _, l := range m.lines {
		n += utf8.RuneCountInString(l)
	}
	return n
}

// send puts a message into the letters of the seats that it is for.
func (s *session) send(t task) {
	seat := &s.m.Seats[s.seat]
	day := s.a.Now().UTC().Format(time.DateOnly)
	if seat.Said.Day != day {
		seat.Said = Said{Day: day}
	}
	if seat.Said.Count >= mostMessages {
		s.report(t.text, fateRefused, fmt.Sprintf("You have sent %d messages today, and more are not carried. It was sent to nobody.", mostMessages))
		return
	}
	seat.Said.Count++
	var lines []string
	for _, l := range t.message.lines {
		// The bar keeps what a player writes apart from what Samizdat writes.
		lines = append(lines, wrapped(l, "| ", "| ")...)
	}
	var names []string
	for _, to := range t.message.to {
		title := "A message of " + s.role(s.seat)
		if n := len(s.mail[to]); n > 0 {
			title = fmt.Sprintf("%s (%d)", title, n+1)
		}
		s.mail[to] = append(s.mail[to], rules.Section{Title: title, Lines: lines})
		names = append(names, s.role(to))
	}
	s.report(t.text, fateDone, fmt.Sprintf("Sent to %s: %s.", templates.List(names), lineCount(len(t.message.lines))))
}

func lineCount(n int) string {
	if n == 1 {
		return "one line"
	}
	return fmt.Sprintf("%d lines", n)
}
