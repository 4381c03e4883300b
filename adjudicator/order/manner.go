package order

import (
	"iter"
	"slices"

	"samizdat/rules"
)

// manner is one way to put tokens together.
type manner struct {
	verb keyword
	// list is the keyword for names that stand behind none, insert one that was left
	// out; both may be empty.
	list, insert keyword
	ways
	// rest is the count of what is left.
	rest int
}

// ways are how a manner reads what may be read in more than one way.
type ways uint

const (
	// modifies takes words like AS for keywords, before takes a number between two names
	// for the count of the second, repeats takes the number of all for that of the only
	// name.
	modifies ways = 1 << iota
	before
	repeats
	// total takes the first number for that of all.
	total
	// naming says which of the numbers name things: this is the bit of the first.
	naming
	// leaving is the bit of the count of what is left, inserted that of the keyword that is inserted.
	leaving  = naming << mostNumbers
	inserted = leaving << 1
)

// manners goes through the ways to put tokens together, the plainest first. Those that come to
// nothing, or to the same as one before them, are left out: what was put together notes
// what it asked its manner, and one that answers all that in the same way makes nothing else.
func (x *assembly) manners(tokens []token) iter.Seq[manner] {
	f := featuresOf(tokens)
	return func(yield func(manner) bool) {
		var last manner
		var made []answered
		for _, m := range x.completions(tokens) {
			f, ok := m.housing(tokens, f)
			if !ok {
				continue
			}
			if m.verb != last.verb || m.list != last.list {
				last, made = m, made[:0]
			}
			for m := range m.variants(f) {
				if slices.ContainsFunc(made, m.as) {
					continue
				}
				if !yield(m) {
					return
				}
				made = append(made, answered{x.last.manner, x.last.asked})
			}
		}
	}
}

// answered is a manner in which tokens were put together, and what they asked it.
type answered struct {
	manner
	asked ways
}

// as reports whether a manner answers what was asked as another did.
func (m manner) as(a answered) bool {
	return (m.ways^a.ways)&a.asked == 0 && (a.asked&leaving == 0 || m.rest == a.rest) && (a.asked&inserted == 0 || m.insert == a.insert)
}

// completions are the plainest manners, one for each verb with each of the keywords that
// may have been left out.
func (x *assembly) completions(tokens []token) []manner {
	p, leads := x.p, x.p.leads(x.q)
	lists, inserts := []keyword{}, []keyword{none}
	idle := false // A list that takes none of the names is as good as none.
	for _, k := range p.listed {
		switch {
		case leads && k.List && slices.ContainsFunc(k.Takes, p.counted):
			list := p.keywords.named(k.Word)
			if taken := slices.ContainsFunc(tokens, func(t token) bool { return takes(list, t) }); taken || !idle {
				lists, idle = append(lists, list), idle || !taken
			}
		case leads && len(x.q.namesAsked) > 0 && k.Counted != "" && k.Verb && !slices.ContainsFunc(tokens, func(t token) bool { return t.part == partWord && t.key.Word == k.Word }):
			inserts = append(inserts, p.keywords.named(k.Word))
		}
	}
	if !idle {
		lists = append(lists, none)
	}
	var out []manner
	for _, v := range x.q.verbs {
		for _, list := range lists {
			for _, insert := range inserts {
				out = append(out, manner{verb: p.keywords.named(v), list: list, insert: insert})
			}
		}
	}
	return out
}

// features are what tokens have in them that can be read in more than one manner.
type features struct {
	// numbers are those that may name things, at most mostNumbers: how many there are, and
	// which of them do not count the name behind them.
	numbers int
	apart   uint
	// repeats: something is named twice, or a number may be that of a list.
	repeats, total          bool
	counts, rests, modifies bool
}

func featuresOf(tokens []token) features {
	var f features
	first := slices.IndexFunc(tokens, func(t token) bool { return t.part == partCount })
	f.total = first >= 0 && len(tokens[first].names) == 0 && ofAll(tokens, first)
	for i, t := range tokens {
		switch t.part {
		case partName:
			f.repeats = f.repeats || namedIn(tokens[:i], t)
		case partWord:
			f.modifies = f.modifies || t.key.Modifies || len(t.key.Takes) > 0 && !t.key.Verb
			f.repeats = f.repeats || (t.key.List || t.key.Counted != "") && first >= 0 && first < i
		case partCount:
			f.number(tokens, i)
		}
		f.counts = f.counts || t.part >= partCount && t.part < partComma
		f.rests = f.rests || t.part == partRest
	}
	f.numbers = min(f.numbers, mostNumbers)
	return f
}

// number takes in a token that is a number, and may name something.
func (f *features) number(tokens []token, i int) {
	t := tokens[i]
	if len(t.names) == 0 {
		return
	}
	if !counts(t, tokens[i+1:]) {
		f.apart |= 1 << f.numbers
		f.repeats = f.repeats || namedIn(tokens[:i], t)
	}
	f.numbers++
}

// housing leaves out the numbers that can name nothing in this manner, since no keyword takes
// them. It reports whether each of the names has one that does.
func (m manner) housing(tokens []token, f features) (features, bool) {
	homeless := func(t token) bool {
		return !takes(m.verb, t) && !takes(m.list, t) && !slices.ContainsFunc(tokens, func(o token) bool { return o.part == partWord && takes(o.key, t) })
	}
	number := 0
	for _, t := range tokens {
		switch {
		case t.part == partName && homeless(t):
			return f, false
		case t.part == partCount && len(t.names) > 0:
			if homeless(t) {
				f.apart &^= 1 << number
			}
			number++
		}
	}
	return f, true
}

// namedIn reports whether one of the tokens may name the same as t.
func namedIn(tokens []token, t token) bool {
	return slices.ContainsFunc(tokens, func(o token) bool {
		return slices.ContainsFunc(o.names, func(n rules.Name) bool {
			return slices.ContainsFunc(t.names, func(m rules.Name) bool { return n.Kind == m.Kind && n.Code == m.Code })
		})
	})
}

// idle reports whether a manner reads something in a way of its own that tokens of these
// features do not have.
func (m manner) idle(f features) bool {
	has := func(w ways) bool { return m.ways&w > 0 }
	return has(modifies) && !f.modifies || has(total) && !f.total || has(before) && !f.counts || has(repeats) && !f.repeats
}

// variants are a manner with every way to read what tokens of these features leave open.
func (m manner) variants(f features) iter.Seq[manner] {
	return func(yield func(manner) bool) {
		for bits := range 32 {
			plain := ways(bits) & (modifies | before | repeats | total)
			if m.ways = plain; m.idle(f) {
				continue
			}
			from, to := uint(0), uint(1)
			if bits&16 > 0 && f.numbers == 0 {
				continue
			} else if bits&16 > 0 { // some of the numbers name things
				from, to = 1, 1<<f.numbers
			}
			for n := from; n < to; n++ {
				if n&^f.apart > 0 {
					continue
				}
				m.ways = plain | ways(n)*naming
				for m.rest = 1; m.rest == 1 || f.rests && m.rest <= mostRest; m.rest++ {
					if !yield(m) {
						return
					}
				}
			}
		}
	}
}

// mostNumbers is how many numbers may name things or count them, mostRest the largest
// count that is left unsaid.
const (
	mostNumbers = 3
	mostRest    = 6
)
