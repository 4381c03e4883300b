package adjudicator_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/record"
	"samizdat/mail/message"
	"samizdat/rules/dawn1989"
	"samizdat/testdata"
)

// TestHiddenStaysHidden exchanges what one seat must not know: cards in the
// enemy's hand for cards in the deck, power struggle cards likewise. Everything
// that the seat is sent until the enemy's next visible act is the same to the
// byte, but for the newest hash of the chain, which is keyed with the secret.
func TestHiddenStaysHidden(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		// letters are sent before the comparison; reader is who must not
		// notice, by what was drawn by whom.
		letters int
		reader  string
		change  func(o *record.Outcome) bool
	}{
		{"the Democrat's hand", 6, "communist", swap("democrat", 35, 5, 39, 38, 12, 29)},
		{"the Communist's hand", 5, "democrat", swap("communist", 27, 20, 22, 23, 34, 11)},
		{"the Democrat's struggle hand", 35, "communist", swap("democrat", "Church Leader", "Support Surges", "March-5", "March-6")},
		{"the Communist's struggle hand", 35, "democrat", swap("communist", "Worker Leader", "Support Falters", "Strike-6", "Scare Tactics")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			one := hiddenClub(t, tt.letters, func(*record.Outcome) bool { return false })
			two := hiddenClub(t, tt.letters, tt.change)
			a, b := one.mailbox[address(tt.reader)], two.mailbox[address(tt.reader)]
			if len(a) != len(b) || len(a) < 3 {
				t.Fatalf("%d letters and %d letters", len(a), len(b))
			}
			for i := range a {
				if d := cmp.Diff(unhashed(a[i]), unhashed(b[i])); d != "" {
					t.Errorf("letter %d to the %s tells what it must not:\n%s", i+1, tt.reader, d)
				}
			}
			other := map[string]string{"communist": "democrat", "democrat": "communist"}[tt.reader]
			if one.last(other).Text == two.last(other).Text {
				t.Error("the exchange has changed nothing for its owner: the test proves nothing")
			}
		})
	}
}

var hash = regexp.MustCompile(`(?m)^[0-9a-f]{64}$`)

func unhashed(l message.Letter) message.Letter {
	l.Text = hash.ReplaceAllString(l.Text, "(hash)")
	return l
}

// swap exchanges cards dealt to a seat: the first for the second, the third for
// the fourth and so on.
func swap(to string, cards ...any) func(o *record.Outcome) bool {
	pairs := map[any]any{}
	for i := 0; i+1 < len(cards); i += 2 {
		pairs[cards[i]] = cards[i+1]
	}
	return func(o *record.Outcome) bool {
		card, ok := pairs[o.Draw]
		if !ok || o.To != to {
			return false
		}
		o.Draw = card
		return true
	}
}

// hiddenClub plays the beginning of the sample turn with some draws changed.
func hiddenClub(t *testing.T, letters int, change func(o *record.Outcome) bool) *club {
	t.Helper()
	rec, err := record.Read(bytes.NewReader(testdata.SampleRecord))
	if err != nil {
		t.Fatal(err)
	}
	chance := []record.Outcome{}
	for _, e := range rec.Entries() {
		for _, o := range e.Chance {
			change(&o)
			chance = append(chance, o)
		}
	}
	c := newClub(t, dawn1989.Game{})
	c.match("1989", chance, dawnSeats...)
	sampleLetters(t, c, letters)
	return c
}
