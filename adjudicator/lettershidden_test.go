package adjudicator_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/test/long"
	"samizdat/testdata"
)

// prying are letters of a player who wants to know more than he may: every question
// there is, previews, and orders that are refused.
func prying(cards ...int) []string {
	asks := []string{
		"STATUS", "HAND", "HISTORY", "HISTORY 1", "STATS", "DISCARDS", "MAP", "MAP BIG", "RESEND", "RESEND 2", "RULES", "RULES scoring", "POSITION", "HELP",
		"SHOW ORDERS", "RECORD",
	}
	if !long.Run { // TestQueriesHide asks one by one in any run
		asks = []string{strings.Join(asks, "\n")}
	}
	out := append(asks,
		"PREVIEW", "PREVIEW\nPLAY 1 EVENT", "PREVIEW\nCONCEDE", "PLAY 22 EVENT FIRST", "PLACE Nowhere 3", "CHOOSE Gdansk", "PASS",
		"DEFEND Strike-6", "ATTACK Church Leader", "RAISE Rally, Rally, Rally", "TAKE 40",
	)
	for _, c := range cards {
		out = append(out, fmt.Sprintf("CARD %d", c), fmt.Sprintf("PLAY %d EVENT", c), fmt.Sprintf("PREVIEW\nPLAY %d EVENT", c),
			fmt.Sprintf("PLAY %d OPS PLACE Krakow", c), fmt.Sprintf("DISCARD %d", c), fmt.Sprintf("NEXT: PLAY %d EVENT", c))
	}
	return append(out, "FORMAT SPOKEN\nSTATUS\nHAND\nMAP BIG", "PLAY 22 EVENT FIRST")
}

// TestHiddenStaysHiddenOnPages is TestHiddenStaysHidden for finished letters:
// subject, text, page, picture and the message as it is sent; and for the answers
// to all that the reader may ask or try until the enemy's next visible act.
func TestHiddenStaysHiddenOnPages(t *testing.T) {
	t.Parallel()
	for _, tt := range hiddenCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got [2][]exchange.OutgoingLetter
			plain, id := sampleAfter(t, tt.since)
			changed, _ := changedSample(t, tt.name, tt.change, tt.since)
			if tt.since > 0 && !bytes.Equal(plain.position(id), changed.position(id)) {
				t.Fatal("what is exchanged was drawn before letters are looked at")
			}
			for i, c := range []*club{plain, changed} {
				a := pages(c)
				c.adj.DeskURL = deskPage // Links show what letters show.
				for n := tt.since; n < tt.letters; n++ {
					sampleLetter(t, c, n)
				}
				for _, text := range prying(tt.cards...) {
					c.sends(tt.reader, text)
				}
				got[i] = a.letters[address(tt.reader)]
			}
			same(t, tt.reader, got)
		})
	}
}

// same compares all letters to a reader in two worlds.
func same(t *testing.T, reader string, got [2][]exchange.OutgoingLetter) {
	t.Helper()
	if len(got[0]) != len(got[1]) || len(got[0]) < 15 {
		t.Fatalf("%d letters and %d letters", len(got[0]), len(got[1]))
	}
	var drawn []int
	for i, outgoing := range got[0] {
		e := got[1][i]
		if diff := cmp.Diff(unhashedLetter(outgoing), unhashedLetter(e)); diff != "" {
			t.Errorf("letter %d to the %s tells what it must not:\n%s", i+1, reader, diff)
		}
		if !bytes.Equal(outgoing.Drawing, e.Drawing) {
			t.Errorf("the picture of letter %d to the %s tells what it must not", i+1, reader)
		}
		if len(outgoing.Drawing) > 0 {
			drawn = append(drawn, i)
		}
	}
	// Pictures are drawn from nothing but the drawings: one or two are enough to see.
	if len(drawn) == 0 {
		t.Fatal("no letter has a picture")
	}
	for _, i := range []int{drawn[0], drawn[len(drawn)-1]}[:long.N(1, 2)] {
		d, e := filled(t, got[0][i]), filled(t, got[1][i])
		if !bytes.Equal(anyHash.ReplaceAll(d, nil), anyHash.ReplaceAll(e, nil)) {
			t.Errorf("the message of letter %d to the %s tells what it must not", i+1, reader)
		}
	}
}

// anyHash is a hash of the history, or the boundary of parts, which is a hash of the
// text with that hash in it: it is keyed with the secret, and the one thing that may
// differ.
var anyHash = regexp.MustCompile(`[0-9a-f]{64}|=_[0-9a-f]{24}`)

// change alters an outcome, or leaves it.
type change = func(o *record.Outcome) bool

func taskNone(*record.Outcome) bool { return false }

// hiddenCases are exchanges of cards that the reader must not notice.
var hiddenCases = []struct {
	name    string
	letters int
	reader  string
	// cards are asked about.
	cards []int
	// since is how many letters had been sent when there was no difference yet.
	since  int
	change change
}{
	{"the Democrat's hand", 6, "communist", []int{35, 5, 39}, 0, swap("democrat", 35, 5, 39, 38, 12, 29)},
	{"the Communist's hand", 5, "democrat", []int{27, 20, 22, 23}, 0, swap("communist", 27, 20, 22, 23, 34, 11)},
	{"the Democrat's struggle hand", 35, "communist", []int{22}, 32, swap("democrat", "Church Leader", "Support Surges", "March-5", "March-6")},
	{"the Communist's struggle hand", 35, "democrat", []int{22}, 32, swap("communist", "Worker Leader", "Support Falters", "Strike-6", "Scare Tactics")},
}

// boundary finds the boundaries of a message's parts.
var boundary = regexp.MustCompile(`boundary="?(=_[0-9a-f]{24})`)

// unhashedLetter is all of a letter but its hashes. They are looked for where a
// search is cheap, and taken out everywhere.
func unhashedLetter(outgoing exchange.OutgoingLetter) []string {
	var away []string
	for _, h := range anyHash.FindAllString(outgoing.Body, -1) {
		away = append(away, h, "(hash)")
	}
	for _, m := range boundary.FindAllSubmatch(outgoing.Raw.Bytes, -1) {
		away = append(away, string(m[1]), "(hash)")
	}
	r := strings.NewReplacer(away...)
	return []string{outgoing.Subject, outgoing.MessageID, r.Replace(outgoing.Body), r.Replace(outgoing.HTML), r.Replace(string(outgoing.Raw.Bytes)),
		fmt.Sprint(outgoing.References, outgoing.Decisions, outgoing.Date), string(outgoing.File)}
}

// world is a store in which the position is another than the one that was stored.
type world struct {
	exchange.Store
	change func(doc map[string]any)
	done   bool
}

func (w *world) Match(ctx context.Context, id string) (*match.Match, error) {
	m, err := w.Store.Match(ctx, id)
	if err != nil || w.done || m.Position == nil {
		return m, err
	}
	var doc map[string]any
	if err := json.Unmarshal(m.Position, &doc); err != nil {
		return nil, err
	}
	w.change(doc)
	m.Position, err = json.Marshal(doc)
	return m, err
}

// TestHiddenPositions changes what is hidden in the position itself: hands, deck, a
// card set aside face down, struggle hands. A player who sends every letter he can
// think of gets the same answers to the byte, while his own position does not change.
func TestHiddenPositions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		letters int
		reader  string
		cards   []int
		a, b    func(doc map[string]any)
	}{
		{"the Democrat's hand and the deck", 7, "communist", []int{9, 2}, func(map[string]any) {}, func(doc map[string]any) {
			move(doc, "hands.democrat", "deck", 9, 33, 39)
			move(doc, "deck", "hands.democrat", 2, 3, 37)
		}},
		{"the Communist's hand and the deck", 8, "democrat", []int{22, 2}, func(map[string]any) {}, func(doc map[string]any) {
			move(doc, "hands.communist", "deck", 1, 22)
			move(doc, "deck", "hands.communist", 2, 23)
		}},
		{"another card face down", 7, "communist", []int{9, 33}, aside(9), aside(33)},
		{"a card of the deck face down", 7, "communist", []int{9, 2}, aside(9), func(doc map[string]any) {
			move(doc, "hands.democrat", "deck", 9)
			move(doc, "deck", "hands.democrat", 2)
			aside(2)(doc)
		}},
		{"the Democrat's struggle hand", 39, "communist", []int{9}, func(map[string]any) {}, hold("democrat", "March-3", "Rally")},
		{"the Communist's struggle hand", 38, "democrat", []int{34}, func(map[string]any) {}, hold("communist", "Strike-3", "March-4")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got [2][]exchange.OutgoingLetter
			var owner [2]string
			for i, change := range []func(map[string]any){tt.a, tt.b} {
				c, _ := sampleAfter(t, tt.letters)
				a, w := &archive{letters: map[string][]exchange.OutgoingLetter{}}, &world{change: change}
				c.store = func(s exchange.Store) exchange.Store { a.Store, w.Store = s, a; return w }
				c.reopen()
				for n, text := range prying(tt.cards...) {
					page := long.Run || n%8 == 0
					c.adj.LetterOptions = conversation.LetterOptions{HTML: page, Pictures: page}
					c.sends(tt.reader, text)
					w.done = true // from now on the store has the changed position
				}
				got[i] = a.letters[address(tt.reader)]
				if n := len(a.letters[address(other(tt.reader))]); n != 0 {
					t.Errorf("the enemy got %d letters of it", n)
				}
				owner[i] = c.sends(other(tt.reader), "STATUS").Text
			}
			same(t, tt.reader, got)
			if owner[0] == owner[1] {
				t.Error("the exchange has changed nothing for its owner: the test proves nothing")
			}
		})
	}
}

func other(seat string) string {
	return map[string]string{"communist": "democrat", "democrat": "communist"}[seat]
}

// at finds a list of cards in a position.
func at(doc map[string]any, path string) (map[string]any, string) {
	where, name, ok := strings.Cut(path, ".")
	if !ok {
		return doc, path
	}
	return doc[where].(map[string]any), name
}

// move takes cards from a pile to another.
func move(doc map[string]any, from, to string, cards ...int) {
	a, f := at(doc, from)
	b, t := at(doc, to)
	for _, c := range cards {
		n := slices.Index(a[f].([]any), any(float64(c)))
		if n < 0 {
			panic(fmt.Sprintf("%d is not in %s", c, from))
		}
		a[f] = slices.Delete(slices.Clone(a[f].([]any)), n, n+1)
		b[t] = append(slices.Clone(b[t].([]any)), float64(c))
	}
}

// aside puts a card of the Democrat's hand aside, face down.
func aside(card int) func(doc map[string]any) {
	return func(doc map[string]any) {
		hand := doc["hands"].(map[string]any)
		n := slices.Index(hand["democrat"].([]any), any(float64(card)))
		hand["democrat"] = slices.Delete(slices.Clone(hand["democrat"].([]any)), n, n+1)
		doc["samizdat"] = card
	}
}

// hold exchanges a struggle card of a hand for one of the deck.
func hold(side, card, instead string) func(doc map[string]any) {
	return func(doc map[string]any) {
		struggle := doc["struggle"].(map[string]any)
		hands := struggle["hands"].(map[string]any)
		list, deck := slices.Clone(hands[side].([]any)), slices.Clone(struggle["deck"].([]any))
		n, m := slices.Index(list, any(card)), slices.Index(deck, any(instead))
		if n < 0 || m < 0 {
			panic(fmt.Sprintf("%s is not among %v, or %s not among %v", card, list, instead, deck))
		}
		list[n], deck[m] = instead, card
		hands[side], struggle["deck"] = list, deck
	}
}

// TestHiddenConfirmations: nor does it tell anything whether a confirmation comes.
func TestHiddenConfirmations(t *testing.T) {
	t.Parallel()
	for _, tt := range hiddenCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got [2][]exchange.OutgoingLetter
			plain, _ := sampleAfter(t, tt.since)
			changed, _ := changedSample(t, tt.name, tt.change, tt.since)
			for i, c := range []*club{plain, changed} {
				a := pages(c)
				c.store = func(s exchange.Store) exchange.Store { a.Store = manyLetters{s}; return a }
				c.reopen()
				c.adj.LetterOptions = conversation.LetterOptions{Confirmations: time.Millisecond}
				for _, f := range txtar.Parse(testdata.SampleLetters).Files[tt.since:tt.letters] {
					_, seat, _ := strings.Cut(f.Name, " ")
					c.receive(c.letter(seat, string(f.Data)))
				}
				got[i] = a.letters[address(tt.reader)]
			}
			if len(got[0]) == 0 || len(got[0]) == tt.letters-tt.since {
				t.Errorf("%d letters to %d orders: none is spared", len(got[0]), tt.letters-tt.since)
			}
			if len(got[0]) != len(got[1]) {
				t.Fatalf("%d letters and %d letters", len(got[0]), len(got[1]))
			}
			for i, outgoing := range got[0] {
				if diff := cmp.Diff(unhashedLetter(outgoing), unhashedLetter(got[1][i])); diff != "" {
					t.Errorf("letter %d to the %s tells what it must not:\n%s", i+1, tt.reader, diff)
				}
			}
		})
	}
}
