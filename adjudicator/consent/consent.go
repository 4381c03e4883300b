// Package consent recognises YES and NO as people write them, e.g. "ok", "yes please, do it", "Ja." or a thumbs-up sign. Package letter
// uses it for answers to questions.
package consent

import (
	"strings"

	"samizdat/adjudicator/order"
)

// Answer is the answer of a line to a yes-or-no question.
type Answer int

// The answers. None is the answer of a line that is neither a clear yes nor a clear no, e.g. "yes, but only if it
// rains".
const (
	None Answer = iota
	Yes
	No
)

// A line is a Yes if it has a word of yesWords, and a No if it has a word of noWords. Its other words must be courtesy
// (order.IsCourtesy) or politeWords; otherwise the line is None. Case and accents are ignored.
var (
	yesWords = wordSet(`yes y yep yeah yup yess ok okay okey k correct right sure exactly indeed absolutely definitely perfect affirmative aye
		confirm confirmed agree agreed accept accepted
		ja jo jawohl oui si tak da sim ano igen genau passt einverstanden correcto certo claro vale dobrze jasne zgoda potwierdzam daccord
		akkoord`)
	noWords = wordSet(`no n nope nah negative nevermind not dont didnt never wrong nein nicht non nie nem ne nej pas nao`)
	// politeWords may appear beside yes or no. Alone they are not an answer.
	politeWords = wordSet(`do it that thats this is was what i im we meant mean want go ahead carry out the order orders leave drop forget cancel of sorry mind
		to at by with me then thing way das es so ist war gemeint mach bitte ausfuhren ausfuehren o to chodzilo jest cest ca`)
	// noPhrases and yesPhrases are complete answers, e.g. "leave it"; "_" stands for a space.
	noPhrases  = wordSet(`leave_it leave_that cancel_that cancel_it forget_it forget_that drop_it drop_that`)
	yesPhrases = wordSet(`do_it please_do_it please_do do_it_please go_ahead please_go_ahead please_go_ahead_and_do_it go_for_it that_is_what_i_meant
		thats_what_i_meant that_is_what_i_mean fine fine_by_me fine_with_me all_good sounds_good of_course carry_it_out`)
	thumbSigns = strings.NewReplacer("👍", " yes ", "👌", " yes ", "✅", " yes ", "✔", " yes ", ":+1:", " yes ",
		"👎", " no ", "❌", " no ", ":-1:", " no ")
	// pronounPhrases shortens phrases before a line is compared: "drop that one" -> "drop that".
	pronounPhrases = strings.NewReplacer("that one", "that", "this one", "this")
)

func wordSet(list string) map[string]bool {
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
	if strings.TrimSpace(line) == "+1" {
		return Yes
	}
	words := order.Words(pronounPhrases.Replace(thumbSigns.Replace(line)))
	switch line := strings.Join(words, "_"); {
	case yesPhrases[line]:
		return Yes
	case noPhrases[line]:
		return No
	case strings.Contains(line, "correct_me"): // "Correct me if I misread it."
		return None
	}
	yes, no := false, false
	for _, w := range words {
		switch {
		case yesWords[w]:
			yes = true
		case noWords[w]:
			no = true
		case !politeWords[w] && !order.IsCourtesy(w):
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
