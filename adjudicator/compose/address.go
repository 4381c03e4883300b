package compose

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/contact"
	"samizdat/adjudicator/zone"
)

// KeepAddressOrder is the order that cancels a change of address.
const KeepAddressOrder = "ADDRESS KEEP"

// AddressMovedText tells a player, in each match, that the address has changed.
const AddressMovedText = "From now on your letters come to this address. Our reply address for you has changed too: replies to " +
	"older letters no longer count."

// The texts that repeat our question about a change of address after an answer that is neither YES nor NO: one for
// the new address, one for the old address.
const (
	NewAddressReminderText = "To receive letters at this address, or to send orders from it, reply with YES on a line by itself. Until " +
		"then we read nothing else from this address."
	OldAddressReminderText = "Your letter was not carried out. You replied to our question whether you asked for a change of address: " +
		"please answer it with YES or ADDRESS KEEP on a line by itself. To send orders, reply to a letter of the match."
)

// DescribeAddressDone tells a player that the requested change of address was made.
func DescribeAddressDone(request *contact.Request) string {
	if request.Additional {
		return "You can now also send orders from " + request.To + ", in all your matches. Our letters still go to your old " +
			"address. ADDRESS ONLY ends this."
	}
	return AddressMovedText
}

// DescribeAddressEffect returns the effect of a request as a clause, e.g. "your letters go to ada@example.org".
func DescribeAddressEffect(request *contact.Request) string {
	if request.Additional {
		return "you can also send orders from " + request.To
	}
	return "your letters go to " + request.To
}

// DescribeAddresses describes a player's addresses, and the open request to change them; request is nil for none.
func DescribeAddresses(player *match.Player, request *contact.Request) string {
	out := "Your letters go to " + player.Address + "."
	if len(player.OtherAddresses) > 0 {
		out += " You can also send orders from " + match.JoinAnd(player.OtherAddresses) + "; ADDRESS ONLY ends that."
	}
	switch {
	case request == nil:
		return out
	case !request.Due.IsZero():
		return out + " From " + FormatPlayerTime(player, request.Due) + ", " + DescribeAddressEffect(request) + "; ADDRESS KEEP prevents that."
	case request.OldAddressAgreed || request.NoticeTime.IsZero():
		return out + fmt.Sprintf(" We have asked %s and are waiting for an answer; ADDRESS KEEP cancels this.", request.To)
	}
	return out + fmt.Sprintf(" We have asked %s and are waiting for an answer, and you have not said YES in reply to the "+
		"letter to %s; ADDRESS KEEP cancels this.",
		request.To, player.Address)
}

// AddressNotice returns the title and the text of a notice about a player's address. The text does not describe the
// match, because a stranger may read it: the address may be mistyped, or have a new owner. A notice to an address
// that is not the player's does not reveal the player's time zone.
func AddressNotice(markerLine string, notice contact.Notice, player *match.Player) (title, text string) {
	request, due, allMatchesNote := &notice.Request, zone.FormatTime(notice.Request.Due, zone.UTC), ""
	effectHere := "letters about match " + request.Match + " will come to this address"
	if request.Additional {
		effectHere = "you can send orders for match " + request.Match + " from this address"
	}
	if player.InOtherMatches {
		allMatchesNote = " This applies to all your matches."
	}
	switch notice.Kind {
	case contact.NoticeAskNew:
		return "Is this your address?", newAddressQuestionText(markerLine, request,
			strings.Replace(allMatchesNote, "your matches", "matches of the player", 1))
	case contact.NoticeAskOld:
		return "Did you ask for a change of address?", oldAddressQuestionText(markerLine, player, request, allMatchesNote)
	case contact.NoticeAnnounce:
		return "Your letters will go to another address", addressChangeText(markerLine, player, request, notice.Replaces, allMatchesNote)
	case contact.NoticeScheduled:
		return "Change of address from " + due, FormatNote(markerLine, fmt.Sprintf("Thank you. %s from %s. We have also written to your "+
			"old address: YES in reply to that letter makes the change at once, and ADDRESS KEEP prevents it. Otherwise you need do nothing.",
			match.Capitalize(effectHere), due))
	case contact.NoticePostponed:
		return "Change of address postponed", FormatNote(markerLine, fmt.Sprintf("%s from %s. This is later than we told you, "+
			"because our letter to "+
			"your old address went out late. YES in reply to that letter makes the change at once. Otherwise you need do nothing.",
			match.Capitalize(effectHere), due))
	case contact.NoticeAdded:
		return "You can send orders from here too", FormatNote(markerLine, fmt.Sprintf("From now on you can send orders for match %s from "+
			"this address.%s Our letters still go to your other address: to send orders, reply to those.", request.Match, allMatchesNote))
	case contact.NoticeCancelled:
		return "No change of address", FormatNote(markerLine,
			fmt.Sprintf("The change of address requested in match %s is cancelled. Nothing changes.", request.Match))
	}
	return "Your letters now go to another address", FormatNote(markerLine, fmt.Sprintf("From now on the letters of match %s go "+
		"to %s.%s This is "+
		"the last letter to this address, and orders sent from this address no longer count.", request.Match, request.To, allMatchesNote),
		"If you do not want this, write to the operator of Samizdat.")
}

func newAddressQuestionText(markerLine string, request *contact.Request, allMatchesNote string) string {
	requestText := "the letters of the match to be sent to this address from now on"
	if request.Additional {
		requestText = "to send orders from this address too; the letters of the match go on to the first address"
	}
	return FormatNote(markerLine, fmt.Sprintf("A player of match %s at Samizdat, a referee of board games by mail, wants %s.%s", request.Match,
		requestText, allMatchesNote),
		"If that is you, reply to this letter from the address we sent it to, and write in the first line",
		"    YES", fmt.Sprintf("The question is open for %d days. If it is not you, do nothing: you will get no more "+
			"letters.", contact.ConfirmDays))
}

func oldAddressQuestionText(markerLine string, player *match.Player, request *contact.Request, allMatchesNote string) string {
	requestText := "send the letters of match " + request.Match + " to " + request.To + " from now on"
	if request.Additional {
		requestText = "accept orders for match " + request.Match + " from " + request.To + " too"
	}
	return FormatNote(markerLine, fmt.Sprintf("A letter in your name asks us to %s.%s We have also written to that address.",
		requestText, allMatchesNote),
		"If you asked for this, reply to this letter from the address we sent it to, and write in the first line",
		"    YES", fmt.Sprintf("Then the change is made as soon as %s answers YES too. If you do nothing, the change is made when "+
			"%s has answered YES, but not before %s.",
			request.To, request.To, FormatPlayerTime(player, request.NoticeTime.Add(contact.ObjectionPeriod))),
		"If you did not ask for this, reply with",
		"    "+KeepAddressOrder, "Then nothing changes, except that replies to our older letters no longer count: a stranger may have "+
			"read them.")
}

// addressChangeText announces a change of address that the operator has requested. replaces is set if the request
// replaces an earlier one.
func addressChangeText(markerLine string, player *match.Player, request *contact.Request, replaces bool, allMatchesNote string) string {
	announcement := fmt.Sprintf("The operator of Samizdat was asked, probably by you, to send your letters of match %s to %s from "+
		"now on, because you can no longer use this address.%s", request.Match, request.To, allMatchesNote)
	if replaces {
		announcement += " The earlier requested change is cancelled."
	}
	return FormatNote(markerLine, announcement, fmt.Sprintf("The change is made on %s or later, unless you object. Until then "+
		"your letters come "+
		"here as before. To object, reply to this letter and write in the first line", FormatPlayerTime(player, request.Due)), "    "+
		KeepAddressOrder, "Then nothing changes.")
}
