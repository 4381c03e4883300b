package adjudicator

import "samizdat/adjudicator/letter"

// Observers observe a match from outside. What they are sent is made from the public
// view and from public events, at moments that nothing hidden decides: an observer
// gets a letter when something public has happened or the match looks otherwise to
// everybody, and never for a sealed or private answer, a conditional order, a message or
// a question. Numbers and Message-IDs count those letters only.
//
// An address can be forged, so nobody observes a match before a letter to his address
// was answered with YES. That first letter is the same whether there is such a match
// or not.

const (
	// mostObservers is how many may observe a match at once.
	mostObservers = 50
	// mostOffers is how many addresses are asked in a day whether they want to observe:
	// whoever forges senders must not make us write to the world.
	mostOffers = 200
	// offerDays is for how many days a question can be answered.
	offerDays = 7
)

// asks finds an order to the host in a letter of somebody who need not play.
func (l Letter) asks(word letter.Word) (letter.Command, bool) {
	if l.TooBig || len(l.Orders) > mostText {
		return letter.Command{}, false
	}
	return letter.Find(l.Orders, l.Subject, word)
}
