package message

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFeet(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("a1", 32), strings.Repeat("b2", 32)
	for name, tt := range map[string]struct {
		text           string
		feet, inQuotes []Foot
	}{
		"a letter":         {"Match m1, letter 5 to you, epoch 2. The hash of its history so far:\n" + a + "\n", []Foot{{"m1", 5, 2, a}}, []Foot{{"m1", 5, 2, a}}},
		"an older letter":  {"Match m1, letter 5 to you. The hash of its history so far:\n" + a, []Foot{{"m1", 5, -1, a}}, []Foot{{"m1", 5, -1, a}}},
		"to an observer":   {"Match m1, epoch 0. The hash of its history so far:\n" + a, []Foot{{"m1", 0, 0, a}}, []Foot{{"m1", 0, 0, a}}},
		"filled":           {"Match m1, letter 5 to you,\nepoch 2. The hash of its\nhistory so far: " + a, []Foot{{"m1", 5, 2, a}}, []Foot{{"m1", 5, 2, a}}},
		"a quote":          {"WITNESS\n\n> Match m1, letter 5 to you, epoch 2. The hash of\n> its history so far:\n> " + a, nil, []Foot{{"m1", 5, 2, a}}},
		"a quote in both":  {"> > Match m1, letter 4 to you, epoch 0. The hash of its history so far:\n> > " + b + "\n> Match m1, letter 5 to you, epoch 0. The hash of its history so far:\n> " + a, nil, []Foot{{"m1", 4, 0, b}, {"m1", 5, 0, a}}},
		"without a hash":   {"Match m1, letter 5 to you.\n", nil, nil},
		"a hash too short": {"Match m1, epoch 0. The hash of its history so far:\n" + a[:63] + "\n", nil, nil},
		"a hash too long":  {"Match m1, epoch 0. The hash of its history so far:\n" + a + "a\n", nil, nil},
	} {
		if d := cmp.Diff(tt.feet, Feet(tt.text)); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
		if d := cmp.Diff(tt.inQuotes, QuotedFeet(tt.text)); d != "" {
			t.Errorf("%s, in quotes:\n%s", name, d)
		}
	}
}
