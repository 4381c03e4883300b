package order

// An order is no order where its sentence asks, or tells what somebody else wants, though it has no
// question mark and all its other words are common ones.

// questions reports whether words begin as a question does: "shall I play 39", "is 39 ok".
func questions(ws []word) bool {
	for len(ws) > 2 && (leading[ws[0].text] || filling[ws[0].text]) {
		ws = ws[1:]
	}
	switch {
	case len(ws) < 3:
		return false
	case questioning[ws[0].text]:
		return true
	}
	return inverted[ws[0].text] && subjects[ws[1].text]
}

// wanted reports whether words begin with what somebody else wants or says: "he hopes for 39".
func wanted(ws []word) bool {
	if len(ws) > 3 && (ws[0].text == "my" || ws[0].text == "the" || ws[0].text == "our") {
		ws = ws[1:]
	}
	return len(ws) > 2 && ws[0].text != "i" && ws[0].text != "we" && wanting[ws[1].text]
}

// dated reports whether words put something off to a day: "39 event on Tuesday".
func dated(ws []word) bool {
	for i, w := range ws {
		if i > 0 && putOff[ws[i-1].text] && weekdays[w.text] && !parting[ws[max(0, i-2)].text] {
			return true
		}
	}
	return false
}

// Doubted is the idiom of a line that doubts what stands beside it; empty where there is none.
func (p *Parser) Doubted(line string) string {
	for _, f := range p.pieces(line) {
		if p.harmless(f) {
			continue
		}
		ws := p.wordsOf(f.text)
		for i := range ws {
			if n := max(longestPhrase(languages().idioms, ws[i:]), longestPhrase(languages().setAside, ws[i:])); n > 0 {
				return f.text[ws[i].start:ws[i+n-1].end]
			}
		}
	}
	return ""
}

// isSetAside reports whether words hold a phrase that sets an order aside in its own sentence.
func isSetAside(ws []word) bool {
	for i := range ws {
		if longestPhrase(languages().setAside, ws[i:]) > 0 {
			return true
		}
	}
	return false
}

var (
	putOff   = wordSet("on next this by from for not")
	weekdays = wordSet("monday tuesday wednesday thursday friday saturday sunday weekend week month mon tue wed thu fri sat sun montag dienstag mittwoch donnerstag freitag samstag sonntag")
	// parting words stand before a day on which their writer is back.
	parting = wordSet("you again back home away until till busy")
	// filling words stand before a question and are no part of it.
	filling = wordSet("well ok okay hm hmm so now and oh erm um hi hello hey please sorry then")
	// questioning words begin a sentence only where it asks.
	questioning = wordSet("is are am was were does did isnt arent wasnt werent doesnt didnt")
	// inverted words begin one that asks where its subject follows.
	inverted = wordSet("do shall will can could would should may might must have has had dont wont cant couldnt wouldnt shouldnt ought")
	subjects = wordSet("i we you he she it they that this there anyone anybody one")
	// wanting words tell what their subject wants or says.
	wanting = wordSet("wants wanted hopes hoped wishes wished expects expected says said thinks thought suggests suggested recommends recommended advises advised " +
		"asks asked begs begged tells told insists insisted prefers preferred votes voted swears writes wrote")
)
