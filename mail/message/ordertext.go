package message

import (
	"strings"

	"samizdat/internal/lazyregexp"
)

// OrderText returns the text that a person wrote in a letter, without quotes, attributions, signatures and copies
// of our letter. Text between and below marked quotes is kept. For example "PASS\n\nOn Sat, Samizdat <judge@x>
// wrote:\n> Your move" gives "PASS\n".
func OrderText(text string, us Referee) string {
	return ReadOrders(text, us).Text
}

// Orders is the text that a person wrote in a letter, with the lines whose writer is uncertain.
type Orders struct {
	Text string
	// Doubtful are dropped lines that a person may have typed; the answer quotes them. They are: a line between
	// quoted lines that looks like the wrapped end of the line above; a line like "Sent from my phone" above the
	// writer's own text; lines below both a signature and a quote; the first lines below an attribution without
	// quote marks or our [Mark].
	Doubtful []string
	// PossibleQuoteEnds are lines of Text below a quoted line that is long enough to have been wrapped by a mail program.
	PossibleQuoteEnds []string
	// BelowQuotes are lines of Text directly below a quoted line of any length.
	BelowQuotes []LineBelowQuote
	// TooLong reports whether the text has too many lines, or too many possible attributions, to be analysed. Text
	// is empty; the letter must be refused.
	TooLong bool
}

// LineBelowQuote is a line directly below a quoted line: an answer to it, or its wrapped end.
type LineBelowQuote struct{ Line, Quoted string }

// ReadOrders returns [OrderText] that also returns the lines whose writer is uncertain.
//
// The rules, in order of priority:
//
//   - An unquoted [Mark] ends the text: an unmarked copy of our letter follows. A quoted Mark is a quote.
//   - A line that begins with > is a quote and is dropped.
//   - A signature ("-- ") ends the text. Lines below it that follow marked quotes are doubtful.
//   - The attribution of a copy of our letter is dropped: up to four lines directly above Mark or a quote that name
//     us, in any language; a line that names us with a date and ends with a colon; "-----Original Message-----";
//     and a block of From:, Sent:, To:. Text before it in its first line is kept. If marked quotes follow, the text
//     between and below them is kept; otherwise an unmarked copy follows and the text ends.
func ReadOrders(text string, us Referee) Orders {
	r := newOrderReader(text, us)
	for r.hasMore() {
		r.takeNext()
	}
	if r.isTooLong() {
		return Orders{TooLong: true}
	}
	return Orders{Text: joinLines(r.out), Doubtful: append(r.doubtful, r.copied[:min(len(r.copied), maxDoubtful-len(r.doubtful))]...),
		PossibleQuoteEnds: r.beneath, BelowQuotes: r.below}
}

// hasOwnText reports whether a text has lines of its writer, or lines that may be.
func hasOwnText(text string, us Referee) bool {
	r := newOrderReader(text, us)
	for r.hasMore() && len(r.doubtful) == 0 && (len(r.out) == 0 || strings.TrimSpace(r.out[len(r.out)-1]) == "") {
		r.takeNext()
	}
	return r.isTooLong() || len(r.doubtful) > 0 || joinLines(r.out) != ""
}

type orderReader struct {
	*letterLines
	at    int
	marks quoteMarks
	// copyReached reports whether the rest is a copy of our letter.
	copyReached                    bool
	out, doubtful, copied, beneath []string
	below                          []LineBelowQuote
	// signature reports whether a signature was found; belowQuote reports whether a quote follows it. Lines below
	// both may be typed or added by a server.
	signature, belowQuote bool
	// closings are lines like "Sent from my phone" with no text below them yet. A phone adds its line at the
	// end, so text below means that a person may have typed the line.
	closings []string
}

func newOrderReader(text string, us Referee) orderReader {
	lines := strings.Split(tidyText(text), "\n")
	if len(lines) > maxLines {
		return orderReader{letterLines: &letterLines{ownLines: len(lines)}}
	}
	return orderReader{letterLines: newLetterLines(removeArmour(lines), us)}
}

func (r *orderReader) hasMore() bool { return r.at < len(r.lines) && !r.copyReached && !r.isTooLong() }

func (r *orderReader) takeNext() {
	line := r.lines[r.at]
	switch {
	case r.marks.isQuoted(line):
		r.takeQuotedLine(line)
	case isMark(r.lines, r.at), strings.HasPrefix(strings.TrimSpace(line), hiddenSigns):
		r.copyReached = true
	case isSignature(line):
		r.signature, r.belowQuote = true, false
		r.at++
	default:
		n, head := r.attributionAt(r.at)
		if n == 0 {
			r.takeOwnLine(line)
			return
		}
		if head != "" && !r.signature {
			r.out = append(r.out, head)
			r.ownLines++
		}
		r.at += n
		if r.marks.findQuoteBelow(r.lines, r.at) {
			r.out = append(r.out, "")
			return
		}
		if r.copyReached = true; !r.signature {
			r.copied = firstCopiedLines(r.lines[r.at:])
		}
	}
}

// takeQuotedLine handles a quoted line. Orders are not joined across a quote, so it leaves a blank line.
func (r *orderReader) takeQuotedLine(line string) {
	r.belowQuote, r.closings = r.signature, nil
	r.at++
	if endsWithColon(line) {
		r.marks.learnInitials(r.lines, r.at)
	}
	switch {
	case r.at >= len(r.lines):
	case isBrokenTail(r.lines, r.at):
		r.addDoubtful(strings.TrimSpace(r.lines[r.at]))
		r.at++
	default:
		below := strings.TrimSpace(r.lines[r.at])
		if below != "" && !isQuoted(below) && len(r.below) < maxBelow {
			r.below = append(r.below, LineBelowQuote{below, strings.Trim(line, "> \t")})
		}
		if mayBeBrokenTail(r.lines, r.at) && len(r.beneath) < maxDoubtful {
			r.beneath = append(r.beneath, below)
		}
	}
	r.out = append(r.out, "")
}

func (r *orderReader) takeOwnLine(line string) {
	r.at++
	words, added := strings.TrimSpace(line), false
	if words != "" {
		r.ownLines++
	}
	if mayBeClosing(line) && r.countCostlyCheck(4) {
		added = isClosingOrBanner(line)
	}
	switch {
	case added:
		if !r.signature && isDeviceClosing(line) {
			r.closings = append(r.closings, words)
		}
	case r.belowQuote && words != "":
		r.addDoubtful(words)
	case !r.signature:
		r.out = append(r.out, strings.TrimRight(line, " \t"))
		if words != "" {
			r.addDoubtful(r.closings...)
			r.closings = nil
		}
	}
}

func (r *orderReader) addDoubtful(lines ...string) {
	r.doubtful = append(r.doubtful, lines[:min(len(lines), maxDoubtful-len(r.doubtful))]...)
}

// firstCopiedLines returns the first lines of a supposed copy of another letter. It returns nil if Mark shows that
// the copy is a letter of ours.
func firstCopiedLines(lines []string) []string {
	var out []string
	signature := false
	for i, line := range lines {
		if isMark(lines, i) {
			return nil
		}
		signature = signature || isSignature(line)
		if !signature && len(out) < maxDoubtful && !isQuoted(line) && hasWord.MatchString(line) {
			out = append(out, shorten(strings.TrimSpace(line)))
		}
	}
	return out
}

var hasWord = lazyregexp.New(`[\pL\pN]`)

// maxLines is the number of lines of the longest letter that is analysed.
const maxLines = 20_000

// maxDoubtful and maxBelow limit Orders.Doubtful and Orders.Below.
const maxDoubtful, maxBelow = 10, 200

// isQuoted accepts up to three blanks before ">", which some programs add.
func isQuoted(line string) bool {
	t := strings.TrimLeft(line, " \t")
	return strings.HasPrefix(t, ">") && len(line)-len(t) <= 3
}

// markTexts are Mark and oldMark without "===", which some programs turn into bold text, and in lower case.
var markTexts = [...]string{strings.ToLower(strings.Trim(Mark, "= ")), strings.ToLower(strings.Trim(oldMark, "= "))}

// isMark also recognises a Mark that is folded over two lines.
func isMark(lines []string, i int) bool {
	if !containsFold(lines[i], "samizdat") && !containsFold(lines[i], "write") {
		return false // The first line of a folded mark has one of these words.
	}
	marked := func(s string) bool {
		s = foldSpaceAndCase(s)
		return strings.Contains(s, markTexts[0]) || strings.Contains(s, markTexts[1])
	}
	if i+1 == len(lines) || isQuoted(lines[i+1]) {
		return marked(lines[i])
	}
	// If the next line has the whole Mark, line i is text.
	return marked(lines[i]+" "+lines[i+1]) && (marked(lines[i]) || !marked(lines[i+1]))
}

// containsFold reports whether s contains an ASCII word in any case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// hiddenSigns begin the hidden preview text of our HTML, above Mark. Some programs copy it into a reply.
const hiddenSigns = "\u034f\u034f"

func foldSpaceAndCase(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// isSignature accepts "--" without its space, which many programs trim, the long underlines of Outlook and mailing
// lists, and PGP signatures.
func isSignature(line string) bool {
	if strings.HasPrefix(line, "--") && strings.TrimRight(line, " \t") == "--" {
		return true
	}
	t := strings.TrimSpace(line)
	return len(t) >= 20 && strings.Trim(t, "_") == "" || strings.HasPrefix(line, armourMark) && armourEnd.MatchString(line)
}

var (
	armour             = lazyregexp.New(`^-----BEGIN PGP SIGNED MESSAGE-----\s*$`)
	armourField        = lazyregexp.New(`^(Hash|NotDashEscaped|Charset|Comment|Version):|^\s*$`)
	encryptedArmour    = lazyregexp.New(`^-----BEGIN PGP MESSAGE-----\s*$`)
	encryptedArmourEnd = lazyregexp.New(`^-----END PGP MESSAGE-----\s*$`)
	armourEnd          = lazyregexp.New(`^-----BEGIN PGP (SIGNATURE|PUBLIC KEY BLOCK)-----\s*$`)
)

// armourMark begins every PGP armour line except the header fields.
const armourMark = "-----"

// removeArmour removes PGP armour (RFC 4880) around clear-signed text, and encrypted blocks.
func removeArmour(lines []string) []string {
	signed := false
	out := lines[:0:0]
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		isArmour := strings.HasPrefix(line, armourMark)
		switch {
		case isArmour && armour.MatchString(line):
			signed = true
			// Skip the armour header fields.
			for i+1 < len(lines) && armourField.MatchString(lines[i+1]) {
				i++
			}
			out = append(out, "")
		case isArmour && encryptedArmour.MatchString(line):
			for i+1 < len(lines) && !encryptedArmourEnd.MatchString(lines[i]) {
				i++
			}
			out = append(out, "")
		case isArmour && signed && armourEnd.MatchString(line):
			signed = false
			out = append(out, line)
		case signed:
			out = append(out, strings.TrimPrefix(line, "- ")) // RFC 4880, section 7.1
		default:
			out = append(out, line)
		}
	}
	return out
}

// quoteMarks are the quote marks that a letter uses beside ">". They are accepted only after an attribution,
// because a person may begin a line with a bar.
type quoteMarks struct{ bar, initials bool }

var (
	// The Bat! and Supercite write the writer's initials before the mark: "AB> text".
	initialsMark = lazyregexp.New(`^[ \t]{0,5}\pL{1,6}>`)
	barMark      = lazyregexp.New(`^[ \t]{0,3}\|`)
)

func (q quoteMarks) isQuoted(line string) bool {
	return isQuoted(line) || q.bar && barMark.MatchString(line) || q.initials && initialsMark.MatchString(line)
}

// learnInitials learns the mark of Supercite, whose attribution line is quoted too.
func (q *quoteMarks) learnInitials(lines []string, i int) {
	q.initials = q.initials || initialsMark.MatchString(firstNonBlank(lines, i))
}

func firstNonBlank(lines []string, i int) string {
	for ; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) != "" {
			return lines[i]
		}
	}
	return ""
}

// findQuoteBelow reports whether marked quotes, or no text at all, follow an attribution, and learns their marks.
func (q *quoteMarks) findQuoteBelow(lines []string, i int) bool {
	for ; i < len(lines); i++ {
		line := lines[i]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if i > 0 && strings.HasPrefix(lines[i-1], "|-") {
			return false // Lotus Notes draws the header fields as a table.
		}
		q.bar = q.bar || barMark.MatchString(line)
		q.initials = q.initials || initialsMark.MatchString(line)
		return q.isQuoted(line)
	}
	return true
}

// isBrokenTail reports whether line i looks like the end of the quoted line above, wrapped without a quote mark,
// with another quoted line below. Such a line must not be read as an order: it may be our own example. A person
// leaves a blank line, or writes below a short line.
func isBrokenTail(lines []string, i int) bool {
	line := strings.TrimRight(lines[i], " \t")
	if line == "" || isQuoted(line) || strings.HasPrefix(line, " ") || i+1 >= len(lines) || !isQuoted(lines[i+1]) {
		return false
	}
	// The first word did not fit into 72 columns, where programs wrap at the earliest.
	first, _, _ := strings.Cut(line, " ")
	above := len([]rune(strings.TrimRight(lines[i-1], " \t")))
	return above >= 60 && above+1+len([]rune(first)) > 72
}

// mayBeBrokenTail reports whether line i follows a quoted line that is long enough to have been wrapped.
func mayBeBrokenTail(lines []string, i int) bool {
	line := strings.TrimSpace(lines[i])
	first, _, _ := strings.Cut(line, " ")
	return line != "" && !isQuoted(lines[i]) && len([]rune(strings.TrimRight(lines[i-1], " \t")))+1+len([]rune(first)) > minBreakColumn
}

// minBreakColumn is the smallest column at which mail programs wrap lines.
const minBreakColumn = 56

func joinLines(lines []string) string {
	var b strings.Builder
	blank := true
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			if !blank {
				b.WriteByte('\n')
			}
			blank = true
			continue
		}
		b.WriteString(l + "\n")
		blank = false
	}
	if s := strings.TrimRight(b.String(), "\n"); s != "" {
		return s + "\n"
	}
	return ""
}
