package compose

import (
	"fmt"
	"time"

	"samizdat/templates"
)

// StrangerText answers a registered sender's letter without a valid token. It
// does not mention any match.
func StrangerText(mark string) string {
	return mark + `

Your letter reached Samizdat, but not as an answer to one of its letters: the
address it was sent to does not say which match it belongs to, or it was sent
from another address than the one you play with. Nothing in it was carried out.

Please reply to the newest letter of your match, with your mail program's reply
button, from the address that you play with.
`
}

// UnprovenText answers a letter with a token but without the sender authentication
// that is required as well. It does not mention any match.
func UnprovenText(mark string) string {
	return mark + `

Your letter reached Samizdat, but nothing shows that it comes from your mail
provider: it was not signed in your provider's name, or was changed on the way.
Samizdat was told to demand such a proof, so nothing in your letter was carried
out.

Please reply to the newest letter of your match, with your mail program's reply
button, through the server of your own mail provider. If that does not help, ask
whoever runs Samizdat.
`
}

// TooManyText tells a sender that there were too many letters to answer, and when to ask again. It does not mention any match.
func TooManyText(mark string, again time.Time) string {
	return mark + "\n\n" + templates.Wrap("Your letter was read, but it is not answered. It carried out no order, and there were "+
		"many such "+
		"letters lately. What it set or put down for later counts. Please ask again after "+
		again.UTC().Truncate(time.Minute).Add(time.Minute).Format("2 January 2006, 15:04 UTC")+", in reply to the same letter as now.") + "\n\n" +
		templates.Wrap("Orders that are carried out are always answered. You are told this once a day.") + "\n"
}

// TooLongText answers a letter that was too long to check the required sender
// authentication. It does not mention any match.
func TooLongText(mark string) string {
	return mark + `

Your letter reached Samizdat, but it was too long: only its beginning was read.
That is not enough to see that it comes from your mail provider, as Samizdat was
told to demand, so nothing in your letter was carried out.

Please send it again as a short letter without attachments.
`
}

// ObserveQuestionText asks the owner of an address to confirm OBSERVE with YES. The text does not
// reveal whether the match exists.
func ObserveQuestionText(mark, match string) string {
	return Note(mark, "Somebody, probably you, has asked Samizdat, a referee of board games by mail, for the letters to spectators "+
		"of the match",
		"    "+match, "If it was you, reply to this letter from the address that it came to, and write in the first line",
		"    YES", "If it was not you, do nothing. You are asked no more than once a day, and nothing else comes.")
}

// ObserveReminderText answers a reply to ObserveQuestionText that is neither YES nor OBSERVE.
func ObserveReminderText(mark string) string {
	return Note(mark, "To watch the match, reply with YES on a line by itself; to watch another one, with OBSERVE and its name. Nothing "+
		"else is understood here. If you do not want to watch, do nothing.")
}

// NotObservableText answers YES for a match that cannot be observed. The text is the
// same for all reasons.
func NotObservableText(mark, match string) string {
	return Note(mark, fmt.Sprintf("There is no match %s that you could watch. Either the name is wrong, or its players play for "+
		"themselves, or the match is over, or too many watch already.", match),
		"To watch another match, reply with OBSERVE and its name, as the subjects of its letters show it at their end, in brackets.")
}

// AlreadyObservesText answers an observer who asks again to watch a match.
func AlreadyObservesText(mark, match string) string {
	return Note(mark, fmt.Sprintf("You watch match %s already. A reply with UNOBSERVE to one of its letters ends that.", match))
}

// AlreadyPlaysText answers a player who asks to watch his own match.
func AlreadyPlaysText(mark, match string) string {
	return Note(mark, fmt.Sprintf("You play in match %s. Your own letters tell you what spectators are told, and more.", match))
}

// FarewellText confirms UNOBSERVE.
func FarewellText(mark, match string) string {
	return Note(mark, fmt.Sprintf("You do not watch match %s any more. Nothing more of it will come, not even what waited to be sent.",
		match))
}

// UnobserveRefusedText answers UNOBSERVE in a letter that is not a reply to a letter to observers.
func UnobserveRefusedText(mark string) string {
	return Note(mark, "Your letter asks for an end of letters to spectators, but it does not answer one of them. Please reply to the "+
		"newest with UNOBSERVE, from the address that it came to.")
}
