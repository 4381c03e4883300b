package order

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/rules"
)

// problem refuses the words from..to.
func (r *reading) problem(from, to int, format string, a ...any) error {
	return &Unclear{Text: r.text, Part: r.written(from, to), problem: fmt.Sprintf(format, a...)}
}

func (r *reading) noVerb() error {
	if len(r.words) == 0 {
		return &Unclear{Text: r.text, problem: "an empty line is no order"}
	}
	typed := r.words[0].text
	u := &Unclear{Text: r.text, Part: r.written(0, 1), problem: r.vocabulary.noVerb}
	for _, v := range r.vocabulary.verbs {
		if len(typed) > 3 && distance(typed, strings.ToLower(v), 1) == 1 {
			u.Candidates = append(u.Candidates, v)
		}
	}
	return u
}

// missing refuses a line that lacks the names or the number which the keyword takes.
func (r *reading) missing(k keyword) error {
	what := "a number"
	if !k.Number {
		what = kinds(k.Takes)
	}
	if r.done() {
		return &Unclear{Text: r.text, problem: fmt.Sprintf("write %[2]s after %[1]s", k.Word, what)}
	}
	return r.problem(r.at, r.at+1, "is in the wrong place: %s needs %s there", k.Word, what)
}

// unknown refuses the name that begins here.
func (r *reading) unknown(k keyword) error {
	if r.rest()[0].text == "or" {
		return r.problem(r.at, len(r.words), "leaves a choice that only you can make; write one of the two")
	}
	n := r.extent()
	u := &Unclear{Text: r.text, Part: r.written(r.at, r.at+n),
		problem: fmt.Sprintf("is not %s", kinds(k.Takes))}
	near := r.vocabulary.names.suggest(k.Takes, r.rest()[:n])
	u.Candidates, u.hint = near.names, near.hint
	if verb, ok := r.vocabulary.keywords.verb(r.words); len(u.Candidates) == 0 && u.hint == "" && ok && verb.Word == k.Word {
		u.hint = "write the name as your letter does" // No other keyword may stand first behind the line's own.
	} else if len(u.Candidates) == 0 && u.hint == "" {
		alone := func(k rules.Keyword) bool { return !k.Verb && len(k.Takes) == 0 && !k.Number }
		u.hint = "besides names you can write " + either(r.vocabulary.words(alone))
	}
	return u
}

func (r *reading) ambiguous(k keyword, n int, names []rules.Name) error {
	return &Unclear{Text: r.text, Part: r.written(r.at, r.at+n), Ambiguous: true,
		problem: "can be more than one name after " + k.Word, Candidates: labels(names)}
}

// strayNumber refuses a number behind a name that takes none.
func (r *reading) strayNumber(k keyword) error {
	before := ""
	for n := min(r.at, r.vocabulary.names.longest); n > 0 && before == ""; n-- {
		if names, q := r.vocabulary.names.find(k.Takes, r.words[r.at-n:r.at]); q != matchNone && len(names) == 1 {
			before = names[0].Text
		}
	}
	if before == "" {
		return r.problem(r.at, r.at+1, "follows a name where %s takes no number", k.Word)
	}
	return r.problem(r.at, r.at+1, "is a number, and %s takes none; to say it twice, repeat the name: %s %s, %s",
		k.Word, k.Word, before, before)
}

// leftOver refuses words that do not belong to the clause before them.
func (r *reading) leftOver(c rules.Clause) error {
	after := c.Word
	if len(c.Items) > 0 {
		after += " " + label(c.Items[len(c.Items)-1].Name)
	}
	u := &Unclear{Text: r.text, Part: r.written(r.at, len(r.words)), problem: "is not understood after " + after,
		hint: "leave it out, or give it a line of its own"}
	if k := r.vocabulary.keywords.named(c.Word); k.CountKeyword != "" && len(c.Items) == 0 {
		u.hint = "write after it what it is for"
	}
	if r.rest()[0].text == "or" {
		u.hint = "it leaves a choice that only you can make; write one of the two"
	}
	if len(c.Items) > 0 {
		it := c.Items[len(c.Items)-1].Name
		n, names, q := r.name([]rules.NameKind{it.Kind}, false)
		if n > 0 && q >= matchWords && len(names) == 1 && it.Number != 0 {
			u.Part = r.written(r.at-1, r.at+n)
			if names[0].Kind == it.Kind && names[0].Code == it.Code {
				u.problem, u.hint = "names the same thing twice", "write it once"
				return u
			}
			u.problem, u.Ambiguous, u.Candidates = "names two different things", true, []string{label(it), label(names[0])}
		}
	}
	return u
}

// extent is the number of words here that may belong to one name: up to the next comma or keyword, and no more than the longest name
// has.
func (r *reading) extent() int {
	n := 1
	for n < min(len(r.rest()), r.vocabulary.names.longest+1) && r.unbroken(n+1) && r.rest()[n].text != "and" {
		n++
	}
	if n > 1 && r.rest()[n-1].number >= 0 {
		n--
	}
	return n
}

// suggestion replaces words that name nothing: similar names, or else a hint.
type suggestion struct {
	names []string
	hint  string
}

// suggest returns names near to the words at the beginning of a line, or else a hint: the numbers of things, or the names with the same
// first letter.
func (x *index) suggest(kinds []rules.NameKind, ws []word) suggestion {
	key := strings.Join(texts(ws), " ")
	for _, k := range kinds {
		key += "," + string(k)
	}
	return x.suggested.get(key, func() suggestion {
		words := slices.DeleteFunc(slices.Clone(ws), func(w word) bool { return w.number >= 0 }) // "2->Krakow"
		for n := len(words); n > 0; n-- {
			if len(strings.Join(texts(words[:n]), " ")) < 5 && n < len(words) {
				continue // "some time off" is not a misspelt Home.
			}
			if names, _ := x.like(kinds, words[:n]); len(names) > 0 {
				return suggestion{names: labels(names)}
			}
		}
		return suggestion{hint: x.hint(kinds, ws[0])}
	})
}

// hint describes the possible names for a word that is near to none.
func (x *index) hint(kinds []rules.NameKind, w word) string {
	if x.other(kinds, []word{w}) {
		return "it is " + article(x.kindsOf[w.text][0])
	}
	var begun []string
	most := 0
	for _, k := range kinds {
		for _, e := range x.byKind[k] {
			most = max(most, e.name.Number)
			if !e.name.NoAbbreviation && e.texts[0][0][0] == w.text[0] {
				begun = append(begun, label(e.name))
			}
		}
	}
	switch {
	case digit(w.text[0]) && most > 0:
		return fmt.Sprintf("the numbers go from 1 to %d", most)
	case len(begun) == 0:
		return ""
	}
	return fmt.Sprintf("with %s begin %s", strings.ToUpper(w.text[:1]), and(begun))
}

// label writes a name and its number.
func label(n rules.Name) string {
	if n.Number != 0 {
		return fmt.Sprintf("%d %s", n.Number, n.Text)
	}
	return n.Text
}

func labels(list []rules.Name) (out []string) {
	for _, n := range list {
		out = append(out, label(n))
	}
	return out
}

// kinds writes kinds of names as "a space or a card".
func kinds(list []rules.NameKind) string {
	var out []string
	for _, k := range list {
		out = append(out, article(k))
	}
	return either(out)
}

// article writes "a card" or "an option".
func article(k rules.NameKind) string {
	if strings.ContainsRune("aeiou", rune((k + " ")[0])) {
		return "an " + string(k)
	}
	return "a " + string(k)
}

// Unclear refuses a line that is not understood. Its message is for the writer of the line.
type Unclear struct {
	Text string
	// Part is the text that was not understood; empty if a part is missing.
	Part string
	// problem is the predicate of the message: a phrase behind Part.
	problem string
	// Candidates are the possible meanings.
	Candidates []string
	// Ambiguous: each candidate fits; otherwise the candidates are only similar.
	Ambiguous bool
	// hint lists possible names, if none is similar.
	hint  string
	cause error
}

// Unwrap returns the sentinel error of the problem, or nil.
func (u *Unclear) Unwrap() error { return u.cause }

// Error is the sentence for the writer of the line.
func (u *Unclear) Error() string {
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
		b.WriteString(": " + either(u.Candidates))
	} else {
		b.WriteString("; did you mean " + either(u.Candidates) + "?")
	}
	return b.String()
}

// mostNamed bounds the candidates in a message.
const mostNamed = 8

// either writes "a, b or c".
func either(list []string) string { return joined(list, "or") }

// and writes "a, b and c".
func and(list []string) string { return joined(list, "and") }

func joined(list []string, word string) string {
	tail := ""
	if len(list) > mostNamed {
		tail = fmt.Sprintf(" %s %d others", word, len(list)-mostNamed)
		list = list[:mostNamed]
	}
	switch {
	case len(list) < 2 || tail != "":
		return strings.Join(list, ", ") + tail
	default:
		return strings.Join(list[:len(list)-1], ", ") + " " + word + " " + list[len(list)-1]
	}
}
