package compose

import (
	"fmt"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/zone"
)

// AddressKeep is the order that ends a change of address.
const AddressKeep = "ADDRESS KEEP"

// AddressMoved tells a player in each of his matches that his address has changed.
const AddressMoved = "Your letters come to this address from now on, and the address that you answer to has changed: " +
	"older letters can no longer be answered."

// The answers to a letter that answers the question about a change of address, and says neither YES nor NO: to the new
// address and to the old one.
const (
	AskNewAgain = "To have letters come to this address, or orders count from here, reply with YES on a line by itself. " +
		"Nothing else is understood from here until then."
	AskOldAgain = "Nothing in your letter was carried out. It answers the question whether it was you who asked for a change of address: " +
		"write YES or ADDRESS KEEP on a line by itself. Orders belong in an answer to a letter of the match."
)

// DescribeAddressDone tells a player that his request for a change of address was carried out.
func DescribeAddressDone(r *contact.Request) string {
	if r.Additional {
		return "Your orders count from " + r.To + " too, in all your matches. Letters go where they went. ADDRESS ONLY ends that."
	}
	return AddressMoved
}

// DescribeAddressEffect returns the effect of a request, e.g. "your letters go to ada@example.org".
func DescribeAddressEffect(r *contact.Request) string {
	if r.Additional {
		return "your orders count from " + r.To + " too"
	}
	return "your letters go to " + r.To
}

// DescribeAddresses tells a player his addresses, and the open request.
func DescribeAddresses(p *match.Player, r *contact.Request) string {
	out := "Your letters go to " + p.Address + "."
	if len(p.OtherAddresses) > 0 {
		out += " Your orders count from " + match.JoinAnd(p.OtherAddresses) + " too; ADDRESS ONLY ends that."
	}
	switch {
	case r == nil:
		return out
	case !r.Due.IsZero():
		return out + " From " + ClockTime(p, r.Due) + " on " + DescribeAddressEffect(r) + "; ADDRESS KEEP prevents that."
	case r.Granted || r.NoticeTime.IsZero():
		return out + fmt.Sprintf(" %s has been asked and has not answered; ADDRESS KEEP ends that.", r.To)
	}
	return out + fmt.Sprintf(" %s has been asked and has not answered, and you have not said YES in reply to the letter to %s; "+
		"ADDRESS KEEP ends that.",
		r.To, p.Address)
}

// AddressNotice returns the title and the text of a notice about a player's address. The text does not describe the match,
// because the address may be mistyped or belong to a stranger by now. A notice to an address that is not the player's does
// not reveal the player's time zone.
func AddressNotice(mark string, n contact.Notice, p *match.Player) (title, text string) {
	r, due, all := &n.Request, zone.FormatTime(n.Request.Due, zone.UTC), ""
	here := "letters of match " + r.Match + " come to this address"
	if r.Additional {
		here = "orders of match " + r.Match + " count from this address"
	}
	if p.Several {
		all = " This goes for every match of the player."
	}
	switch n.Kind {
	case contact.AskNew:
		return "Is this your address?", askNewText(mark, r, all)
	case contact.AskOld:
		return "Is it you who asks?", askOldText(mark, p, r, all)
	case contact.Announce:
		return "Letters are to go elsewhere", announceText(mark, p, r, n.Replaces, all)
	case contact.Scheduled:
		return "Not before " + due, Note(mark, fmt.Sprintf("Thank you. %s from %s on, or sooner, "+
			"when the player says YES at the address that he has now. You need do nothing more. If he objects there, nothing changes.",
			match.Capitalize(here), due))
	case contact.Later:
		return "Later than you were told", Note(mark, fmt.Sprintf("%s later than you were told: from %s on, "+
			"or sooner, when the player says YES at the address that he has now. You need do nothing.", match.Capitalize(here), due))
	case contact.Added:
		return "Orders count from here too", Note(mark, fmt.Sprintf("In match %s orders count from this address from now on.%s "+
			"Letters go where they went: please answer those.", r.Match, all))
	case contact.Kept:
		return "Nothing changes", Note(mark,
			fmt.Sprintf("The change of address that was asked for in match %s is off. Nothing changes.", r.Match))
	}
	return "Letters go elsewhere now", Note(mark, fmt.Sprintf("The letters of match %s go to %s from now on.%s This is the last one "+
		"that comes here, and nothing that is written from here counts any more.", r.Match, r.To, all),
		"If that is not what you want, ask whoever runs Samizdat.")
}

func askNewText(mark string, r *contact.Request, all string) string {
	wants := "to have the letters of the match sent to this address from now on"
	if r.Additional {
		wants = "his orders to count from this address too; letters do not come here"
	}
	return Note(mark, fmt.Sprintf("A player of match %s at Samizdat, a referee of board games by mail, wants %s.%s", r.Match, wants, all),
		"If that is you, reply to this letter from the address that it came to, and write in the first line",
		"    YES", fmt.Sprintf("The question is good for %d days. If it was not you, do nothing: nothing more comes.", contact.ConfirmDays))
}

func askOldText(mark string, p *match.Player, r *contact.Request, all string) string {
	return Note(mark, fmt.Sprintf("A letter in your name asks for match %s that %s.%s That address has been asked too.", r.Match,
		DescribeAddressEffect(r), all),
		"If it was you, reply to this letter from the address that it came to, and write in the first line",
		"    YES", fmt.Sprintf("Then it happens as soon as %s says YES too. If you do nothing, it happens on %s or later, once %s "+
			"has said YES.",
			r.To, ClockTime(p, r.NoticeTime.Add(contact.ObjectionTime)), r.To), "If it was not you, reply with",
		"    "+AddressKeep, "Then nothing changes, and letters that you have had before can no longer be answered.")
}

func announceText(mark string, p *match.Player, r *contact.Request, replaces bool, all string) string {
	asked := fmt.Sprintf("The operator of Samizdat was asked, probably by you, to send your letters of match %s to %s from now on, "+
		"since this address is lost to you.%s", r.Match, r.To, all)
	if replaces {
		asked += " The change that was asked for before is off."
	}
	return Note(mark, asked, fmt.Sprintf("That happens on %s, or later, unless you object. Until then letters come here as before. "+
		"To object, reply to this letter and write in the first line", ClockTime(p, r.Due)), "    "+AddressKeep, "Then nothing changes.")
}
