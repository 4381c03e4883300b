// Package words has the texts of 1789: the order language, sentences, questions, refusals, parts of letters, and
// texts on cards and rules. Texts are made from views, so they cannot reveal hidden facts.
package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Words implements the parts of rules.Game with texts.
type Words struct{}

var colours = [...]string{"", "Monarchy", "Republic"}

var ministers = [...]string{"nobody", "Monarchist", "Republican"}

var reforms = [...]string{"Economical", "Social", "Political"}

var factions = [...]string{"", "Monarchist", "Republican", "Bonaparte"}

func citizen(s rules.Seat) string { return engine.CitizenName(int(s)) }

// seatText returns "you" for the reader's own seat, otherwise the citizen.
func seatText(v *engine.View, s rules.Seat) string {
	if s == v.Seat() {
		return "you"
	}
	return citizen(s)
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

func citizenList(v *engine.View, set rules.Seats) []string {
	var out []string
	if v.Seat() != rules.NoSeat && set.Has(v.Seat()) {
		out = append(out, "you")
	}
	for s := range rules.Seat(v.Players) {
		if set.Has(s) && s != v.Seat() {
			out = append(out, citizen(s))
		}
	}
	return out
}

// Status implements rules.LetterTexts.
func (Words) Status(rv rules.View) string {
	v := rv.(*engine.View)
	switch {
	case v.Phase == engine.Over && v.Revolt.First != rules.NoSeat:
		return fmt.Sprintf("The match ended in turn %d with a revolution.", v.Turn)
	case v.Phase == engine.Over:
		return fmt.Sprintf("The match ended after turn %d: the ministers decide.", v.Turn)
	case v.Turn == 0:
		return "All players name the first Chairman."
	}
	what := "takes a seat"
	switch v.Phase {
	case engine.Voting:
		what = fmt.Sprintf("is in the chair; %s is voted on", v.Cards[v.VotedOn].Name())
	case engine.Purging:
		what = fmt.Sprintf("is in the chair; purge at %s", v.Cards[v.VotedOn].Name())
	case engine.Calling:
		what = "is in the chair; a revolution may be called"
	case engine.GivingFirst, engine.GivingSecond:
		what = "is in the chair; a revolution"
	}
	return fmt.Sprintf("Turn %d: %s %s.", v.Turn, citizen(v.ChairmanSeat()), what)
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
	return citizen(rv.Seat())
}

// Turn implements rules.Game.Turn.
func (Words) Turn(rv rules.View) int { return max(1, int(rv.(*engine.View).Turn)) }

var reasons = map[rules.Reason]string{
	engine.ReasonCrisis: "the crisis on the next space", engine.ReasonOrder: "who sits next in the order",
	engine.ReasonTakePart: "an objective that takes part", engine.ReasonObjective: "an objective", engine.ReasonChairman: "the first Chairman",
}

// Reason implements rules.LetterTexts.
func (Words) Reason(r rules.Reason) string { return reasons[r] }

// Sentences implements rules.LetterTexts.
func (Words) Sentences(rv rules.View, events []rules.Event) []string {
	v := rv.(*engine.View)
	var out []string
	var dealt, order []string
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
			if order = append(order, citizen(e.Seat)); len(order) == v.Players {
				out = append(out, "Clockwise around the table: "+strings.Join(order, ", ")+".")
			}
		default:
			out = append(out, sentence(v, e))
		}
	}
	return out
}

// verb returns the form of a verb for the reader or for another seat.
func verb(v *engine.View, s rules.Seat, you, other string) string {
	if s == v.Seat() {
		return "You " + you
	}
	return citizen(s) + " " + other
}

func sentence(v *engine.View, e rules.Event) string {
	a := e.Args
	switch e.Kind {
	case engine.EventObjective:
		return "Your objective card is " + aboutObjective(engine.Objective(a[0])) + "."
	case engine.EventNamed:
		if a[0] < 0 {
			return verb(v, e.Seat, "abstain.", "abstains.")
		}
		return verb(v, e.Seat, "name", "names") + " " + seatText(v, rules.Seat(a[0])) + " as Chairman."
	case engine.EventChairman:
		if e.Seat == v.Seat() {
			return fmt.Sprintf("Turn %d: you are in the chair.", a[0])
		}
		return fmt.Sprintf("Turn %d: %s is in the chair.", a[0], citizen(e.Seat))
	case engine.EventSeated:
		u := engine.Unit(a[0])
		x, y := u.Spaces()
		pair := ""
		if u.IsPair() {
			pair = ", a connected pair"
		}
		return fmt.Sprintf("%s seat %s, between %s and %s%s.", verb(v, e.Seat, "take", "takes"), u, v.Cards[x].Name(), v.Cards[y].Name(), pair)
	case engine.EventVote:
		seats := []string{seatText(v, rules.Seat(a[1])), seatText(v, rules.Seat(a[2])), seatText(v, rules.Seat(a[3]))}
		return fmt.Sprintf("%s is full: %s vote on it.", crisisAt(v, a[0]), joinNames(seats))
	case engine.EventCounted:
		return fmt.Sprintf("The ballots on %s: %d for Monarchy, %d for the Republic.", crisisAt(v, a[0]), a[1], a[2])
	case engine.EventPicked:
		return verb(v, e.Seat, "point at", "points at") + " " + seatText(v, rules.Seat(a[0])) + "."
	case engine.EventPurged:
		return fmt.Sprintf("%s purged and lose%s seat %s.", verb(v, e.Seat, "are", "is"), verbEnding(v, e.Seat), engine.Unit(a[0]))
	case engine.EventUnresolved:
		return fmt.Sprintf("No voter was pointed at by both others, so %s stays unresolved and no seat is lost.", crisisAt(v, a[0]))
	case engine.EventMinister:
		return ministerSentence(v, a)
	case engine.EventNoVote:
		return fmt.Sprintf("%s is no longer full, so there is no vote on it.", capitalize(crisisAt(v, a[0])))
	}
	return revolutionSentence(v, e)
}

// verbEnding returns "s" unless the seat is the reader's.
func verbEnding(v *engine.View, s rules.Seat) string {
	if s == v.Seat() {
		return ""
	}
	return "s"
}

func crisisAt(v *engine.View, space int16) string {
	return fmt.Sprintf("%s (space %d)", v.Cards[space].Name(), space)
}

func ministerSentence(v *engine.View, a [12]int16) string {
	won, before, reform := engine.Colour(a[1]), engine.Colour(a[2]), reforms[a[0]]
	at := crisisAt(v, a[3])
	switch before {
	case won:
		return fmt.Sprintf("%s is voted %s: the minister for %s reforms is already %s.", at, ministers[won], reform, ministers[won])
	case engine.NoColour:
		return fmt.Sprintf("%s is voted %s: a %s becomes minister for %s reforms.", at, ministers[won], ministers[won], reform)
	}
	return fmt.Sprintf("%s is voted %s: the minister for %s reforms changes sides from %s to %s.", at, ministers[won], reform,
		ministers[before], ministers[won])
}

func revolutionSentence(v *engine.View, e rules.Event) string {
	a := e.Args
	switch e.Kind {
	case engine.EventQuiet:
		return "No player calls a revolution."
	case engine.EventCalled:
		return verb(v, e.Seat, "call", "calls") + " a revolution."
	case engine.EventShown:
		return verb(v, e.Seat, "show", "shows") + " " + engine.Objective(a[0]).Name() + ", a " + factions[engine.Objective(a[0]).Faction()] + "."
	case engine.EventGave:
		if a[0] == 0 {
			return verb(v, e.Seat, "give", "gives") + " no token."
		}
		return fmt.Sprintf("%s a %s token to %s.", verb(v, e.Seat, "give", "gives"), ministers[a[1]],
			joinNames(citizenList(v, rules.Seats(a[0]))))
	case engine.EventDeclined:
		return fmt.Sprintf("%s it at the three %s ministers.", verb(v, e.Seat, "leave", "leaves"), ministers[a[0]])
	case engine.EventSucceeded, engine.EventFailed:
		how := "succeeds"
		if e.Kind == engine.EventFailed {
			how = "fails"
		}
		return fmt.Sprintf("The %s revolution %s: %s, %d allowed.", ministers[a[2]], how, plural(int(a[0]), "error"), a[1])
	}
	switch e.Kind {
	case engine.EventUndecidable:
		return fmt.Sprintf("%s no legal seat, so the ministers decide.", verb(v, e.Seat, "have", "has"))
	case engine.EventListRefused:
		return fmt.Sprintf("Your call names %s, who is the other leader, so that token is not given.",
			joinNames(citizenList(v, rules.Seats(a[0]))))
	}
	return overSentence(v, rules.Seats(a[0]), engine.Faction(a[1]))
}

// overSentence tells the winners: "The match is over: you and Lamp win as Republicans."
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
		return "The match is over: nobody wins."
	case f == engine.NoFaction:
		return fmt.Sprintf("The match is over: %s %s by the ministers.", joinNames(names), win)
	}
	return fmt.Sprintf("The match is over: %s %s as %s.", joinNames(names), win, as)
}

func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
