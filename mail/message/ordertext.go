package message

import (
	"strings"

	"samizdat/internal/lazyregexp"
)

// OrderText gives what a person wrote in a letter or a reply: without quotes,
// attributions, signatures and copies of the letter that is answered. What
// stands above, between and below marked quotes is kept.
// Us are the names of the referee, who wrote the letter that is answered.
func OrderText(text string, us Referee) string {
	return ReadOrders(text, us).Text
}

// Orders are what a person wrote in a letter.
type Orders struct {
	Text string
	// Doubtful are lines that were left out although a person may have typed them, so that the
	// answer can name them: a line wedged between quoted lines that looks like the broken end
	// of the one above, a line like a telephone's with more of the writer's below it, lines that
	// stand below both a signature and a quote, and the first ones below an attribution where
	// neither a mark of a quote nor our [Mark] shows a copy.
	Doubtful []string
	// Beneath are lines of Text right below a quoted line so long that a program may have
	// broken it there without marking the rest.
	Beneath []string
	// Below are lines of Text right below a quoted line, however long that is.
	Below []Below
	// TooLong: the text is too long to find out what its writer wrote and what is a copy, or too
	// many of its lines may introduce one. Then there is nothing else, and it has to be refused
	// whole.
	TooLong bool
}

// Below is a line right below a quoted one: an answer to it, or its end, broken off by a program
// that did not mark it.
type Below struct{ Line, Quoted string }

// ReadOrders is [OrderText] that also says of which lines it is not certain whose they are.
//
// The rules, in the order in which they win:
//
//   - An unquoted [Mark] ends the text: below it stands an unmarked copy of
//     our letter. A quoted Mark is a quote like any other.
//   - A line that begins with > is quoted and dropped.
//   - A signature ("-- ") ends the text. What stands there below marked quotes is
//     doubtful.
//   - What introduces a copy of our letter is dropped: of up to four lines directly above our
//     Mark or a quote those that name us, in whatever language; a line that names us, says when
//     and ends with a colon; "-----Original Message-----", and a block of From:, Sent:, To:.
//     What stands before it in its line is kept. When marked quotes follow, what stands between
//     and below them is kept; else an unmarked copy follows, and the text ends.
func ReadOrders(text string, us Referee) Orders {
	r := newOrderReader(text, us)
	for r.hasMore() {
		r.takeNext()
	}
	if r.isTooLong() {
		return Orders{TooLong: true}
	}
	return Orders{Text: joinLines(r.out), Doubtful: append(r.doubtful, r.copied[:min(len(r.copied), maxDoubtful-len(r.doubtful))]...),
		Beneath: r.beneath, Below: r.below}
}

// hasOwnText tells whether a text has lines of its writer, beside copies of ours, or may.
func hasOwnText(text string, us Referee) bool {
	r := newOrderReader(text, us)
	for r.hasMore() && len(r.doubtful) == 0 && (len(r.out) == 0 || strings.TrimSpace(r.out[len(r.out)-1]) == "") {
		r.takeNext()
	}
	return r.isTooLong() || len(r.doubtful) > 0 || joinLines(r.out) != ""
}

// orderReader goes through a letter line by line.
type orderReader struct {
	*letterLines
	at    int
	marks quoteMarks
	// copyReached: what stands below is a copy of our letter.
	copyReached                    bool
	out, doubtful, copied, beneath []string
	below                          []Below
	// Below a signature nothing counts. What stands there below a quote a person may
	// have typed, or a server may have added.
	signature, belowQuote bool
	// closings are the closing lines with nothing below them yet: a telephone adds
	// its line at the end, and what stands in the midst a person may have written.
	closings []string
}

func newOrderReader(text string, us Referee) orderReader {
	lines := strings.Split(tidyText(text), "\n")
	if len(lines) > maxLines {
		return orderReader{letterLines: &letterLines{ownLines: len(lines)}}
	}
	return orderReader{letterLines: newLetterLines(removeArmour(lines), us)}
}

// hasMore reports whether there is anything left to read.
func (r *orderReader) hasMore() bool { return r.at < len(r.lines) && !r.copyReached && !r.isTooLong() }

// takeNext takes the next line, and what belongs to it.
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

// takeQuotedLine takes a quoted line. It ends a line of orders; nothing is joined across it.
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
			r.below = append(r.below, Below{below, strings.Trim(line, "> \t")})
		}
		if mayBeBrokenTail(r.lines, r.at) && len(r.beneath) < maxDoubtful {
			r.beneath = append(r.beneath, below)
		}
	}
	r.out = append(r.out, "")
}

// takeOwnLine takes a line that nothing shows to be another's.
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

// addDoubtful notes lines of which it is not certain whose they are.
func (r *orderReader) addDoubtful(lines ...string) {
	r.doubtful = append(r.doubtful, lines[:min(len(lines), maxDoubtful-len(r.doubtful))]...)
}

// firstCopiedLines gives the first lines of what is taken for a copy of another letter and
// shows no sign that it is one of ours.
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

// maxLines is how many lines are looked at. What has more is no letter that a
// person wrote.
const maxLines = 20_000

// maxDoubtful is how many lines an answer names, maxBelow how many below quoted ones are told of.
const maxDoubtful, maxBelow = 10, 200

// isQuoted knows a quote mark behind a few spaces, which some programs add.
func isQuoted(line string) bool {
	t := strings.TrimLeft(line, " \t")
	return strings.HasPrefix(t, ">") && len(line)-len(t) <= 3
}

// markText is Mark without its decoration: a program that makes bold of "==="
// or changes the case must not hide it.
var markText = strings.ToLower(strings.Trim(Mark, "= "))

// isMark also finds a mark that was folded over two lines.
func isMark(lines []string, i int) bool {
	if !containsFold(lines[i], "samizdat") {
		return false // It begins with that.
	}
	marked := func(s string) bool { return strings.Contains(foldSpaceAndCase(s), markText) }
	if i+1 == len(lines) || isQuoted(lines[i+1]) {
		return marked(lines[i])
	}
	// Where the mark stands whole on the next line, this one still counts.
	return marked(lines[i]+" "+lines[i+1]) && (marked(lines[i]) || !marked(lines[i+1]))
}

// containsFold looks for a word of ASCII in any case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// hiddenSigns begin the hidden first words of a page of ours, above the mark. Few mail
// programs copy them into an answer, and nobody writes them.
const hiddenSigns = "\u034f\u034f"

func foldSpaceAndCase(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// isSignature accepts the delimiter without its space, which many programs and
// servers trim, and the long underlines of Outlook and mailing lists.
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

// armourMark begins all of them but the fields.
const armourMark = "-----"

// removeArmour takes away what a seal puts around and into a text that is signed
// within itself, and what is sealed so that nobody reads it here.
func removeArmour(lines []string) []string {
	signed := false
	out := lines[:0:0]
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		isArmour := strings.HasPrefix(line, armourMark)
		switch {
		case isArmour && armour.MatchString(line):
			signed = true
			// The rest of what a seal puts above the text are its fields.
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

// quoteMarks are the marks of quoted lines that a letter uses beside ">". They are
// known only where they stand right below an attribution: a person may begin a
// line with a bar as well.
type quoteMarks struct{ bar, initials bool }

var (
	// The Bat! and Supercite put the initials of the writer before the mark.
	initialsMark = lazyregexp.New(`^[ \t]{0,5}\pL{1,6}>`)
	barMark      = lazyregexp.New(`^[ \t]{0,3}\|`)
)

func (m quoteMarks) isQuoted(line string) bool {
	return isQuoted(line) || m.bar && barMark.MatchString(line) || m.initials && initialsMark.MatchString(line)
}

// learnInitials learns the mark of Supercite, whose attribution is marked itself.
func (m *quoteMarks) learnInitials(lines []string, i int) {
	m.initials = m.initials || initialsMark.MatchString(firstNonBlank(lines, i))
}

// firstNonBlank is the first line from i on that is not blank; empty when there is none.
func firstNonBlank(lines []string, i int) string {
	for ; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) != "" {
			return lines[i]
		}
	}
	return ""
}

// findQuoteBelow tells whether marked quotes follow below an attribution, and learns their
// marks. It looks past blank lines.
func (m *quoteMarks) findQuoteBelow(lines []string, i int) bool {
	for ; i < len(lines); i++ {
		line := lines[i]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if i > 0 && strings.HasPrefix(lines[i-1], "|-") {
			return false // Notes draws a table of the fields.
		}
		m.bar = m.bar || barMark.MatchString(line)
		m.initials = m.initials || initialsMark.MatchString(line)
		return m.isQuoted(line)
	}
	return true // nothing follows at all
}

// isBrokenTail guesses that line i is the end of the quoted line above it,
// broken off by a program that wraps quotes without marking the rest. It must
// be wedged in: a person leaves a blank line, or writes below a short line. To
// take such a line for an order would carry out our own example.
func isBrokenTail(lines []string, i int) bool {
	line := strings.TrimRight(lines[i], " \t")
	if line == "" || isQuoted(line) || strings.HasPrefix(line, " ") || i+1 >= len(lines) || !isQuoted(lines[i+1]) {
		return false
	}
	// Programs wrap at 72 columns or later: the first word did not fit.
	first, _, _ := strings.Cut(line, " ")
	above := len([]rune(strings.TrimRight(lines[i-1], " \t")))
	return above >= 60 && above+1+len([]rune(first)) > 72
}

// mayBeBrokenTail reports whether line i stands right below a quoted line that has as many columns
// as a program leaves at least before it breaks one.
func mayBeBrokenTail(lines []string, i int) bool {
	line := strings.TrimSpace(lines[i])
	first, _, _ := strings.Cut(line, " ")
	return line != "" && !isQuoted(lines[i]) && len([]rune(strings.TrimRight(lines[i-1], " \t")))+1+len([]rune(first)) > minBreakColumn
}

// minBreakColumn is the least number of columns at which programs break lines.
const minBreakColumn = 56

// joinLines joins the lines, without runs of blank ones.
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
