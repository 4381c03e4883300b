package adjudicator_test

import (
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/gate"
	"samizdat/internal/test/goldentest"
	"samizdat/internal/test/long"
	"samizdat/mail/message"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/templates/picture"
	"samizdat/testdata"
)

// The limits of a letter: the page is cut by some providers at 100 kB, and nobody
// reads more lines. A picture that is drawn later takes at most maxPicture.
const (
	maxPage    = 90_000
	maxLetter  = 120_000
	maxPicture = 42_000
	maxLines   = 275
)

// archive is a store that keeps every letter by its addressee.
type archive struct {
	exchange.Store
	letters map[string][]exchange.OutgoingLetter
}

func (a *archive) Apply(ctx context.Context, c exchange.Change) error {
	if err := a.Store.Apply(ctx, c); err != nil {
		return err
	}
	for _, outgoing := range c.Letters {
		a.letters[outgoing.To] = append(a.letters[outgoing.To], outgoing)
	}
	return nil
}

func (a *archive) last(seat string) exchange.OutgoingLetter {
	l := a.letters[address(seat)]
	return l[len(l)-1]
}

// pageClub is the sample club, with pages and pictures.
func pageClub(t testing.TB) (*club, *archive, string) {
	t.Helper()
	c, id := sampleClub(t)
	return c, pages(c), id
}

// pages lets a club's letters have pages and pictures from now on.
func pages(c *club) *archive {
	a := &archive{letters: map[string][]exchange.OutgoingLetter{}}
	c.store = func(s exchange.Store) exchange.Store { a.Store = s; return a }
	c.reopen()
	c.adj.LetterOptions = conversation.LetterOptions{HTML: true, Pictures: true}
	return a
}

// moments are the letters of the sample turn that are golden, by how many letters
// the players have sent.
var moments = map[int]string{1: "set-up", 7: "round", 27: "event", 38: "struggle", 55: "turn-end"}

// TestLetters compares whole letters with files, text and page: set-up, a
// round of actions, an event of the enemy's card, a power struggle, the end of a
// turn.
func TestLetters(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays a whole match")
	}
	c, a, _ := pageClub(t)
	n := len(txtar.Parse(testdata.SampleLetters).Files)
	for i := range n {
		sampleLetter(t, c, i)
		for _, s := range dawnSeats {
			if name, ok := moments[i+1]; ok && len(a.letters[address(s)]) > 0 {
				goldenLetter(t, "letters/"+name+"-"+s, a.last(s))
			}
		}
	}
	for _, list := range a.letters {
		for i, outgoing := range list {
			checkLetter(t, outgoing)
			if i%10 == 0 {
				checkMessage(t, outgoing)
			}
		}
	}
}

// TestRefusedLetter: the answer to an order that the rules do not allow.
func TestRefusedLetter(t *testing.T) {
	t.Parallel()
	c, a, _ := pageClub(t)
	sampleLetters(t, c, 6)
	c.sends("democrat", "PLAY 26 OPS PLACE Bucuresti 2")
	goldenLetter(t, "letters/refused-democrat", a.last("democrat"))
	sampleLetter(t, c, 6)
	c.sends("communist", "PLAY 26 EVENT")
	goldenLetter(t, "letters/refused-communist", a.last("communist"))
	for _, s := range dawnSeats {
		checkLetter(t, a.last(s))
	}
}

// TestWholeMatch plays a match from the invitations to its end: the letters in which
// it begins, those in which its second turn begins and the last are golden, and all
// keep within the limits. In an ordinary run the letters between have no pages.
func TestWholeMatch(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("every letter of a whole match, taken apart")
	}
	c := newClub(t, dawn1989.Game())
	c.rand = rand.NewChaCha8([32]byte{9, 7}) // a match of ten turns
	a := pages(c)
	id := c.match("1989", nil, dawnSeats...)
	played(t, c, id, math.MaxInt, func(i, of int) {
		page := long.Run || i < 80 || i == of-1
		c.adj.LetterOptions = conversation.LetterOptions{HTML: page, Pictures: page}
	})
	for _, s := range dawnSeats {
		list := a.letters[address(s)]
		begins := slices.IndexFunc(list, func(outgoing exchange.OutgoingLetter) bool {
			return strings.Contains(outgoing.Body, "The match has begun.")
		})
		turns := slices.IndexFunc(list, func(outgoing exchange.OutgoingLetter) bool { return strings.Contains(outgoing.Subject, "turn 2 ") })
		if begins < 0 || turns < 0 {
			t.Fatal("the match has no beginning, or no second turn")
		}
		goldenLetter(t, "letters/first-"+s, list[begins])
		goldenLetter(t, "letters/next-turn-"+s, list[turns])
		goldenLetter(t, "letters/last-"+s, a.last(s))
		for i, outgoing := range list[begins:] {
			if outgoing.HTML == "" {
				ofSize(t, outgoing)
				continue
			}
			checkLetter(t, outgoing)
			if i%50 == 0 || outgoing.Number == a.last(s).Number {
				checkMessage(t, outgoing)
			}
		}
	}
}

// wholeMatch keeps the orders of a whole match, a letter a line, so that the golden
// letters stay when the robots learn something. With -update and without the file,
// robots play anew.
const wholeMatch = "letters/whole-match.txt"

// played plays the whole match by mail, or its first letters. Before each letter it calls before, with the
// letter's place among all of them.
func played(t *testing.T, c *club, id string, maximum int, before func(i, of int)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", wholeMatch))
	if errors.Is(err, fs.ErrNotExist) && *goldentest.Update {
		golden(t, wholeMatch, strings.Join(robotsPlay(t, c, id, func(rules.Position, rules.Decision, string) bool { return true }), ""))
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	for i, line := range lines[:min(maximum, len(lines))] {
		before(i, len(lines))
		seat, orders, _ := strings.Cut(line, ": ")
		if l := c.sends(seat, orders); strings.Contains(l.Text, ": refused") {
			t.Fatalf("%s was refused:\n%s", orders, l.Text)
		}
	}
}

// robotsPlay plays a match of 1989 to its end by mail, between sensible robots,
// and returns their letters. Before each it calls before, with the position that asks, and ends
// where that says so.
func robotsPlay(t *testing.T, c *club, id string, before func(pos rules.Position, d rules.Decision, orders string) (goesOn bool)) (letters []string) {
	t.Helper()
	g := dawn1989.Game()
	var robots [2]rules.Robot
	for i := range robots {
		var err error
		if robots[i], err = g.Robot("sensible", 1); err != nil {
			t.Fatal(err)
		}
	}
	for range 3000 {
		pos, err := g.Decode(c.position(id))
		if err != nil {
			t.Fatal(err)
		}
		if _, over := pos.Result(); over {
			return letters
		}
		d, asking := pos.OpenDecisions(nil)[0], pos.Clone()
		first := d
		var atoms []rules.Atom
		for hasMore := true; hasMore; {
			a := robots[d.Seat].Choose(func() rules.View { return pos.View(d.Seat) }, d, pos.Options(nil, d.ID))
			atoms = append(atoms, a)
			_, err := pos.Apply(d.ID, a, gate.NoChance{}, nil)
			owed := pos.OpenDecisions(nil)
			hasMore = err == nil && len(owed) > 0 && owed[0].Midway && owed[0].Seat == d.Seat
			if hasMore {
				d = owed[0]
			}
		}
		if !before(asking, first, g.FormatOrder(atoms)) {
			return letters
		}
		letters = append(letters, dawnSeats[d.Seat]+": "+g.FormatOrder(atoms)+" FOR SURE\n")
		if l := c.sends(dawnSeats[d.Seat], g.FormatOrder(atoms)+" FOR SURE"); strings.Contains(l.Text, ": refused") {
			t.Fatalf("%s was refused:\n%s", g.FormatOrder(atoms), l.Text)
		}
	}
	t.Fatal("the match does not end")
	return nil
}

var (
	tables = regexp.MustCompile(`(?s)<table .*?</table>`)
	// hints explain the links, and which letter has the picture: the text has neither.
	hints = regexp.MustCompile(`<p class="s t".*?</p>`)
	// threads are what all links of a letter have in common.
	threads = regexp.MustCompile(`mailto:[^?"]*\?subject=[^&"]*&amp;`)
	styles  = regexp.MustCompile(`(?s)<style>.*?</style>`)
)

// goldenLetter compares a letter with files. Of the page the tables of the map
// are left out, save in the first letter.
func goldenLetter(t *testing.T, name string, outgoing exchange.OutgoingLetter) {
	t.Helper()
	golden(t, name+".txt", "Subject: "+outgoing.Subject+"\n\n"+outgoing.Body)
	html := threads.ReplaceAllString(outgoing.HTML, "mailto:(referee)?")
	if !strings.Contains(name, "first-") {
		html = tables.ReplaceAllString(styles.ReplaceAllString(html, "(style)"), "(table)")
	}
	golden(t, name+".html", html)
}

// maxConfirmationBytes is how large a letter is at most that asks nothing.
const maxConfirmationBytes = 5000

// checkLetter holds a letter against what every letter must be.
func checkLetter(t *testing.T, outgoing exchange.OutgoingLetter) {
	t.Helper()
	ofSize(t, outgoing)
	if n := len(outgoing.HTML); n >= maxPage {
		t.Errorf("the page of letter %d to seat %d has %d bytes", outgoing.Number, outgoing.Seat, n)
	}
	if !strings.HasSuffix(outgoing.Subject, " ["+outgoing.Match+"]") || len(outgoing.Subject) > 120 {
		t.Errorf("subject %q", outgoing.Subject)
	}
	if bad := fetches(outgoing.HTML); bad != "" {
		t.Errorf("the page of letter %d to seat %d has %q", outgoing.Number, outgoing.Seat, bad)
	}
	if text, page := wordsOf(outgoing.Body), wordsOf(pageText(t, hints.ReplaceAllString(outgoing.HTML, ""))); outgoing.HTML != "" && !slices.Equal(text, page) {
		t.Errorf("letter %d to seat %d says other things as text and as page (-text +page):\n%s", outgoing.Number, outgoing.Seat, cmp.Diff(text, page))
	}
	if asks := len(outgoing.Decisions) > 0 || strings.Contains(outgoing.Body, "The match is over"); !asks && (len(outgoing.Raw.Bytes) > maxConfirmationBytes || outgoing.Drawing != nil) {
		t.Errorf("letter %d to seat %d asks nothing and has %d bytes and a drawing of %d:\n%s", outgoing.Number, outgoing.Seat, len(outgoing.Raw.Bytes), len(outgoing.Drawing), outgoing.Body)
	}
	// The picture comes at sending, in base64 and in lines of 76.
	n := len(outgoing.Raw.Bytes)
	if outgoing.Drawing != nil {
		n += base64.StdEncoding.EncodedLen(maxPicture) * 78 / 76
	}
	if n >= maxLetter {
		t.Errorf("letter %d to seat %d may have %d bytes", outgoing.Number, outgoing.Seat, n)
	}
}

// ofSize holds the text of a letter against the limits.
func ofSize(t *testing.T, outgoing exchange.OutgoingLetter) {
	t.Helper()
	if n := strings.Count(outgoing.Body, "\n"); n >= maxLines {
		t.Errorf("the text of letter %d to seat %d has %d lines", outgoing.Number, outgoing.Seat, n)
	}
	narrow(t, outgoing.Body)
}

// filled is a letter as it is sent.
func filled(t testing.TB, outgoing exchange.OutgoingLetter) []byte {
	t.Helper()
	if outgoing.Drawing == nil {
		return outgoing.Raw.Bytes
	}
	p, err := picture.Unpack(outgoing.Drawing)
	if err != nil {
		t.Fatal(err)
	}
	data, err := new(picture.Painter).LetterPNG(p)
	if err != nil {
		t.Fatal(err)
	}
	return message.InsertData(outgoing.Raw.Bytes, outgoing.Raw.PictureAt, data)
}

// pageText is what a page says, by the reader of letters that come in.
func pageText(t *testing.T, html string) string {
	t.Helper()
	raw, err := message.Draft{From: "a@x.test", To: "b@x.test", MessageID: "1@x.test", Text: " ", HTML: html}.Render()
	if err != nil {
		t.Fatal(err)
	}
	_, html, _ = strings.Cut(string(raw), "Content-Type: text/html")
	html, _, _ = strings.Cut(html, "\r\n--=_")
	return message.Read([]byte("Content-Type: text/html" + html)).Text
}

// wordsOf are the words of a letter: letters and digits only, since pages draw
// lines and marks where text writes them.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
