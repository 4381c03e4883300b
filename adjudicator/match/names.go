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

// Role is who a seat is, in the game's words where it has some.
func (t *Turn) Role(seat rules.Seat) string {
	name := t.Match.Seats[seat].Name
	if t.Game.Role != nil && t.After != nil {
		return t.Game.Role(t.After.View(seat))
	}
	return RoleBefore(t.Game, t.Setup(), seat, name)
}

// RoleOf is the role of the seat that a record names.
func (t *Turn) RoleOf(name record.SeatName) string {
	if i := slices.IndexFunc(t.Match.Seats, func(o Seat) bool { return o.Name == string(name) }); i >= 0 {
		return t.Role(rules.Seat(i))
	}
	return "the " + string(name)
}

// RoleBefore is who a seat of a name will be when a match has begun, as the game writes the
// name; the name as it stands where sides are not given out yet.
func RoleBefore(g *rules.Game, s rules.Setup, seat rules.Seat, name string) string {
	if g.Role != nil {
		if pos, err := g.Begin(s); err == nil {
			if role := g.Role(pos.View(seat)); strings.EqualFold(strings.TrimPrefix(role, "the "), name) {
				return role
			}
		}
	}
	return "the " + name
}

// Roles are those of some seats.
func (t *Turn) Roles(of rules.Seats) (names []string) {
	for i := range t.Match.Seats {
		if of.Has(rules.Seat(i)) {
			names = append(names, t.Called(rules.Seat(i)))
		}
	}
	return names
}

// Called is who sits in a seat, with the side: "Ben (Communist)", or the side alone where
// no name is known.
func (t *Turn) Called(seat rules.Seat) string {
	role := t.Role(seat)
	if name := t.Match.Seats[seat].Called; name != "" {
		return name + " (" + strings.TrimPrefix(role, "the ") + ")"
	}
	return role
}

// ShortName is the same in short: the name alone, or the side.
func (t *Turn) ShortName(seat rules.Seat) string {
	if name := t.Match.Seats[seat].Called; name != "" {
		return name
	}
	return t.Role(seat)
}

// NamesOf lists the seats that owe decisions, each once.
func (t *Turn) NamesOf(owed []rules.Decision) string {
	var names []string
	for _, d := range owed {
		if n := t.Called(d.Seat); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return List(names)
}

// Opponents are what all others are called who play in a match.
func (t *Turn) Opponents(seat rules.Seat) []string {
	return t.Roles(^(rules.Only(seat) | t.Match.Acts.Resigned))
}

// BrokenOff reports whether the match has ended without a result.
func (t *Turn) BrokenOff() bool {
	return t.Match.Acts.Ended != nil && t.Match.Acts.Ended.Act.Kind.BreaksOff()
}

// Capital writes a role at the beginning of a sentence.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// List writes names in a row: "A, B and C".
func List(names []string) string { return joined(names, " and ") }

// Or writes names of which one is enough: "A, B or C".
func Or(names []string) string { return joined(names, " or ") }

func joined(names []string, last string) string {
	if n := len(names); n > 2 {
		names = []string{strings.Join(names[:n-1], ", "), names[n-1]}
	}
	return strings.Join(names, last)
}

// Sentence writes what an error says as a sentence.
func Sentence(err error) string {
	t := strings.TrimSpace(err.Error())
	if t == "" {
		return ""
	}
	t = strings.ToUpper(t[:1]) + t[1:]
	if !strings.ContainsAny(t[len(t)-1:], ".!?") {
		t += "."
	}
	return t
}

// Silences tells which answers of an entry were found for seats that stayed silent,
// as far as all may know them.
func (t *Turn) Silences(e *record.Entry) (out []string) {
	say := func(seat record.SeatName, how string, private bool, orders []string) {
		if how != "" && !private && len(orders) > 0 {
			who, by := t.RoleOf(seat), Capital(silenceWords(how))
			said := fmt.Sprintf("%s did not answer in time. %s did: %s.", Capital(who), by, orders[0])
			if t.Match.Acts.Resigned&t.Match.SeatsOf([]record.SeatName{seat}) != 0 {
				said = fmt.Sprintf("%s answered for %s: %s.", by, who, orders[0])
			}
			out = append(out, said)
		}
	}
	say(e.Seat, e.Silence, e.Private, e.Orders)
	for _, a := range e.Answers {
		say(a.Seat, a.Silence, a.Private, a.Orders)
	}
	return out
}

func silenceWords(how string) string {
	if how == record.SilenceLot {
		return "a lot"
	}
	return "the rule for silence"
}

// TookBack tells of an entry that takes back.
func (t *Turn) TookBack(entries []record.Entry, e *record.Entry) string {
	what := "an order"
	if e.Takeback < len(entries) && len(entries[e.Takeback].Orders) > 0 {
		what = strings.Join(entries[e.Takeback].Orders, "; ")
	}
	return fmt.Sprintf("%s takes back %s, and what followed. All have agreed, and the match stands as it did before.",
		Capital(t.RoleOf(e.Seat)), what)
}

// NotAsked explains why an order finds no question: stale when the letter that it
// answers has no open one, though something was asked there or not.
func (t *Turn) NotAsked(seat rules.Seat, stale, asked bool) string {
	switch {
	case stale && !asked && len(t.Owed(seat)) > 0:
		return "The letter that you answer asked nothing of you. What is asked now stands below."
	case stale && len(t.Owed(seat)) > 0:
		return "The question that you answer is closed; the match has moved on. What is asked now stands below."
	case t.After.Stalled():
		return "Nothing is asked of you now: the match waits for chance."
	}
	why := fmt.Sprintf("Nothing is asked of you now. It is the turn of %s.", t.NamesOf(t.WithoutResigned(t.After.OpenDecisions(nil))))
	if stale && asked {
		why = "The question that you answer is closed; the match has moved on. " + why
	}
	return why
}

// Refusal says why an answer of a seat was refused, in the game's words where it
// can. Ours means that nobody refused it: err is nil or no player's fault.
func (t *Turn) Refusal(seat rules.Seat, err error) (why string, ours bool) {
	var other *record.Mismatch
	switch {
	case errors.As(err, &other):
		// What the recorded game has next is nobody's business.
		return "This match takes its dice and cards from a recorded game, and this order does not fit what happened there.", false
	case !errors.Is(err, gate.ErrRefused):
		return "", true
	case errors.Is(err, ErrAnswersClosed):
		return t.NotAsked(seat, true, true), false
	}
	if why, ok := gate.Refusal(t.Game, seat, err); ok {
		return why, false
	}
	view := t.After.View(seat)
	for _, d := range t.Owed(seat) {
		p := t.Game.Prompt(view, d, t.After.Options(nil, d.ID))
		return "That is not what is asked now. " + p.Question, false
	}
	return Sentence(err), false
}

// ErrAnswersClosed refuses an order whose question is closed.
var ErrAnswersClosed = fmt.Errorf("%w: its question is closed", gate.ErrRefused)
