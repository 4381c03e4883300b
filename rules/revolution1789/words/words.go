// Package words has the texts of 1789: the order language, sentences, questions, refusals, parts of letters, and
// texts on cards and rules. Texts are made from views, so they cannot reveal hidden facts.
package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Words implements the parts of rules.Game that produce texts.
type Words struct{}

// The printed names, indexed by engine.Colour, engine.Reform and engine.Faction.
var colours = [...]string{"", "Monarchy", "Republic"}
var ministers = [...]string{"nobody", "Monarchist", "Republican"}
var reforms = [...]string{"Economical", "Social", "Political"}
var factions = [...]string{"", "Monarchist", "Republican", "Bonaparte"}

func citizenName(s rules.Seat) string { return engine.CitizenName(int(s)) }

// seatText returns "you" for the reader's own seat, otherwise the name of the seat's citizen.
func seatText(v *engine.View, s rules.Seat) string {
	if s == v.Seat() {
		return "you"
	}
	return citizenName(s)
}

func capitalize(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// joinNames joins names: "a, b and c".
func joinNames(names []string) string {
	switch n := len(names); n {
	case 0:
		return "nobody"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
}

// citizenList names the citizens of some seats, the reader's own seat first, as "you".
func citizenList(v *engine.View, set rules.Seats) []string {
	var out []string
	if v.Seat() != rules.NoSeat && set.Has(v.Seat()) {
		out = append(out, "you")
	}
	for s := range rules.Seat(v.Players) {
		if set.Has(s) && s != v.Seat() {
			out = append(out, citizenName(s))
		}
	}
	return out
}

// Status implements rules.LetterTexts.
func (Words) Status(rv rules.View) string {
	v := rv.(*engine.View)
	switch {
	case v.Phase == engine.Over && v.Revolution.First != rules.NoSeat:
		return fmt.Sprintf("The match ended in turn %d with a revolution.", v.Turn)
	case v.Phase == engine.Over:
		return fmt.Sprintf("The match ended after turn %d: the ministers decide.", v.Turn)
	case v.Turn == 0:
		return "All players are asked to name the first Chairman."
	}
	status := "takes a seat"
	switch v.Phase {
	case engine.Voting:
		status = fmt.Sprintf("is in the chair; the vote is on %s", v.Cards[v.VoteSpace].Name())
	case engine.Purging:
		status = fmt.Sprintf("is in the chair; purge at %s", v.Cards[v.VoteSpace].Name())
	case engine.Calling:
		status = "is in the chair; a revolution may be called"
	case engine.GivingFirst, engine.GivingSecond:
		status = "is in the chair; a revolution is under way"
	}
	return fmt.Sprintf("Turn %d: %s %s.", v.Turn, citizenName(v.ChairmanSeat()), status)
}

// Headline implements rules.Game.Headline.
func (Words) Headline(rv rules.View) string {
	if v := rv.(*engine.View); v.Turn > 0 {
		return fmt.Sprintf("turn %d", v.Turn)
	}
	return "the first Chairman"
}

// Role implements rules.Game.Role.
func (Words) Role(rv rules.View) string {
	if rv.Seat() == rules.NoSeat {
		return "nobody"
	}
	return citizenName(rv.Seat())
}

// Turn implements rules.Game.Turn.
func (Words) Turn(rv rules.View) int { return max(1, int(rv.(*engine.View).Turn)) }

var reasons = map[rules.Reason]string{
	engine.ReasonCrisis: "the crisis on the next space", engine.ReasonOrder: "who sits next in the order",
	engine.ReasonSelectObjective: "an objective that takes part", engine.ReasonObjective: "an objective",
	engine.ReasonChairman: "the first Chairman",
}

// Reason implements rules.LetterTexts.
func (Words) Reason(r rules.Reason) string { return reasons[r] }

// Sentences implements rules.LetterTexts.
func (Words) Sentences(rv rules.View, events []rules.Event) []string {
	v := rv.(*engine.View)
	var out []string
	var dealt, clockwise []string
	for _, e := range events {
		if !e.Audience.Has(v.Seat()) {
			continue
		}
		switch e.Kind {
		case engine.EventCrisis:
			if dealt = append(dealt, fmt.Sprintf("%d %s", e.Args[0], engine.Crisis(e.Args[1]).Name())); len(dealt) == engine.Spaces-1 {
				out = append(out, "The crises are dealt to the spaces: "+strings.Join(dealt, ", ")+".")
			}
		case engine.EventOrder:
			if clockwise = append(clockwise, citizenName(e.Seat)); len(clockwise) == v.Players {
				out = append(out, "Clockwise around the table: "+strings.Join(clockwise, ", ")+".")
			}
		default:
			out = append(out, sentence(v, e))
		}
	}
	return out
}

// subjectAndVerb returns the start of a sentence about a seat, for example "You name" or "Lamp names".
func subjectAndVerb(v *engine.View, s rules.Seat, you, other string) string {
	if s == v.Seat() {
		return "You " + you
	}
	return citizenName(s) + " " + other
}

func sentence(v *engine.View, e rules.Event) string {
	a := e.Args
	switch e.Kind {
	case engine.EventObjective:
		return "Your objective card is " + describeObjective(engine.Objective(a[0])) + "."
	case engine.EventNamed:
		if a[0] < 0 {
			return subjectAndVerb(v, e.Seat, "abstain.", "abstains.")
		}
		named := seatText(v, rules.Seat(a[0]))
		if e.Seat == rules.Seat(a[0]) && e.Seat == v.Seat() {
			named = "yourself"
		}
		return subjectAndVerb(v, e.Seat, "name", "names") + " " + named + " as Chairman."
	case engine.EventChairman:
		if e.Seat == v.Seat() {
			return fmt.Sprintf("Turn %d: you are in the chair.", a[0])
		}
		return fmt.Sprintf("Turn %d: %s is in the chair.", a[0], citizenName(e.Seat))
	case engine.EventSeated:
		u := engine.Unit(a[0])
		x, y := u.Spaces()
		pair := ""
		if u.IsPair() {
			pair = ", a connected pair"
		}
		return fmt.Sprintf("%s seat %s, between %s and %s%s.", subjectAndVerb(v, e.Seat, "take", "takes"), u, v.Cards[x].Name(),
			v.Cards[y].Name(), pair)
	case engine.EventVote:
		seats := []string{seatText(v, rules.Seat(a[1])), seatText(v, rules.Seat(a[2])), seatText(v, rules.Seat(a[3]))}
		return fmt.Sprintf("%s is full: %s vote on it.", crisisAndSpace(v, a[0]), joinNames(seats))
	case engine.EventCounted:
		return fmt.Sprintf("The ballots on %s: %d for Monarchy, %d for the Republic.", crisisAndSpace(v, a[0]), a[1], a[2])
	case engine.EventPicked:
		return subjectAndVerb(v, e.Seat, "point at", "points at") + " " + seatText(v, rules.Seat(a[0])) + "."
	case engine.EventPurged:
		return fmt.Sprintf("%s purged and lose%s seat %s.", subjectAndVerb(v, e.Seat, "are", "is"), verbEnding(v, e.Seat), engine.Unit(a[0]))
	case engine.EventUnresolved:
		return fmt.Sprintf("No two voters pointed at the same one, so %s stays unresolved and no seat is lost.", crisisAndSpace(v, a[0]))
	case engine.EventMinister:
		return ministerSentence(v, a)
	case engine.EventNoVote:
		return fmt.Sprintf("%s is no longer full, so there is no vote on it.", capitalize(crisisAndSpace(v, a[0])))
	}
	return revolutionSentence(v, e)
}

func verbEnding(v *engine.View, s rules.Seat) string {
	if s == v.Seat() {
		return ""
	}
	return "s"
}

func crisisAndSpace(v *engine.View, space int16) string {
	return fmt.Sprintf("%s (space %d)", v.Cards[space].Name(), space)
}

func ministerSentence(v *engine.View, a [12]int16) string {
	winner, before, reform := engine.Colour(a[1]), engine.Colour(a[2]), reforms[a[0]]
	crisis := crisisAndSpace(v, a[3])
	switch before {
	case winner:
		return fmt.Sprintf("%s is voted %s: the minister for %s reforms is already %s.", crisis, ministers[winner], reform, ministers[winner])
	case engine.NoColour:
		return fmt.Sprintf("%s is voted %s: a %s becomes minister for %s reforms.", crisis, ministers[winner], ministers[winner], reform)
	}
	return fmt.Sprintf("%s is voted %s: the minister for %s reforms changes sides from %s to %s.", crisis, ministers[winner], reform,
		ministers[before], ministers[winner])
}

// giftText returns the tokens that citizens get, for example "a token each to you and Quill".
func giftText(token string, names []string) string {
	switch len(names) {
	case 0:
		return "no token"
	case 1:
		return "a " + token + " to " + names[0]
	}
	return "a " + token + " each to " + joinNames(names)
}

func revolutionSentence(v *engine.View, e rules.Event) string {
	a := e.Args
	switch e.Kind {
	case engine.EventQuiet:
		return "No player calls a revolution."
	case engine.EventCalled:
		return subjectAndVerb(v, e.Seat, "call", "calls") + " a revolution."
	case engine.EventShown:
		return subjectAndVerb(v, e.Seat, "show", "shows") + " " + engine.Objective(a[0]).Name() + ", a " +
			factions[engine.Objective(a[0]).Faction()] + "."
	case engine.EventGave:
		if a[0] == 0 {
			return subjectAndVerb(v, e.Seat, "give", "gives") + " no token."
		}
		return fmt.Sprintf("%s %s.", subjectAndVerb(v, e.Seat, "give", "gives"), giftText(ministers[a[1]]+" token",
			citizenList(v, rules.Seats(a[0]))))
	case engine.EventDeclined:
		return fmt.Sprintf("%s it at the three %s ministers.", subjectAndVerb(v, e.Seat, "leave", "leaves"), ministers[a[0]])
	case engine.EventSucceeded, engine.EventFailed:
		return outcomeSentence(v, e)
	}
	switch e.Kind {
	case engine.EventNoLegalUnit:
		return fmt.Sprintf("%s no legal seat, so the ministers decide.", subjectAndVerb(v, e.Seat, "have", "has"))
	case engine.EventListRefused:
		return fmt.Sprintf("Your call names %s, who is the other leader, so that token is not given.",
			joinNames(citizenList(v, rules.Seats(a[0]))))
	}
	return overSentence(v, rules.Seats(a[0]), engine.Faction(a[1]))
}

// outcomeSentence says whether a revolution counts, and names its errors. For example: "The Monarchist revolution comes first.
// It succeeds with 1 error (2 are allowed): Rooster got no token."
func outcomeSentence(v *engine.View, e rules.Event) string {
	errorCount, allowed, colour := int(e.Args[0]), int(e.Args[1]), ministers[e.Args[2]]
	allowedText := fmt.Sprintf("%d are allowed", allowed)
	switch allowed {
	case 0:
		allowedText = "none is allowed"
	case 1:
		allowedText = "1 is allowed"
	}
	errorText := fmt.Sprintf("%s (%s)%s.", pluralize(errorCount, "error"), allowedText, errorList(v, e.Seat, colour))
	first, outcome := v.Revolution.First, "succeeds"
	if e.Kind == engine.EventFailed {
		outcome = "fails"
	}
	switch {
	case e.Seat == first:
		return fmt.Sprintf("The %s revolution comes first. It %s with %s", colour, outcome, errorText)
	case outcome == "succeeds" && v.CountErrors(first, v.Revolution.Gifts[0]) <= allowed:
		return fmt.Sprintf("The %s revolution comes second, so it no longer counts. It has %s", colour, errorText)
	}
	return fmt.Sprintf("The %s revolution comes second. It %s with %s", colour, outcome, errorText)
}

// errorList names the errors of a leader's revolution, for example ": Rooster got no token; Lamp got one, but is not a
// Monarchist". It returns "" if there is none.
func errorList(v *engine.View, leader rules.Seat, colour string) string {
	gifts := v.Revolution.Gifts[0]
	if leader != v.Revolution.First {
		gifts = v.Revolution.Gifts[1]
	}
	var missing, wrong rules.Seats
	for s, o := range v.Objectives[:v.Players] {
		switch s, isMember := rules.Seat(s), o.Faction() == v.Objectives[leader].Faction(); {
		case s == leader || isMember == gifts.Has(s):
		case isMember:
			missing |= rules.Only(s)
		default:
			wrong |= rules.Only(s)
		}
	}
	var out []string
	if missing != 0 {
		out = append(out, joinNames(citizenList(v, missing))+" got no token")
	}
	switch names := citizenList(v, wrong); {
	case len(names) == 1 && names[0] == "you":
		out = append(out, "you got a token, but are no "+colour)
	case len(names) == 1:
		out = append(out, names[0]+" got a token, but is not a "+colour)
	case len(names) > 1:
		out = append(out, joinNames(names)+" got tokens, but are no "+colour+"s")
	}
	if len(out) == 0 {
		return ""
	}
	return ": " + strings.Join(out, "; ")
}

// overSentence names the winners, for example "The match is over: you and Lamp win as Republicans."
func overSentence(v *engine.View, winners rules.Seats, f engine.Faction) string {
	names := citizenList(v, winners)
	win, as := "win", factions[f]+"s"
	if len(names) == 1 {
		as = "the only " + factions[f]
		if !winners.Has(v.Seat()) {
			win = "wins"
		}
	}
	switch {
	case winners == 0:
		return "The match is over: no player wins."
	case f == engine.Bonapartes:
		return fmt.Sprintf("The match is over: both revolutions failed, so %s %s as %s.", joinNames(names), win, as)
	case f == engine.NoFaction:
		return fmt.Sprintf("The match is over: %s %s by the ministers.", joinNames(names), win)
	}
	return fmt.Sprintf("The match is over: %s %s as %s.", joinNames(names), win, as)
}

func pluralize(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
