package order

import (
	"slices"
	"strings"

	"samizdat/rules"
)

// gainsays reports whether an order speaks against what was left out: its card is only a number
// behind another that was named, or it has a keyword that nobody wrote instead of one that was written.
func (p *Parser) gainsays(o rules.Order, named, tried []scanned) bool {
	first := slices.IndexFunc(named, func(s scanned) bool { return len(tried) > 0 && s.text == tried[0].text })
	for _, c := range o.Clauses {
		for _, it := range c.Items {
			this := func(n rules.Name) bool { return n.Kind == it.Name.Kind && n.Code == it.Name.Code }
			alike := func(n rules.Name) bool { return n.Kind == it.Name.Kind }
			if !p.counted(it.Name.Kind) && !namedAmong(tried, this) && namedAmong(named[:max(first, 0)], alike) {
				return true
			}
		}
		if k, ok := p.keywords.omitted[c.Word]; ok && k.adds() && !saidAmong(named, c.Word) && p.addsOther(named, tried, c.Word) {
			return true
		}
	}
	return false
}

// adds reports whether a keyword says something about an order that has a verb, and takes nothing.
func (k keyword) adds() bool { return !k.Verb && !k.Modifies && len(k.Takes) == 0 && !k.Number }

// saidAmong reports whether a keyword is written in pieces.
func saidAmong(of []scanned, word string) bool {
	return anyToken(of, func(t token) bool { return t.part == partWord && t.key.Word == word })
}

// addsOther reports whether a keyword that adds something was left out, and is no part of this one.
func (p *Parser) addsOther(named, tried []scanned, word string) bool {
	return anyToken(named, func(t token) bool {
		return t.part == partWord && t.key.adds() && !saidAmong(tried, t.key.Word) && !strings.HasPrefix(word, t.key.Word)
	})
}

// namedAmong reports whether pieces have such a name.
func namedAmong(of []scanned, is func(rules.Name) bool) bool {
	return anyToken(of, func(t token) bool { return t.part == partName && slices.ContainsFunc(t.names, is) })
}

func anyToken(of []scanned, is func(token) bool) bool {
	return slices.ContainsFunc(of, func(s scanned) bool { return slices.ContainsFunc(s.tokens, is) })
}
