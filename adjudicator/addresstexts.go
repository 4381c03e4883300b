package adjudicator

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/zone"
)

// noticeText is the title and the text of a notice to a player, or about him. It says
// nothing of how a match stands: an address may be wrong, or lost to somebody else. Who
// reads at another address than the player's is not told his time zone.
func noticeText(mark string, n contact.Notice, p *Player) (title, text string) {
	several, due := p.Several, zone.Write(n.Request.Due, zone.UTC)
	r, matchID := &n.Request, n.Request.Match
	switch n.Kind {
	case contact.AskNew:
		return "Is this your address?", askNewText(mark, r, others(several))
	case contact.AskOld:
		return "Is it you who asks?", askOldText(mark, p, r, others(several))
	case contact.Announce:
		return "Letters are to go elsewhere", announceText(mark, p, r, n.Instead, others(several))
	case contact.Scheduled:
		return "Not before " + due, note(mark, fmt.Sprintf("Thank you. %s from %s on, or sooner, "+
			"when the player says YES at the address that he has now. You need do nothing more. If he objects there, nothing changes.", match.Capital(here(r)), due))
	case contact.Later:
		return "Later than you were told", note(mark, fmt.Sprintf("%s later than you were told: from %s on, "+
			"or sooner, when the player says YES at the address that he has now. You need do nothing.", match.Capital(here(r)), due))
	case contact.Added:
		return "Orders count from here too", note(mark, fmt.Sprintf("In match %s orders count from this address from now on.%s Letters go where they went: please answer those.", matchID, others(several)))
	case contact.Kept:
		return "Nothing changes", note(mark, fmt.Sprintf("The change of address that was asked for in match %s is off. Nothing changes.", matchID))
	}
	return "Letters go elsewhere now", note(mark, fmt.Sprintf("The letters of match %s go to %s from now on.%s This is the last one that comes here, "+
		"and nothing that is written from here counts any more.", matchID, r.To, others(several)), "If that is not what you want, ask whoever runs Samizdat.")
}

// addressKeep is the order that ends a change of address.
const addressKeep = "ADDRESS KEEP"

// effect says what a request leads to.
func effect(r *contact.Request) string {
	if r.Also {
		return "your orders count from " + r.To + " too"
	}
	return "your letters go to " + r.To
}

// here says the same to the reader at the new address.
func here(r *contact.Request) string {
	if r.Also {
		return "orders of match " + r.Match + " count from this address"
	}
	return "letters of match " + r.Match + " come to this address"
}

// others says that a change is not for one match alone.
func others(several bool) string {
	if several {
		return " This goes for every match of the player."
	}
	return ""
}

func askNewText(mark string, r *contact.Request, others string) string {
	wants := "to have the letters of the match sent to this address from now on"
	if r.Also {
		wants = "his orders to count from this address too; letters do not come here"
	}
	return note(mark, fmt.Sprintf("A player of match %s at Samizdat, a referee of board games by mail, wants %s.%s", r.Match, wants, others),
		"If that is you, reply to this letter from the address that it came to, and write in the first line") +
		indented("YES") + strings.TrimPrefix(note("", fmt.Sprintf("The question is good for %d days. If it was not you, do nothing: nothing more comes.", contact.Days)), "\n")
}

func askOldText(mark string, p *Player, r *contact.Request, others string) string {
	return note(mark, fmt.Sprintf("A letter in your name asks for match %s that %s.%s That address has been asked too.", r.Match, effect(r), others),
		"If it was you, reply to this letter from the address that it came to, and write in the first line") + indented("YES") +
		strings.TrimPrefix(note("", fmt.Sprintf("Then it happens as soon as %s says YES too. If you do nothing, it happens on %s or later, once %s has said YES.",
			r.To, clockTime(p, r.Noticed.Add(contact.Wait)), r.To), "If it was not you, reply with"), "\n") + indented(addressKeep) +
		strings.TrimPrefix(note("", "Then nothing changes, and letters that you have had before can no longer be answered."), "\n")
}

// askOldAgainText answers a letter from the old address that says something else.
func askOldAgainText(mark string) string {
	return note(mark, "Nothing in your letter was carried out. It answers the question whether it was you who asked for a change of address: write YES or "+
		"ADDRESS KEEP on a line by itself. Orders belong in an answer to a letter of the match.")
}

// askNewAgainText answers a letter from a new address that does not say YES.
func askNewAgainText(mark string) string {
	return note(mark, "To have letters come to this address, or orders count from here, reply with YES on a line by itself. Nothing else is understood from here until then.")
}

func announceText(mark string, p *Player, r *contact.Request, instead bool, others string) string {
	before := ""
	if instead {
		before = " The change that was asked for before is off."
	}
	return note(mark, fmt.Sprintf("The operator of Samizdat was asked, probably by you, to send your letters of match %s to %s from now on, since this address is lost to you.%s", r.Match, r.To, others)+before,
		fmt.Sprintf("That happens on %s, or later, unless you object. Until then letters come here as before. To object, reply to this letter and write in the "+
			"first line", clockTime(p, r.Due))) +
		indented(addressKeep) + strings.TrimPrefix(note("", "Then nothing changes."), "\n")
}
