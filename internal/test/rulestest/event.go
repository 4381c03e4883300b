package rulestest

import (
	"fmt"

	"samizdat/rules"
)

// The kinds of events.
const (
	// EventDealt tells a seat its new card.
	EventDealt rules.EventKind = iota + 1
	// EventFirst tells who begins.
	EventFirst
	// EventPlayed tells which card was played.
	EventPlayed
	// EventSown tells where a token was sown.
	EventSown
	// EventRolled tells the ripening's die.
	EventRolled
	// EventCleared tells where blight cleared a token.
	EventCleared
	// EventTaken tells who took a card out of whose hand, and the two which.
	EventTaken
	// EventWatered tells where a watered token was sown.
	EventWatered
	// EventKept tells a seat which card it kept.
	EventKept
	// EventVoted opens a ballot.
	EventVoted
	// EventShown shows a kept card.
	EventShown
	// EventPoints tells a seat's points at the end.
	EventPoints
)

func args(xs ...int) (out [12]int16) {
	for i, x := range xs {
		out[i] = int16(x)
	}
	return out
}

func public(k rules.EventKind, s int, xs ...int) rules.Event {
	return rules.Event{Kind: k, Seat: rules.Seat(s), Audience: rules.Everyone, Args: args(xs...)}
}

// sentence tells one event.
func sentence(e rules.Event) string {
	who, x := seatNames[e.Seat], int(e.Args[0])
	switch e.Kind {
	case EventDealt:
		return fmt.Sprintf("You are dealt %s.", cardText(x))
	case EventFirst:
		return fmt.Sprintf("The lot falls on %s to begin.", who)
	case EventPlayed:
		return fmt.Sprintf("%s plays %s.", who, cardText(x))
	case EventSown:
		return fmt.Sprintf("%s sows in %s.", who, fieldNames[x])
	case EventRolled:
		return fmt.Sprintf("%s rolls %d for ripening.", who, x)
	case EventCleared:
		return fmt.Sprintf("Blight: %s clears a token in %s.", who, fieldNames[x])
	case EventTaken:
		if e.Args[1] != 0 {
			return fmt.Sprintf("%s takes %s out of the hand of %s.", who, cardText(int(e.Args[1])), seatNames[x])
		}
		return fmt.Sprintf("%s takes a card out of the hand of %s.", who, seatNames[x])
	case EventWatered:
		return fmt.Sprintf("%s waters %s.", who, fieldNames[x])
	case EventKept:
		return fmt.Sprintf("You keep %s.", cardText(x))
	case EventVoted:
		return fmt.Sprintf("%s voted for %s.", who, weatherNames[x])
	case EventShown:
		return fmt.Sprintf("%s kept %s.", who, cardText(x))
	case EventPoints:
		return fmt.Sprintf("%s has %d points.", who, x)
	}
	return ""
}

func cardText(c int) string { return fmt.Sprintf("%d %s", c, cardNames[c]) }
