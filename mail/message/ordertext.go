package message

import (
	"strings"

	"samizdat/internal/lazyregexp"
)

// OrderText returns the text that a person wrote in a letter, without quotes, attributions, signatures and copies of
// our letter. Text between and below lines that begin with > is kept. For example "PASS\n\nOn Sat, Samizdat <judge@x>
// wrote:\n> Your move" gives "PASS\n".
func OrderText(text string, referee Referee) string {
	return ReadOrders(text, referee).Text
}

// Orders is the text that a person wrote in a letter, and lines that the person may have written.
type Orders struct {
	Text string
	// Doubtful are lines that were not read as orders although the writer may have typed them; the reply of the referee
	// quotes them:
	//   - a line between quoted lines, if it looks like the wrapped end of the line above
	//   - a line like "Sent from my phone" above text of the writer
	//   - lines below both a signature and a quote
	//   - the first lines below an attribution, if neither lines with > nor our [Mark] follow the attribution
	Doubtful []string
	// PossibleQuoteEnds are lines of Text that may be the wrapped end of the long quoted line above them.
	PossibleQuoteEnds []string
	// BelowQuotes are lines of Text directly below a quoted line of any length.
	BelowQuotes []LineBelowQuote
	// TooLong reports whether the text has too many lines, or too many possible attributions, to be read. Then Text
	// is empty, and the letter must be refused.
	TooLong bool
}

// LineBelowQuote is a Line directly below the line Quoted: text of the player, or the wrapped end of Quoted.
type LineBelowQuote struct{ Line, Quoted string }

// ReadOrders returns the result of [OrderText], and the lines that may not be from the player.
//
// The rules, in order of priority:
//
//   - An unquoted [Mark] ends the text: a copy of our letter without > follows. A quoted Mark is a quote.
//   - A line that begins with > is a quote and is dropped.
//   - A signature ("-- ") ends the text. Lines below both the signature and a quote are doubtful.
//   - The attribution of a copy of our letter is dropped: up to four lines directly above Mark or a quote, if they name
//     us, in any language; a line that names us with a date and ends with a colon; "-----Original Message-----"; and a
//     block of From:, Sent:, To:. Text before the attribution in its first line is kept. If lines with > follow, the
//     text between and below them is kept; otherwise a copy without > follows and the text ends.
func ReadOrders(text string, referee Referee) Orders {
	r := newOrderReader(text, referee)
	for r.hasMore() {
		r.readNextLine()
	}
	if r.isTooLong() {
		return Orders{TooLong: true}
	}
	return Orders{Text: joinLines(r.out), Doubtful: append(r.doubtful,
		r.copiedLines[:min(len(r.copiedLines), maxDoubtful-len(r.doubtful))]...),
		PossibleQuoteEnds: r.possibleQuoteEnds, BelowQuotes: r.belowQuotes}
}

// hasOwnText reports whether the text may contain a line that the writer typed.
func hasOwnText(text string, referee Referee) bool {
	r := newOrderReader(text, referee)
	for r.hasMore() && len(r.doubtful) == 0 && (len(r.out) == 0 || strings.TrimSpace(r.out[len(r.out)-1]) == "") {
		r.readNextLine()
	}
	return r.isTooLong() || len(r.doubtful) > 0 || joinLines(r.out) != ""
}

type orderReader struct {
	*letterLines
	next  int
	marks quoteMarks
	// inCopy is set if the rest is a copy of our letter.
	inCopy                                        bool
	out, doubtful, copiedLines, possibleQuoteEnds []string
	belowQuotes                                   []LineBelowQuote
	// afterSignature is set after a signature. afterQuote is set after a quote below the signature; the player may have
	// typed the lines below the quote, or a server may have added them.
	afterSignature, afterQuote bool
	// closingLines are lines like "Sent from my phone" below which no text was found yet. A phone adds its line at the
	// end, so if text follows, a person may have typed the line.
	closingLines []string
}

func newOrderReader(text string, referee Referee) orderReader {
	lines := strings.Split(normalizeText(text), "\n")
	if len(lines) > maxLines {
		return orderReader{letterLines: &letterLines{ownLines: len(lines)}}
	}
	return orderReader{letterLines: newLetterLines(removeArmor(lines), referee)}
}

func (r *orderReader) hasMore() bool { return r.next < len(r.lines) && !r.inCopy && !r.isTooLong() }

func (r *orderReader) readNextLine() {
	line := r.lines[r.next]
	switch {
	case r.marks.isQuoted(line):
		r.readQuotedLine(line)
	case isMark(r.lines, r.next), strings.HasPrefix(strings.TrimSpace(line), hiddenPreviewPrefix):
		r.inCopy = true
	case isSignature(line):
		r.afterSignature, r.afterQuote = true, false
		r.next++
	default:
		n, head := r.attributionAt(r.next)
		if n == 0 {
			r.readOwnLine(line)
			return
		}
		if head != "" && !r.afterSignature {
			r.out = append(r.out, head)
			r.ownLines++
		}
		r.next += n
		if r.marks.findQuoteBelow(r.lines, r.next) {
			r.out = append(r.out, "")
			return
		}
		if r.inCopy = true; !r.afterSignature {
			r.copiedLines = firstCopiedLines(r.lines[r.next:])
		}
	}
}

// readQuotedLine skips a quoted line. It leaves a blank line, because orders are not joined across a quote.
func (r *orderReader) readQuotedLine(line string) {
	r.afterQuote, r.closingLines = r.afterSignature, nil
	r.next++
	if endsWithColon(line) {
		r.marks.learnInitials(r.lines, r.next)
	}
	switch {
	case r.next >= len(r.lines):
	case isWrappedEnd(r.lines, r.next):
		r.addDoubtful(strings.TrimSpace(r.lines[r.next]))
		r.next++
	default:
		below := strings.TrimSpace(r.lines[r.next])
		if below != "" && !isQuoted(below) && len(r.belowQuotes) < maxBelowQuotes {
			r.belowQuotes = append(r.belowQuotes, LineBelowQuote{below, strings.Trim(line, "> \t")})
		}
		if mayBeWrappedEnd(r.lines, r.next) && len(r.possibleQuoteEnds) < maxDoubtful {
			r.possibleQuoteEnds = append(r.possibleQuoteEnds, below)
		}
	}
	r.out = append(r.out, "")
}

func (r *orderReader) readOwnLine(line string) {
	r.next++
	words, isAdded := strings.TrimSpace(line), false
	if words != "" {
		r.ownLines++
	}
	if mayBeClosing(line) && r.countCostlyCheck(4) {
		isAdded = isClosingOrBanner(line)
	}
	switch {
	case isAdded:
		if !r.afterSignature && isDeviceClosing(line) {
			r.closingLines = append(r.closingLines, words)
		}
	case r.afterQuote && words != "":
		r.addDoubtful(words)
	case !r.afterSignature:
		r.out = append(r.out, strings.TrimRight(line, " \t"))
		if words != "" {
			r.addDoubtful(r.closingLines...)
			r.closingLines = nil
		}
	}
}

func (r *orderReader) addDoubtful(lines ...string) {
	r.doubtful = append(r.doubtful, lines[:min(len(lines), maxDoubtful-len(r.doubtful))]...)
}

// firstCopiedLines returns the first lines of a possible copy of another letter. It returns nil if Mark shows that
// the copy is a letter of ours.
func firstCopiedLines(lines []string) []string {
	var out []string
	hasSignature := false
	for i, line := range lines {
		if isMark(lines, i) {
			return nil
		}
		hasSignature = hasSignature || isSignature(line)
		if !hasSignature && len(out) < maxDoubtful && !isQuoted(line) && wordPattern.MatchString(line) {
			out = append(out, shorten(strings.TrimSpace(line)))
		}
	}
	return out
}

var wordPattern = lazyregexp.New(`[\pL\pN]`)

// Letters with more than maxLines lines are not read.
const maxLines = 20_000

const maxDoubtful, maxBelowQuotes = 10, 200

// isQuoted reports whether a line begins with ">", after at most three blanks, which some programs add.
func isQuoted(line string) bool {
	t := strings.TrimLeft(line, " \t")
	return strings.HasPrefix(t, ">") && len(line)-len(t) <= 3
}

// markTexts are Mark and oldMark in lower case and without "===", which some programs turn into bold text.
var markTexts = [...]string{strings.ToLower(strings.Trim(Mark, "= ")), strings.ToLower(strings.Trim(oldMark, "= "))}

// isMark reports whether line i is a Mark, possibly folded over two lines.
func isMark(lines []string, i int) bool {
	if !containsFold(lines[i], "samizdat") && !containsFold(lines[i], "write") {
		return false // The first line of a folded mark has one of these words.
	}
	hasMark := func(s string) bool {
		s = foldSpaceAndCase(s)
		return strings.Contains(s, markTexts[0]) || strings.Contains(s, markTexts[1])
	}
	if i+1 == len(lines) || isQuoted(lines[i+1]) {
		return hasMark(lines[i])
	}
	// If the next line has the whole Mark, line i is text.
	return hasMark(lines[i]+" "+lines[i+1]) && (hasMark(lines[i]) || !hasMark(lines[i+1]))
}

// containsFold reports whether s contains word (lower-case ASCII letters) in any case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// hiddenPreviewPrefix are the first characters of the hidden preview text in our HTML, above Mark. Some programs copy it into
// a reply.
const hiddenPreviewPrefix = "\u034f\u034f"

func foldSpaceAndCase(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// isSignature reports whether a line begins a signature. Such lines are "-- " (many programs trim the space), the long
// underlines of Outlook and mailing lists, and the start of a PGP signature.
func isSignature(line string) bool {
	if strings.HasPrefix(line, "--") && strings.TrimRight(line, " \t") == "--" {
		return true
	}
	t := strings.TrimSpace(line)
	return len(t) >= 20 && strings.Trim(t, "_") == "" || strings.HasPrefix(line, armorPrefix) && armorSignaturePattern.MatchString(line)
}

var (
	armorPattern          = lazyregexp.New(`^-----BEGIN PGP SIGNED MESSAGE-----\s*$`)
	armorFieldPattern     = lazyregexp.New(`^(Hash|NotDashEscaped|Charset|Comment|Version):|^\s*$`)
	encryptedPattern      = lazyregexp.New(`^-----BEGIN PGP MESSAGE-----\s*$`)
	encryptedEndPattern   = lazyregexp.New(`^-----END PGP MESSAGE-----\s*$`)
	armorSignaturePattern = lazyregexp.New(`^-----BEGIN PGP (SIGNATURE|PUBLIC KEY BLOCK)-----\s*$`)
)

// armorPrefix is the start of every PGP armor line except the header fields.
const armorPrefix = "-----"

// removeArmor removes PGP armor (RFC 4880) around clear-signed text, and encrypted blocks.
func removeArmor(lines []string) []string {
	isSigned := false
	out := lines[:0:0]
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		isArmor := strings.HasPrefix(line, armorPrefix)
		switch {
		case isArmor && armorPattern.MatchString(line):
			isSigned = true
			for i+1 < len(lines) && armorFieldPattern.MatchString(lines[i+1]) {
				i++
			}
			out = append(out, "")
		case isArmor && encryptedPattern.MatchString(line):
			for i+1 < len(lines) && !encryptedEndPattern.MatchString(lines[i]) {
				i++
			}
			out = append(out, "")
		case isArmor && isSigned && armorSignaturePattern.MatchString(line):
			isSigned = false
			out = append(out, line)
		case isSigned:
			out = append(out, strings.TrimPrefix(line, "- ")) // RFC 4880, section 7.1
		default:
			out = append(out, line)
		}
	}
	return out
}

// quoteMarks says which quote marks a letter uses in addition to ">". These are accepted only after an attribution,
// because a person may begin a line with a bar.
type quoteMarks struct{ bar, initials bool }

var (
	// The Bat! and Supercite write the writer's initials before the mark: "AB> text".
	initialsPattern = lazyregexp.New(`^[ \t]{0,5}\pL{1,6}>`)
	barPattern      = lazyregexp.New(`^[ \t]{0,3}\|`)
)

func (q quoteMarks) isQuoted(line string) bool {
	return isQuoted(line) || q.bar && barPattern.MatchString(line) || q.initials && initialsPattern.MatchString(line)
}

// learnInitials accepts initials as quote marks if the first text from line i begins with them. The line above i is a
// quoted line that ends with a colon: Supercite quotes its attribution too.
func (q *quoteMarks) learnInitials(lines []string, i int) {
	q.initials = q.initials || initialsPattern.MatchString(firstNonBlank(lines, i))
}

func firstNonBlank(lines []string, i int) string {
	for ; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) != "" {
			return lines[i]
		}
	}
	return ""
}

// findQuoteBelow reports whether the text below an attribution begins with a quote mark, or is empty, and records the
// kind of the mark.
func (q *quoteMarks) findQuoteBelow(lines []string, i int) bool {
	for ; i < len(lines); i++ {
		line := lines[i]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if i > 0 && strings.HasPrefix(lines[i-1], "|-") {
			return false // Lotus Notes draws the header fields as a table.
		}
		q.bar = q.bar || barPattern.MatchString(line)
		q.initials = q.initials || initialsPattern.MatchString(line)
		return q.isQuoted(line)
	}
	return true
}

// isWrappedEnd reports whether line i looks like the end of the quoted line above, wrapped without a quote mark, with
// another quoted line below. Such a line may be an example of ours and must not be read as an order. A person who
// answers inside a quote leaves a blank line, or writes below a short line.
func isWrappedEnd(lines []string, i int) bool {
	line := strings.TrimRight(lines[i], " \t")
	if line == "" || isQuoted(line) || strings.HasPrefix(line, " ") || i+1 >= len(lines) || !isQuoted(lines[i+1]) {
		return false
	}
	// Most programs wrap at column 72 or later: the first word of line i did not fit there.
	first, _, _ := strings.Cut(line, " ")
	above := len([]rune(strings.TrimRight(lines[i-1], " \t")))
	return above >= 60 && above+1+len([]rune(first)) > 72
}

// mayBeWrappedEnd reports whether line i may be the wrapped end of the line above: its first word did not fit there
// into minBreakColumn columns.
func mayBeWrappedEnd(lines []string, i int) bool {
	line := strings.TrimSpace(lines[i])
	first, _, _ := strings.Cut(line, " ")
	return line != "" && !isQuoted(lines[i]) && len([]rune(strings.TrimRight(lines[i-1], " \t")))+1+len([]rune(first)) > minBreakColumn
}

// minBreakColumn is the smallest column at which mail programs wrap lines.
const minBreakColumn = 56

// joinLines joins lines and collapses blank lines.
func joinLines(lines []string) string {
	var b strings.Builder
	isBlank := true
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			if !isBlank {
				b.WriteByte('\n')
			}
			isBlank = true
			continue
		}
		b.WriteString(l + "\n")
		isBlank = false
	}
	if s := strings.TrimRight(b.String(), "\n"); s != "" {
		return s + "\n"
	}
	return ""
}
