package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// like names what the next n words are like, if it is one thing, or if several
// fit without a wrong letter.
func (r *reading) like(kinds []rules.NameKind, n int) []rules.Name {
	ws := r.rest()[:n]
	if fillers[ws[0].text] || fillers[ws[n-1].text] || small[ws[0].text] || small[ws[n-1].text] {
		return nil
	}
	names, l := r.p.names.like(kinds, ws)
	switch {
	case l.cost == 0:
		return names
	case len(names) != 1, l.short && !r.sure():
		return nil
	}
	r.mended = r.mended || l.short
	return names
}

// sure reports whether the line is an order beyond doubt, so that even a word of
// four letters may be a misspelt name: the verb is shouted, or a number is there.
func (r *reading) sure() bool {
	return r.shouted(1) || r.detailed()
}

// shouted reports whether the first n words are in capitals.
func (r *reading) shouted(n int) bool {
	v := r.written(0, n)
	return v == strings.ToUpper(v)
}

// title passes over what names a thing a second time, by its title behind its
// number or the other way round.
func (r *reading) title(k keyword, it rules.Item) {
	if it.Name.Number == 0 || r.done() || r.rest()[0].comma {
		return
	}
	if r.rest()[0].number == it.Name.Number {
		r.at++
		return
	}
	if !digit(r.words[r.at-1].text[0]) {
		return
	}
	if _, ok := r.keyword(); ok {
		if n, _, q := r.name(k.Takes, true); n == 0 || q < matchFull {
			return
		}
	}
	if n, names, _ := r.name(k.Takes, false); n > 0 && len(names) == 1 && names[0].Code == it.Name.Code && names[0].Kind == it.Name.Kind {
		r.at += n
	}
}

// kind passes over the word for what the name is: "the Krakow space".
func (r *reading) kind(it rules.Item) {
	if !r.done() && !r.rest()[0].comma {
		r.take(string(it.Name.Kind))
	}
}

// guessVerb finds the verb of a line that has none, or a misspelt one. The rest
// of the line has to be an order beyond doubt.
func (r *reading) guessVerb() (keyword, bool) {
	if len(r.words) < 2 {
		return none, false
	}
	// Only what is written in whole words stands without its verb.
	r.loose = false
	defer func() { r.loose = true }()
	bare := slices.ContainsFunc(r.words[1:], func(w word) bool { return r.p.keywords.bare[w.text] })
	for _, k := range r.p.keywords.list {
		if !k.Implied || k.alias || !bare {
			continue
		}
		n, names, quality := r.name(k.Takes, false)
		if n == 0 || len(names) != 1 || quality < matchWords || n >= len(r.words) {
			continue
		}
		if quality < matchFull && n < 2 {
			continue // "Church EVENT AFTER" is the end of a broken line, and no card.
		}
		r.at = n
		r.title(k, rules.Item{Name: names[0]})
		r.skipBetween("")
		m, ok := r.keyword()
		done := r.done()
		r.at = 0
		if ok && !done && len(m.Takes) == 0 && !m.Number && !m.Exact {
			return r.p.keywords.named(k.Word), true
		}
	}
	if r.words[1].comma {
		return none, false
	}
	return r.p.keywords.near(r.words, true)
}
