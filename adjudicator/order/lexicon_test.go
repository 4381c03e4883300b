package order

import "testing"

// TestLexicon: the lists of words that belong to no game stay short. What is not in them is asked about.
func TestLexicon(t *testing.T) {
	t.Parallel()
	count := func(lists ...phraseList) (n int) {
		for _, list := range lists {
			for _, phrases := range list {
				n += len(phrases)
			}
		}
		return n
	}
	l := sharedLexicon()
	for _, of := range []struct {
		name string
		n    int
		most int
	}{
		{"function words", count(l.function), 200},
		{"words of courtesy", count(l.greeting, l.addressee, l.closing), 200},
		{"denials", count(l.denial), 60},
		{"other words", count(l.footer, l.everyday), 40},
	} {
		if of.n == 0 || of.n > of.most {
			t.Errorf("there are %d %s, and may be %d", of.n, of.name, of.most)
		}
	}
	if len(wordsText) > 6000 {
		t.Errorf("the lists have %d bytes", len(wordsText))
	}
}
