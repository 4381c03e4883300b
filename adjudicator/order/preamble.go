package order

import "slices"

// A preamble is a whole sentence that stands above all that a letter orders. It cannot take
// back what is not written yet: it is harmless if it tells of what was, or of daily life, and does not say how to
// take what follows, as a thought, a condition, a delay, an example, or the words of somebody else.

// preambles marks the preambles of a line above which nothing is named. A preamble may name things, if more is named behind it.
func (p *Parser) preambles(q *Question, cut []piece) {
	for from, to := 0, 0; from < len(cut); from = to {
		to = sentenceEnd(cut, from)
		names, verbs := p.mentions(q, cut[from:to])
		if verbs {
			return
		}
		if names {
			if more, _ := p.mentions(q, cut[to:]); !more {
				return
			}
		}
		if p.preamble(cut[from:to], names) {
			mark(cut[from:to])
		} else if names {
			return
		}
	}
}

// mentions reports whether pieces name things, and whether they have words of orders.
func (p *Parser) mentions(q *Question, cut []piece) (names, verbs bool) {
	for _, f := range cut {
		for _, t := range p.scan(q, f, false, false).tokens {
			names = names || t.part == partName
			verbs = verbs || t.part == partWord
		}
	}
	return names, verbs
}

// HarmlessAbove reports whether a line that stands above all orders of a letter says nothing
// about them. The stop may be missing where its paragraph ends.
func (p *Parser) HarmlessAbove(line string, ends bool) bool {
	if len(line) > longest {
		return false
	}
	cut := p.pieces(line)
	if last := len(cut) - 1; ends && last >= 0 && cut[last].end == 0 && p.finished(cut) {
		cut[last].end = '.'
	}
	for from, to := 0, 0; from < len(cut); from = to {
		to = sentenceEnd(cut, from)
		if !p.preamble(cut[from:to], false) && slices.ContainsFunc(cut[from:to], func(f piece) bool { return !p.harmless(f) }) {
			return false
		}
	}
	return true
}

// finished reports whether the last of the sentences has a verb, and wants nothing behind it.
func (p *Parser) finished(cut []piece) bool {
	w := lastOf(cut)
	from := len(cut) - 1
	for from > 0 && sentenceEnd(cut, from-1) == len(cut) {
		from--
	}
	return !dangling[w] && !small[w] && !trailing[w] && !remarks().saying[w] && slices.ContainsFunc(cut[from:], func(f piece) bool {
		return slices.ContainsFunc(p.wordsOf(f.text), func(w word) bool { return remarks().saying[w.text] })
	})
}

// shortestPreamble is how many words a preamble has.
const shortestPreamble = 4

// preamble reports whether a sentence is one; names: it may name things of the game, if it
// tells what was.
func (p *Parser) preamble(sentence []piece, names bool) bool {
	if end := sentence[len(sentence)-1].end; end != '.' && end != '!' {
		return false
	}
	s := narrative{p: p}
	for _, f := range sentence {
		ws := p.wordsOf(f.text)
		if f.end == ':' || f.end == '"' {
			return false
		}
		for i := range ws {
			if p.says(ws[i:], names) {
				return false
			}
			s.words = append(s.words, spoken{text: ws[i].text})
		}
	}
	if len(s.words) < shortestPreamble || s.tongue() != tongues()[0] || bidding[s.words[0].text] || names && !s.has(wasSo) || announces(s.words) {
		return false
	}
	return s.tellsBefore()
}

// tellsBefore reports whether a sentence above all orders tells of what was, or of daily life, and says nothing of
// them: what its writer is still to do may be what stands below.
func (s *narrative) tellsBefore() bool {
	points, doer := s.has(pointing, itself, ofIt), s.has(remarks().persons, remarks().given, remarks().others)
	switch {
	case s.promises(), s.pointsToWhat(), doer && s.has(tools), points && (doer || s.has(remarks().denying)):
		return false
	}
	return s.has(wasSo) || s.livesThere()
}

// pointsToWhat reports whether the sentence tells of something that it only points to: "that was
// yesterday" may be said of what stands below.
func (s *narrative) pointsToWhat() bool {
	for i, w := range s.words[:max(0, len(s.words)-1)] {
		if (pointing[w.text] || itself[w.text]) && beenSo[s.words[i+1].text] {
			return true
		}
	}
	return false
}

// promises reports whether the sentence says what its writer has yet to do.
func (s *narrative) promises() bool {
	for i, w := range s.words {
		if toCome[w.text] && (!ours[w.text] || i > 0 && s.words[i-1].text == "i") {
			return true
		}
	}
	return false
}

// has reports whether one of the lists has one of the words.
func (s *narrative) has(lists ...map[string]bool) bool {
	return slices.ContainsFunc(s.words, func(w spoken) bool {
		return slices.ContainsFunc(lists, func(of map[string]bool) bool { return of[w.text] })
	})
}

// livesThere reports whether the sentence has a word of daily life.
func (s *narrative) livesThere() bool {
	return slices.ContainsFunc(s.words, func(w spoken) bool { return tongues()[0].of(w.text) == life })
}

// says reports whether a word may say how to take what follows its sentence; names: it may be
// of a thing.
func (p *Parser) says(ws []word, names bool) bool {
	w := ws[0].text
	switch of := tongues()[0].of(w); {
	case ws[0].digits, longestPhrase(languages().idioms, ws) > 0:
		return true
	case p.knownWords(ws) > 0 && !idiom(w):
		_, orders := p.keywords.at(ws)
		return orders || !names
	case inPreamble[w]:
		return false
	case of == unknown:
		return p.doubtful(w)
	default:
		return of == doubt || of == mild
	}
}

var (
	// inPreamble are words that doubt what stands above them, and no more than that.
	inPreamble = wordSet("letter letters mail mails phone computer laptop spam reminder message messages answer reply replied forgot forgotten fault never nothing nobody because while than game games rules round not dont didnt doesnt cant cannot couldnt sorry write writing felt got clear map minutes")
	// tools are what somebody else may have written with.
	tools = wordSet("letter letters mail mails phone computer laptop tablet keyboard screen message messages answer reply replied write writing game games")
	// bidding words tell the reader to do something, wasSo what was.
	bidding = wordSet("do dont never not let lets just please")
	itself  = wordSet("it")
	// ofIt are short forms that begin with it or that.
	ofIt = wordSet("its itll itd thats thatll")
	// toCome are words of what its writer is still to do.
	toCome = wordSet("ill ll well will shall gonna going still need needs")
	// ours are those of them that others than the writer may do.
	ours = wordSet("will shall well")
	// beenSo words say what something is or was.
	beenSo = wordSet("was is were came comes had has")
	wasSo  = wordSet("was were had been has have got ive went came saw remember grew lived")
)
