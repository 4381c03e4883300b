package templates

import "fmt"

// What letters say in the same words as text and as a page.
const (
	given = `The match has begun. Its dice and cards were given beforehand, by whoever made
it; they are not from a secret.`
	published      = "The match is over, and the secret that the dice came from is published:"
	recordAttached = "The match's record is attached. MAILBOX is where you keep your letters:"
	recordByMail   = `With the match's record, which a reply with RECORD brings, everybody can check
every die and every card.`
	mixed       = "The match has begun. These words are mixed into the dice:"
	boundBy     = "The secret that the dice come from is bound by"
	numberAlone = "The number alone will do."
)

// bound says where the hash of the secret stood.
func (l Letter) bound() string {
	if l.Observing {
		return "Its SHA-256 is the number that your first letter carried:"
	}
	return "Its SHA-256 is the number that your invitation carried:"
}

// orders is what the reader's letter was.
func (l Letter) orders() string {
	if l.Observing || l.Slip {
		return "letter"
	}
	return "orders"
}

// closing says how to answer.
func (l Letter) closing() string {
	switch {
	case l.Directing:
		return `To direct the match, reply to this letter, from the address that it came to.
HELP lists what you may write; a reply to an older letter does nothing.`
	case l.Observing && l.Over:
		return ""
	case l.Observing:
		return "You only watch. To watch no longer, reply to this letter with UNOBSERVE."
	case l.CalledOff:
		return "There is nothing to answer."
	case l.Over:
		return `The match is over, and nothing is left to answer. A reply with STATUS, HISTORY
or RESEND in it is still answered.`
	case l.Slip:
		return `To answer, reply to this letter above its first line. Text below a line "--"
or behind // is not read. HELP explains orders, STATUS sends the whole letter.`
	case l.Short && l.Status != "":
		return `Nothing is asked of you, so this letter is short. Reply with STATUS to get all
that there is to see now, or with MAP to get the map alone.`
	}
	return `To answer, reply to this letter and write your orders above its first line.
HELP explains orders, STATUS sends this letter again.`
}

// Foot names the letter, and the history that it tells of. Who checks a record with letters
// looks for these words.
func (l Letter) Foot() string {
	foot := "Match " + l.Match
	if l.Number > 0 {
		foot += fmt.Sprintf(", letter %d to you", l.Number)
	}
	if l.Head == "" {
		return foot + "."
	}
	return foot + fmt.Sprintf(", epoch %d. The hash of its history so far:", l.Epoch)
}
