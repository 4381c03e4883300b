package compose

import (
	"fmt"
	"slices"
	"strings"

	"samizdat/adjudicator/match"
	"samizdat/rules"
)

// Subject formats the subject of a letter: its purpose, its topic, and the match ID in brackets, e.g. "Your move: 1989 v. Ben
// [struggle-400]". The purpose is first, because lists of letters and locked telephones show only the beginning. A purpose that ends
// with a question mark gets no colon.
func Subject(m *match.Match, purpose, topic string) string {
	if !strings.HasSuffix(purpose, "?") {
		purpose += ":"
	}
	return fmt.Sprintf("%s %s [%s]", purpose, topic, m.ID)
}

// SubjectFor returns the subject of the letter to a reader. Options are the reader's own parts of the letter.
func SubjectFor(t *match.Turn, reader rules.Seat, options Options) string {
	topic := match.Capitalize(t.Match.Game)
	if len(t.Match.Seats) == 2 && reader != rules.NoSeat {
		topic += " v. " + t.ShortName(1-reader)
	} else {
		topic += DescribeOpponents(t)
	}
	if t.Game.Headline != nil && t.After != nil {
		if where := t.Game.Headline(t.After.View(reader)); where != "" {
			topic += ", " + where
		}
	}
	return Subject(t.Match, subjectStart(t, reader, options), topic)
}

func subjectStart(t *match.Turn, reader rules.Seat, options Options) string {
	request := ""
	if t.After != nil && t.After.Stalled() {
		request = "Waiting for the referee"
	} else if reader != rules.NoSeat {
		request = subjectRequest(t, reader)
	}
	reason := ""
	switch {
	case t.Match.State == match.CalledOff:
		return request
	case t.IsOver():
		r, _ := t.After.Result()
		return subjectOutcome(t, r, reader)
	case reader == rules.NoSeat:
		return "You are watching"
	case options.Ask != nil && len(options.Ask.Taps) > 0, options.Extent == Slip && options.Misread:
		reason = "Not done yet"
	case slices.ContainsFunc(t.LineReports[reader], func(l match.LineReport) bool { return l.Outcome == match.OutcomeRefused }):
		reason = "Refused"
	case options.Writer != "":
		reason = match.Capitalize(options.Writer) + " writes"
	case options.Extent == Reminder:
		reason = "Reminder"
	case options.Extent == Answers:
		reason = "Your answer"
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
// begins with "Waiting", e.g. "Waiting for the beacon".
func subjectRequest(t *match.Turn, seat rules.Seat) string {
	if t.After == nil {
		if t.Match.State == match.CalledOff {
			return "Called off"
		}
		_, asksToOpen := openPrompt(t, seat)
		switch {
		case !t.Match.Seats[seat].Joined:
			return "Please join"
		case asksToOpen:
			return "Please reveal your secret words"
		case t.Match.AwaitsBeacon():
			return "Waiting for the beacon"
		case t.Match.Unjoined() == 0:
			return "Waiting for all secret words"
		}
		return "Waiting for all to join"
	}
	open, answered := t.AskStatus(seat)
	switch decisions := t.WithoutResigned(t.After.OpenDecisions(nil)); {
	case open && hasRequestToAnswer(t, seat):
		return "Please answer a request; it is also your move"
	case open:
		return "Your move"
	case hasRequestToAnswer(t, seat):
		return "Please answer a request"
	case answered:
		return "Waiting for the other answers"
	case len(t.Match.Seats) == 2:
		return "Waiting" // the topic names the opponent
	case len(decisions) > maxNamedSeats:
		return fmt.Sprintf("Waiting for %d others", len(decisions))
	default:
		return "Waiting for " + t.NamesOf(decisions)
	}
}

// describeMover returns the line about the players to move, e.g. "It is your move.", or the result of the match.
func describeMover(t *match.Turn, reader rules.Seat) string {
	if t.After == nil {
		return describeNotBegun(t, reader)
	}
	if r, over := t.After.Result(); over {
		return describeEnd(t, r, reader)
	}
	if t.After.Stalled() {
		return "The next dice or cards come from the referee. There is nothing for you to do."
	}
	waits := "The match is waiting for " + t.NamesOf(t.WithoutResigned(t.After.OpenDecisions(nil))) + "."
	switch open, answered := t.AskStatus(reader); {
	case open && hasRequestToAnswer(t, reader):
		return describeConsents(t, reader) + " It is also your move."
	case open:
		return "It is your move."
	case answered:
		return "You have answered. The match is waiting for the other answers, which stay sealed until all are in."
	case reader == rules.NoSeat:
		return waits
	case hasRequestToAnswer(t, reader):
		return describeConsents(t, reader) + " " + waits
	}
	return "It is not your move. " + waits
}

// describeNotBegun describes a match without a position: it was called off, or it waits for players or for the beacon. Observers
// with a delay are not told whether the match has begun.
func describeNotBegun(t *match.Turn, reader rules.Seat) string {
	switch {
	case t.Match.State == match.CalledOff && t.Remarks == nil:
		return "The match was called off before it began. " + ExplainCallOff(t)
	case t.Match.State == match.CalledOff:
		return "The match was called off before it began."
	case reader == rules.NoSeat && (t.Match.ObserverPolicy.Delay > 0 || t.Match.State != match.Inviting):
		return "You are watching match " + t.Match.ID + "."
	case reader == rules.NoSeat:
		return "You are watching match " + t.Match.ID + ". It has not begun."
	case !t.Match.Seats[reader].Joined:
		return "The match has not begun: it is waiting for you to join."
	}
	return DescribeJoining(t, reader)
}

// DescribeJoining names the players who have not joined or not revealed their words, or the beacon's round that the match waits for.
func DescribeJoining(t *match.Turn, reader rules.Seat) string {
	unopened := t.Match.Unopened()
	if t.Match.AwaitsBeacon() {
		return "The match has not begun: it is waiting for the public beacon. " + describeRound(t)
	}
	switch unjoined := t.Match.Unjoined(); {
	case unjoined != 0:
		return "The match has not begun: it is waiting for " + match.JoinAnd(t.Roles(unjoined)) + " to join."
	case unopened.Has(reader):
		return "The match has not begun: it is waiting for you to reveal your secret words."
	}
	return "The match has not begun: it is waiting for " + match.JoinAnd(t.Roles(unopened)) + " to reveal the secret words."
}

// DescribeOpponents names the players of a match of two for a subject, e.g. ", Ann v. Ben"; empty if a name is unknown.
func DescribeOpponents(t *match.Turn) string {
	s := t.Match.Seats
	if len(s) != 2 || s[0].PlayerName == "" || s[1].PlayerName == "" {
		return ""
	}
	return ", " + s[0].PlayerName + " v. " + s[1].PlayerName
}

// describePlayers lists the players and their seats for a reader. If no player has a name, it gives only the reader's seat. isOver
// selects the past tense.
func describePlayers(t *match.Turn, reader rules.Seat, over bool) string {
	are, play := "are", "play"
	if over {
		are, play = "were", "played"
	}
	if !slices.ContainsFunc(t.Match.Seats, func(s match.Seat) bool { return s.PlayerName != "" }) {
		return "You " + are + " " + t.Role(reader) + "."
	}
	var others []string
	for i := range t.Match.Seats {
		if seat := rules.Seat(i); seat != reader {
			others = append(others, t.FullName(seat))
		}
	}
	return "You " + are + " " + t.FullName(reader) + ". You " + play + " against " + strings.Join(others, ", ") + "."
}
