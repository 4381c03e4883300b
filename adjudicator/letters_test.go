package adjudicator_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image/png"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"samizdat"
	"samizdat/adjudicator"
	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/record"
	"samizdat/mail"
	"samizdat/post"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// The limits of a letter: the page is cut by some providers at 100 kB, and nobody
// reads more lines.
const (
	mostPage   = 90_000
	mostLetter = 120_000
	mostLines  = 250
)

// archive is a store that keeps every letter by its addressee.
type archive struct {
	adjudicator.Store
	letters map[string][]adjudicator.Dispatch
}

func (a *archive) Apply(ctx context.Context, c adjudicator.Change) error {
	if err := a.Store.Apply(ctx, c); err != nil {
		return err
	}
	for _, d := range c.Letters {
		a.letters[d.To] = append(a.letters[d.To], d)
	}
	return nil
}

func (a *archive) last(seat string) adjudicator.Dispatch {
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
	a := &archive{letters: map[string][]adjudicator.Dispatch{}}
	c.store = func(s adjudicator.Store) adjudicator.Store { a.Store = s; return a }
	c.reopen()
	c.adj.Letters = adjudicator.Letters{HTML: true, Pictures: true}
	return a
}

// moments are the letters of the sample turn that are golden, by how many letters
// the players have sent.
var moments = map[int]string{1: "first", 7: "round", 27: "event", 38: "struggle", 55: "turn-end"}

// TestLetters compares whole letters with files, text and page: the first letter,
// a round of actions, an event of the enemy's card, a power struggle, the end of
// a turn.
func TestLetters(t *testing.T) {
	t.Parallel()
	c, a, _ := pageClub(t)
	n := len(txtar.Parse(samizdat.SampleLetters).Files)
	for i := range n {
		sampleLetter(t, c, i)
		for _, s := range dawnSeats {
			if name, ok := moments[i+1]; ok && len(a.letters[address(s)]) > 0 {
				goldenLetter(t, "letters/"+name+"-"+s, a.last(s))
			}
		}
	}
	for _, list := range a.letters {
		for i, d := range list {
			checkLetter(t, d, i%10 == 0)
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
		checkLetter(t, a.last(s), true)
	}
}

// TestLastLetters plays a whole match: the letters in which a turn begins, and
// the last, are golden, and all keep within the limits.
func TestLastLetters(t *testing.T) {
	t.Parallel()
	c := newClub(t, dawn1989.Game{})
	id := c.match("1989", nil, dawnSeats...)
	a := pages(c)
	robotsPlay(t, c, id)
	for _, s := range dawnSeats {
		second := false
		for i, d := range a.letters[address(s)] {
			checkLetter(t, d, i%100 == 0)
			if !second && strings.Contains(d.Subject, "turn 2, ") {
				second = true
				goldenLetter(t, "letters/next-turn-"+s, d)
			}
		}
		checkLetter(t, a.last(s), true)
		goldenLetter(t, "letters/last-"+s, a.last(s))
	}
}

// robotsPlay plays a match of 1989 to its end by mail, between sensible robots.
func robotsPlay(t *testing.T, c *club, id string) {
	t.Helper()
	g := dawn1989.Game{}
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
			return
		}
		d := pos.Owed(nil)[0]
		var atoms []rules.Atom
		for more := true; more; {
			a := robots[d.Seat].Choose(func() rules.View { return pos.View(d.Seat) }, d, pos.Options(nil, d.ID))
			atoms = append(atoms, a)
			_, err := pos.Apply(d.ID, a, gate.NoChance{}, nil)
			owed := pos.Owed(nil)
			more = err == nil && len(owed) > 0 && owed[0].Midway && owed[0].Seat == d.Seat
			if more {
				d = owed[0]
			}
		}
		if l := c.sends(dawnSeats[d.Seat], g.Line(atoms)+" SURELY"); strings.Contains(l.Text, ": refused") {
			t.Fatalf("%s was refused:\n%s", g.Line(atoms), l.Text)
		}
	}
	t.Fatal("the match does not end")
}

var (
	tables = regexp.MustCompile(`(?s)<table cellpadding.*?</table>`)
	styles = regexp.MustCompile(`(?s)<style>.*?</style>`)
)

// goldenLetter compares a letter with files. Of the page the tables of the map
// are left out, save in the first letter.
func goldenLetter(t *testing.T, name string, d adjudicator.Dispatch) {
	t.Helper()
	golden(t, name+".txt", "Subject: "+d.Subject+"\n\n"+d.Body)
	html := d.HTML
	if !strings.Contains(name, "first") {
		html = tables.ReplaceAllString(styles.ReplaceAllString(html, "(style)"), "(table)")
	}
	golden(t, name+".html", html)
}

// checkLetter holds a letter against what every letter must be.
func checkLetter(t *testing.T, d adjudicator.Dispatch, draw bool) {
	t.Helper()
	if n := strings.Count(d.Body, "\n"); n >= mostLines {
		t.Errorf("letter %d to seat %d has %d lines", d.Number, d.Seat, n)
	}
	narrow(t, d.Body)
	if n := len(d.HTML); n >= mostPage {
		t.Errorf("the page of letter %d to seat %d has %d bytes", d.Number, d.Seat, n)
	}
	if !strings.HasPrefix(d.Subject, "[samizdat "+d.Match+"] ") || len(d.Subject) > 120 {
		t.Errorf("subject %q", d.Subject)
	}
	for _, bad := range []string{"<script", "http:", "https:", "src=\"data:", "url(", "@import", "javascript:"} {
		if strings.Contains(d.HTML, bad) {
			t.Errorf("the page of letter %d to seat %d has %s", d.Number, d.Seat, bad)
		}
	}
	if diff := cmp.Diff(wordsOf(d.Body), wordsOf(pageText(t, d.HTML))); diff != "" {
		t.Errorf("letter %d to seat %d says other things as text and as page (-text +page):\n%s", d.Number, d.Seat, diff)
	}
	if draw {
		if n := len(filled(t, d)); n >= mostLetter {
			t.Errorf("letter %d to seat %d has %d bytes", d.Number, d.Seat, n)
		}
	}
}

// filled is a letter as it is sent.
func filled(t testing.TB, d adjudicator.Dispatch) []byte {
	t.Helper()
	raw, err := (&post.Gallery{}).Complete(d)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// pageText is what a page says, by the reader of letters that come in.
func pageText(t *testing.T, html string) string {
	t.Helper()
	raw, err := mail.Message{From: "a@x.test", To: "b@x.test", MessageID: "1@x.test", Text: " ", HTML: html}.Render()
	if err != nil {
		t.Fatal(err)
	}
	_, html, _ = strings.Cut(string(raw), "Content-Type: text/html")
	return mail.Parse([]byte("Content-Type: text/html" + html)).Text
}

// wordsOf are the words of a letter: letters and digits only, since pages draw
// lines and marks where text writes them.
func wordsOf(text string) []string {
	text, _, _ = strings.Cut(text, "\n--=_")
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// TestReplyToPage: a reply that quotes the page without any mark is cut at the
// page's first line.
func TestReplyToPage(t *testing.T) {
	t.Parallel()
	c, a, _ := pageClub(t)
	sampleLetters(t, c, 6)
	html := strings.Replace(a.last("democrat").HTML, "<p ", "<div>PLAY 26 EVENT</div><div><br></div><p ", 1)
	if got := mail.OrderText(pageText(t, html)); got != "PLAY 26 EVENT\n" {
		t.Errorf("the orders of a reply are %q", got)
	}
}

// TestFormats: players say what their letters are to be, before the match and in
// it, with orders and without. Nothing of the match changes by it.
func TestFormats(t *testing.T) {
	t.Parallel()
	c, a, id := pageClub(t)
	sampleLetters(t, c, 5)
	was, enemy := c.export(id, true), len(a.letters[address("democrat")])
	for _, tt := range []struct {
		line          string
		page, picture bool
		says          string
	}{
		{"FORMAT TEXT", false, false, "text only"},
		{"format html", true, false, "without pictures"},
		{"Format: picture.", true, true, "picture of the map"},
		{"FORMAT UTF-8", true, true, "Székesfehérvár"},
		{"FORMAT ASCII", true, true, "Szekesfehervar"},
		{"PLAIN", false, false, "plain ASCII"},
		{"> quoted\nFORMAT PICTURE\nThank you!", true, true, "Thank you!: ignored"},
	} {
		c.sends("communist", tt.line)
		d := a.last("communist")
		if (d.HTML != "") != tt.page || (d.Drawing != nil) != tt.picture {
			t.Errorf("%s: page %v, picture %v", tt.line, d.HTML != "", d.Drawing != nil)
		}
		if !strings.Contains(d.Body, tt.says) || strings.Contains(d.Body, "refused") {
			t.Errorf("%s: the letter does not say %q:\n%s", tt.line, tt.says, d.Body)
		}
		if !strings.Contains(d.Body, "It is your move.") {
			t.Errorf("%s: the letter does not stand alone:\n%s", tt.line, d.Body)
		}
	}
	if !bytes.Equal(was, c.export(id, true)) {
		t.Error("the match has changed")
	}
	if n := len(a.letters[address("democrat")]) - enemy; n != 0 {
		t.Errorf("the enemy got %d letters of it", n)
	}
	c.sends("communist", "FORMAT TEXT\n"+string(txtar.Parse(samizdat.SampleLetters).Files[5].Data))
	if d := a.last("communist"); d.HTML != "" || strings.Contains(d.Body, ": refused") {
		t.Errorf("an order beside a format:\n%s", d.Body)
	}
	c.reopen()
	m, err := c.db.Match(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if m.Seats[1].Format != adjudicator.FormatText || m.Seats[1].Script != "" || m.Seats[0].Format != "" {
		t.Errorf("stored: %+v", m.Seats)
	}
}

// TestHiddenStaysHiddenOnPages is TestHiddenStaysHidden for finished letters:
// subject, text, page and picture.
func TestHiddenStaysHiddenOnPages(t *testing.T) {
	t.Parallel()
	for _, tt := range hiddenCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got [2][]adjudicator.Dispatch
			for i, change := range []change{nothing, tt.change} {
				c := hiddenClub(t, 0, change)
				a := pages(c)
				sampleLetters(t, c, tt.letters)
				got[i] = a.letters[address(tt.reader)]
			}
			if len(got[0]) != len(got[1]) || len(got[0]) < 2 {
				t.Fatalf("%d letters and %d letters", len(got[0]), len(got[1]))
			}
			for i, d := range got[0] {
				e := got[1][i]
				if diff := cmp.Diff(unhashedLetter(d), unhashedLetter(e)); diff != "" {
					t.Errorf("letter %d to the %s tells what it must not:\n%s", i+1, tt.reader, diff)
				}
				if !bytes.Equal(d.Drawing, e.Drawing) || len(d.Drawing) == 0 {
					t.Errorf("the picture of letter %d to the %s tells what it must not", i+1, tt.reader)
				}
			}
		})
	}
}

var anyHash = regexp.MustCompile(`[0-9a-f]{64}`)

// change alters an outcome, or leaves it.
type change = func(o *record.Outcome) bool

func nothing(*record.Outcome) bool { return false }

// hiddenCases are exchanges of cards that the reader must not notice.
var hiddenCases = []struct {
	name    string
	letters int
	reader  string
	change  change
}{
	{"the Democrat's hand", 6, "communist", swap("democrat", 35, 5, 39, 38, 12, 29)},
	{"the Communist's hand", 5, "democrat", swap("communist", 27, 20, 22, 23, 34, 11)},
	{"the Democrat's struggle hand", 35, "communist", swap("democrat", "Church Leader", "Support Surges", "March-5", "March-6")},
	{"the Communist's struggle hand", 35, "democrat", swap("communist", "Worker Leader", "Support Falters", "Strike-6", "Scare Tactics")},
}

func unhashedLetter(d adjudicator.Dispatch) []string {
	return []string{d.Subject, d.MessageID, anyHash.ReplaceAllString(d.Body, "(hash)"), anyHash.ReplaceAllString(d.HTML, "(hash)"),
		fmt.Sprint(d.References, d.Decisions, d.Date)}
}

// TestThread: all letters of a match to a seat refer to its first, and subjects
// tell where the match stands.
func TestThread(t *testing.T) {
	t.Parallel()
	c, a, id := pageClub(t)
	sampleLetters(t, c, 8)
	for _, s := range dawnSeats {
		for _, d := range a.letters[address(s)] {
			root := fmt.Sprintf("%s-%d-1@club.test", id, d.Seat)
			if len(d.References) == 0 || d.References[0] != root {
				t.Errorf("letter %d refers to %v, want %s first", d.Number, d.References, root)
			}
		}
	}
	if got, want := a.last("democrat").Subject, "[samizdat "+id+"] 1989, turn 1, round 2: your move as the Democrat"; got != want {
		t.Errorf("subject %q, want %q", got, want)
	}
}

// TestGallery: a picture is drawn when its letter is due, once, and every try
// sends the same bytes.
func TestGallery(t *testing.T) {
	t.Parallel()
	c, _, _ := pageClub(t)
	raw, err := c.letter("communist", "PLACE Miskolc, Debrecen").Render()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.clerk().Handle(t.Context(), mail.Received{UIDValidity: 1, UID: 99, Arrived: c.now, Size: int64(len(raw)), Raw: raw}); err != nil {
		t.Fatal(err)
	}
	var tries [2][]mail.Outgoing
	for i := range tries {
		g := &post.Gallery{Drawings: c.db.Outbox("x@club.test"), Log: slog.New(slog.DiscardHandler)}
		if tries[i], err = g.Due(t.Context(), c.now.Add(time.Hour), 100); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(tries[0], tries[1]); d != "" || len(tries[0]) != 2 {
		t.Errorf("%d letters, and the second try differs:\n%s", len(tries[0]), d)
	}
	for _, o := range tries[0] {
		_, data, ok := strings.Cut(string(o.Raw), "Content-ID: <map.")
		if !ok || o.Drawing != nil {
			t.Fatalf("no picture in\n%.3000s", o.Raw)
		}
		_, data, _ = strings.Cut(data, "\r\n\r\n")
		data, _, _ = strings.Cut(data, "\r\n\r\n--")
		if _, err := png.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data))); err != nil {
			t.Errorf("the picture cannot be read: %v", err)
		}
		l := mail.Parse(o.Raw)
		if !strings.HasPrefix(l.Text, mail.Mark) || len(l.Problems) > 0 {
			t.Errorf("our own letter reads\n%.200s\n%v", l.Text, l.Problems)
		}
	}
}

// BenchmarkCompose measures a letter from its bytes to finished letters for both
// players, text and page, without a database.
func BenchmarkCompose(b *testing.B) {
	for _, bb := range []struct {
		name    string
		letters adjudicator.Letters
	}{{"text", adjudicator.Letters{}}, {"html", adjudicator.Letters{HTML: true}}, {"picture", adjudicator.Letters{HTML: true, Pictures: true}}} {
		b.Run(bb.name, func(b *testing.B) {
			c, _ := sampleClub(b)
			sampleLetters(b, c, 5)
			c.adj.Letters = bb.letters
			c.adj.Store = dry{c.adj.Store}
			raw, err := c.letter("communist", "PLAY 36 OPS PLACE Bydgoszcz 2, Warszawa EVENT AFTER").Render()
			if err != nil {
				b.Fatal(err)
			}
			clerk := c.clerk()
			for b.Loop() {
				if f, err := clerk.Handle(b.Context(), mail.Received{Raw: raw}); err != nil || f != mail.Done {
					b.Fatalf("filed in %s, %v", f, err)
				}
			}
		})
	}
}

// dry is a store that keeps nothing.
type dry struct{ adjudicator.Store }

func (dry) Apply(context.Context, adjudicator.Change) error { return nil }
