package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"samizdat/mail/message"
)

// restored is less than the gap that a restore leaves in the numbers of letters.
const restored = 50_000

// missing tells of letters whose numbers lie between those that are there.
func (c letterCheck) missing(out io.Writer) {
	gaps := map[string][]string{}
	last := message.Name{Holder: -1}
	for _, s := range c.list {
		from, to, who := int64(1), s.name.Number-1, c.reader(s.name)
		if sameReader(s.name, last) {
			from = last.Number + 1
		}
		last = s.name
		switch {
		case to < from, to-from >= restored:
		case to == from:
			gaps[who] = append(gaps[who], strconv.FormatInt(to, 10))
		default:
			gaps[who] = append(gaps[who], fmt.Sprintf("%d-%d", from, to))
		}
	}
	for _, who := range slices.Sorted(maps.Keys(gaps)) {
		fmt.Fprintf(out, "  Not among those to %s: %s.\n", who, strings.Join(gaps[who], ", "))
	}
	if len(gaps) > 0 {
		fmt.Fprintln(out, "  A letter that only confirms is not sent where one that asks takes its place.")
	}
}
