package words

import (
	"fmt"
	"strings"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// Prompt implements rules.LetterTexts.
func (w Words) Prompt(rv rules.View, d rules.Decision, options []rules.Atom) rules.Prompt {
	v := rv.(*engine.View)
	p := rules.Prompt{Question: questionText(v, d, options), Notes: notes(v, d, options), TimeoutNote: timeoutNote(d, options)}
	switch d.Kind {
	case engine.KindSeat:
		// Three examples are enough: the notes list all units. Letters take a list for complete if it is as long as the options.
		shown := 3
		if len(options) <= shown+1 {
			shown = len(options)
		}
		for _, a := range options[:shown] {
			p.Forms = append(p.Forms, w.FormatOrder([]rules.Atom{a}))
		}
		if line := doubleForm(v, options); line != "" {
			p.Forms = append(p.Forms, line)
		}
	case engine.KindGive:
		p.Forms = giveForms(w, options)
	case engine.KindCall:
		p.Forms = append(p.Forms, "HOLD", "HOLD UNTIL CHANGE", "HOLD ALWAYS")
		if len(options) > 1 {
			p.Forms = append(p.Forms, "REVOLUTION", callWithGifts(v))
		}
	default:
		for _, a := range options {
			p.Forms = append(p.Forms, w.FormatOrder([]rules.Atom{a}))
		}
	}
	return p
}

func questionText(v *engine.View, d rules.Decision, options []rules.Atom) string {
	switch d.Kind {
	case engine.KindName:
		return "Who should be the first Chairman? All players name a citizen at the same time, or abstain."
	case engine.KindSeat:
		return "You are in the chair: take a seat."
	case engine.KindVote:
		return fmt.Sprintf("The voters on %s are %s. Do you vote for Monarchy or Republic? No one will ever see how you vote.",
			v.Cards[v.VoteSpace].Name(), joinNames(voters(v)))
	case engine.KindPurge:
		return fmt.Sprintf("The vote on %s was not unanimous: %d for Monarchy, %d for the Republic. Which voter do you point at?",
			v.Cards[v.VoteSpace].Name(), v.BallotCounts[engine.Monarchist], v.BallotCounts[engine.Republican])
	case engine.KindCall:
		if len(options) > 1 {
			return "You are a faction leader: do you call a revolution? All players are asked, and answer at the same time."
		}
		return "You are not a faction leader, so you can only hold. All players are asked whether they call a revolution, so that no one " +
			"learns who the leaders are."
	}
	return "Which players get your revolution tokens? Give at most three, one to each player; you may give none."
}

// voters returns the voters on the crisis, the reader first.
func voters(v *engine.View) []string {
	var set rules.Seats
	for _, s := range v.Voters {
		set |= rules.Only(s)
	}
	return citizenList(v, set)
}

// doubleForm returns an example order with FIRST, for a unit that fills two crises, or "".
func doubleForm(v *engine.View, options []rules.Atom) string {
	for _, a := range options {
		if engine.AtomVerb(a) != engine.VerbSeat {
			return ""
		}
		if filled := v.CrisesFilledBy(engine.Unit(engine.AtomValue(a))); filled[1] != 0 {
			return fmt.Sprintf("SEAT %s FIRST %d", engine.Unit(engine.AtomValue(a)), filled[1])
		}
	}
	return ""
}

func callWithGifts(v *engine.View) string {
	var names []string
	for s := rules.Seat(0); len(names) < 2; s++ {
		if s != v.Seat() {
			names = append(names, citizenName(s))
		}
	}
	return "REVOLUTION GIVE " + strings.Join(names, ", ")
}

func giveForms(w Words, options []rules.Atom) []string {
	var out, names []string
	for _, a := range options {
		switch engine.AtomVerb(a) {
		case engine.VerbDecline, engine.VerbGiveListed:
			out = append(out, w.FormatOrder([]rules.Atom{a}))
		case engine.VerbGive:
			names = append(names, engine.CitizenName(engine.AtomValue(a)))
		}
	}
	out = append(out, "GIVE NONE")
	if len(names) == 1 || len(names) > 2 {
		out = append(out, "GIVE "+names[0])
	}
	if len(names) > 1 {
		out = append(out, "GIVE "+names[0]+", "+names[1])
	}
	return out
}

func notes(v *engine.View, d rules.Decision, options []rules.Atom) []string {
	switch d.Kind {
	case engine.KindSeat:
		return seatNotes(v, options)
	case engine.KindVote:
		c := v.Cards[v.VoteSpace]
		return []string{
			fmt.Sprintf("With Monarchy, %s; with Republic, %s.", ministerOutcome(v, c, engine.Monarchist),
				ministerOutcome(v, c, engine.Republican)),
			"If all three voters agree, their choice is carried out. Otherwise there is a purge: each voter points at one of the other two. If two voters " +
				"point at the same one, that one loses the seat here, and the majority has its way. If not, no seat is lost, and the " +
				"crisis stays unresolved.",
			"You may change your ballot until all ballots are in.",
			"On a second line you may write PURGE and a name. It counts only if there is a purge.",
		}
	case engine.KindPurge:
		winner := engine.Monarchist
		if v.BallotCounts[engine.Republican] > v.BallotCounts[engine.Monarchist] {
			winner = engine.Republican
		}
		return []string{
			fmt.Sprintf("If two voters point at the same one, that one loses the seat here, and the majority has its way: %s. "+
				"If not, no seat is lost, and the crisis stays unresolved.", ministerOutcome(v, v.Cards[v.VoteSpace], winner)),
			"The answers are published when all three are in.",
		}
	case engine.KindCall:
		return callNotes(v, options)
	case engine.KindGive:
		return giveNotes(v, options)
	}
	return []string{
		"The citizen named most often takes the chair; ties are broken at random. All answers are published together.",
	}
}

// ministerOutcome says what happens to the ministers if a crisis is voted for a colour, for example "a Monarchist becomes
// minister for Social reforms".
func ministerOutcome(v *engine.View, c engine.Crisis, colour engine.Colour) string {
	reform := reforms[c.Reform(colour)]
	switch before := v.Ministers[c.Reform(colour)]; before {
	case colour:
		return fmt.Sprintf("the minister for %s reforms stays %s", reform, ministers[colour])
	case engine.NoColour:
		return fmt.Sprintf("a %s becomes minister for %s reforms", ministers[colour], reform)
	default:
		return fmt.Sprintf("the minister for %s reforms changes sides from %s to %s", reform, ministers[before], ministers[colour])
	}
}

func timeoutNote(d rules.Decision, options []rules.Atom) string {
	text := "you abstain"
	switch d.Kind {
	case engine.KindSeat:
		text = "a seat is taken for you at random"
	case engine.KindVote:
		text = "your ballot is cast at random"
	case engine.KindPurge:
		text = "your answer is chosen at random"
	case engine.KindCall:
		text = "you HOLD"
	case engine.KindGive:
		text = "you give none"
		for i, a := range options {
			switch verb := engine.AtomVerb(a); {
			case verb == engine.VerbDecline:
				text = "you decline"
			case verb == engine.VerbGiveListed && i == 0:
				text = "you GIVE AS CALLED"
			}
		}
	}
	return "If your time runs out, " + text + "."
}

func seatNotes(v *engine.View, options []rules.Atom) []string {
	var names, filling []string
	for _, a := range options {
		if engine.AtomVerb(a) != engine.VerbSeat {
			continue
		}
		u := engine.Unit(engine.AtomValue(a))
		names = append(names, u.String())
		if filled := v.CrisesFilledBy(u); filled[1] != 0 {
			filling = append(filling, fmt.Sprintf("%s fills %s and %s", u, v.Cards[filled[0]].Name(), v.Cards[filled[1]].Name()))
		} else if filled[0] != 0 {
			filling = append(filling, fmt.Sprintf("%s fills %s", u, v.Cards[filled[0]].Name()))
		}
	}
	out := []string{"You can take " + joinNames(names) + "."}
	if len(filling) > 0 {
		out = append(out, "The vote on a full crisis comes at once: "+joinNames(filling)+".")
	}
	if doubleForm(v, options) != "" {
		out = append(out, "If your seat fills two crises, the vote on the lower space comes first, unless you write FIRST and the number "+
			"of the other space.")
	}
	return out
}

func callNotes(v *engine.View, options []rules.Atom) []string {
	out := []string{
		"HOLD UNTIL CHANGE answers this question for you until a minister changes sides, HOLD ALWAYS until you " +
			"write something else. No one sees whether you have answered, or how.",
	}
	if next := v.Order[(int(v.Chairman)+1)%v.Players]; v.VoteQueue[0] == 0 && next == v.Seat() {
		out = append(out, "You are next in the chair. On a line below your answer you may already write SEAT and your choice: "+
			"it is saved for your turn, and dropped if there is a revolution.")
	}
	if len(options) > 1 {
		return append(out,
			"A revolution ends the match. It succeeds if you give a token to every other member of your faction, and to no one else.",
			errorNote(v),
			"After REVOLUTION GIVE you name at most three players of your choice. If you write only REVOLUTION, you are asked for them "+
				"afterwards. You can take a call back with HOLD until the last answer is in.")
	}
	return out
}

// errorNote explains what an error of a revolution is.
func errorNote(v *engine.View) string {
	note := "Each other member of your faction without a token is an error, and so is a token with anyone else: "
	switch n := engine.Allowance(v.Players); n {
	case 0:
		return note + "no error is allowed."
	case 1:
		return note + "1 error is allowed."
	default:
		return fmt.Sprintf("%s%d errors are allowed.", note, n)
	}
}

func giveNotes(v *engine.View, options []rules.Atom) []string {
	s := v.Seat()
	out := []string{errorNote(v)}
	if v.Phase == engine.GivingFirst {
		out = append(out, "You are first: if your revolution succeeds, your faction wins. Then the other leader answers.")
	}
	for _, a := range options {
		switch engine.AtomVerb(a) {
		case engine.VerbDecline:
			out = append(out, fmt.Sprintf("All three ministers are %s: you may DECLINE, and win if the first revolution has failed.",
				ministers[v.Objectives[s].Faction().Colour()]))
		case engine.VerbGiveListed:
			out = append(out, "GIVE AS CALLED gives tokens to the players named in your call, except a leader who has shown "+
				"his card since.")
		}
	}
	return out
}

// Refusal implements rules.LetterTexts.
func (w Words) Refusal(rv rules.View, d rules.Decision, a rules.Atom, options []rules.Atom) string {
	v := rv.(*engine.View)
	n := engine.AtomValue(a)
	reason := "That does not answer the question."
	switch engine.AtomVerb(a) {
	case engine.VerbSeat:
		if d.Kind == engine.KindSeat {
			reason = unitRefusal(v, engine.Unit(n))
		}
	case engine.VerbFirst:
		return fmt.Sprintf("FIRST %d does not fit: your seat does not fill two crises, or crisis %[1]d is not one of them. Leave out FIRST.", n)
	case engine.VerbRevolution:
		if d.Kind == engine.KindCall {
			reason = "Only Louis XVI and Robespierre can call a revolution, and you are neither. No other player is told that you tried."
		}
	case engine.VerbPurge:
		if d.Kind == engine.KindPurge {
			reason = fmt.Sprintf("You can only point at the other two voters, and %s is not one of them.", engine.CitizenName(n))
			if rules.Seat(n) == v.Seat() {
				reason = "You cannot point at yourself."
			}
		}
	case engine.VerbGive:
		if d.Kind == engine.KindGive || d.Kind == engine.KindCall {
			reason = giftRefusal(v, rules.Seat(n))
		}
	case engine.VerbGiveListed:
		reason = "You have not called with a list of gifts."
	case engine.VerbDecline:
		if d.Kind == engine.KindGive {
			reason = "Only the second leader may decline, and only if all three ministers are of his faction."
		}
	case engine.VerbName:
		if n >= v.Players {
			reason = fmt.Sprintf("%s does not play in this match.", engine.CitizenName(n))
		}
	}
	if len(options) == 0 {
		return reason
	}
	return reason + " " + w.FormatOrder(options[:1]) + " would be legal."
}

// unitRefusal explains why a unit is not legal for the view's seat (rule 5.1).
func unitRefusal(v *engine.View, u engine.Unit) string {
	a, b := u.Spaces()
	if h := v.Holders[u]; h != rules.NoSeat {
		return fmt.Sprintf("Seat %s is held by %s.", u, seatText(v, h))
	}
	for _, s := range [...]engine.Space{a, b} {
		if v.HoldsUnitAt(v.Seat(), s) {
			return fmt.Sprintf("You already have a seat at %s (space %d), and may hold only one at a crisis.", v.Cards[s].Name(), s)
		}
	}
	return fmt.Sprintf("Both crises of seat %s have been voted on.", u)
}

func giftRefusal(v *engine.View, to rules.Seat) string {
	switch {
	case int(to) >= v.Players:
		return citizenName(to) + " does not play in this match."
	case to == v.Seat():
		return "You cannot give a token to yourself."
	case v.ShownSeats.Has(to):
		return citizenName(to) + " is the other leader and takes no token."
	}
	return citizenName(to) + " would get two tokens; each player gets at most one, and there are three."
}
