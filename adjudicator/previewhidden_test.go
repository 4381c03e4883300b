package adjudicator_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/exchange"
	"samizdat/internal/test/long"
)

// nosy are letters that ask for what is hidden, as far as conditional orders and previews
// can be made to.
var nosy = []string{
	"ANSWER 46 TAKE 33\nANSWER 46 TAKE 84, 33\nANSWER 36 TAKE 3",
	"NEXT IF HOLD 39: PLAY 39 EVENT ELSE ASK\nNEXT IF NOT HOLD 35: PLAY 14 EVENT",
	"ANSWER 33 IF HAPPENED 35 OR MORE: CHOOSE Razgrad",
	"ANSWER 33 IF HOLD 35 AND NOT HAPPENED 39: CHOOSE Razgrad",
	"ATTACK March-6, Church Leader, Rally\nDEFEND Support Surges, March-5",
	"PREVIEW\nPLAY 20 EVENT\nPLAY 34 EVENT",
	"PREVIEW PLAY 27 EVENT", "PREVIEW PLAY 14 EVENT\nREMOVE Lodz 2\nCHECK Krakow", "PREVIEW PLAY 22 EVENT",
	"PREVIEW PLAY 39 EVENT", "PREVIEW PLAY 35 EVENT", "PREVIEW PLAY 12 OPS EVENT FIRST", "PREVIEW PLAY 20 OPS EVENT FIRST",
	"PREVIEW PLAY 23 EVENT", "PREVIEW PLAY 5 OPS CHECK Lodz, Krakow EVENT AFTER",
	"PREVIEW RAISE Rally, Rally, March-3", "PREVIEW ATTACK March-6\nATTACK Rally", "PREVIEW PASS\nATTACK Strike-6", "PREVIEW DEFEND March-3",
	"PREVIEW ANSWER 46 TAKE 33\nCARD 39\nHAND", "SHOW ORDERS\nCANCEL ORDERS",
}

// TestNosyLetters: what becomes of conditional orders, and what a preview tells, is the same
// to the byte whatever the other side holds and the deck hides.
func TestNosyLetters(t *testing.T) {
	t.Parallel()
	for n, tt := range hiddenCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			letters := min(tt.letters+1, 35) // the reader is to move
			one, _ := sampleAfter(t, letters)
			two, _ := changedSample(t, tt.name, tt.change, letters)
			for i, text := range nosy {
				if (i+n)%long.N(2, 1) > 0 {
					continue // In an ordinary run half of them are sent in each case.
				}
				a, b := one.sends(tt.reader, text), two.sends(tt.reader, text)
				if d := cmp.Diff(unhashed(a), unhashed(b)); d != "" {
					t.Errorf("%s\n%s", text, d)
				}
			}
		})
	}
}

// TestUnderstoodHidden: how a letter is understood does not tell what the other side holds:
// whether the second of two orders could be carried out behind the first is not looked up.
func TestUnderstoodHidden(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"46 event.\ntake nicholas if possible.", "lenin for the event. take nicholas", "lenin for the event, take nicholas", "PLAY 46 EVENT\nTAKE 24\nnot sure yet",
		"46 event; take 24?", "PLAY 46 EVENT, 24", "GRACE 1 hour\nPLAY 46 EVENT\nTAKE 24",
	} {
		var got [2]string
		for i, red := range []bool{false, true} {
			c, _ := sampleAfter(t, 8)
			w := &world{change: func(doc map[string]any) {
				move(doc, "hands.democrat", "future", 12)
				move(doc, "future", "hands.democrat", 46)
				if red {
					move(doc, "hands.communist", "deck", 14)
					move(doc, "deck", "hands.communist", 24)
				}
			}}
			c.store = func(s exchange.Store) exchange.Store { w.Store = s; return w }
			c.reopen()
			got[i] = c.sends("democrat", text).Text
		}
		if d := cmp.Diff(got[0], got[1]); d != "" {
			t.Errorf("%s\n%s", text, d)
		}
	}
}
