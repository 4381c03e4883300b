// Package templates lays out letters as text and as HTML pages. The content comes from the
// adjudicator and the game. Lines of text are at most 78 columns wide.
package templates

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/rules"
	"samizdat/templates/mailto"
)

// Width is the maximum width of a line.
const Width = 78

// Letter is the content of a match letter, in the order of the page.
type Letter struct {
	Heading
	Answered
	Proof
	// Happened is the events, one or two sentences each.
	Happened []string
	Prompts  []Prompt
	Sections []rules.Section
	// Entries are orders for entries of the sections, which become links on the page.
	Entries []rules.Offer
	// Picture is the picture on the page, or nil.
	Picture *Picture
	// Pictured is the number of an earlier letter with the same picture, or 0.
	Pictured int64
	Kind
}

// Heading is the lines at the start and end of every match letter.
type Heading struct {
	// Subject is the subject of the message.
	Subject string
	// Reply is the address for answers. Offered orders become mailto links, unless the address is empty.
	Reply Reply
	// Mark is the line above the text of the letter.
	Mark string
	// Match and Title identify the match, Credit its publisher. Number is the number of the letter to the seat, or
	// 0.
	Match, Title, Credit string
	Number               int64
	// Whose states the seat to move, Status the state of the match.
	Whose, Status string
	// Time states the remaining time. Clock states since when a match without limit waits.
	Time, Clock string
	// Board is the link to the page on which an answer can be clicked; empty for none.
	Board string
	// Contact is the operator's address for questions of players; empty for none.
	Contact string
	// Asks is set if players without a contact can use ASK.
	Asks bool
}

// Answered is the result of the reader's letter.
type Answered struct {
	// Lines are the results of the reader's orders, line by line.
	Lines []Line
	// Ask is a question whether the reader means an order; nil for none.
	Ask *Ask
	// Problems are unreadable parts of the reader's letter.
	Problems []string
	// Parts are answers to the reader's questions and messages of players, printed above the questions.
	Parts []rules.Section
}

// Proof is the values that verify the record of the match.
type Proof struct {
	// Words and Commitment are shown at the start of the match, Secret and Commitment at the end. Given means that
	// the outcomes are from a list, not from the secret.
	Words              []Words
	Commitment, Secret string
	Given              bool
	// Record is the file name of the attached record; empty for none.
	Record string
	// Head is the newest hash of the match's history, Epoch its epoch.
	Head  string
	Epoch int
}

// Kind is the kind of a letter.
type Kind struct {
	// Over reports whether the match is over. CalledOff reports whether the match never started and will not.
	Over, CalledOff bool
	// Short reports whether the letter has no question and no fixed parts. Slip reports whether it is a short
	// letter while the match has not moved.
	Short, Slip bool
	// Repeated reports whether the next letter with a question repeats the content of this one. FORMAT QUIET stops
	// such letters.
	Repeated bool
	// Observing reports whether the reader is an observer. Directing reports whether the reader is the director.
	Observing, Directing bool
	// Spoken letters are read aloud by a program: the text has no underlines and no bullets.
	Spoken bool
}

// Line is the result of a line of the reader's letter: "done", "saved", "ignored", "refused",
// "lapsed" or "not reached".
type Line struct{ Text, Outcome, Note string }

// Ask is a question about a letter that was not executed: "Do you mean this order?", the order as
// it was understood, and the possible answers as links. Several possible orders are links
// themselves.
type Ask struct {
	Question     string
	Orders, Taps []string
}

// Words are a seat's contribution to the seed of the dice: words that the player chose, e.g. "a kettle sings", or "letter" and
// the digest of the letter with which the player joined.
type Words struct{ Seat, Words string }

var digestWords = regexp.MustCompile(`^letter [0-9a-f]{64}$`)

// hasDigests reports whether a player has chosen no words.
func hasDigests(words []Words) bool {
	return slices.ContainsFunc(words, func(w Words) bool { return digestWords.MatchString(w.Words) })
}

// Prompt is a question with example answers.
type Prompt struct {
	Question     string
	Forms, Notes []string
	// Examples means that other answers are possible beside Forms.
	Examples bool
	// Numbered means that Forms has all answers: they are numbered, and a number is an answer.
	Numbered bool
}

// questions is Questions for players, who can also ask in a letter to the referee.
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

// Checking explains how to verify the record in a file. The lines can be copied to a shell.
func Checking(file string) []string {
	return []string{
		"    samizdat verify " + file + " --letters MAILBOX",
		"        checks every die, card and order, and your letters against them",
		"    python3 tools/verify.py " + file + " --letters MAILBOX",
		"        checks entries, dice and cards with a second, short program",
	}
}

// Questions returns the sentence with the contact for questions about the referee.
func Questions(contact string) string {
	return "Questions about the referee: write to " + contact + "."
}

// Map applies f to every text written by us or by players, but not to hashes and addresses.
func (l Letter) Map(f func(string) string) Letter {
	mapAll := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = f(s)
		}
		return out
	}
	l.Title, l.Credit, l.Whose, l.Status, l.Time, l.Clock = f(l.Title), f(l.Credit), f(l.Whose), f(l.Status), f(l.Time), f(l.Clock)
	l.Problems, l.Happened = mapAll(l.Problems), mapAll(l.Happened)
	if l.Ask != nil {
		l.Ask = &Ask{f(l.Ask.Question), mapAll(l.Ask.Orders), mapAll(l.Ask.Taps)}
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
		l.Prompts[i].Question, l.Prompts[i].Forms, l.Prompts[i].Notes = f(p.Question), mapAll(p.Forms), mapAll(p.Notes)
	}
	l.Entries = slices.Clone(l.Entries)
	for i, e := range l.Entries {
		l.Entries[i].Order = f(e.Order)
	}
	l.Parts, l.Sections = mapSections(l.Parts, f, mapAll), mapSections(l.Sections, f, mapAll)
	return l
}

// mapSections applies f to every text of sections, and mapAll to every list of texts.
func mapSections(list []rules.Section, f func(string) string, mapAll func([]string) []string) []rules.Section {
	out := slices.Clone(list)
	for i, s := range list {
		out[i] = rules.Section{Title: f(s.Title), Lines: mapAll(s.Lines), Blocks: slices.Clone(s.Blocks)}
		for j, b := range s.Blocks {
			b.Heading, b.Lead, b.Aside, b.Text, b.Rows = f(b.Heading), f(b.Lead), f(b.Aside), f(b.Text), slices.Clone(b.Rows)
			for k, r := range b.Rows {
				b.Rows[k].Cells = mapAll(r.Cells)
			}
			out[i].Blocks[j] = b
		}
	}
	return out
}

// Wrap breaks each line of a text at spaces into lines of Width.
func Wrap(text string) string { return wrap(text, "", "") }

// Indent is Wrap with an indent before each line.
func Indent(text, indent string) string { return wrap(text, indent, indent) }

// wrap breaks each line of a text at spaces. first is the indent of the first line, and rest that of the others.
func wrap(text, first, rest string) string {
	var b strings.Builder
	b.Grow(len(text) + len(first) + 8)
	hangingIndent := utf8.RuneCountInString(rest)
	hasLine := false
	for line := range strings.SplitSeq(text, "\n") {
		if hasLine {
			b.WriteByte('\n')
		}
		hasLine = true
		width := utf8.RuneCountInString(first)
		switch n, flat := flatWidth(line); {
		case n == 0:
			b.WriteString(strings.TrimRight(first, " "))
		case flat && n+max(width, hangingIndent) <= Width:
			b.WriteString(first)
			b.WriteString(line)
		default:
			b.WriteString(first)
			writeWords(&b, joinNumbers(splitWords(line, Width-hangingIndent)), width, rest)
		}
		first = rest
	}
	return b.String()
}

// writeWords writes words into lines. width is the present width of the first line.
func writeWords(b *strings.Builder, words []string, width int, rest string) {
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

// flatWidth returns the number of characters of a line, 0 for a line without words, and whether exactly one space
// separates its words.
func flatWidth(line string) (n int, ok bool) {
	hasWords, ok := false, true
	previous := ' '
	for _, r := range line {
		n++
		space := unicode.IsSpace(r)
		hasWords = hasWords || !space
		if space && (r != ' ' || previous == ' ') {
			ok = false
		}
		previous = r
	}
	if !hasWords {
		return 0, false
	}
	return n, ok && previous != ' '
}

// splitWords splits a line at spaces, and splits words that are longer than a line.
func splitWords(line string, maximum int) []string {
	var out []string
	for _, w := range strings.Fields(line) {
		if len(w) <= maximum {
			out = append(out, w)
			continue
		}
		for r := []rune(w); ; r = r[maximum:] {
			if len(r) <= maximum {
				out = append(out, string(r))
				break
			}
			out = append(out, string(r[:maximum]))
		}
	}
	return out
}

// joinNumbers joins a number with a following capitalized word, because they are usually the number and title of a
// card.
func joinNumbers(list []string) []string {
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

// Texts that are the same in text and page.
const (
	givenDice = "The dice and cards of this match were fixed in advance by the person who set it up. " +
		"They do not come from a secret number."
	publishedSecret = "For anyone who wants to check the dice, here is the secret number they came from:"
	recordAttached  = "The record of the match is attached. You need do nothing with it. To check it, use one of these " +
		"commands; MAILBOX is the file that holds your letters:"
	recordByMail = "Reply RECORD for the record of the match. With it anyone can check every die and every card."
	mixedWords   = "The dice are made from these words:"
	mixedDigests = "Where no words were chosen, the list has the check number of the letter with which the player joined."
	mixedSecret  = "They are also made from a secret number that the referee has fixed already. Here is its " +
		"fingerprint (SHA-256), so that you can check it after the match:"
	numberAlone = "The number alone is enough."
	openBoard   = "Open on the board"
)

// describeCommitment returns a sentence about the letter with the commitment.
func (l Letter) describeCommitment() string {
	if l.Observing {
		return "Its fingerprint (SHA-256) is the one in your first letter:"
	}
	return "Its fingerprint (SHA-256) is the one in your invitation:"
}

// letterNoun returns the noun for the reader's letter.
func (l Letter) letterNoun() string {
	if l.Observing || l.Slip {
		return "letter"
	}
	return "orders"
}

func (l Letter) closing() string {
	switch {
	case l.Directing:
		return "To give another order, reply to this letter from the address we sent it to. HELP lists the commands. Replies to older letters are ignored."
	case l.Observing && l.Over:
		return ""
	case l.Observing:
		return "You are only watching. To stop, reply to this letter with UNOBSERVE."
	case l.CalledOff:
		return "You need not reply."
	case l.Over:
		return "You need not reply. STATUS, HISTORY and RESEND still work."
	case l.Slip && l.Ask != nil && len(l.Ask.Taps) > 0:
		return "HELP explains orders, STATUS sends the full position."
	case l.Slip && l.Spoken:
		return "To answer, reply to this letter and write above its first line. HELP explains orders, STATUS sends the full position."
	case l.Slip && len(l.Prompts) == 0:
		return `To give an order, reply to this letter and write above its first line. Anything after // on a line, or below a line ` +
			`with only "--", is ignored. HELP explains orders, STATUS sends the full position.`
	case l.Slip:
		return `Reply to this letter and write above its first line. Anything after // on a line, or below a line with only "--", ` +
			`is ignored. HELP explains orders, STATUS sends the full position.`
	case l.Short && l.Repeated:
		return "Reply STATUS for the full position, or FORMAT QUIET to stop letters like this one."
	case l.Short && l.Status == "":
		return "You need do nothing now. HELP explains orders, STATUS sends this letter again."
	case l.Short:
		return "Reply STATUS for the full position, or MAP for the map alone."
	}
	return `Reply to this letter and write your orders above its first line.
HELP explains orders, STATUS sends this letter again.`
}

// Footer identifies the letter and the head of the history. "samizdat verify --letters" searches for these words.
func (l Letter) Footer() string {
	foot := "Match " + l.Match
	if l.Number > 0 {
		foot += fmt.Sprintf(", letter %d to you", l.Number)
	}
	if l.Head == "" {
		return foot + "."
	}
	if l.Epoch > 0 {
		foot += fmt.Sprintf(", epoch %d", l.Epoch)
	}
	return foot + ". Check number of the history so far:"
}

// Reply is the address for answers. Offered orders become mailto links; without an address there
// are no links.
type Reply struct{ To, Subject string }

// link returns the mailto link for an order, for example "mailto:referee@club.test?subject=...&body=PASS".
func (r Reply) link(order string) string {
	if order == "" {
		return ""
	}
	return mailto.Link(r.To, r.Subject, order)
}
