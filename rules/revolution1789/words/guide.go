package words

import (
	_ "embed"
	"fmt"

	"samizdat/rules"
	"samizdat/rules/revolution1789/engine"
)

// The texts on the rules and on the orders, in the form of rules.ReadTopics.
var (
	//go:embed data/topics.txt
	topicsText string
	//go:embed data/manual.txt
	manualText string

	topics = rules.ReadTopics(topicsText)
	manual = rules.ReadTopics(manualText)
)

// Topics is rules.Game.Topics.
func (Words) Topics() []rules.Topic { return topics }

// Manual is rules.Game.Manual.
func (Words) Manual() []rules.Topic { return manual }

// Meaning is rules.Game.Meaning.
func (w Words) Meaning(rv rules.View, _ rules.Decision, answers []rules.Answer) string {
	v := rv.(*engine.View)
	if len(answers) == 0 || len(answers[0].Atoms) == 0 {
		return ""
	}
	atoms := answers[0].Atoms
	n := engine.ValueOf(atoms[0])
	switch engine.VerbOf(atoms[0]) {
	case engine.VerbName:
		return "You want " + who(v, rules.Seat(n)) + " as the first Chairman."
	case engine.VerbSeat:
		a, b := engine.Unit(n).Spaces()
		return fmt.Sprintf("You take the seat between %s and %s.", v.Cards[a].Name(), v.Cards[b].Name())
	case engine.VerbVote:
		return "You vote for " + colours[n] + "."
	case engine.VerbPurge:
		return "You point at " + citizen(rules.Seat(n)) + "."
	case engine.VerbHold:
		return "You call no revolution" + [...]string{"", " until a minister comes or goes over", ", now and later"}[answers[0].Standing] + "."
	case engine.VerbRevolution:
		return "You call a revolution, which ends the match."
	case engine.VerbDecline:
		return "You leave it at your three ministers."
	case engine.VerbGive, engine.VerbGiven, engine.VerbGiveListed:
		return "Your revolution: " + w.Line(atoms) + "."
	}
	return ""
}
