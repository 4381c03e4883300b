package compose

import (
	"fmt"
	"time"

	"samizdat/templates"
)

// StrangerText answers a registered sender's letter without a valid token. It does not mention any match.
func StrangerText(markerLine string) string {
	return FormatNote(markerLine, "Samizdat received your letter but did not carry it out. Either it was not a reply to one of "+
		"our letters, so "+
		"we cannot tell which match it is for, or it was not sent from the address that you play with.",
		"Please reply to the newest letter of your match with your mail program's reply button, from the address that you play with.")
}

// UnprovenText answers a letter with a token but without the required sender authentication. It does not mention any match.
func UnprovenText(markerLine string) string {
	return markerLine + `

Your letter reached Samizdat, but nothing shows that it comes from your mail
provider: it was not signed in your provider's name, or was changed on the way.
Samizdat requires such a proof here, so nothing in your letter was carried out.

Please reply to the newest letter of your match, with your mail program's reply
button, through the server of your own mail provider. If that does not help, ask
the operator of Samizdat.
`
}

// TooManyText tells a sender that there were too many letters to answer, and from which time letters are answered
// again. It does not mention any match.
func TooManyText(markerLine string, again time.Time) string {
	return markerLine + "\n\n" + templates.Wrap("We read your letter but do not answer it: it carried out no order, and there were "+
		"many such letters lately. Settings and saved orders in it count. Please ask again after "+
		again.UTC().Truncate(time.Minute).Add(time.Minute).Format("2 January 2006, 15:04 UTC")+", in reply to the same letter.") + "\n\n" +
		templates.Wrap("We always answer letters whose orders were carried out. You get this notice once a day at most.") + "\n"
}

// TooLongText answers a letter that is too long for a check of the required sender authentication. It does not
// mention any match.
func TooLongText(markerLine string) string {
	return markerLine + `

Your letter reached Samizdat, but it was too long: only its beginning was read.
That is not enough to show that it comes from your mail provider. Samizdat
requires such a proof here, so nothing in your letter was carried out.

Please send it again as a short letter without attachments.
`
}

// ObserveQuestionText asks the owner of an address to confirm OBSERVE with YES. The text does not
// reveal whether the match exists.
func ObserveQuestionText(markerLine, match string) string {
	return FormatNote(markerLine, "Someone, probably you, has asked Samizdat, a referee for board games by mail, to watch the match",
		"    "+match, "If it was you, reply to this letter from the address we sent it to, and write in the first line",
		"    YES", "If it was not you, do nothing. We ask at most once a day, and send nothing else.")
}

// ObserveReminderText answers a reply to ObserveQuestionText that is neither YES nor OBSERVE.
func ObserveReminderText(markerLine string) string {
	return FormatNote(markerLine, "To watch the match, reply with YES on a line by itself; to watch another one, with OBSERVE and its "+
		"name. We understand nothing else here. If you do not want to watch, do nothing.")
}

// NotObservableText answers YES for a match that cannot be observed. The text is the same for each possible reason,
// so that it does not reveal the reason.
func NotObservableText(markerLine, match string) string {
	return FormatNote(markerLine, fmt.Sprintf("You cannot watch match %q. Either the name is wrong, or the match is "+
		"private or over, or it has too many observers already.", match),
		"To watch another match, reply with OBSERVE and its name. You find the name in brackets at the end of the subject of its letters.")
}

// AlreadyObservesText answers an observer who asks again to watch a match.
func AlreadyObservesText(markerLine, match string) string {
	return FormatNote(markerLine, fmt.Sprintf("You are already watching match %s. To stop, reply to one of its letters with "+
		"UNOBSERVE.", match))
}

// AlreadyPlaysText answers a player of a match who asks to watch this match.
func AlreadyPlaysText(markerLine, match string) string {
	return FormatNote(markerLine, fmt.Sprintf("You play in match %s, so your own letters tell you everything that observers are told, and "+
		"more.", match))
}

// FarewellText confirms UNOBSERVE.
func FarewellText(markerLine, match string) string {
	return FormatNote(markerLine, fmt.Sprintf("You have stopped watching match %s. You will get no more letters about it.", match))
}

// UnobserveRefusedText answers UNOBSERVE in a letter that is not a reply to a letter to observers.
func UnobserveRefusedText(markerLine string) string {
	return FormatNote(markerLine, "You asked to stop watching, but did not reply to a letter for observers. Please reply to the newest "+
		"one with UNOBSERVE, from the address we sent it to.")
}
