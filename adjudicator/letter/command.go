package letter

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"samizdat/rules"
)

// Command is an order to the host as it was read. Which of its fields say something
// is the word's affair.
type Command struct {
	Word Word
	// Choice is what was chosen among few, in capitals: YES behind TAKEBACK.
	Choice string
	// Text is an address, a topic, the name of a match, a player's words or message.
	Text string
	// As is what a player wants to be called.
	As string
	// Number is the number of a turn or a letter, and 0 when none was written.
	Number int
	Time   time.Duration
	// First and Last are days, as in 2026-12-20.
	First, Last string
	// Name is what was named.
	Name rules.Name
	// More means that another order stands behind it on the same line.
	More bool
	// To are the seats that a message is for.
	To []rules.Seat

	// lone says that it was written as a word that other referees know, and no more.
	lone  bool
	entry *Entry
}

// Do carries the order out.
func (c Command) Do(ctx context.Context, h Host) (Outcome, error) { return c.entry.Do(ctx, h, c) }

// Question is what an order asks that always has the same answer in one letter, such as "CARD 36"; empty for
// other orders.
func (c Command) Question() string {
	if c.entry == nil || c.entry.Fresh || c.entry.Class != Question && c.entry.Class != Asking {
		return ""
	}
	return fmt.Sprintf("%s %q %d %q", c.Word, c.Text, c.Number, c.Name.Text)
}

// Class says when an order is carried out, and what beside it.
type Class int

// The classes.
const (
	None Class = iota
	// Setting orders are the writer's own affair and leave the match as it is. They
	// are rows of their own and are carried out before anything else.
	Setting
	// Question orders ask, and are answered whatever becomes of the lines beside them.
	Question
	// Telling orders write to other seats, wherever they stand in a letter that can be
	// read.
	Telling
	// Asking orders ask, and have their turn among the lines. They are answered too where the
	// lines above them were refused.
	Asking
	// Acting orders do something to what is kept for the writer, or to the match.
	Acting
	// Aside orders have no turn: they say what a letter is, or how others are meant.
	Aside
)

// Entry is one of the host's orders.
type Entry struct {
	Word  Word
	Class Class
	// In tells in which games it is known; nil is all.
	In func(rules.Game) bool
	// Line reads a line that is the order, nil where Keyword says all.
	Line func(r *Reader, l said) (c Command, why string, ok bool)
	// Keyword puts the order into the language of the game's orders: it is read with
	// the forgiveness of theirs, and may take names.
	Keyword *rules.Keyword
	// Fresh questions may have another answer when they are asked again in a letter.
	Fresh bool
	// Alone orders count only as a paragraph of their own, and are never read out of
	// prose: what cannot be undone. Elsewhere their writer is asked whether he means them.
	Alone bool
	// Help is how HELP shows it, if it does.
	Help []Form
	// Do carries it out. It is nil for orders of the class Aside.
	Do func(context.Context, Host, Command) (Outcome, error)
}

// Form is a form of an order with what it does, as HELP shows it.
type Form struct {
	Order, Does string
	// In tells in which games HELP shows it; nil is where the order is known.
	In func(rules.Game) bool
}

// Outcome is what an order came to.
type Outcome struct {
	// Refused: it was not done. Asked: it is done when its writer says YES. Stops: what
	// stands below it in the letter is not done either.
	Refused, Asked, Stops bool
	// Note is the answer to its writer.
	Note string
}

// Done is the outcome of an order that was carried out.
func Done(note string) (Outcome, error) { return Outcome{Note: note}, nil }

// Refused is the outcome of one that was not, and stops the letter.
func Refused(note string) (Outcome, error) {
	return Outcome{Refused: true, Stops: true, Note: note}, nil
}

// AsksBack is the outcome of one that waits for a YES, and stops the letter.
func AsksBack(note string) (Outcome, error) {
	return Outcome{Asked: true, Stops: true, Note: note}, nil
}

// Declined is the outcome of one that was not, while what stands below it goes on.
func Declined(note string) (Outcome, error) { return Outcome{Refused: true, Note: note}, nil }

// always answers an order in the same words.
func always(o Outcome, err error) func(context.Context, Host, Command) (Outcome, error) {
	return func(context.Context, Host, Command) (Outcome, error) { return o, err }
}

// said is a line as entries read it: as it was written, its words as package order compares
// them, and those of them that may ask.
type said struct {
	text         string
	words, asked []string
}

// say is a line as it was written.
func (r *Reader) say(text string) said {
	words := r.Orders.Texts(text)
	return said{text, words, asked(words)}
}

// row makes the reading of a line out of a pattern, which stands for the whole line in
// any case, with or without a stop behind it. The pattern is compiled for the first line: all
// of them together take a good part of the start of a program that may read none.
func row(pattern string, of func(m []string) (c Command, why string)) func(*Reader, said) (Command, string, bool) {
	re := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^\s*(?:` + pattern + `)\s*[.!;]?\s*$`) })
	return func(_ *Reader, l said) (c Command, why string, ok bool) {
		m := re().FindStringSubmatch(l.text)
		if m == nil {
			return c, "", false
		}
		if of != nil {
			c, why = of(m)
		}
		return c, why, true
	}
}

// choice takes what a pattern finds for what was chosen.
func choice(m []string) (Command, string) { return Command{Choice: strings.ToUpper(m[1])}, "" }
