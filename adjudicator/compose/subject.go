package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Subject formats the subject of a letter: its purpose, its topic, and the match ID in brackets, e.g. "Your move: 1989 v. Ben
// [struggle-400]". The purpose is first, because lists of letters show only the beginning of a subject. A purpose that ends with a question
// mark gets no colon.
func Subject(m *match.Match, purpose, topic string) string {
	if !strings.HasSuffix(purpose, "?") {
		purpose += ":"
	}
	return fmt.Sprintf("%s %s [%s]", purpose, topic, m.ID)
}

// SubjectFor returns the subject of the letter to a reader.
func SubjectFor(turn *match.Turn, reader rules.Seat, options Options) string {
	topic := GameTopic(turn.Game)
	if len(turn.Match.Seats) == 2 && reader != rules.NoSeat {
		topic += " v. " + turn.ShortName(1-reader)
	} else {
		topic += DescribeOpponents(turn)
	}
	if turn.Game.Headline != nil && turn.After != nil {
		if headline := turn.Game.Headline(turn.After.View(reader)); headline != "" {
			topic += ", " + headline
		}
	}
	return Subject(turn.Match, subjectStart(turn, reader, options), topic)
}

// GameTopic returns the name of a game in subjects: the short name if the title contains it, e.g. "1989" for "1989:
// Dawn of Freedom", and otherwise the title, e.g. "Liar's Dice" for liarsdice.
func GameTopic(g *rules.Game) string {
	if name := match.Capitalize(g.Name()); strings.Contains(g.Title(), name) {
		return name
	}
	return g.Title()
}

// describeOutOfTime says in a subject that the reader, or other players to move, are out of time. It returns "" for
// none, and for more than maxNamedSeats other players.
func describeOutOfTime(turn *match.Turn, reader rules.Seat) string {
	if turn.After == nil {
		return ""
	}
	var late rules.Seats
	for _, d := range turn.WithoutResigned(turn.After.OpenDecisions(nil)) {
		if turn.Match.Seats[d.Seat].Clock.Flagged {
			late |= rules.Only(d.Seat)
		}
	}
	names := turn.FullNames(late)
	switch {
	case late.Has(reader):
		return "Out of time"
	case len(names) == 0 || len(names) > maxNamedSeats:
		return ""
	case len(names) == 1:
		return match.Capitalize(names[0]) + " is out of time"
	}
	return match.Capitalize(match.JoinAnd(names)) + " are out of time"
}

func subjectStart(turn *match.Turn, reader rules.Seat, options Options) string {
	request := ""
	if turn.After != nil && turn.After.Stalled() {
		request = "Waiting for the referee"
	} else if reader != rules.NoSeat {
		request = subjectRequest(turn, reader)
	}
	reason := ""
	switch {
	case turn.Match.State == match.CalledOff:
		return request
	case turn.IsOver() && options.HasAnalysis:
		return "Analysis of the match"
	case turn.IsOver():
		r, _ := turn.After.Result()
		return subjectOutcome(turn, r, reader)
	case reader == rules.NoSeat:
		return "You are watching"
	case options.Ask != nil && len(options.Ask.Answers) > 0:
		reason = "Not done yet"
	case options.Extent == ExtentSlip && options.Misread:
		reason = "Not understood"
	case slices.ContainsFunc(turn.LineReports[reader], func(l match.LineReport) bool { return l.Outcome == match.OutcomeRefused }):
		reason = "Refused"
	case options.Writer != "":
		reason = "Message from " + options.Writer
	case describeOutOfTime(turn, reader) != "":
		reason = describeOutOfTime(turn, reader)
	case options.Extent == ExtentReminder:
		reason = "Reminder"
	case options.Extent == ExtentAnswers:
		reason = "Our reply"
	}
	switch {
	case reason == "":
		return request
	case strings.HasPrefix(request, "Waiting"):
		return reason
	}
	return reason + "; " + strings.ToLower(request[:1]) + request[1:]
}

const maxNamedSeats = 3

// subjectRequest returns the request to the player of a seat, e.g. "Please join". If the match waits for others, the result
// begins with "Waiting", e.g. "Waiting for a random number".
func subjectRequest(turn *match.Turn, seat rules.Seat) string {
	if turn.After == nil {
		if turn.Match.State == match.CalledOff {
			return "Called off"
		}
		_, asksToReveal := revealPrompt(turn, seat)
		switch {
		case !turn.Match.Seats[seat].Joined:
			return "Please join"
		case asksToReveal:
			return "Please reveal your secret words"
		case turn.Match.AwaitsBeacon():
			return "Waiting for a random number"
		case turn.Match.UnjoinedSeats() == 0:
			return "Waiting for the secret words of " + nameFew(turn, turn.Match.UnrevealedSeats(), "all")
		}
		return "Waiting for " + nameFew(turn, turn.Match.UnjoinedSeats(), "all") + " to join"
	}
	isOpen, hasAnswered := turn.AskStatus(seat)
	switch decisions := turn.WithoutResigned(turn.After.OpenDecisions(nil)); {
	case isOpen && hasRequestToAnswer(turn, seat):
		return "Please answer a request; it is also your move"
	case isOpen:
		return "Your move"
	case hasRequestToAnswer(turn, seat):
		return "Please answer a request"
	case len(turn.Match.Seats) == 2:
		return "Waiting" // the topic names the opponent
	case hasAnswered:
		return "Waiting for " + nameAwaitedPlayers(turn, seat)
	case len(decisions) > maxNamedSeats:
		return fmt.Sprintf("Waiting for %d others", len(decisions))
	default:
		return "Waiting for " + turn.NamesOf(decisions)
	}
}

// nameAwaitedPlayers names the players who still have to answer after a seat has given a sealed answer: the name of a
// single player, or "the other players". A seat may not know which players have answered.
func nameAwaitedPlayers(turn *match.Turn, seat rules.Seat) string {
	var asked rules.Seats
	for _, d := range turn.After.OpenDecisions(nil) {
		asked |= rules.Only(d.Seat)
	}
	return match.NameOthers(turn, ^asked|rules.Only(seat))
}

func describeAnswered(turn *match.Turn, seat rules.Seat) string {
	return "You have answered. The match is waiting for " + nameAwaitedPlayers(turn, seat) + "."
}

func nameFew(turn *match.Turn, seats rules.Seats, textForMany string) string {
	if names := turn.FullNames(seats); len(names) <= maxNamedSeats {
		return match.JoinAnd(names)
	}
	return textForMany
}

// describeMover returns the line about the players to move, e.g. "It is your move.", or the result of the match.
func describeMover(turn *match.Turn, reader rules.Seat) string {
	if turn.After == nil {
		return describeNotBegun(turn, reader)
	}
	if r, over := turn.After.Result(); over {
		return describeEnd(turn, r, reader)
	}
	if turn.After.Stalled() {
		return "The referee deals or rolls now, and then writes to you again. You need do nothing."
	}
	waitText := "The match is waiting for " + turn.NamesOf(turn.WithoutResigned(turn.After.OpenDecisions(nil))) + "."
	switch isOpen, hasAnswered := turn.AskStatus(reader); {
	case isOpen && hasRequestToAnswer(turn, reader):
		return describeOpenRequests(turn, reader) + " It is also your move."
	case isOpen:
		return "It is your move."
	case hasAnswered:
		return describeAnswered(turn, reader)
	case reader == rules.NoSeat:
		return waitText
	case hasRequestToAnswer(turn, reader):
		return describeOpenRequests(turn, reader) + " " + waitText
	}
	return "It is not your move. " + waitText
}

// describeNotBegun describes a match without a position: it was called off, or waits for players or for the beacon. Observers with a delay
// are not told whether the match has begun.
func describeNotBegun(turn *match.Turn, reader rules.Seat) string {
	switch {
	case turn.Match.State == match.CalledOff && turn.Remarks == nil:
		return "The match was called off before it began. " + ExplainCallOff(turn)
	case turn.Match.State == match.CalledOff:
		return "The match was called off before it began."
	case reader == rules.NoSeat && (turn.Match.ObserverPolicy.Delay > 0 || turn.Match.State != match.Inviting):
		return "You are watching match " + turn.Match.ID + "."
	case reader == rules.NoSeat:
		return "You are watching match " + turn.Match.ID + ". It has not begun."
	case !turn.Match.Seats[reader].Joined:
		return "The match has not begun: it is waiting for you to join."
	}
	return DescribeJoining(turn, reader)
}

// DescribeJoining says which players have not joined or not revealed their words, or which round of the beacon the match waits for.
func DescribeJoining(turn *match.Turn, reader rules.Seat) string {
	unrevealed := turn.Match.UnrevealedSeats()
	if turn.Match.AwaitsBeacon() {
		return "The match has not begun: it is waiting for " + describeRound(turn)
	}
	switch unjoined := turn.Match.UnjoinedSeats(); {
	case unjoined != 0:
		return "The match has not begun: it is waiting for " + match.JoinAnd(turn.FullNames(unjoined)) + " to join."
	case unrevealed.Has(reader):
		return "The match has not begun: it is waiting for you to reveal your secret words."
	}
	return "The match has not begun: it is waiting for the secret words of " + match.JoinAnd(turn.FullNames(unrevealed)) + "."
}

// DescribeOpponents names the players of a match of two for a subject, e.g. ", Ann v. Ben"; empty if a name is unknown.
func DescribeOpponents(turn *match.Turn) string {
	s := turn.Match.Seats
	if len(s) != 2 || s[0].PlayerName == "" || s[1].PlayerName == "" {
		return ""
	}
	return ", " + s[0].PlayerName + " v. " + s[1].PlayerName
}

// describePlayers lists the players and their seats for a reader. If no player has a name, it names only the reader's
// seat.
func describePlayers(turn *match.Turn, reader rules.Seat, isOver bool) string {
	be, play := "are", "play"
	if isOver {
		be, play = "were", "played"
	}
	if !slices.ContainsFunc(turn.Match.Seats, func(s match.Seat) bool { return s.PlayerName != "" }) {
		return "You " + be + " " + turn.Role(reader) + "."
	}
	var others []string
	for i := range turn.Match.Seats {
		if seat := rules.Seat(i); seat != reader {
			others = append(others, turn.FullName(seat))
		}
	}
	return "You " + be + " " + turn.FullName(reader) + ". You " + play + " against " + match.JoinAnd(others) + "."
}
