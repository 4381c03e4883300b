package compose

import (
	"fmt"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/zone"
)

// AddressKeep is the order that ends a change of address.
const AddressKeep = "ADDRESS KEEP"

// AddressMoved tells a player, in each match, that the address has changed.
const AddressMoved = "From now on your letters come to this address. Our reply address for you has changed too: replies to " +
	"older letters no longer count."

// What we reply when the answer to our question about a change of address is neither YES nor NO, at the new address and
// at the old one.
const (
	AskNewAgain = "To receive letters at this address, or to send orders from it, reply with YES on a line by itself. Until " +
		"then we understand nothing else from here."
	AskOldAgain = "Your letter was not carried out. You replied to our question whether you asked for a change of address: " +
		"write YES or ADDRESS KEEP on a line by itself. Send orders in reply to a letter of the match."
)

// DescribeAddressDone tells a player that the requested change of address was made.
func DescribeAddressDone(r *contact.Request) string {
	if r.Additional {
		return "You can now also send orders from " + r.To + ", in all your matches. Our letters still go to your old " +
			"address. ADDRESS ONLY ends this."
	}
	return AddressMoved
}

// DescribeAddressEffect returns the effect of a request, e.g. "your letters go to ada@example.org".
func DescribeAddressEffect(r *contact.Request) string {
	if r.Additional {
		return "you can also send orders from " + r.To
	}
	return "your letters go to " + r.To
}

// DescribeAddresses describes a player's addresses, and the open request.
func DescribeAddresses(p *match.Player, r *contact.Request) string {
	out := "Your letters go to " + p.Address + "."
	if len(p.OtherAddresses) > 0 {
		out += " You can also send orders from " + match.JoinAnd(p.OtherAddresses) + "; ADDRESS ONLY ends that."
	}
	switch {
	case r == nil:
		return out
	case !r.Due.IsZero():
		return out + " From " + ClockTime(p, r.Due) + ", " + DescribeAddressEffect(r) + "; ADDRESS KEEP prevents that."
	case r.Granted || r.NoticeTime.IsZero():
		return out + fmt.Sprintf(" We have asked %s and are waiting for an answer; ADDRESS KEEP cancels this.", r.To)
	}
	return out + fmt.Sprintf(" We have asked %s and are waiting for an answer, and you have not said YES in reply to the "+
		"letter to %s; ADDRESS KEEP cancels this.",
		r.To, p.Address)
}

// AddressNotice returns the title and the text of a notice about a player's address. The text does not describe the match,
// because the address may be mistyped or belong to a stranger by now. A notice to an address that is not the player's does
// not reveal the player's time zone.
func AddressNotice(mark string, n contact.Notice, p *match.Player) (title, text string) {
	r, due, all := &n.Request, zone.FormatTime(n.Request.Due, zone.UTC), ""
	here := "letters of match " + r.Match + " come to this address"
	if r.Additional {
		here = "orders of match " + r.Match + " can be sent from this address"
	}
	if p.Several {
		all = " This holds for all matches of the player."
	}
	switch n.Kind {
	case contact.AskNew:
		return "Is this your address?", askNewText(mark, r, all)
	case contact.AskOld:
		return "Did you ask for this?", askOldText(mark, p, r, all)
	case contact.Announce:
		return "Your letters will go elsewhere", announceText(mark, p, r, n.Replaces, all)
	case contact.Scheduled:
		return "Not before " + due, Note(mark, fmt.Sprintf("Thank you. %s from %s, or sooner if the player says YES at the "+
			"present address. You need do nothing more. If the player objects there, nothing changes.",
			match.Capitalize(here), due))
	case contact.Later:
		return "Later than we told you", Note(mark, fmt.Sprintf("%s later than we told you: from %s, or sooner if the player "+
			"says YES at the present address. You need do nothing.", match.Capitalize(here), due))
	case contact.Added:
		return "You can send orders from here too", Note(mark, fmt.Sprintf("From now on you can send orders for match %s from "+
			"this address.%s Our letters still go to the other address: please reply to those.", r.Match, all))
	case contact.Kept:
		return "Nothing changes", Note(mark,
			fmt.Sprintf("The change of address requested in match %s is canceled. Nothing changes.", r.Match))
	}
	return "Letters go elsewhere now", Note(mark, fmt.Sprintf("From now on the letters of match %s go to %s.%s This is the "+
		"last one sent here, and orders sent from here no longer count.", r.Match, r.To, all),
		"If you do not want this, write to the operator of Samizdat.")
}

func askNewText(mark string, r *contact.Request, all string) string {
	wants := "the letters of the match to be sent to this address from now on"
	if r.Additional {
		wants = "to send orders from this address too; our letters will not come here"
	}
	return Note(mark, fmt.Sprintf("A player of match %s at Samizdat, a referee of board games by mail, wants %s.%s", r.Match, wants, all),
		"If that is you, reply to this letter from the address we sent it to, and write in the first line",
		"    YES", fmt.Sprintf("The question is open for %d days. If it was not you, do nothing: you will get no more "+
			"letters.", contact.ConfirmDays))
}

func askOldText(mark string, p *match.Player, r *contact.Request, all string) string {
	return Note(mark, fmt.Sprintf("A letter in your name requests for match %s that %s.%s We have asked that address too.", r.Match,
		DescribeAddressEffect(r), all),
		"If it was you, reply to this letter from the address we sent it to, and write in the first line",
		"    YES", fmt.Sprintf("Then the change is made as soon as %s says YES too. If you do nothing, it is made on %s or "+
			"later, once %s has said YES.",
			r.To, ClockTime(p, r.NoticeTime.Add(contact.ObjectionTime)), r.To), "If it was not you, reply with",
		"    "+AddressKeep, "Then nothing changes, and replies to older letters no longer count.")
}

func announceText(mark string, p *match.Player, r *contact.Request, replaces bool, all string) string {
	asked := fmt.Sprintf("The operator of Samizdat was asked, probably by you, to send your letters of match %s to %s from "+
		"now on, because you can no longer use this address.%s", r.Match, r.To, all)
	if replaces {
		asked += " The earlier requested change is canceled."
	}
	return Note(mark, asked, fmt.Sprintf("The change is made on %s or later, unless you object. Until then letters come here "+
		"as before. To object, reply to this letter and write in the first line", ClockTime(p, r.Due)), "    "+
		AddressKeep, "Then nothing changes.")
}
