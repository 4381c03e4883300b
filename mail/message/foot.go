package message

import (
	"strconv"

	"samizdat/internal/lazyregexp"
)

// Foot is what the end of a letter about a match says of the history that it tells.
type Foot struct {
	Match string
	// Number is the letter's among those to its reader, 0 where it is not named. Epoch is
	// negative where it is not.
	Number int64
	Epoch  int
	// Head is the newest hash of the history.
	Head string
}

// footPattern is how letters end. Mail programs fill its lines.
var footPattern = lazyregexp.New(`(?m)^Match\s+([a-z0-9]+)(?:,\s+letter\s+(\d+)\s+to\s+you)?(?:,\s+epoch\s+(\d+))?\.\s+The\s+hash\s+of\s+its\s+history\s+so\s+far:\s+([0-9a-f]{64})\b`)

// lineQuotes are what mail programs put before the lines of a letter that they quote.
var lineQuotes = lazyregexp.New(`(?m)^[ \t]*(?:[>|][ \t]*)+`)

// Feet are the ends of letters that stand in a text, in its order, and not in a quote.
func Feet(text string) (out []Foot) {
	for _, m := range footPattern.FindAllStringSubmatch(text, -1) {
		f := Foot{Match: m[1], Epoch: -1, Head: m[4]}
		f.Number, _ = strconv.ParseInt(m[2], 10, 64) // None, and none that fits, is 0.
		if m[3] != "" {
			f.Epoch, _ = strconv.Atoi(m[3])
		}
		out = append(out, f)
	}
	return out
}

// QuotedFeet are those that stand in quotes as well.
func QuotedFeet(text string) []Foot { return Feet(lineQuotes.ReplaceAllString(text, "")) }
