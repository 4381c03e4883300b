package order

// announces reports whether a sentence tells of words that stand elsewhere in the letter: "You
// will find my homework underneath", "Somebody left this at the printer", "He begins like this".
// What it tells of may be the order, which then is no order. Who writes, types or sends this
// says nothing of the kind.
func announces(sentence []spoken) bool {
	for i, w := range sentence {
		if elsewhere[w.text] {
			return true
		}
		if i == 0 || !pointing[w.text] || w.text == "that" || i+1 < len(sentence) && !small[sentence[i+1].text] && sentence[i+1].text != "" {
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
	// penned is what a writer does to his own letter.
	penned = wordSet("write writing wrote type typing typed dictate dictating dictated send sending sent do doing did like love hate enjoy say saying read reading know see think believe guess hope and so")
)
