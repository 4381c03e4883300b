// Package climb searches for inputs that a parser reads slowly, by hill climbing: it mutates the
// slowest text. Only tests import it.
package climb

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/sys/unix"

	"samizdat/internal/test/long"
)

var (
	looks = flag.Duration("climb", 0, "how much processor time is spent on looking for texts that take long; 0 is half a second, or two minutes at full length")
	seed  = flag.Uint64("climb-seed", 1, "where the looking for texts that take long begins")
)

// Climber is the description of a search.
type Climber struct {
	// A text is a head of Heads followed by repeated Pieces, up to Length bytes, Lines lines and, if
	// words vary, about Words words; 0 means no limit of lines or words.
	Heads, Pieces        []string
	Length, Lines, Words int
	// Shorter also tries shorter texts with more pieces.
	Shorter bool
	// Read is the function under test.
	Read func(text string)
	// Ordinary is a text of ordinary speed. No text may take longer than Most or, on a slow machine,
	// Times as long as Ordinary.
	Ordinary string
	Most     time.Duration
	Times    int
	// spent is the processor time used so far, words the number of texts with generated words.
	spent time.Duration
	words uint64
}

// recipe describes a text: a head and repeated pieces, with a line break after every lines
// repetitions (0: never). halved is how often the length was halved. Mixed pieces are repeated in
// random order.
type recipe struct {
	head   int
	pieces []int
	lines  int
	halved int
	mixed  bool
}

// text returns the text of a recipe.
func (c *Climber) text(r recipe) string {
	var b strings.Builder
	b.WriteString(c.Heads[r.head])
	rnd := rand.New(rand.NewPCG(1989, 2))
	words, differ := 0, r.mixed || slices.ContainsFunc(r.pieces, func(p int) bool { return strings.ContainsAny(c.Pieces[p], Fresh+Slip) })
	for n, lines := 0, 1; b.Len() < c.Length>>r.halved && (c.Words == 0 || !differ || words < c.Words-len(r.pieces)); n++ {
		for _, p := range r.pieces {
			if r.mixed {
				p = r.pieces[rnd.IntN(len(r.pieces))]
			}
			b.WriteString(c.Pieces[p])
			words += wordsIn(c.Pieces[p])
			lines += strings.Count(c.Pieces[p], "\n")
		}
		if r.lines > 0 && n%r.lines == r.lines-1 {
			b.WriteString("\n")
			lines++
		}
		if c.Lines > 0 && lines >= c.Lines {
			break
		}
	}
	return b.String()
}

// wordsIn returns the approximate number of words in a piece.
func wordsIn(piece string) int {
	return len(strings.FieldsFunc(piece, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && string(r) != Fresh && string(r) != Slip
	}))
}

func (c *Climber) show(r recipe) string {
	var out []string
	for _, p := range r.pieces {
		out = append(out, c.Pieces[p])
	}
	return fmt.Sprintf("%q, then %q, a line of %d, %d bytes, mixed %v", c.Heads[r.head], out, r.lines, c.Length>>r.halved, r.mixed)
}

// mutated returns a copy of a recipe with one random change.
func (c *Climber) mutated(r recipe, rnd *rand.Rand) recipe {
	next := recipe{r.head, slices.Clone(r.pieces), r.lines, r.halved, r.mixed}
	at := rnd.IntN(len(next.pieces))
	switch n := rnd.IntN(8); {
	case c.Shorter && rnd.IntN(9) == 0:
		next.mixed = !next.mixed
	case c.Shorter && rnd.IntN(9) == 0:
		next.halved = rnd.IntN(maxHalved)
	case n == 0:
		next.head = rnd.IntN(len(c.Heads))
	case n == 1:
		next.lines = []int{0, 1, 2, 5, 20, 60, 200, 1000}[rnd.IntN(8)]
	case n <= 3 && len(next.pieces) > 1:
		next.pieces = slices.Delete(next.pieces, at, at+1)
	case n <= 5 && len(next.pieces) < most(c.Shorter):
		next.pieces = slices.Insert(next.pieces, at, rnd.IntN(len(c.Pieces)))
	default:
		next.pieces[at] = rnd.IntN(len(c.Pieces))
	}
	return next
}

// most returns the largest number of pieces in a recipe.
func most(shorter bool) int {
	if shorter {
		return 40
	}
	return 12
}

// maxHalved limits how often a text is halved.
const maxHalved = 10

// Fresh stands for a new random word in a piece, Slip for a random letter. They defeat caches of
// words in the parser.
const (
	Fresh = "\x01"
	Slip  = "\x02"
)

// fresh replaces Fresh and Slip in a text.
func (c *Climber) fresh(text string) string {
	if !strings.ContainsAny(text, Fresh+Slip) {
		return text
	}
	const letters = "eationsrlcduphmgbkvzwyfjxq"
	c.words++
	rnd := rand.New(rand.NewPCG(1989, c.words))
	var b strings.Builder
	for _, r := range []byte(text) {
		switch string(r) {
		case Fresh:
			for range 4 + rnd.IntN(6) {
				b.WriteByte(letters[rnd.IntN(len(letters))])
			}
		case Slip:
			b.WriteByte(letters[rnd.IntN(len(letters))])
		default:
			b.WriteByte(r)
		}
	}
	return b.String()
}

func (c *Climber) measure(text string, tries int) time.Duration {
	var took time.Duration
	for range tries {
		fresh := c.fresh(text)
		if d := Spent(1, func() { c.Read(fresh) }); took == 0 || d < took {
			took = d
		}
	}
	c.spent += took * time.Duration(tries)
	return took
}

// Spent returns the shortest processor time that do takes in several tries. The load of the machine
// does not count.
func Spent(tries int, do func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	clock := func() time.Duration {
		var at unix.Timespec
		_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &at)
		return time.Duration(at.Nano())
	}
	best := time.Hour
	for range tries {
		began := clock()
		do()
		best = min(best, clock()-began)
	}
	return best
}

// NotRaced skips a test of time under the race detector, which makes everything slow.
func NotRaced(t *testing.T) {
	t.Helper()
	if long.Raced {
		t.Skip("the race detector makes everything slow")
	}
}

// Run searches for a text that takes longer than allowed, and fails the test if it finds such texts.
func (c *Climber) Run(t *testing.T) {
	t.Helper()
	NotRaced(t)
	rnd := rand.New(rand.NewPCG(1989, *seed))
	most := *looks
	if most == 0 {
		most = time.Duration(long.N(1, 240)) * time.Second / 2
	}
	var worst []found
	for c.spent < most {
		r := recipe{rnd.IntN(len(c.Heads)), []int{rnd.IntN(len(c.Pieces))}, rnd.IntN(3), 0, false}
		if c.Shorter {
			r.halved = rnd.IntN(maxHalved)
		}
		at := c.measure(c.text(r), 2)
		for stuck := 0; stuck < 40 && c.spent < most; stuck++ {
			next := c.mutated(r, rnd)
			if d := c.measure(c.text(next), 2); d > at {
				r, at, stuck = next, d, 0
			}
		}
		t.Log(at, c.show(r))
		worst = append(worst, found{r, at})
	}
	slices.SortFunc(worst, func(a, b found) int { return cmp.Compare(b.took, a.took) })
	for _, w := range worst[:min(len(worst), maxWorst)] {
		c.check(t, w.recipe)
	}
}

// found is a slow text. Run measures the slowest of them again, since the load of the machine may
// have slowed a single measurement.
type found struct {
	recipe
	took time.Duration
}

const maxWorst = 5

// check measures a text up to four times and fails the test if it is too slow each time.
func (c *Climber) check(t *testing.T, r recipe) {
	t.Helper()
	var took, ordinary time.Duration
	for range 4 {
		took, ordinary = c.measure(c.text(r), 5), c.measure(c.Ordinary, 5)
		if took <= max(c.Most, time.Duration(c.Times)*ordinary) {
			t.Log(took, "beside an ordinary one of", ordinary, "for", c.show(r))
			return
		}
	}
	t.Errorf("%v beside an ordinary one of %v for %s", took, ordinary, c.show(r))
}

// Orders returns pieces of letters with orders, and the given words of a game.
func Orders(words ...string) []string {
	out := []string{Fresh + " ", Fresh + ", ", "Brat" + Slip + "sl" + Slip + "va ", "K" + Slip + "akow ", " ", "\n", ",", ", ", ";", ":", "(", ")", "\"", "'", "-", "- ", "//", "?", "!", ".", "1", "2 ", "36 ", "x", "é", "\u00df", "👍", "E36", "x2", "3x",
		"one ", "twenty ", "hundred ", "and ", "or ", "then ", "not ", "if ", "else ", "but ", "only ", "with ", "for ", "in ", "the ", "card ", "number ", "ops ", "event ",
		"I ", "would ", "like ", "to ", "play ", "sorry ", "please ", "thanks ", "hi ", "cancel ", "yes ", "no ", "Ada ", "never mind ", "don't ", "maybe ", "should ", "what does ",
		"Lodz ", "Krakow, ", "Krakwo ", "Prague ", "Plzen ", "Stefan Cardinal Wyszynski ", "Honecker ", "East Germany ", "St. Nicholas Church ", "PREVIEW ", "MESSAGE ", "END MESSAGE\n",
		"HAND ", "STATUS ", "THEN ", "IF ", "GRACE 3h ", "TIMEZONE ", "Europe/Warsaw ", "VACATION ", "2026-12-20 ", "TO ", "DELAY ", "RULES ", "CARD ", "HISTORY ", "RESEND ", "FORMAT TEXT ", "ADDRESS ada@x.test ", "ASK ", "TAKEBACK "}
	for _, w := range words {
		out = append(out, w+" ")
	}
	return out
}
