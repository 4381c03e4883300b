package order

import (
	"iter"
	"slices"
)

// manner is one way to put tokens together.
type manner struct {
	verb keyword
	// list is the keyword for names that stand behind none, insert one that was left
	// out; both may be empty.
	list, insert keyword
	// modifies takes words like AS for keywords, before takes a number between two names
	// for the count of the second, repeats takes the number of all for that of the only
	// name.
	modifies, before, repeats bool
	// total takes the first number for that of all.
	total bool
	// numbers says which of the numbers name things, asides drops what stands in
	// brackets.
	numbers uint
	asides  bool
	// rest is the count of what is left.
	rest int
}

// manners goes through the ways to put tokens together, the plainest first.
func (x *assembly) manners(tokens []token) iter.Seq[manner] {
	f := featuresOf(tokens)
	return func(yield func(manner) bool) {
		for _, m := range x.completions() {
			for m := range m.variants(f) {
				if !yield(m) {
					return
				}
			}
		}
	}
}

// completions are the plainest manners, one for each verb with each of the keywords that
// may have been left out.
func (x *assembly) completions() []manner {
	p, leads := x.p, x.p.leads(x.q)
	var lists []keyword
	inserts := []keyword{{}}
	for _, k := range p.listed {
		switch {
		case leads && k.List && slices.ContainsFunc(k.Takes, p.counted):
			lists = append(lists, p.keywords.named(k.Word))
		case leads && k.Counted != "" && k.Verb:
			inserts = append(inserts, p.keywords.named(k.Word))
		}
	}
	var out []manner
	for _, v := range x.q.Verbs {
		for _, list := range append(lists, keyword{}) {
			for _, insert := range inserts {
				out = append(out, manner{verb: p.keywords.named(v), list: list, insert: insert})
			}
		}
	}
	return out
}

// features are what tokens have in them that can be read in more than one manner.
type features struct {
	// numbers are those that may name things, at most mostNumbers.
	numbers                         int
	counts, asides, rests, modifies bool
	// names is how many names there are.
	names int
}

func featuresOf(tokens []token) features {
	var f features
	for _, t := range tokens {
		if t.part == partName {
			f.names++
		}
		f.modifies = f.modifies || t.part == partWord && (t.key.Modifies || len(t.key.Takes) > 0 && !t.key.Verb)
		f.counts = f.counts || t.part >= partCount && t.part < partComma
		if t.part == partCount {
			if len(t.names) > 0 {
				f.numbers++
			}
		}
		f.asides, f.rests = f.asides || t.aside, f.rests || t.part == partRest
	}
	f.numbers = min(f.numbers, mostNumbers)
	return f
}

// variants are a manner with every way to read what tokens of these features leave open.
func (m manner) variants(f features) iter.Seq[manner] {
	return func(yield func(manner) bool) {
		for bits := range 64 {
			m.modifies, m.before, m.repeats = bits&1 > 0, bits&2 > 0, bits&4 > 0
			m.asides, m.total = bits&8 > 0, bits&32 > 0
			if m.asides && !f.asides || m.modifies && !f.modifies || (m.total || m.before) && !f.counts || m.repeats && !f.counts && f.names < 2 {
				continue
			}
			from, to := uint(0), uint(1)
			if bits&16 > 0 && f.numbers == 0 {
				continue
			} else if bits&16 > 0 { // some of the numbers name things
				from, to = 1, 1<<f.numbers
			}
			for m.numbers = from; m.numbers < to; m.numbers++ {
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
