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

// Letter is the content of a match letter.
type Letter struct {
	Heading
	AnswerResult
	Proof
	// Events are the events since the last letter, in one or two sentences each.
	Events   []string
	Prompts  []Prompt
	Sections []rules.Section
	// ItemOrders are orders for items of the sections, e.g. PLAY 40 for card 40 of the hand. These items become links.
	ItemOrders []rules.ItemOrder
	Picture    *Picture
	// LetterWithPicture is the number of an earlier letter with the same picture, or 0.
	LetterWithPicture int64
	Kind
}

// Heading holds the texts at the start and the end of every match letter.
type Heading struct {
	Subject string
	Reply   Reply
	// MarkerLine is the line above the text of the letter, e.g. "Write above this line".
	MarkerLine string
	// Match is the name of the match, Title the title of the game, and Credit names the game's publisher. Number is the
	// number of the letter to the seat, or 0.
	Match, Title, Credit string
	Number               int64
	// ToMove says which seat is to move, e.g. "It is your move." Status describes the state of the match.
	ToMove, Status string
	// Time states the remaining time. In a match without time limit, WaitingSince states how long the match has waited.
	Time, WaitingSince string
	// BoardLink is the link to the page on which the reader can build an answer by clicks; empty for none.
	BoardLink string
	// Contact is the operator's address for questions of players; empty for none.
	Contact string
	// CanAsk is set if players can use ASK although no Contact is configured.
	CanAsk bool
}

// AnswerResult is the result of the reader's letter.
type AnswerResult struct {
	Lines []Line
	Ask   *Ask
	// Problems are warnings about the reader's letter, e.g. that the letter also went to another address.
	Problems []string
	// Replies are the results of queries, e.g. HAND, and messages of players. They are printed above the Prompts.
	Replies []rules.Section
}

// Proof holds the values that verify the record of the match.
type Proof struct {
	// Words and Commitment are shown at the start of the match, Secret and Commitment at the end. HasFixedDice means that
	// the dice and cards are from a list, not from the secret.
	Words              []DiceWords
	Commitment, Secret string
	HasFixedDice       bool
	// Record is the file name of the attached record; empty for none.
	Record string
	// HistoryHash is the hash of the newest entry in the match's history, and Epoch the epoch of the match.
	HistoryHash string
	Epoch       int
}

// Kind is the kind of a letter.
type Kind struct {
	// IsOver reports whether the match is over. IsCalledOff reports whether the match never started and will not.
	IsOver, IsCalledOff bool
	// IsShort reports whether the letter has neither a question nor the sections on the position, e.g. a confirmation.
	// IsSlip reports whether the letter is a slip: a small letter that only answers the reader's letter, because the
	// match has not continued.
	IsShort, IsSlip bool
	// IsRepeated means that the next letter with a question repeats this content. FORMAT QUIET stops such letters.
	IsRepeated bool
	// IsFocused reports whether the letter shows only the sections on what happens now, e.g. a power struggle.
	IsFocused              bool
	IsObserver, IsDirector bool
	// IsNotice reports whether Lines holds notices, e.g. from the operator, and not lines of the reader's letter.
	IsNotice bool
	// IsSpoken reports whether the reader uses a screen reader: the text has no underlines and no bullets.
	IsSpoken bool
}

// Line is a line of the reader's letter with its outcome, e.g. "done" or "refused" (match.LineOutcome), and a remark.
type Line struct{ Text, Outcome, Remark string }

// label returns a line with its outcome, e.g. "PLACE Gdansk 2: done". A line that is no order is quoted, because it may
// have punctuation of its own, e.g. "Well played!": ignored.
func (l Line) label() string {
	text := l.Text
	if l.Outcome == "ignored" || l.Outcome == "not understood" {
		text = `"` + text + `"`
	}
	return text + ": " + l.Outcome
}

// plainLabel is label for letters outside matches. It also quotes an order that ends like a sentence, e.g. "ANNOUNCE The
// club meets on Sunday.": done.
func (l Line) plainLabel() string {
	if last, _ := utf8.DecodeLastRuneInString(l.Text); strings.ContainsRune(".,:;!?", last) {
		return `"` + l.Text + `": ` + l.Outcome
	}
	return l.label()
}

// Ask asks the reader to confirm a letter before it is executed. Question is, for example, "Please confirm your order:",
// Orders are the orders as they were understood, Note explains the answers, and Answers become links.
type Ask struct {
	Question string
	Orders   []string
	Note     string
	Answers  []string
}

// DiceWords are a seat's contribution to the seed of the dice: words that the player chose, e.g. "a kettle sings", or "letter" and
// the digest of the letter with which the player joined.
type DiceWords struct{ Seat, Words string }

var digestWords = regexp.MustCompile(`^letter [0-9a-f]{64}$`)

// hasDigests reports whether a player has chosen no words, so that the list has a digest instead.
func hasDigests(words []DiceWords) bool {
	return slices.ContainsFunc(words, func(w DiceWords) bool { return digestWords.MatchString(w.Words) })
}

// Prompt is a question with example answers.
type Prompt struct {
	Question     string
	Forms, Hints []string
	// FormsAreExamples means that Forms does not list all possible answers.
	FormsAreExamples bool
	// IsNumbered means that Forms lists all answers with numbers, and that a player may answer with the number alone.
	IsNumbered bool
	// IsRequest means that another player asks, for example for a take-back, and not the game.
	IsRequest bool
}

// title returns the title of the part of a letter that asks the question.
func (p Prompt) title() string {
	if p.IsRequest {
		return "A request"
	}
	return "Your decision"
}

func (l Letter) contactSentence() string {
	switch {
	case l.Contact == "" && (!l.CanAsk || l.IsObserver || l.IsDirector):
		return ""
	case l.Contact == "":
		return "Questions about the referee: reply with ASK and your question."
	case l.IsObserver:
		return ContactSentence(l.Contact)
	}
	return "Questions about the referee: reply with ASK and your question, or write to " + l.Contact + "."
}

// VerifyCommands returns the commands that verify the record in a file. The lines can be copied to a shell.
func VerifyCommands(file string) []string {
	return []string{
		"    samizdat verify " + file + " --letters MAILBOX",
		"        checks every die, card and order, and compares your letters with them",
		"    python3 tools/verify.py " + file + " --letters MAILBOX",
		"        checks entries, dice and cards with a separate, shorter program",
	}
}

// ContactSentence returns the sentence with the contact for questions about the referee.
func ContactSentence(contact string) string {
	return "Questions about the referee: write to " + contact + "."
}

// MapTexts applies f to the texts of the letter, but not to the subject, the marker line, hashes and addresses.
func (l Letter) MapTexts(f func(string) string) Letter {
	mapAll := func(list []string) []string {
		out := make([]string, len(list))
		for i, s := range list {
			out[i] = f(s)
		}
		return out
	}
	l.Title, l.Credit, l.ToMove, l.Status, l.Time, l.WaitingSince = f(l.Title), f(l.Credit), f(l.ToMove), f(l.Status), f(l.Time),
		f(l.WaitingSince)
	l.Problems, l.Events = mapAll(l.Problems), mapAll(l.Events)
	if l.Ask != nil {
		l.Ask = &Ask{f(l.Ask.Question), mapAll(l.Ask.Orders), f(l.Ask.Note), mapAll(l.Ask.Answers)}
	}
	l.Lines = slices.Clone(l.Lines)
	for i, x := range l.Lines {
		l.Lines[i].Text, l.Lines[i].Remark = f(x.Text), f(x.Remark)
	}
	l.Words = slices.Clone(l.Words)
	for i, x := range l.Words {
		l.Words[i].Words = f(x.Words)
	}
	l.Prompts = slices.Clone(l.Prompts)
	for i, p := range l.Prompts {
		l.Prompts[i].Question, l.Prompts[i].Forms, l.Prompts[i].Hints = f(p.Question), mapAll(p.Forms), mapAll(p.Hints)
	}
	l.ItemOrders = slices.Clone(l.ItemOrders)
	for i, e := range l.ItemOrders {
		l.ItemOrders[i].Order = f(e.Order)
	}
	l.Replies, l.Sections = mapSections(l.Replies, f, mapAll), mapSections(l.Sections, f, mapAll)
	return l
}

func mapSections(sections []rules.Section, f func(string) string, mapAll func([]string) []string) []rules.Section {
	out := slices.Clone(sections)
	for i, s := range sections {
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

// Indent wraps a text like Wrap, with an indent before each line.
func Indent(text, indent string) string { return wrap(text, indent, indent) }

// wrap wraps a text like Wrap, with the indent first before the first line and hangingIndent before all other lines.
func wrap(text, first, hangingIndent string) string {
	var b strings.Builder
	b.Grow(len(text) + len(first) + 8)
	hangingWidth := utf8.RuneCountInString(hangingIndent)
	hasLine := false
	for line := range strings.SplitSeq(text, "\n") {
		if hasLine {
			b.WriteByte('\n')
		}
		hasLine = true
		width := utf8.RuneCountInString(first)
		switch n, isSingleSpaced := measureLine(line); {
		case n == 0:
			b.WriteString(strings.TrimRight(first, " "))
		case isSingleSpaced && n+max(width, hangingWidth) <= Width:
			b.WriteString(first)
			b.WriteString(line)
		default:
			b.WriteString(first)
			writeWords(&b, joinNumbers(splitWords(line, Width-hangingWidth)), width, hangingIndent)
		}
		first = hangingIndent
	}
	return b.String()
}

// writeWords writes words into lines. width is the width that the first line has already.
func writeWords(b *strings.Builder, words []string, width int, hangingIndent string) {
	for i, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
		case width+1+n > Width:
			b.WriteByte('\n')
			b.WriteString(hangingIndent)
			width = utf8.RuneCountInString(hangingIndent)
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(w)
		width += n
	}
}

// measureLine returns the number of characters of a line, or 0 if the line has no words. isSingleSpaced reports whether
// single spaces separate its words.
func measureLine(line string) (n int, isSingleSpaced bool) {
	hasWords, isSingleSpaced := false, true
	previous := ' '
	for _, r := range line {
		n++
		isSpace := unicode.IsSpace(r)
		hasWords = hasWords || !isSpace
		if isSpace && (r != ' ' || previous == ' ') {
			isSingleSpaced = false
		}
		previous = r
	}
	if !hasWords {
		return 0, false
	}
	return n, isSingleSpaced && previous != ' '
}

// splitWords splits a line into words, and a word of more than maximum characters into pieces.
func splitWords(line string, maximum int) []string {
	var out []string
	for _, w := range strings.Fields(line) {
		r := []rune(w)
		for ; len(r) > maximum; r = r[maximum:] {
			out = append(out, string(r[:maximum]))
		}
		out = append(out, string(r))
	}
	return out
}

// joinNumbers joins a number with a following capitalized word, because together they usually name a card: "40
// Hungarian".
func joinNumbers(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		if len(w) <= 3 && strings.Trim(w, "0123456789") == "" && i+1 < len(words) && len(words[i+1]) < Width/2 && startsWithUpper(words[i+1]) {
			i++
			w += " " + words[i]
		}
		out = append(out, w)
	}
	return out
}

func startsWithUpper(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

const (
	fixedDice = "The person who set up this match chose its dice and cards in advance. " +
		"They do not come from a secret number of the referee."
	publishedSecret = "For anyone who wants to check the dice, here is the secret number behind them:"
	recordAttached  = "The record of the match is attached. You need do nothing with it. To check it, use one of these " +
		"commands; MAILBOX is the file that holds your letters:"
	recordByMail = "Reply RECORD for the record of the match. With it anyone can check every die and every card."
	mixedWords   = "The dice depend on these words:"
	mixedDigests = "Where no words were chosen, the list has the check number of the letter with which the player joined."
	mixedSecret  = "The dice also depend on a secret number that the referee has already fixed. Here is its " +
		"fingerprint (SHA-256), so that you can check it after the match:"
	numberAlone = "You may answer with the number alone."
	openBoard   = "Open on the board"
)

func (l Letter) describeCommitment() string {
	if l.IsObserver {
		return "Its fingerprint (SHA-256) is the one in your first letter:"
	}
	return "Its fingerprint (SHA-256) is the one in your invitation:"
}

func (l Letter) resultsTitle() string {
	switch {
	case l.IsNotice:
		return "Please note"
	case l.IsObserver || l.IsSlip:
		return "Your letter"
	}
	return "Your orders"
}

func (l Letter) closingText() string {
	switch {
	case l.IsDirector:
		return "To give another order, reply to this letter from the address we sent it to. HELP lists the commands. Replies to " +
			"older letters are ignored."
	case l.IsObserver && l.IsOver:
		return ""
	case l.IsObserver:
		return "You are only watching. To stop, reply to this letter with UNOBSERVE."
	case l.IsCalledOff:
		return "You need not reply."
	case l.IsOver:
		return "You need not reply. STATUS, HISTORY and RESEND still work."
	case l.IsSlip:
		return l.slipClosingText() + "HELP explains orders; STATUS sends the full position."
	case l.IsShort && l.IsRepeated:
		return "Reply STATUS for the full position, or FORMAT QUIET to stop letters like this one."
	case l.IsShort && l.Status == "":
		return "You need do nothing now. HELP explains orders; STATUS sends this letter again."
	case l.IsShort:
		return "Reply STATUS for the full position, or MAP for the map alone."
	}
	if l.IsFocused {
		return `Reply to this letter and write your orders above its first line.
The rest of the position has not changed: STATUS sends all of it, MAP the map.`
	}
	return `Reply to this letter and write your orders above its first line.
HELP explains orders; STATUS sends this letter again.`
}

// slipClosingText says how to answer a slip, unless its question has links to tap.
func (l Letter) slipClosingText() string {
	switch {
	case l.Ask != nil && len(l.Ask.Answers) > 0:
		return ""
	case l.IsSpoken:
		return "To answer, reply to this letter and write above its first line. "
	case len(l.Prompts) == 0:
		return `To give an order, reply to this letter and write above its first line. Anything after // on a line, or below a line ` +
			`with only "--", is ignored. `
	}
	return `Reply to this letter and write above its first line. Anything after // on a line, or below a line with only "--", is ignored. `
}

// Footer returns the line that identifies the letter and introduces HistoryHash. "samizdat verify --letters" searches
// for its words.
func (l Letter) Footer() string {
	footer := "Match " + l.Match
	if l.Number > 0 {
		footer += fmt.Sprintf(", letter %d to you", l.Number)
	}
	if l.HistoryHash == "" {
		return footer + "."
	}
	if l.Epoch > 0 {
		footer += fmt.Sprintf(", epoch %d", l.Epoch)
	}
	return footer + ". Check number of the history so far:"
}

// Reply is the address and the subject of a reply. On the page, orders become mailto links, unless To is empty.
type Reply struct{ To, Subject string }

// link returns the mailto link for an order, for example "mailto:referee@club.test?subject=...&body=PASS".
func (r Reply) link(order string) string {
	if order == "" {
		return ""
	}
	return mailto.Link(r.To, r.Subject, order)
}
