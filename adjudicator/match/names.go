package match

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/adjudicator/gate"
	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Role returns the side of a seat, e.g. "the Communist", in the game's words if it has them.
func (t *Turn) Role(seat rules.Seat) string {
	name := t.Match.Seats[seat].Name
	if t.Game.Role != nil && t.After != nil {
		return t.Game.Role(t.After.View(seat))
	}
	return RoleBefore(t.Game, t.Setup(), seat, name)
}

// RoleOf returns the role of a seat by its name in records.
func (t *Turn) RoleOf(name record.SeatName) string {
	if i := slices.IndexFunc(t.Match.Seats, func(seatState Seat) bool { return seatState.Name == string(name) }); i >= 0 {
		return t.Role(rules.Seat(i))
	}
	return "the " + string(name)
}

// RoleBefore returns the role of a seat before the match begins, e.g. "the Democrat". If the game deals the sides
// later, it returns the name of the seat with "the".
func RoleBefore(g *rules.Game, setup rules.Setup, seat rules.Seat, name string) string {
	if g.Role != nil {
		if pos, err := g.Begin(setup); err == nil {
			if role := g.Role(pos.View(seat)); strings.EqualFold(strings.TrimPrefix(role, "the "), name) {
				return role
			}
		}
	}
	return "the " + name
}

// FullNames returns the full names of some seats.
func (t *Turn) FullNames(seats rules.Seats) (names []string) {
	for i := range t.Match.Seats {
		if seats.Has(rules.Seat(i)) {
			names = append(names, t.FullName(rules.Seat(i)))
		}
	}
	return names
}

// FullName returns the name and side of a player, e.g. "Ben (Communist)"; without a name, the side alone.
func (t *Turn) FullName(seat rules.Seat) string {
	role := t.Role(seat)
	if name := t.Match.Seats[seat].PlayerName; name != "" {
		return name + " (" + strings.TrimPrefix(role, "the ") + ")"
	}
	return role
}

// ShortName returns the name of a player; without a name, the side.
func (t *Turn) ShortName(seat rules.Seat) string {
	if name := t.Match.Seats[seat].PlayerName; name != "" {
		return name
	}
	return t.Role(seat)
}

// NamesOf returns the full names of the seats of some decisions, each once, as in "Ann (Democrat) and Ben (Communist)".
func (t *Turn) NamesOf(decisions []rules.Decision) string {
	var names []string
	for _, d := range decisions {
		if n := t.FullName(d.Seat); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return JoinAnd(names)
}

// Opponents returns the full names of the other players who have not resigned.
func (t *Turn) Opponents(seat rules.Seat) []string {
	return t.FullNames(^(rules.Only(seat) | t.Match.Resigned))
}

// NameOthers names all players except the players of some seats, and except players who have resigned: a single player by name, e.g.
// "the Communist", and several as "the other players".
func NameOthers(t *Turn, except rules.Seats) string { return NameOthersWithVerb(t, except, "", "") }

// NameOthersWithVerb is NameOthers with a verb, e.g. "the Communist agrees" or "the other players agree".
func NameOthersWithVerb(t *Turn, except rules.Seats, singular, plural string) string {
	name, verb := "the other players", plural
	if names := t.FullNames(^(except | t.Match.Resigned)); len(names) == 1 {
		name, verb = names[0], singular
	}
	if hasNames := slices.ContainsFunc(t.Match.Seats, func(s Seat) bool { return s.PlayerName != "" }); t.After == nil && !hasNames &&
		len(t.Match.Seats) == 2 {
		name = "your opponent" // Before the match the seats mean little to its players.
	}
	return strings.TrimSuffix(name+" "+verb, " ")
}

// NameUnknownOther names another player without identifying the player: "the Communist" in a match of two, "another
// player" in a match of more players.
func NameUnknownOther(t *Turn, seat rules.Seat) string {
	if names := t.Opponents(seat); len(names) == 1 {
		return names[0]
	}
	return "another player"
}

// SayOthersNotTold returns a sentence for a player whose order stays secret, e.g. "The Communist is not told of it."
func SayOthersNotTold(t *Turn, seat rules.Seat) string {
	return Capitalize(NameOthersWithVerb(t, rules.Only(seat), "is", "are")) + " not told of it."
}

// ListClaimants returns the full names of the players who may claim the win if a seat is out of time: the opponents who are not out of
// time themselves. A robot never claims the win.
func ListClaimants(t *Turn, seat rules.Seat) []string {
	late := rules.Only(seat) | t.Match.Resigned
	for i := range t.Match.Seats {
		if s := &t.Match.Seats[i]; s.Robot != "" || s.Clock.Flagged {
			late |= rules.Only(rules.Seat(i))
		}
	}
	return t.FullNames(^late)
}

// IsBrokenOff reports whether the match has ended without a result.
func (t *Turn) IsBrokenOff() bool {
	return t.Match.Ended != nil && t.Match.Ended.Act.Kind.BreaksOff()
}

// Capitalize writes the first letter of a text as a capital.
func Capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// JoinAnd joins names: "A, B and C".
func JoinAnd(names []string) string { return joinNames(names, " and ") }

// JoinOr joins alternatives: "A, B or C".
func JoinOr(names []string) string { return joinNames(names, " or ") }

func joinNames(names []string, last string) string {
	if n := len(names); n > 2 {
		names = []string{strings.Join(names[:n-1], ", "), names[n-1]}
	}
	return strings.Join(names, last)
}

// ErrorSentence writes an error as a sentence.
func ErrorSentence(err error) string {
	text := strings.TrimSpace(err.Error())
	if text == "" {
		return ""
	}
	text = strings.ToUpper(text[:1]) + text[1:]
	if !strings.ContainsAny(text[len(text)-1:], ".!?") {
		text += "."
	}
	return text
}

// DescribeSilences describes the public answers of an entry that the referee gave for silent seats, e.g. "The Communist
// did not answer in time, so this order was drawn at random: PASS."
func (t *Turn) DescribeSilences(entry *record.Entry) (out []string) {
	add := func(seat record.SeatName, silence string, private bool, orders []string) {
		if silence != "" && !private && len(orders) > 0 {
			name, manner := t.RoleOf(seat), describeSilence(silence)
			text := fmt.Sprintf("%s did not answer in time, so this order was %s: %s.", Capitalize(name), manner, orders[0])
			if t.Match.Resigned&t.Match.SeatsOf([]record.SeatName{seat}) != 0 {
				text = fmt.Sprintf("%s has left the match, so this order was %s: %s.", Capitalize(name), manner, orders[0])
			}
			out = append(out, text)
		}
	}
	add(entry.Seat, entry.Silence, entry.Private, entry.Orders)
	for _, a := range entry.Answers {
		add(a.Seat, a.Silence, a.Private, a.Orders)
	}
	return out
}

func describeSilence(silence string) string {
	if silence == record.SilenceLot {
		return "drawn at random"
	}
	return "given automatically"
}

// DescribeTakeback describes an entry that takes back an order.
func (t *Turn) DescribeTakeback(entries []record.Entry, entry *record.Entry) string {
	orders := "an order"
	if entry.FirstTakenBack < len(entries) && len(entries[entry.FirstTakenBack].Orders) > 0 {
		orders = `"` + strings.Join(entries[entry.FirstTakenBack].Orders, "; ") + `"`
	}
	return fmt.Sprintf("With the consent of %s, %s takes back %s and everything after it. The match is back where it was before.",
		NameOthers(t, t.Match.SeatsOf([]record.SeatName{entry.Seat})), t.RoleOf(entry.Seat), orders)
}

// ExplainNotAsked explains why an order answers no open decision. isStale is set if all decisions of the answered
// letter are closed, hadQuestion if that letter contained a question.
func (t *Turn) ExplainNotAsked(seat rules.Seat, isStale, hadQuestion bool) string {
	switch {
	case isStale && !hadQuestion && len(t.OpenDecisions(seat)) > 0:
		return "The letter that you answered did not ask you anything. The current question is below."
	case isStale && len(t.OpenDecisions(seat)) > 0:
		return "You answered a question that is closed: the match has moved on. The current question is below."
	case t.After.Stalled():
		return "It is not your move: the referee deals or rolls next."
	}
	reason := fmt.Sprintf("It is not your move. The match is waiting for %s.", t.NamesOf(t.WithoutResigned(t.After.OpenDecisions(nil))))
	if isStale && hadQuestion {
		reason = "You answered a question that is closed: the match has moved on. " + reason
	}
	return reason
}

// ExplainRefusal explains why an answer was refused, in the game's words if possible. isInternal is set if err is not a refusal: an error
// of the program, or nil.
func (t *Turn) ExplainRefusal(seat rules.Seat, err error) (reason string, isInternal bool) {
	var other *record.MismatchError
	switch {
	case errors.As(err, &other):
		// The outcomes of the recorded game stay hidden.
		return "This match replays the dice and cards of a recorded game, and your order does not fit them.", false
	case !errors.Is(err, gate.ErrRefused):
		return "", true
	case errors.Is(err, ErrAnswersClosed):
		return t.ExplainNotAsked(seat, true, true), false
	}
	if reason, ok := gate.ExplainRefusal(t.Game, seat, err); ok {
		return reason, false
	}
	view := t.After.View(seat)
	for _, d := range t.OpenDecisions(seat) {
		p := t.Game.Prompt(view, d, t.After.Options(nil, d.ID))
		return `This order does not answer the current question: "` + p.Question + `"`, false
	}
	return ErrorSentence(err), false
}

// ErrAnswersClosed means that an order answers a closed decision.
var ErrAnswersClosed = fmt.Errorf("%w: its question is closed", gate.ErrRefused)
