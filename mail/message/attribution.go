package message

import (
	"slices"
	"strings"
	"unicode/utf8"

	"samizdat/internal/lazyregexp"
)

// Referee holds the addresses and display names of the referee. The attribution in a reply contains an address or a name
// of the referee.
type Referee struct{ Addresses, Names []string }

// normalized returns r for comparison: lower case, and addresses without "+token".
func (r Referee) normalized() (out Referee) {
	for _, a := range r.Addresses {
		if local, domain, ok := SplitAddress(a); ok {
			local, _, _ = strings.Cut(local, "+")
			out.Addresses = append(out.Addresses, local+"@"+domain)
		}
	}
	for _, n := range r.Names {
		if n = foldSpaceAndCase(n); n != "" {
			out.Names = append(out.Names, n)
		}
	}
	return out
}

func (r Referee) isNamedIn(line string) bool { return r.hasAddressIn(line) || r.nameIndex(line) >= 0 }

// hasAddressIn reports whether a line contains an address of the referee, with or without a token, e.g.
// "judge+m1-0-7-abc@club.example".
func (r Referee) hasAddressIn(line string) bool {
	if !strings.Contains(line, "@") {
		return false
	}
	line = strings.ToLower(line)
	return slices.ContainsFunc(r.Addresses, func(a string) bool { return addressAt(line, a) >= 0 })
}

// addressAt returns the offset of an address in a lower-case line, with or without a token, or -1.
func addressAt(line, address string) int {
	name, domain, _ := strings.Cut(address, "@")
	for from := 0; ; {
		at := strings.Index(line[from:], "@"+domain)
		if at < 0 {
			return -1
		}
		at += from
		from = at + 1 + len(domain)
		local := line[:at]
		local = local[strings.LastIndexAny(local, " \t<>()[]\"':;,")+1:]
		if plain, _, _ := strings.Cut(local, "+"); plain == name &&
			(from == len(line) || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-", rune(line[from]))) {
			return at - len(local)
		}
	}
}

// nameIndex returns the offset of a name of the referee in a line, as whole words, or -1.
func (r Referee) nameIndex(line string) int {
	if len(line) > 1000 {
		return -1
	}
	lower := strings.ToLower(line)
	for _, n := range r.Names {
		if at := strings.Index(lower, n); at >= 0 && len(lower) == len(line) && !isLetterBefore(lower, at) && !isLetterAt(lower, at+len(n)) {
			return at
		}
	}
	return -1
}

func isLetterBefore(s string, at int) bool { return at > 0 && isASCIILetter(s[at-1]) }

func isLetterAt(s string, at int) bool { return at < len(s) && isASCIILetter(s[at]) }

func isASCIILetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// attribution is the text that mail programs put above a quoted letter, in any language, e.g. "On Sat, 21 Nov 2026 at
// 10:02, Samizdat <judge@club.example> wrote:". Below it is a copy of our letter, which is not read.
type attribution struct {
	// lines is the number of lines. precedingText is text of the player before the attribution in its first line,
	// if a program dropped the line break.
	lines         int
	precedingText string
}

const maxAttributionLines = 4

// findAttributions finds the attributions of a letter: directly above Mark, directly above the first quoted line,
// at the end of the letter, and complete attributions anywhere.
func (l *letterLines) findAttributions() {
	l.attributions = map[int]attribution{}
	markLine, quoteLine, unusualQuoteLine, end := -1, -1, -1, len(l.lines)
	for end > 0 && strings.TrimSpace(l.lines[end-1]) == "" {
		end--
	}
	for i, line := range l.lines {
		switch {
		case quoteLine < 0 && isQuoted(line):
			quoteLine = i
		case unusualQuoteLine < 0 && quoteLine < 0 && i > 0 && (quoteMarks{bar: true, initials: true}).isQuoted(line) && l.followsColon(i):
			unusualQuoteLine = i
		case isMark(l.lines, i), strings.HasPrefix(strings.TrimSpace(line), hiddenPreviewPrefix):
			markLine = i
		}
		if markLine >= 0 {
			break
		}
		if l.mayEndAttribution(i) {
			l.findAttributionAbove(i+1, anywhere)
		}
	}
	for _, at := range []int{unusualQuoteLine, quoteLine, markLine} {
		if at > 0 {
			l.findAttributionAbove(at, aboveQuote)
		}
	}
	if markLine < 0 && quoteLine < 0 {
		l.findAttributionAbove(end, atLetterEnd)
	}
}

// followsColon reports whether the text above line i ends with a colon. Then a bar, or initials and ">", start a
// quote.
func (l *letterLines) followsColon(i int) bool {
	for i--; i > 0 && strings.TrimSpace(l.lines[i]) == ""; i-- {
	}
	return l.propertiesOf(i).endsWithColon
}

// mayEndAttribution reports whether line i may end a complete attribution: with a colon or dashes.
func (l *letterLines) mayEndAttribution(i int) bool {
	return l.propertiesOf(i).endsWithColon || strings.HasSuffix(strings.TrimRight(l.lines[i], " \t"), "---")
}

// attributionPlace is the place of an attribution. It decides what the attribution must contain.
type attributionPlace int

const (
	// anywhere: the attribution must name the referee, contain a date, and end with a colon or dashes.
	anywhere attributionPlace = iota
	// atLetterEnd: it must contain (1) an address of the referee, and a date or an end mark (colon or dashes), or (2) the
	// name of the referee, a date and an end mark.
	atLetterEnd
	// aboveQuote (directly above Mark or a quote): it must contain (1) an address of the referee, (2) the name of the
	// referee, and a date or an end mark, or (3) a time, a date and an end mark.
	aboveQuote
)

// findAttributionAbove finds an attribution of at most maxAttributionLines lines that ends above line i.
func (l *letterLines) findAttributionAbove(i int, place attributionPlace) {
	end := i
	for end > 0 && place == aboveQuote && strings.TrimSpace(l.lines[end-1]) == "" {
		end--
	}
	top := end
	for top > 0 && end-top < maxAttributionLines && strings.TrimSpace(l.lines[top-1]) != "" && !isQuoted(l.lines[top-1]) &&
		!isSignature(l.lines[top-1]) {
		top--
	}
	if top == end || l.attributions[end-1].lines > 0 || place == anywhere && !l.namesReferee(top, end) {
		return
	}
	if place == aboveQuote && l.findFieldsAbove(top, end) {
		return
	}
	lines := l.lines[top:end]
	from, ok := l.attributionStart(lines, place)
	if !ok {
		return
	}
	found := attribution{lines: i - top - from, precedingText: l.referee.textBefore(lines[from])}
	if first := top + from; found.precedingText == "" && first > 0 && isDivider(l.lines[first-1]) {
		l.attributions[first-1] = attribution{lines: found.lines + 1}
	} else {
		l.attributions[first] = found
	}
}

func (l *letterLines) namesReferee(from, to int) bool {
	for i := from; i < to; i++ {
		if l.propertiesOf(i).namesReferee {
			return true
		}
	}
	return false
}

// findFieldsAbove finds a divider, or a block of header fields with a date, directly above a copy.
func (l *letterLines) findFieldsAbove(top, end int) bool {
	if isDivider(l.lines[end-1]) {
		l.attributions[end-1] = attribution{lines: 1}
		return true
	}
	first := end
	for first > 0 && end-first < 15 && (l.propertiesOf(first-1).isHeaderField || strings.HasPrefix(l.lines[first-1], " ") &&
		strings.TrimSpace(l.lines[first-1]) != "") {
		first--
	}
	for ; end-first >= 3; first++ {
		if n := l.countHeaderFields(first, 3); n >= end-first && hasTimeOrDate(strings.Join(l.lines[first:end], " ")) &&
			(hasTimeOrDate(l.lines[first]) || l.referee.isNamedIn(l.lines[first]) || first == 0 || !l.propertiesOf(first-1).isHeaderField) {
			l.attributions[first] = attribution{lines: end - first}
			return true
		}
	}
	return false
}

// attributionStart returns the index in lines of the first line of an attribution that ends with the last of lines.
func (l *letterLines) attributionStart(lines []string, place attributionPlace) (from int, ok bool) {
	hasEndMark := endsWithColon(lines[len(lines)-1]) || strings.HasSuffix(strings.TrimSpace(lines[len(lines)-1]), "---")
	nameLine, dateLine := -1, -1
	for k := len(lines) - 1; k >= 0; k-- {
		text := strings.Join(lines[k:], " ")
		if nameLine < 0 && (l.referee.hasAddressIn(lines[k]) || len(lines)-k <= 2 && l.referee.nameIndex(text) >= 0) &&
			l.looksLikeAttribution(text, place, hasEndMark) {
			nameLine = k
		}
		if dateLine < 0 && hasEndMark && hasTimeAndDate(text) && l.countCostlyCheck(1) {
			dateLine = k
		}
	}
	from = nameLine
	if place == aboveQuote {
		from = max(nameLine, dateLine)
	}
	if from < 0 {
		return 0, false
	}
	for from > 0 && l.belongsToAttribution(lines, from) {
		from--
	}
	return from, true
}

// looksLikeAttribution reports whether text with a name or address of the referee is an attribution at a place.
// hasEndMark says that the text ends with a colon or dashes.
func (l *letterLines) looksLikeAttribution(text string, place attributionPlace, hasEndMark bool) bool {
	hasAddress, hasDate := l.referee.hasAddressIn(text), hasTimeOrDate(text)
	switch {
	case place == aboveQuote && hasAddress && !startsWithCapitals(text): // "ADDRESS judge@club.example" is an order.
		return true
	case place == atLetterEnd && hasAddress:
		return hasEndMark || hasDate
	case place == aboveQuote:
		return hasEndMark || hasDate
	}
	// "Samizdat, my orders of 21.11.2026:" is not an attribution.
	n := l.referee.nameIndex(text)
	return hasEndMark && hasDate && (hasAddress || n > 0 && hasTimeOrDate(text[:n]) || hasTimeAndDate(text))
}

// belongsToAttribution reports whether the line above lines[from:] belongs to the same attribution: a line without
// letters or digits, or with the date or name that lines[from:] lack. A line that begins with a word in capitals is an
// order, unless an attribution begins inside the line.
func (l *letterLines) belongsToAttribution(lines []string, from int) bool {
	above, below := lines[from-1], l.referee.withoutName(strings.Join(lines[from:], " "))
	switch {
	case !wordPattern.MatchString(above):
		return true
	case startsWithCapitals(above) && l.referee.textBefore(above) == "":
		return false
	case !hasTimeAndDate(below) && hasTimeOrDate(above):
		return true
	}
	name := l.referee.nameIndex(above)
	return name >= 0 && l.referee.nameIndex(strings.Join(lines[from:], " ")) < 0 && len(strings.Fields(above)) <= 4 &&
		(!strings.ContainsAny(above, "0123456789") || !strings.ContainsAny(l.referee.withoutName(above[name:]), "0123456789") && name > 0)
}

// withoutName removes the referee's name, which may contain a year, from a text.
func (r Referee) withoutName(text string) string {
	at := r.nameIndex(text)
	if at < 0 {
		return text
	}
	lower := strings.ToLower(text[at:])
	i := slices.IndexFunc(r.Names, func(n string) bool { return strings.HasPrefix(lower, n) })
	return text[:at] + text[at+len(r.Names[i]):]
}

func startsWithCapitals(line string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	return len(first) > 3 && isASCIILetter(first[0]) && strings.ToUpper(first) == first
}

// attributionDatePattern matches the date or time in an attribution: "21 Nov 2026", "Nov 21, 2026", "21.11.2026",
// "10:02".
var attributionDatePattern = lazyregexp.New(`(?i)\d{1,2}\.?\s+(?:de\s+)?[^\s\d]+\s+(?:de\s+)?(?:19|20)\d\d(?:[^-./年\d]|$)|\pL+\.?\s+\d{1,2},?\s+(?:19|20)\d\d(?:[^-./年\d]|$)` +
	`|\d{1,4}\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d{2,4}|\b(?:19|20)\d\d|\d{1,2}[:：.]\d\d`)

// dateLeadWords are the first words of attributions in several languages: "On Sat, 21 Nov", "Am 21.11.". If a program
// dropped the line break before an attribution, textBefore splits the line at these words.
var dateLeadWords = wordSet("on", "am", "le", "el", "il", "op", "em", "den", "dne", "dňa", "dana", "dnia", "dniu", "på", "pe", "в", "у",
	"на", "στις", "pada", "在")

// maxLeadDistance is the maximum number of words from a lead word to the date: "On Saturday the 21st of".
const maxLeadDistance = 5

// textBefore returns the text before an attribution in its first line, where a program dropped the line break:
// "PLACE Lodz 2, Gdansk" of "PLACE Lodz 2, Gdansk On Sat, 21 Nov 2026 at 10:02, Samizdat <judge@club.example>
// wrote:".
func (r Referee) textBefore(line string) string {
	lower := strings.ToLower(line)
	if len(lower) != len(line) || len(line) > 1000 {
		return ""
	}
	at := len(line)
	if m := attributionDatePattern.FindStringIndex(line); m != nil {
		at = m[0]
	}
	date := at
	if n := r.nameIndex(line); n >= 0 {
		at = min(at, n)
	}
	for _, a := range r.Addresses {
		if n := addressAt(lower, a); n >= 0 {
			at = min(at, n)
		}
	}
	words := strings.Fields(line[:at])
	if at == len(line) || len(words) == 0 || dateLeadWords[strings.ToLower(words[0])] {
		return ""
	}
	for n := 1; n <= min(maxLeadDistance, len(words)-1); n++ {
		if lead := len(words) - n; dateLeadWords[strings.ToLower(words[lead])] {
			if words[lead-1] == "W" || words[lead-1] == "w" {
				lead-- // "W dniu"
			}
			return joinWithoutMarks(words[:lead])
		}
	}
	for n := len(words); n > 0 && n > len(words)-2 && strings.HasSuffix(words[n-1], ","); n-- {
		words = words[:n-1] // "sob., 21 lis 2026"
	}
	if head := joinWithoutMarks(words); mayBeOrder(head, at == date) {
		return head
	}
	return "" // "Saturday", "Quoting", "Wiadomość napisana przez"
}

// joinWithoutMarks joins words and trims, at the end, punctuation that belongs to the attribution after them.
func joinWithoutMarks(words []string) string {
	return strings.TrimRight(strings.Join(words, " "), " \"'<([*_-|,")
}

// mayBeOrder reports whether the text before an attribution may be an order: it contains a word in capitals, or a
// number before a word, or two long words. If the attribution begins with a name and not with a date, the long words
// must come with a number.
func mayBeOrder(head string, beforeDate bool) bool {
	words := strings.Fields(head)
	longWords := 0
	for _, w := range words {
		w = strings.Trim(w, ".,،:;!")
		if utf8.RuneCountInString(w) < 4 || strings.ContainsFunc(w, func(r rune) bool { return r < 'A' }) {
			continue
		}
		if longWords++; strings.ToUpper(w) == w && isASCIILetter(w[0]) {
			return true
		}
	}
	return longWords > 1 && (beforeDate || strings.ContainsAny(head, "0123456789")) || len(words) > 1 && head[0] >= '0' && head[0] <= '9'
}
