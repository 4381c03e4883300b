package order

import (
	_ "embed" // The words of letters.
	"strings"
	"sync"
)

//go:embed words.txt
var wordsText string

// lexicon are the words of letters that are none of a game, in all languages together.
type lexicon struct {
	// function words may stand in an order: "I'll play 36 for the event please".
	function phraseList
	// link are those of them that no sentence ends with.
	link phraseList
	// greeting begins a salutation, closing is what a farewell is made of.
	greeting, closing phraseList
	// addressee are words for whom a salutation is.
	addressee phraseList
	// denial words deny, retract, ask or condition what their sentence says.
	denial phraseList
	// kin are persons that a letter to the referee does not greet.
	kin phraseList
	// footer words stand in what companies put below letters.
	footer phraseList
	// everyday words are neither shortened nor misspelt names.
	everyday phraseList
}

// phraseList are phrases by their first words.
type phraseList map[string][][]string

// lexical is the lexicon, read once.
var lexical = sync.OnceValue(func() *lexicon {
	l := &lexicon{}
	lists := map[string]*phraseList{"function": &l.function, "link": &l.link, "kin": &l.kin, "footer": &l.footer, "addressee": &l.addressee, "greeting": &l.greeting, "closing": &l.closing, "denial": &l.denial, "everyday": &l.everyday}
	var list phraseList
	for line := range strings.Lines(wordsText) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "["), "]"); ok {
			list = phraseList{}
			*lists[name] = list
			continue
		}
		for phrase := range strings.FieldsSeq(line) {
			if ws := Words(strings.ReplaceAll(phrase, "_", " ")); list != nil && len(ws) > 0 {
				list[ws[0]] = append(list[ws[0]], ws)
			}
		}
	}
	for first, phrases := range l.link {
		l.function[first] = append(l.function[first], phrases...)
	}
	return l
})

// begins is how many words the longest phrase of the list has that begins ws; 0 if none does.
func (l phraseList) begins(ws []word) int {
	n := 0
	if len(ws) > 0 {
		for _, p := range l[ws[0].text] {
			if len(p) > n && begun(p, ws) {
				n = len(p)
			}
		}
	}
	return n
}

// has reports whether a word is one of the list by itself.
func (l phraseList) has(w string) bool {
	for _, p := range l[w] {
		if len(p) == 1 {
			return true
		}
	}
	return false
}

// wordSet is a set of words that a text lists.
func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// Lists reports whether a word is in one of the lists of words that letters may have around orders.
func Lists(word string) bool {
	l := lexical()
	for _, list := range []phraseList{l.function, l.greeting, l.closing, l.addressee, l.denial, l.kin, l.everyday} {
		for _, phrases := range list {
			for _, p := range phrases {
				for _, w := range p {
					if w == word {
						return true
					}
				}
			}
		}
	}
	return numerals[word] > 0 || counting[word] > 0 || repeated[word] > 0 || eaching[word] || remaining[word] || ordinals[word] > 0 || tens[word] > 0 || numbering[word]
}
