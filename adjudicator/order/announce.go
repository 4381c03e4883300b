package order

// announces reports whether a sentence tells of words that stand elsewhere in the letter: "You
// will find my homework underneath", "Somebody left this at the printer", "He begins like this".
// What it tells of may be the order, which then is no order. Who writes, types or sends this
// says nothing of the kind. It may also say what the order is: "It is how the book begins", "The
// club is against it".
func announces(sentence []spoken) bool {
	for i, w := range sentence {
		next := ""
		if i+1 < len(sentence) {
			next = sentence[i+1].text
		}
		switch {
		case elsewhere[w.text], w.text == "against" && itself[next]:
			return true
		case i == 0 && itself[w.text] && being[next] && len(sentence) > 2 && asking[sentence[2].text]:
			return true // "It is how he begins."
		case i == 0 || !pointing[w.text] || w.text == "that" || next != "" && !small[next]:
			continue
		}
		if prev := sentence[i-1].text; prev == "like" || prev != "" && !small[prev] && !dangling[prev] && !penned[prev] {
			return true
		}
	}
	return false
}

var (
	// elsewhere are words for places in a letter, and for what stands there.
	elsewhere = wordSet("below underneath beneath following follows hereunder wording manual verbatim")
	// asking words say which, or how, with what the sentence is about.
	asking = wordSet("how what why where who")
	// penned words stand before a "this" that takes nothing back: what a writer does to his own
	// letter, and what he feels and thinks about anything.
	penned = wordSet("write writing wrote type typing typed dictate dictating dictated send sending sent do doing did like love hate enjoy say saying read reading know see think believe guess hope and so")
)

// spokenOf are words as a sentence has them.
func spokenOf(ws []word) []spoken {
	out := make([]spoken, len(ws))
	for i, w := range ws {
		out[i].text = w.text
	}
	return out
}
