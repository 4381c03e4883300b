package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"samizdat/adjudicator/beacon"
)

// begun says what letters from before the match began leave open: what was named too late, or
// in none of them, could have been chosen. That fails no record, since letters may be missing.
func (c letterCheck) begun(out io.Writer) {
	seals, showed := strings.Join(c.rec.Header.Seals, " "), false
	for i, s := range c.list {
		if s.seals == "" || !c.early(s) {
			continue
		}
		showed = showed || s.seals == seals
		if other := c.sealedAnew(s, c.list[i+1:]); other != "" {
			fmt.Fprintf(out, "  %s: %s.\n", c.called(s), other)
		}
	}
	if seals != "" && !showed {
		fmt.Fprintln(out, "  None of them shows the seals of the record before the match began, so they do not prove that nobody chose his words late.")
	}
	b := c.rec.Header.Beacon
	if b == nil {
		return
	}
	chain, err := beacon.Find(b.Chain)
	if err != nil || !slices.ContainsFunc(c.list, func(s shown) bool { return s.round.number == b.Round && s.arrived.Before(chain.Published(b.Round)) }) {
		fmt.Fprintf(out, "  None of them names round %d before it was published, so they do not prove that nobody chose it.\n", b.Round)
	}
}

// sealedAnew says that a later letter to the same reader shows other seals; empty where none
// does.
func (c letterCheck) sealedAnew(s shown, later []shown) string {
	i := slices.IndexFunc(later, func(o shown) bool {
		return c.early(o) && sameReader(o.name, s.name) && o.seals != "" && o.seals != s.seals
	})
	if i < 0 {
		return ""
	}
	said := fmt.Sprintf("it shows other seals than letter %d", later[i].name.Number)
	if sealAt(later[i].seals, s.name.Holder) != sealAt(s.seals, s.name.Holder) {
		return said + ". That is so only where a player was replaced before the match began"
	}
	return said + ". If that reader had opened his words between these two, others could choose theirs by them"
}

// early reports whether a letter shows no entry: only such letters show seals of their own.
func (c letterCheck) early(s shown) bool { return c.places[s.head].seq < 0 || s.head == "" }

// sealAt is the seal of a seat.
func sealAt(seals string, seat int) string {
	if list := strings.Fields(seals); seat < len(list) {
		return list[seat]
	}
	return seals
}
