package rulestest

import (
	"fmt"
	"strings"

	"samizdat/rules"
)

// The kinds of events.
const (
	// EventDealt announces a new card to its seat.
	EventDealt rules.EventKind = iota + 1
	// EventFirst announces the first seat.
	EventFirst
	// EventPlayed announces the card played.
	EventPlayed
	// EventSown announces the field of a sown token.
	EventSown
	// EventRolled announces the die of the ripening.
	EventRolled
	// EventCleared announces the field of a cleared token.
	EventCleared
	// EventTaken announces a card taken from a hand. Only the two seats learn the card.
	EventTaken
	// EventWatered announces the field of a watered token.
	EventWatered
	// EventKept confirms a kept card to its seat.
	EventKept
	// EventVoted announces a seat's vote when the ballots are opened.
	EventVoted
	// EventShown announces a kept card at the end.
	EventShown
	// EventPoints announces a seat's points at the end.
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

// sentence returns the text of an event that happened n times in a row.
func sentence(e rules.Event, n int) string {
	who, x := "The "+seatNames[e.Seat], int(e.Args[0])
	switch e.Kind {
	case EventDealt:
		return fmt.Sprintf("You are dealt %s.", cardText(x))
	case EventFirst:
		return fmt.Sprintf("By lot, %s goes first.", strings.ToLower(who[:1])+who[1:])
	case EventPlayed:
		return fmt.Sprintf("%s plays %s.", who, cardText(x))
	case EventSown:
		return fmt.Sprintf("%s sows %s in %s.", who, map[bool]string{true: "1 token", false: fmt.Sprintf("%d tokens", n)}[n == 1], fieldNames[x])
	case EventRolled:
		return fmt.Sprintf("%s rolls %d for ripening.", who, x)
	case EventCleared:
		return fmt.Sprintf("Blight: %s clears a token in %s.", who, fieldNames[x])
	case EventTaken:
		if e.Args[1] != 0 {
			return fmt.Sprintf("%s takes %s from the hand of the %s.", who, cardText(int(e.Args[1])), seatNames[x])
		}
		return fmt.Sprintf("%s takes a card from the hand of the %s.", who, seatNames[x])
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

func cardText(c int) string { return fmt.Sprintf("%s (card %d)", cardNames[c], c) }
