package council

import (
	"encoding/json"
	"fmt"
	"strings"

	"samizdat/rules"
)

// The kinds of names.
const (
	nameSeat   rules.NameKind = "seat"
	nameChoice rules.NameKind = "choice"
)

// Keywords are the keywords of orders.
func (game) Keywords() []rules.Keyword {
	return []rules.Keyword{
		{Word: "NAME", IsVerb: true, NameKinds: []rules.NameKind{nameSeat}},
		{Word: "VOTE", IsVerb: true, NameKinds: []rules.NameKind{nameChoice}},
		{Word: "HOLD", IsVerb: true},
		{Word: "CALL", IsVerb: true},
		{Word: "UNTIL CHANGE"},
		{Word: "ALWAYS"},
		{Word: "FINE", IsVerb: true, NameKinds: []rules.NameKind{nameSeat}},
	}
}

// Names are the seats and the choices.
func (game) Names() []rules.Name {
	var out []rules.Name
	for s, name := range seatNames {
		out = append(out, rules.Name{Kind: nameSeat, Code: s, Text: title(name)})
	}
	return append(out, rules.Name{Kind: nameChoice, Code: yes, Text: "YES", NoAbbreviation: true},
		rules.Name{Kind: nameChoice, Code: no, Text: "NO", NoAbbreviation: true})
}

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

var verbs = map[string]verb{"NAME": verbName, "VOTE": verbVote, "HOLD": verbHold, "CALL": verbCall, "FINE": verbFine}

var kinds = map[string]string{"NAME": kindName, "VOTE": kindVote, "HOLD": kindHold, "CALL": kindHold, "FINE": kindFine}

// Answers returns the answers that an order may stand for.
func (game) Answers(o rules.Order, _ []rules.Decision) ([]rules.Answer, error) {
	if len(o.Clauses) == 0 {
		return nil, fmt.Errorf("an order begins with NAME, VOTE, HOLD, CALL or FINE")
	}
	first := o.Clauses[0]
	value := 0
	if len(first.Items) > 0 {
		value = first.Items[0].Name.Code
	}
	a := rules.Answer{Kinds: []string{kinds[first.Word]}, Atoms: []rules.Atom{atom(verbs[first.Word], value)},
		Ballot: verbs[first.Word] == verbVote}
	for _, c := range o.Clauses[1:] {
		switch {
		case a.Standing != rules.StandsOnce || verbs[first.Word] != verbHold:
			return nil, fmt.Errorf("%s does not go with %s", c.Word, first.Word)
		case c.Word == "ALWAYS":
			a.Standing = rules.StandsAlways
		default:
			a.Standing = rules.StandsUntilChange
		}
	}
	return []rules.Answer{a}, nil
}

// FormatOrder returns the order for an answer, e.g. "CALL".
func (game) FormatOrder(atoms []rules.Atom) string {
	if len(atoms) == 0 {
		return ""
	}
	x := valueOf(atoms[0])
	switch verbOf(atoms[0]) {
	case verbName:
		return "NAME " + title(seatNames[x])
	case verbVote:
		return "VOTE " + [...]string{"NO", "YES"}[x]
	case verbHold:
		return "HOLD"
	case verbCall:
		return "CALL"
	}
	return "FINE " + title(seatNames[x])
}

// view is a seat's copy of the position, without hidden aims.
type view struct {
	state
	seat rules.Seat
}

func (p *position) View(s rules.Seat) rules.View {
	v := &view{state: p.Clone().(*position).state, seat: s}
	if p.Phase == phaseOver {
		return v
	}
	v.Pile = nil
	for i := range v.Aims {
		if rules.Seat(i) != s {
			v.Aims[i] = 0
		}
	}
	return v
}

func (v *view) Seat() rules.Seat { return v.seat }

// MarshalJSON returns the view.
func (v *view) MarshalJSON() ([]byte, error) { return json.Marshal(v.state) }

// Changes returns how often the water reached or left its mark.
func (game) Changes(rv rules.View) int { return rv.(*view).Turns }

// Status returns the state of the match in a sentence.
func (game) Status(rv rules.View) string {
	v := rv.(*view)
	switch {
	case v.Phase == phaseOver:
		return fmt.Sprintf("The council is over after round %d of %d.", v.Round, v.Rounds)
	case v.Round == 0:
		return "The council has no chair yet."
	}
	return fmt.Sprintf("Round %d of %d; the %s has the chair.", v.Round, v.Rounds, title(seatNames[v.Chair]))
}

// Headline returns the round, e.g. "round 2"; it is empty before the first.
func (game) Headline(rv rules.View) string {
	if rv.(*view).Round == 0 {
		return ""
	}
	return fmt.Sprintf("round %d", rv.(*view).Round)
}

// Role returns the name of the seat.
func (game) Role(rv rules.View) string {
	if rv.Seat() == rules.NoSeat {
		return "nobody"
	}
	return "the " + title(seatNames[rv.Seat()])
}

// Sentences returns the texts of events.
func (game) Sentences(rv rules.View, events []rules.Event) []string {
	var out []string
	for _, e := range events {
		if e.Audience.Has(rv.Seat()) {
			out = append(out, sentence(e))
		}
	}
	return out
}

func sentence(e rules.Event) string {
	who, x := "The "+title(seatNames[e.Seat]), int(e.Args[0])
	switch e.Kind {
	case eventAim:
		return "Your aim: " + aimNames[x] + "."
	case eventNamed:
		return fmt.Sprintf("%s names the %s.", who, title(seatNames[x]))
	case eventChair:
		return who + " takes the chair."
	case eventCount:
		return fmt.Sprintf("The ballots are counted: %d YES, %d NO.", x, e.Args[1])
	case eventRolled:
		return fmt.Sprintf("A tie; the die shows %d.", x)
	case eventWater:
		return fmt.Sprintf("The water level is %d.", x)
	case eventCalled:
		return who + " calls the end."
	case eventQuiet:
		return "Nobody calls the end."
	case eventFined:
		return fmt.Sprintf("%s fines the %s.", who, title(seatNames[x]))
	}
	return fmt.Sprintf("The aim of the %s was %s.", title(seatNames[e.Seat]), aimNames[x])
}

var questions = map[string]string{
	kindName: "Who should take the chair? All players name a seat at the same time.",
	kindVote: "Should the well be deepened? No one will ever see how you vote.",
	kindHold: "Do you want to end the council now (CALL) or go on (HOLD)? All players answer at the same time.",
	kindFine: "Which player do you fine?",
}

// Prompt returns the question of a decision.
func (g game) Prompt(_ rules.View, d rules.Decision, options []rules.Atom) rules.Prompt {
	pr := rules.Prompt{Question: questions[d.Kind]}
	for _, a := range options {
		pr.Forms = append(pr.Forms, g.FormatOrder([]rules.Atom{a}))
	}
	return pr
}

// Refusal explains why an atom is not an option.
func (g game) Refusal(_ rules.View, _ rules.Decision, _ rules.Atom, options []rules.Atom) string {
	return "That does not answer the question. " + g.FormatOrder(options[:1]) + " would be legal."
}

// Sections returns the seat's aim and the fines.
func (game) Sections(rv rules.View) []rules.Section {
	v := rv.(*view)
	var out []rules.Section
	if v.seat != rules.NoSeat && int(v.seat) < len(v.Aims) {
		out = append(out, rules.Section{Title: "Your aim", Lines: []string{aimTexts[v.Aims[v.seat]]}})
	}
	lines := []string{fmt.Sprintf("%-10s %6d", "water", v.Water)}
	for s, n := range v.Fines {
		lines = append(lines, fmt.Sprintf("%-10s %6d", seatNames[s], n))
	}
	return append(out, rules.Section{Title: "Water and fines", Lines: lines})
}
