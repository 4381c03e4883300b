// Package templates lays letters out as text. What a letter says comes from the
// adjudicator and from the game; here is only where it stands, and that no line
// is wider than 78 columns.
package templates

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/rules"
	"samizdat/templates/mailto"
)

// Width is how wide a line of a letter may be.
const Width = 78

// Letter is what a match's letter says, in the order of the page.
type Letter struct {
	Heading
	Answered
	Proof
	// Happened tells what happened, a sentence or two each.
	Happened []string
	Prompts  []Prompt
	Sections []rules.Section
	// Entries are orders that go with entries of the sections: a page makes them links.
	Entries []rules.Offer
	// Picture is shown on the page; nil is none.
	Picture *Picture
	// Pictured is the number of an earlier letter whose picture still shows the map as it
	// is; 0 is none.
	Pictured int64
	Kind
}

// Heading is what stands above and below every letter of a match.
type Heading struct {
	// Subject is the subject of the message.
	Subject string
	// Reply is where an answer goes.
	Reply Reply
	// Mark is the line above everything that we write.
	Mark string
	// Match and Title name the match, Credit whose game it is. Number is the letter's
	// among those to a seat; 0 is none.
	Match, Title, Credit string
	Number               int64
	// Whose says whose move it is, Status where the match stands.
	Whose, Status string
	// Time says how much time there is, and Clock since when the match waits where there
	// is no limit.
	Time, Clock string
	// Board is the link to the page on which an answer is clicked together; empty for none.
	Board string
	// Contact is the address of the operator, whom players may ask; empty for nobody.
	Contact string
	// Asks: without a contact questions can be asked all the same, by ASK.
	Asks bool
}

// Answered is what became of the reader's letter.
type Answered struct {
	// Lines say what became of the reader's orders, line by line.
	Lines []Line
	// Ask asks whether the reader means the orders that it spells out; nil where nothing is asked of that
	// sort.
	Ask *Ask
	// Problems are parts of the reader's letter that could not be read.
	Problems []string
}

// Proof is what the match's record is checked by.
type Proof struct {
	// Words and Commitment are shown when the match begins, Secret and
	// Commitment when it is over. Given, at the beginning, means that chance is
	// a list from elsewhere.
	Words              []Words
	Commitment, Secret string
	Given              bool
	// Record is the file name of the record that is attached; empty for none.
	Record string
	// Head is the newest hash of the match's history, Epoch that of its chance.
	Head  string
	Epoch int
}

// Kind is what sort of letter it is.
type Kind struct {
	// Over means that the match is over, CalledOff that it has never begun, and will not.
	Over, CalledOff bool
	// Short means that the letter asks nothing, and has no standing parts; Slip that it has none since it
	// answers a letter of which nothing was carried out.
	Short, Slip bool
	// Observing means that the reader plays no seat, Directing that he directs the match.
	Observing, Directing bool
}

// Line is what became of one line of a letter: "done", "kept", "ignored",
// "refused", "lapsed" or "not reached".
type Line struct{ Text, Outcome, Note string }

// Ask is a question about a letter that was not carried out: "Do you mean this order?", the order as it
// was understood, and the answers to tap. Where several orders are possible they are the taps.
type Ask struct {
	Question     string
	Orders, Taps []string
}

// Words are what a seat mixed into the dice.
type Words struct{ Seat, Words string }

// Prompt is a question with the ways to answer it.
type Prompt struct {
	Question     string
	Forms, Notes []string
	// Numbered means that the forms are all the answers there are: they are
	// numbered, and a number is an answer.
	Numbered bool
}

// questions says whom to ask about the referee. Players can do so in a letter to it.
func (l Letter) questions() string {
	switch {
	case l.Contact == "" && (!l.Asks || l.Observing || l.Directing):
		return ""
	case l.Contact == "":
		return "Questions about the referee: reply with ASK and your question."
	case l.Observing:
		return Questions(l.Contact)
	}
	return "Questions about the referee: reply with ASK and your question, or write to " + l.Contact + "."
}

// Checking says how to check the record in a file, as lines to be copied.
func Checking(file string) []string {
	return []string{
		"    samizdat verify " + file + " --letters MAILBOX",
		"        checks every die, card and order, and that your letters agree",
		"    python3 tools/verify.py " + file + " --letters MAILBOX",
		"        checks the chain, the dice and the cards with a second, short program",
	}
}

// Questions says whom to ask about the referee.
func Questions(contact string) string {
	return "Questions about the referee: write to " + contact + "."
}

// Map returns the letter with every text of ours and of players changed by f; what
// has to stay as it is, such as hashes, does so.
func (l Letter) Map(f func(string) string) Letter {
	all := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = f(s)
		}
		return out
	}
	l.Title, l.Credit, l.Whose, l.Status, l.Time, l.Clock = f(l.Title), f(l.Credit), f(l.Whose), f(l.Status), f(l.Time), f(l.Clock)
	l.Problems, l.Happened = all(l.Problems), all(l.Happened)
	if l.Ask != nil {
		l.Ask = &Ask{f(l.Ask.Question), all(l.Ask.Orders), all(l.Ask.Taps)}
	}
	l.Lines = slices.Clone(l.Lines)
	for i, x := range l.Lines {
		l.Lines[i].Text, l.Lines[i].Note = f(x.Text), f(x.Note)
	}
	l.Words = slices.Clone(l.Words)
	for i, x := range l.Words {
		l.Words[i].Words = f(x.Words)
	}
	l.Prompts = slices.Clone(l.Prompts)
	for i, p := range l.Prompts {
		l.Prompts[i].Question, l.Prompts[i].Forms, l.Prompts[i].Notes = f(p.Question), all(p.Forms), all(p.Notes)
	}
	l.Entries = slices.Clone(l.Entries)
	for i, e := range l.Entries {
		l.Entries[i].Order = f(e.Order)
	}
	l.Sections = slices.Clone(l.Sections)
	for i, s := range l.Sections {
		l.Sections[i] = rules.Section{Title: f(s.Title), Lines: all(s.Lines), Blocks: slices.Clone(s.Blocks)}
		for j, b := range s.Blocks {
			b.Heading, b.Lead, b.Aside, b.Text, b.Rows = f(b.Heading), f(b.Lead), f(b.Aside), f(b.Text), slices.Clone(b.Rows)
			for k, r := range b.Rows {
				b.Rows[k].Cells = all(r.Cells)
			}
			l.Sections[i].Blocks[j] = b
		}
	}
	return l
}

// Wrap breaks a text at spaces into lines of Width. A line of the text stays one.
func Wrap(text string) string { return wrap(text, "", "") }

// Indented is Wrap with an indent before each line.
func Indented(text, indent string) string { return wrap(text, indent, indent) }

// wrap breaks a text at spaces. A line of the text stays a line.
func wrap(text, first, rest string) string {
	var b strings.Builder
	b.Grow(len(text) + len(first) + 8)
	hanging := utf8.RuneCountInString(rest)
	begun := false
	for line := range strings.SplitSeq(text, "\n") {
		if begun {
			b.WriteByte('\n')
		}
		begun = true
		width := utf8.RuneCountInString(first)
		switch n, flat := flat(line); {
		case n == 0:
			b.WriteString(strings.TrimRight(first, " "))
		case flat && n+max(width, hanging) <= Width:
			b.WriteString(first)
			b.WriteString(line)
		default:
			b.WriteString(first)
			fill(&b, glued(words(line, Width-hanging)), width, rest)
		}
		first = rest
	}
	return b.String()
}

// fill writes words into lines, the first of which has a width already.
func fill(b *strings.Builder, words []string, width int, rest string) {
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
		case width+1+n > Width:
			b.WriteByte('\n')
			b.WriteString(rest)
			width = utf8.RuneCountInString(rest)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(w)
		width += n
	}
}

// flat counts the characters of a line, 0 if there are no words in it, and reports whether there
// is one space between any two words, and none around them.
func flat(line string) (n int, is bool) {
	words, is := false, true
	before := ' '
	for _, r := range line {
		n++
		space := unicode.IsSpace(r)
		words = words || !space
		if space && (r != ' ' || before == ' ') {
			is = false
		}
		before = r
	}
	if !words {
		return 0, false
	}
	return n, is && before != ' '
}

// words splits a line at spaces, and words that would not fit into a line of
// their own anywhere.
func words(line string, most int) []string {
	var out []string
	for _, w := range strings.Fields(line) {
		if len(w) <= most {
			out = append(out, w)
			continue
		}
		for r := []rune(w); ; r = r[most:] {
			if len(r) <= most {
				out = append(out, string(r))
				break
			}
			out = append(out, string(r[:most]))
		}
	}
	return out
}

// glued keeps a number and the capitalised word behind it together: most are the
// number and the title of a card.
func glued(list []string) []string {
	var out []string
	for i := 0; i < len(list); i++ {
		w := list[i]
		if len(w) <= 3 && strings.Trim(w, "0123456789") == "" && i+1 < len(list) && len(list[i+1]) < Width/2 && startsUpper(list[i+1]) {
			i++
			w += " " + list[i]
		}
		out = append(out, w)
	}
	return out
}

func startsUpper(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

// What letters say in the same words as text and as a page.
const (
	given = `The match has begun. Its dice and cards were given beforehand, by whoever made
it; they are not from a secret.`
	published      = "The match is over, and the secret that the dice came from is published:"
	recordAttached = "The match's record is attached. MAILBOX is where you keep your letters:"
	recordByMail   = `With the match's record, which a reply with RECORD brings, everybody can check
every die and every card.`
	mixed       = "The match has begun. These words are mixed into the dice:"
	boundBy     = "The secret that the dice come from is bound by"
	numberAlone = "The number alone will do."
	openBoard   = "Open on the board"
)

// bound says where the hash of the secret stood.
func (l Letter) bound() string {
	if l.Observing {
		return "Its SHA-256 is the number that your first letter carried:"
	}
	return "Its SHA-256 is the number that your invitation carried:"
}

// orders is what the reader's letter was.
func (l Letter) orders() string {
	if l.Observing || l.Slip {
		return "letter"
	}
	return "orders"
}

// closing says how to answer.
func (l Letter) closing() string {
	switch {
	case l.Directing:
		return `To direct the match, reply to this letter, from the address that it came to.
HELP lists what you may write; a reply to an older letter does nothing.`
	case l.Observing && l.Over:
		return ""
	case l.Observing:
		return "You only watch. To watch no longer, reply to this letter with UNOBSERVE."
	case l.CalledOff:
		return "There is nothing to answer."
	case l.Over:
		return `The match is over, and nothing is left to answer. A reply with STATUS, HISTORY
or RESEND in it is still answered.`
	case l.Slip:
		return `To answer, reply to this letter above its first line. Text below a line "--"
or behind // is not read. HELP explains orders, STATUS sends the whole letter.`
	case l.Short && l.Status != "":
		return `Nothing is asked of you, so this letter is short. Reply with STATUS to get all
that there is to see now, or with MAP to get the map alone.`
	}
	return `To answer, reply to this letter and write your orders above its first line.
HELP explains orders, STATUS sends this letter again.`
}

// Foot names the letter, and the history that it tells of. Who checks a record with letters
// looks for these words.
func (l Letter) Foot() string {
	foot := "Match " + l.Match
	if l.Number > 0 {
		foot += fmt.Sprintf(", letter %d to you", l.Number)
	}
	if l.Head == "" {
		return foot + "."
	}
	return foot + fmt.Sprintf(", epoch %d. The hash of its history so far:", l.Epoch)
}

// Reply is where an answer to a letter goes. In a page each order that is offered is a
// link which begins that answer; without an address there are no links.
type Reply struct{ To, Subject string }

// link is a link that begins an answer with an order.
func (r Reply) link(order string) string {
	if order == "" {
		return ""
	}
	return mailto.Link(r.To, r.Subject, order)
}
