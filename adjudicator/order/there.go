package order

import "slices"

// pointsBack names in a piece what "there" stands for, if it has a verb or a count and no place of
// its own: the last place that is named before it, as in "take both off Lodz, check there as well".
func (p *Parser) pointsBack(s *scanned, before []scanned) {
	place := func(t token) bool { return t.part == partName && p.counted(t.names[0].Kind) }
	orders := func(t token) bool { return t.part == partCount || t.part == partWord && len(t.key.Takes) > 0 }
	there := slices.Index(s.strange, "there")
	if there < 0 || p.wordsOf(s.text)[0].text == "there" || slices.ContainsFunc(s.tokens, place) || !slices.ContainsFunc(s.tokens, orders) {
		return
	}
	for i := len(before) - 1; i >= 0; i-- {
		if k := lastIndexFunc(before[i].tokens, place); k >= 0 {
			end := len(s.tokens)
			for end > 0 && s.tokens[end-1].part >= partComma {
				end--
			}
			s.tokens = slices.Insert(slices.Clone(s.tokens), end, before[i].tokens[k])
			s.strange = slices.Delete(slices.Clone(s.strange), there, there+1)
			s.unread = s.speaks || len(s.strange) > 0
			return
		}
	}
}

// lastIndexFunc is where the last of some tokens stands that is such; -1 where none is.
func lastIndexFunc(tokens []token, is func(token) bool) int {
	for i := len(tokens) - 1; i >= 0; i-- {
		if is(tokens[i]) {
			return i
		}
	}
	return -1
}
