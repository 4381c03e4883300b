package adjudicator_test

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/match/record"
	"samizdat/mail/message"
)

// TestHiddenStaysHidden exchanges what one seat must not know: cards in the
// enemy's hand for cards in the deck, power struggle cards likewise. Everything
// that the seat is sent until the enemy's next visible act is the same to the
// byte, but for the newest hash of the chain, which is keyed with the secret.
func TestHiddenStaysHidden(t *testing.T) {
	t.Parallel()
	for _, tt := range hiddenCases {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			one, _ := sampleAfter(t, tt.letters)
			two, _ := changedSample(t, tt.name, tt.change, tt.letters)
			a, b := one.mailbox[address(tt.reader)], two.mailbox[address(tt.reader)]
			if len(a) != len(b) || len(a) < 3 {
				t.Fatalf("%d letters and %d letters", len(a), len(b))
			}
			for i := range a {
				if d := cmp.Diff(unhashed(a[i]), unhashed(b[i])); d != "" {
					t.Errorf("letter %d to the %s tells what it must not:\n%s", i+1, tt.reader, d)
				}
			}
			if owner := other(tt.reader); one.last(owner).Text == two.last(owner).Text {
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
