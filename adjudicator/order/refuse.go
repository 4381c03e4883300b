package order

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

// refuse returns an error about words[from:to]. format and a make the predicate of its sentence, e.g. "is not a count".
func (l *lineParser) refuse(from, to int, format string, a ...any) error {
	return &UnclearError{Text: l.text, Part: l.sourceText(from, to), problem: fmt.Sprintf(format, a...)}
}

func (l *lineParser) refuseVerb() error {
	if len(l.words) == 0 {
		return &UnclearError{Text: l.text, problem: "the line is empty"}
	}
	typed := l.words[0].text
	u := &UnclearError{Text: l.text, Part: l.sourceText(0, 1), problem: l.vocabulary.noVerbText}
	for _, v := range l.vocabulary.verbs {
		if len(typed) > 3 && editDistance(typed, strings.ToLower(v), 1) == 1 {
			u.Candidates = append(u.Candidates, v)
		}
	}
	return u
}

func (l *lineParser) refuseMissing(k keyword) error {
	missing := "a number"
	if !k.TakesNumber {
		missing = kindPhrase(k.NameKinds)
	}
	if l.isAtEnd() {
		return &UnclearError{Text: l.text, problem: fmt.Sprintf("write %[2]s after %[1]s", k.Word, missing)}
	}
	return l.refuse(l.position, l.position+1, "is in the wrong place: %s needs %s there", k.Word, missing)
}

func (l *lineParser) refuseName(k keyword) error {
	if l.remaining()[0].text == "or" {
		return l.refuse(l.position, len(l.words), "leaves a choice that only you can make; write one of the two")
	}
	n := l.nameExtent()
	u := &UnclearError{Text: l.text, Part: l.sourceText(l.position, l.position+n),
		problem: fmt.Sprintf("is not %s", kindPhrase(k.NameKinds))}
	similar := l.vocabulary.names.suggest(k.NameKinds, l.remaining()[:n])
	u.Candidates, u.hint = similar.names, similar.hint
	if verb, ok := l.vocabulary.keywords.longestVerb(l.words); len(u.Candidates) == 0 && u.hint == "" && ok && verb.Word == k.Word {
		u.hint = "write the name as your letter does" // Directly after the verb only a name is possible.
	} else if len(u.Candidates) == 0 && u.hint == "" {
		isStandalone := func(k rules.Keyword) bool { return !k.IsVerb && len(k.NameKinds) == 0 && !k.TakesNumber }
		u.hint = "besides names you can write " + orList(l.vocabulary.keywordWords(isStandalone))
	}
	return u
}

func (l *lineParser) refuseAmbiguous(k keyword, n int, names []rules.Name) error {
	return &UnclearError{Text: l.text, Part: l.sourceText(l.position, l.position+n), Ambiguous: true,
		problem: "can be more than one name after " + k.Word, Candidates: numberedNames(names)}
}

func (l *lineParser) refuseNumber(k keyword) error {
	before := ""
	for n := min(l.position, l.vocabulary.names.maxWords); n > 0 && before == ""; n-- {
		if names, quality := l.vocabulary.names.find(k.NameKinds, l.words[l.position-n:l.position]); quality != matchNone && len(names) == 1 {
			before = names[0].Text
		}
	}
	if before == "" {
		return l.refuse(l.position, l.position+1, "is a number, but %s takes names without numbers", k.Word)
	}
	return l.refuse(l.position, l.position+1, "is a number, but %s takes none; to name %s twice, write %s %s, %s",
		k.Word, before, k.Word, before, before)
}

func (l *lineParser) refuseRest(c rules.Clause) error {
	after := c.Word
	if len(c.Items) > 0 {
		after += " " + numberedName(c.Items[len(c.Items)-1].Name)
	}
	u := &UnclearError{Text: l.text, Part: l.sourceText(l.position, len(l.words)), problem: "is not understood after " + after,
		hint: "leave it out, or give it a line of its own"}
	if k := l.vocabulary.keywords.lookUp(c.Word); k.CountKeyword != "" && len(c.Items) == 0 {
		u.hint = "write what " + c.Word + " is for"
	}
	if l.remaining()[0].text == "or" {
		u.hint = "it leaves a choice that only you can make; write one of the two"
	}
	if len(c.Items) > 0 {
		lastName := c.Items[len(c.Items)-1].Name
		n, names, quality := l.parseName([]rules.NameKind{lastName.Kind}, false)
		if n > 0 && quality >= matchWords && len(names) == 1 && lastName.Number != 0 {
			u.Part = l.sourceText(l.position-1, l.position+n)
			if names[0].Kind == lastName.Kind && names[0].Code == lastName.Code {
				u.problem, u.hint = "names the same thing twice", "write it once"
				return u
			}
			u.problem, u.Ambiguous, u.Candidates = "names two different things", true, []string{numberedName(lastName), numberedName(names[0])}
		}
	}
	return u
}

// nameExtent returns how many words, from the current word on, may belong to a single name. A comma, a keyword, AND or a
// last word that is a number does not belong to it.
func (l *lineParser) nameExtent() int {
	n := 1
	for n < min(len(l.remaining()), l.vocabulary.names.maxWords+1) && l.canAbbreviate(n+1) && l.remaining()[n].text != "and" {
		n++
	}
	if n > 1 && l.remaining()[n-1].number >= 0 {
		n--
	}
	return n
}

type suggestion struct {
	names []string
	hint  string
}

// suggest returns names similar to the words ws. If no name is similar, it returns a hint: the kind of the thing that ws
// names, the range of numbers, or the names with the same first letter.
func (x *nameIndex) suggest(kinds []rules.NameKind, ws []word) suggestion {
	key := strings.Join(texts(ws), " ")
	for _, k := range kinds {
		key += "," + string(k)
	}
	return x.suggestionCache.get(key, func() suggestion {
		words := slices.DeleteFunc(slices.Clone(ws), func(w word) bool { return w.number >= 0 }) // e.g. the 2 of "2->Krakow"
		for n := len(words); n > 0; n-- {
			if len(strings.Join(texts(words[:n]), " ")) < 5 && n < len(words) {
				continue // "some time off" is not a misspelt Home.
			}
			if names, _ := x.findSimilar(kinds, words[:n]); len(names) > 0 {
				return suggestion{names: numberedNames(names)}
			}
		}
		return suggestion{hint: x.describeCandidates(kinds, ws[0])}
	})
}

func (x *nameIndex) describeCandidates(kinds []rules.NameKind, w word) string {
	if x.isOtherKindName(kinds, []word{w}) {
		return "it is " + withArticle(x.kindsByText[w.text][0])
	}
	var sameLetterNames []string
	highest := 0
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			highest = max(highest, e.name.Number)
			if !e.name.NoAbbreviation && e.texts[0][0][0] == w.text[0] {
				sameLetterNames = append(sameLetterNames, numberedName(e.name))
			}
		}
	}
	switch {
	case isDigitByte(w.text[0]) && highest > 0:
		return fmt.Sprintf("the numbers go from 1 to %d", highest)
	case len(sameLetterNames) == 0:
		return ""
	}
	return fmt.Sprintf("names that begin with %s: %s", strings.ToUpper(w.text[:1]), andList(sameLetterNames))
}

func numberedName(n rules.Name) string {
	if n.Number != 0 {
		return fmt.Sprintf("%d %s", n.Number, n.Text)
	}
	return n.Text
}

func numberedNames(list []rules.Name) (out []string) {
	for _, n := range list {
		out = append(out, numberedName(n))
	}
	return out
}

// kindPhrase joins kinds of names, e.g. "a space or a card".
func kindPhrase(list []rules.NameKind) string {
	var out []string
	for _, k := range list {
		out = append(out, withArticle(k))
	}
	return orList(out)
}

func withArticle(k rules.NameKind) string {
	if strings.ContainsRune("aeiou", rune((k + " ")[0])) {
		return "an " + string(k)
	}
	return "a " + string(k)
}

// UnclearError is the error for a line that was not understood. Its text is for the writer of the line. For example: "Krakov" is not a
// space; did you mean Krakow?
type UnclearError struct {
	Text string
	// Part is the part of Text that was not understood; empty if something is missing.
	Part string
	// problem continues a sentence that begins with Part, e.g. "is not a space". If Part is empty, problem is the whole
	// sentence.
	problem string
	// Candidates are names or orders that the writer may mean.
	Candidates []string
	// Ambiguous is set if each candidate is a possible meaning of Part. Otherwise the candidates only have a similar
	// spelling.
	Ambiguous bool
	// hint says what the writer can write, if there are no candidates.
	hint  string
	cause error
}

func (u *UnclearError) Unwrap() error { return u.cause }

func (u *UnclearError) Error() string {
	var b strings.Builder
	if u.Part != "" {
		fmt.Fprintf(&b, "%q ", u.Part)
	}
	b.WriteString(u.problem)
	if len(u.Candidates) == 0 {
		if u.hint != "" {
			b.WriteString("; " + u.hint)
		}
		return b.String()
	}
	if u.Ambiguous {
		b.WriteString(": " + orList(u.Candidates))
	} else {
		b.WriteString("; did you mean " + orList(u.Candidates) + "?")
	}
	return b.String()
}

const maxListed = 8

func orList(list []string) string { return joinList(list, "or") }

func andList(list []string) string { return joinList(list, "and") }

func joinList(list []string, word string) string {
	tail := ""
	if len(list) > maxListed {
		tail = fmt.Sprintf(" %s %d others", word, len(list)-maxListed)
		list = list[:maxListed]
	}
	switch {
	case len(list) < 2 || tail != "":
		return strings.Join(list, ", ") + tail
	default:
		return strings.Join(list[:len(list)-1], ", ") + " " + word + " " + list[len(list)-1]
	}
}
