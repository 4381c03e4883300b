package report

import (
	"fmt"
	"io"
	"strconv"

	"samizdat/internal/lazyregexp"
)

// shownRound is what a letter shows, before a match begins, of the round of a beacon.
type shownRound struct {
	// number is the round that it names; without says that the match begins without one.
	number  int64
	without bool
}

// How letters say it. What other players write never begins a row.
var (
	roundNamed = lazyregexp.New(`(?m)^The\s+match\s+has\s+not\s+begun:\s+it\s+waits\s+for\s+the\s+public\s+beacon\.\s+Its\s+round\s+(\d+)\s+is\s+published`)
	noRound    = lazyregexp.New(`(?m)^(?:- )?Round\s+\d+\s+of\s+the\s+public\s+beacon\s+\S+\s+could\s+not\s+be\s+had\s+in\s+time`)
)

// readRound reads it out of the text of a letter.
func readRound(text string) (r shownRound) {
	if named := roundNamed.FindStringSubmatch(text); named != nil {
		r.number, _ = strconv.ParseInt(named[1], 10, 64)
	}
	r.without = noRound.MatchString(text)
	return r
}

// rounds holds the round of the record against the newest letter to each reader that names
// one: if a player was replaced meanwhile, another was named. It returns how many letters name
// something else.
func (c letterCheck) rounds(out io.Writer) (bad int) {
	without := false
	for _, s := range c.list {
		without = without || s.round.without
	}
	named, newest := false, int64(0) // to the reader at hand
	for i := len(c.list) - 1; i >= 0; i-- {
		s := c.list[i]
		if i == len(c.list)-1 || !sameReader(s.name, c.list[i+1].name) {
			named = false
		}
		if s.round.number == 0 {
			continue
		}
		if named {
			if s.round.number != newest {
				fmt.Fprintf(out, "  %s: it names round %d of a beacon, and a later letter another. That is so only where a player was replaced before the match began.\n", c.called(s), s.round.number)
			}
			continue
		}
		named, newest = true, s.round.number
		switch b := c.rec.Header.Beacon; {
		case b == nil && !without:
			bad++
			fmt.Fprintf(out, "  %s: it names round %d of a beacon, and the record has none.\n", c.called(s), s.round.number)
		case b != nil && b.Round != s.round.number:
			bad++
			fmt.Fprintf(out, "  %s: it names round %d of the beacon, and the record has round %d.\n", c.called(s), s.round.number, b.Round)
		}
	}
	return bad
}
