package table

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"samizdat/adjudicator/order"
	"samizdat/rules"
	"samizdat/templates"
)

// screen is a terminal at which seats are shown their letters in turn, each as much
// of them as it has not seen.
type screen struct {
	*Match
	in  *bufio.Scanner
	out io.Writer
	// curtain clears the screen between two people at one terminal.
	curtain bool
	// shown is the number of the newest letter that each seat has been shown, last
	// the seat that sits at the keyboard.
	shown map[rules.Seat]int64
	last  rules.Seat
	// all: the whole letter was asked for.
	all bool
	// usual are the titles of the parts that every letter has from the beginning, the
	// hand first.
	usual []string
	// told is how the other standing parts were last shown to who sits there.
	told map[string]string
}

func (m *Match) newScreen(in io.Reader, out io.Writer) *screen {
	return &screen{Match: m, in: bufio.NewScanner(in), out: out, shown: map[rules.Seat]int64{}, last: rules.Nobody,
		curtain: len(m.robots) == 0 && isTerminal(in) && isTerminal(out)}
}

// isTerminal reports whether somebody may sit at a stream.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// clearScreen forgets what the terminal shows, and what it could be scrolled back to.
const clearScreen = "\x1b[H\x1b[2J\x1b[3J"

// draw draws the curtain when another seat is to see the screen, and waits until its
// player sits there. It returns false when nobody comes.
func (s *screen) draw(seat rules.Seat) bool {
	if !s.curtain || s.last == rules.Nobody || s.last == seat {
		return true
	}
	fmt.Fprint(s.out, "\nPress Enter to clear the screen.")
	if !s.in.Scan() {
		return false
	}
	fmt.Fprintf(s.out, "%sIt is for the %s now. Press Enter when you sit there.", clearScreen, s.store.match.Seats[seat].Name)
	return s.in.Scan()
}

// show shows a seat its newest letter: all of it but the standing parts, which can
// be asked for; the hand only when the seat changes. Sections are the standing parts
// that its letters have.
func (s *screen) show(seat rules.Seat, sections []rules.Section) {
	var standing []string
	for _, p := range sections {
		standing = append(standing, strings.ToUpper(p.Title))
	}
	if s.usual == nil {
		s.usual = standing
	}
	d := s.store.letters[seat]
	fresh := d.Number != s.shown[seat]
	if !fresh && seat == s.last {
		return
	}
	if seat != s.last {
		s.told = map[string]string{}
		fmt.Fprintf(s.out, "\n%s\n", banner(s.store.match.Seats[seat].Name))
	}
	s.print(joinParts(s.missed(seat)))
	parts := s.wanted(letterParts(d.Body), standing, fresh, seat == s.last)
	for _, p := range parts {
		s.told[p.title] = p.text()
	}
	fmt.Fprintf(s.out, "\n%s\n", joinParts(parts))
	s.shown[seat], s.last, s.all = d.Number, seat, false
}

// wanted are the parts of a letter that are to be shown: of a fresh one or one that was
// shown before, to who sits there still or has just sat down.
func (s *screen) wanted(parts []letterPart, standing []string, fresh, still bool) []letterPart {
	// An answer to questions alone has nothing that stands in every letter.
	answer := len(only(parts, standing[len(standing)-1])) == 0
	switch {
	case !fresh:
		parts = without(parts, partOrders, partHappened)
	case answer:
		parts = without(parts, partDecision)
	}
	if answer || s.all {
		return parts
	}
	parts = without(parts, s.usual[1:]...)
	if still {
		parts = without(parts, s.usual[0])
	}
	return slices.DeleteFunc(parts, func(p letterPart) bool {
		return slices.Contains(standing, p.title) && !slices.Contains(s.usual, p.title) && s.told[p.title] == p.text()
	})
}

// banner says who is to sit down now.
func banner(seat string) string {
	text := "==== For the eyes of the " + seat + " "
	return text + strings.Repeat("=", max(0, 72-len(text)))
}

// missed is what the letters before the newest one told, which nobody has read.
func (s *screen) missed(seat rules.Seat) []letterPart {
	var out []letterPart
	for _, d := range s.store.unread[seat] {
		if d.Number <= s.shown[seat] || d.Number == s.store.letters[seat].Number {
			continue
		}
		out = append(out, slices.DeleteFunc(letterParts(d.Body), func(p letterPart) bool {
			return p.title != partHappened && !strings.HasPrefix(p.title, partMessage)
		})...)
	}
	s.store.unread[seat] = nil
	return out
}

// read reads one order, or several between BEGIN and END, or a message. It returns
// false when there is no more.
func (s *screen) read() (string, bool) {
	if !s.in.Scan() {
		return "", false
	}
	text := strings.TrimSpace(s.in.Text())
	first := strings.ToLower(strings.Join(order.Words(text), " "))
	end := ""
	switch {
	case first == "quit", first == "exit":
		return "", false
	case first == "begin":
		end = "end"
	case strings.HasPrefix(first+" ", "message ") && !strings.HasSuffix(first, "end message"):
		end = "end message"
	}
	for end != "" && s.in.Scan() {
		text += "\n" + s.in.Text()
		if strings.Join(order.Words(s.in.Text()), " ") == end {
			break
		}
	}
	return text, true
}

// became shows the writer of an order what became of it, when it is no longer for
// him to go on; what happened only where the next letter shown does not tell it.
func (s *screen) became(seat, next rules.Seat) {
	wanted := []string{partOrders}
	if next == rules.Nobody || len(s.robots) > 0 || s.tells(next, partHappened) != s.tells(seat, partHappened) {
		wanted = append(wanted, partHappened)
	}
	s.print(s.tells(seat, wanted...))
	s.shown[seat] = s.store.letters[seat].Number
}

// happened shows what a seat's newest letter tells of, once.
func (s *screen) happened(seat rules.Seat) {
	number := s.store.letters[seat].Number
	if number == s.shown[seat] {
		return
	}
	s.shown[seat] = number
	s.print(s.tells(seat, partHappened))
	// The decision is still to be shown.
	s.last = rules.Nobody
}

// tells is what the parts of some titles in a seat's newest letter say.
func (s *screen) tells(seat rules.Seat, titles ...string) string {
	return joinParts(only(letterParts(s.store.letters[seat].Body), titles...))
}

// print prints a paragraph, if there is one.
func (s *screen) print(text string) {
	if text != "" {
		fmt.Fprintf(s.out, "\n%s\n", text)
	}
}

// end tells how the match ended.
func (s *screen) end(pos rules.Position) {
	s.happened(s.you)
	r, over := pos.Result()
	if !over {
		fmt.Fprintln(s.out, "\nNobody is asked anything.")
		return
	}
	var names []string
	for _, seat := range s.store.match.Seats {
		names = append(names, "the "+seat.Name)
	}
	winners := r.WinnersOf(names)
	how := "A draw"
	switch names := templates.List(winners); len(winners) {
	case 0:
		if r.Lost {
			how = "Nobody wins"
		}
	case 1:
		how = "T" + names[1:] + " wins"
	default:
		how = "T" + names[1:] + " win"
	}
	s.print(templates.Wrap(fmt.Sprintf("The match is over. %s (%s).", how, r.Reason)))
	s.print(r.Words)
}

// left says goodbye.
func (s *screen) left() error {
	fmt.Fprintln(s.out, "\nYou have left the table.")
	return s.in.Err()
}
