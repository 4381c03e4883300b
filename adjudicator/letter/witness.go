package letter

import (
	"context"
	"strings"
)

// witness signs off the history that a letter showed.
var witness = &Entry{
	Word: Witness, Class: Acting, Line: row(`WITNESS(?:\s+([0-9a-f]+))?`, func(m []string) (Command, string) { return Command{Text: strings.ToLower(m[1])}, "" }),
	Help: []Form{{Order: "WITNESS", Does: "signs off the history that the letter showed, by its hash"}},
	Do: func(ctx context.Context, h Host, c Command) (Outcome, error) {
		if c.Text != "" && len(c.Text) != hashLength {
			return Declined("WITNESS stands alone, or before the whole hash at the foot of a letter, which has 64 characters.")
		}
		return h.Witness(ctx, c.Text)
	},
}

// hashLength is how many characters the hash of an entry has.
const hashLength = 64
