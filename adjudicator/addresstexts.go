package adjudicator

import (
	"fmt"
	"strings"
)

// These letters say nothing of how a match stands: an address may be wrong, or lost
// to somebody else.

// addressQuestionText asks a new address whether letters may come there.
func addressQuestionText(mark, match string, r *AddressRequest) string {
	what := "wants to have the letters of the match sent to this address from now on."
	if r.Also {
		what = "wants to write orders from this address too, and to get letters here when the other address fails."
	}
	return note(mark, fmt.Sprintf("A player of match %s at Samizdat, a referee of board games by mail, %s", match, what),
		"If that is you, reply to this letter from the address that it came to, and write in the first line") +
		indented("YES") + strings.TrimPrefix(note("", fmt.Sprintf("The question is good for %d days. If it was not you, do nothing: nothing more comes.", addressDays)), "\n")
}

// noticeText asks an address of the player whether it is he who wants a change. Who
// may only object gets a text without the YES.
func noticeText(mark, match string, r *AddressRequest, may bool) string {
	due := clockTime(r.Noticed.Add(addressNotice))
	asks := fmt.Sprintf("A letter in your name asks for match %s that %s. That address has been asked too.", match, r.effect())
	late := fmt.Sprintf("If you do nothing, it happens on %s or later, once %s has said YES.", due, r.To)
	no := indented("ADDRESS KEEP") +
		strings.TrimPrefix(note("", "Then nothing changes, and letters that you have had before can no longer be answered."), "\n")
	if !may {
		return note(mark, asks, "You have given up this address lately, or somebody else has in your name. "+late,
			"If it was not you, reply to this letter with") + no
	}
	return note(mark, asks, "If it was you, reply to this letter from the address that it came to, and write in the first line") + indented("YES") +
		strings.TrimPrefix(note("", fmt.Sprintf("Then it happens as soon as %s says YES too. %s", r.To, late),
			"If it was not you, reply with"), "\n") + no
}

// noticeReminderText answers a letter from such an address that says something else.
func noticeReminderText(mark string) string {
	return note(mark, "Nothing in your letter was carried out. It answers the question whether it was you who asked for a change of address: write YES or "+
		"ADDRESS KEEP on a line by itself. Orders belong in an answer to a letter of the match.")
}

// waitsText tells a new address that has said YES from when on it counts.
func waitsText(mark, match string, r *AddressRequest) string {
	what := "Letters of match " + match + " come to this address"
	if r.Also {
		what = "Orders for match " + match + " count from this address too"
	}
	return note(mark, fmt.Sprintf("Thank you. %s from %s on, or sooner, when the player says YES at the address that he has now. "+
		"You need do nothing more. If he objects there, nothing changes.", what, clockTime(r.Due)))
}

// addressReminderText answers a letter from a new address that does not say YES.
func addressReminderText(mark string) string {
	return note(mark, "To have letters come to this address, or orders count from here, reply with YES on a line by itself. Nothing else is understood from here until then.")
}

// askedText tells another address of the player what was asked for.
func askedText(mark, match string, r *AddressRequest) string {
	return note(mark, fmt.Sprintf("A letter in your name asks for match %s that %s. That address has been asked, and nothing changes before it says YES.",
		match, r.effect()),
		"If it was not you, reply with ADDRESS KEEP on a line by itself.")
}

// laterText tells a new address that was told when it counts that this is later.
func laterText(mark, match string, r *AddressRequest) string {
	what := "Letters of match " + match + " do not come to this address"
	if r.Also {
		what = "Orders for match " + match + " do not count from this address"
	}
	return note(mark, fmt.Sprintf("%s as soon as you were told, but from %s on, or sooner, when the player says YES at the address that he has now. "+
		"You need do nothing.", what, clockTime(r.Due)))
}

// operatorAskedText tells the old address of a change that the operator asks for. Instead
// means that it takes the place of another.
func operatorAskedText(mark, match string, r *AddressRequest, instead bool) string {
	before := ""
	if instead {
		before = " The change that was asked for before is off."
	}
	return note(mark, fmt.Sprintf("The operator of Samizdat was asked, probably by you, to send your letters of match %s to %s from now on, since this address is lost to you.", match, r.To)+before,
		fmt.Sprintf("That happens on %s, or later, unless you object: reply to this letter with ADDRESS KEEP on a line by itself, and nothing changes. "+
			"Until then letters come here as before.", clockTime(r.Due)))
}

// movedText is the last letter to an address that letters no longer go to.
func movedText(mark, match, to string) string {
	return note(mark, fmt.Sprintf("The letters of match %s go to %s from now on. This is the last one that comes here, and nothing that is written from here counts any more.", match, to),
		"If that is not what you want, ask whoever runs Samizdat.")
}

// secondMovedText tells the second address that the first one is another.
func secondMovedText(mark, match, to string) string {
	return note(mark, fmt.Sprintf("The letters of match %s go to %s from now on. Orders still count from here too.", match, to))
}

// alsoText tells a second address that it is one.
func alsoText(mark, match string) string {
	return note(mark, fmt.Sprintf("Orders for match %s count from this address too, when they reply to its letters. Those go to your first address; "+
		"they come here when they do not arrive there.", match))
}

const keptTitle = "Nothing changes"

// keptText tells another address of the player that nothing changes.
func keptText(mark, match string) string {
	return note(mark, fmt.Sprintf("The change of address that was asked for in match %s is off. Nothing changes.", match))
}

// droppedText is the last letter to a second address.
func droppedText(mark, match string) string {
	return note(mark, fmt.Sprintf("The player of match %s has given up one of two addresses. Nothing that is written from the second one counts any more.", match),
		"If that is not what you want, ask whoever runs Samizdat.")
}
