// Package climb looks for texts that take long to read. Only tests import it.
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

// Climber is where to look.
type Climber struct {
	// Heads begin texts, Pieces are repeated behind them, up to Length bytes, Lines lines and, where
	// lines differ, about Words words; 0 is any number of lines or words.
	Heads, Pieces        []string
	Length, Lines, Words int
	// Shorter looks for shorter texts too, of which more may be made than of long ones.
	Shorter bool
	// Read is what is done with a text.
	Read func(text string)
	// Ordinary is an ordinary text, Most is what any text may take; on a slow machine, Times
	// what the ordinary one takes.
	Ordinary string
	Most     time.Duration
	Times    int
	// spent is the processor time that was spent on looking, words how many texts had new words.
	spent time.Duration
	words uint64
}

// recipe is a text: its head, and pieces that are repeated. After every so many
// repetitions a line ends; 0 is never. Its length was halved so many times. Mixed pieces
// stand in any order, so that no stretch of the text is like another.
type recipe struct {
	head   int
	pieces []int
	lines  int
	halved int
	mixed  bool
}

// text is the text of a recipe.
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

// wordsIn is about how many words a piece has.
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

// mutated is a recipe that differs in one thing.
func (c *Climber) mutated(r recipe, rnd *rand.Rand) recipe {
	next := recipe{r.head, slices.Clone(r.pieces), r.lines, r.halved, r.mixed}
	at := rnd.IntN(len(next.pieces))
	switch n := rnd.IntN(8); {
	case c.Shorter && rnd.IntN(9) == 0:
		next.mixed = !next.mixed
	case c.Shorter && rnd.IntN(9) == 0:
		next.halved = rnd.IntN(mostHalved)
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

// most is how many pieces a recipe has.
func most(shorter bool) int {
	if shorter {
		return 40
	}
	return 12
}

// mostHalved is how many times a text is halved.
const mostHalved = 10

// Fresh stands in a piece for a word that no text before had, and Slip for a letter: a reader
// may remember what it found out of words, and those of strangers are all new.
const (
	Fresh = "\x01"
	Slip  = "\x02"
)

// fresh is a text with new words.
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

// Spent is the least processor time that something takes in so many tries: what else the
// machine does meanwhile does not count.
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

// Run looks for a text that takes longer than any may: what took longest is changed a
// little, again and again.
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
			r.halved = rnd.IntN(mostHalved)
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
	for _, w := range worst[:min(len(worst), mostWorst)] {
		c.check(t, w.recipe)
	}
}

// found is a text that took long; of so many it is looked whether each takes too long, since what
// else a machine does makes one look slow at times.
type found struct {
	recipe
	took time.Duration
}

const mostWorst = 5

// check measures a text again, and once more where it seems to take too long.
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

// Orders are pieces of letters with orders, and the words of the game that these are for.
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
