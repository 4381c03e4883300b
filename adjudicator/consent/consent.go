// Package consent recognises YES and NO as people write them, e.g. "ok", "yes please, do it", "Ja." or a thumb.
package consent

import (
	"strings"

	"samizdat/adjudicator/order"
)

// Answer is the answer of a line to a yes-or-no question.
type Answer int

// The answers. None is any other line, such as "yes, but only if it rains".
const (
	None Answer = iota
	Yes
	No
)

// A line is a Yes if it has a word of yesWords and otherwise only politeWords; a word of noWords makes it a No.
// Case and accents are ignored.
var (
	yesWords = setOf(`yes y yep yeah yup ok okay okey correct right sure exactly indeed confirm confirmed agree agreed accept accepted
		ja jawohl oui si tak da sim ano igen genau correcto certo dobrze zgoda dacord akkoord`)
	noWords = setOf(`no n nope not dont never wrong nein non nie nem ne nej nicht pas nao`)
	// politeWords may stand beside yes or no. Alone they are no answer.
	politeWords = setOf(`please thanks thank you do it that thats this is was what i we meant mean go ahead the order orders drop leave forget
		bitte danke merci prosze dziekuje gracias por favor grazie so very much want to at all fine by with me`)
	// yesPhrases are lines of polite words that mean yes.
	yesPhrases = map[string]bool{"do it": true, "please do it": true, "please do": true, "do it please": true, "go ahead": true,
		"please go ahead":      true,
		"that is what i meant": true, "thats what i meant": true, "that is what i mean": true, "fine": true, "fine by me": true,
		"fine with me": true}
	thumbs = strings.NewReplacer("👍", " yes ", "👌", " yes ", "✅", " yes ", ":+1:", " yes ", "👎", " no ", "❌", " no ", ":-1:", " no ")
)

// setOf returns a set of words.
func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// Read reads a line: "Yes, please do it!" is Yes, "No, thanks." and "no, drop it" are No; "yes or no?", "yes,
// unless Ben objects" and "thanks" are None.
func Read(line string) Answer {
	if strings.Contains(line, "?") {
		return None
	}
	words := order.Words(thumbs.Replace(line))
	yes, no := yesPhrases[strings.Join(words, " ")], false
	for _, w := range words {
		switch {
		case yesWords[w]:
			yes = true
		case noWords[w]:
			no = true
		case !politeWords[w]:
			return None
		}
	}
	switch {
	case yes && !no:
		return Yes
	case no && !yes:
		return No
	}
	return None
}
