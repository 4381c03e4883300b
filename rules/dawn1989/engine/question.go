package engine

import (
	"slices"
	"strconv"

	"samizdat/rules"
)

// QuestionKind is the kind of a question.
type QuestionKind uint8

// The kinds of questions.
const (
	AskNothing     QuestionKind = iota
	AskSetup                    // place an extra support point of rule 3.4
	AskRound                    // play a card in an action round
	AskExtraRound               // play a card in the Communist's eighth round, or pass
	AskOps                      // use Operations; later, place the next point
	AskSecondCheck              // the second support check of Operations
	AskPlace                    // place support points of an event
	AskRemove                   // remove support points (an event, box 4, support loss)
	AskCheck                    // make a support check of an event or of box 6
	AskSpace                    // choose a space
	AskTake                     // take a card, into the hand or for its event
	AskDiscard                  // choose a card to discard
	AskStakes                   // raise the stakes with three cards, or pass
	AskAttack                   // attack with a power struggle card
	AskDefend                   // defend, or concede
	AskPower                    // keep Power or surrender it
	AskCountry                  // choose a country (the last power struggle of card 104)
	AskStrike                   // discard a card under General Strike, or play a scoring card
	AskAnnounce                 // name the card that Stasi makes public
	AskGrant                    // use Operations that an event grants
	AskAlternative              // choose between two effects of an event; the first atom decides
	AskCard                     // choose a card of the hand to give up or to put aside
	AskDeclare                  // declare the end of the match (card 104)
	AskBid                      // bid for a side (rule 13)
	AskSide                     // choose a side after equal bids
	QuestionKinds
)

var questionKindNames = [...]string{"", "setup", "round", "extra round", "ops", "second check", "place", "remove",
	"check", "space", "take", "discard", "stakes", "attack", "defend", "power", "country", "strike", "announce",
	"granted ops", "way", "card", "declare", "bid", "side"}

func (a QuestionKind) String() string { return questionKindNames[a] }

// ParseQuestionKind returns the kind of question with this name, or AskNothing.
func ParseQuestionKind(kind string) QuestionKind {
	return QuestionKind(max(0, slices.Index(questionKindNames[:], kind)))
}

// Source is the card or the rule that asks a question, for example 40 or "BOX 3".
type Source uint8

// The sources that are not cards. SourceNone stands for the action round and for the Operations of the card played in
// it.
const (
	SourceNone Source = 0
	SourceBox3 Source = iota + 200
	SourceBox4
	SourceBox5
	SourceBox6
	SourceStakes
	SourceStruggle
	SourceLoss
	SourcePower
	SourceExtra
	SourceSetup
	SourceBid
)

var sourceLabels = map[Source]string{
	SourceBox3: "BOX 3", SourceBox4: "BOX 4", SourceBox5: "BOX 5", SourceBox6: "BOX 6",
	SourceStakes: "STAKES", SourceStruggle: "STRUGGLE", SourceLoss: "LOSS", SourcePower: "POWER",
	SourceExtra: "EXTRA", SourceSetup: "SETUP", SourceBid: "BID",
}

var sourceNames = func() (names [256]string) {
	for s := 1; s < Cards; s++ {
		names[s] = strconv.Itoa(s)
	}
	for s, label := range sourceLabels {
		names[s] = label
	}
	return names
}()

// String returns the name of the source in orders and in JSON, for example "40" or "BOX 3".
func (s Source) String() string { return sourceNames[s] }

// ParseSource returns the source with this name, or SourceNone.
func ParseSource(label string) Source { return Source(max(0, slices.Index(sourceNames[:], label))) }

// Question is the open question of a position. Only bids are two open questions at the same time (see bidQuestion).
type Question struct {
	Kind   QuestionKind
	Side   Side
	Source Source
	// Remaining is the number of atoms that the answer still needs; for Operations it is the number of Ops left.
	Remaining int8
	// Given is the number of atoms that the answer already has.
	Given int8
	// Midway is set if the question continues an answer, for example the Operations of a PLAY order.
	Midway bool
	// MaxPerSpace is how many support points the answer may place in one space, or remove from it; 0 means no limit.
	// Optional means that the question may be declined with PASS.
	MaxPerSpace int8
	Optional    bool
	// UpTo means that the answer may end before Remaining is 0.
	UpTo bool
	// Secret means that only the side itself sees the answer: which card it keeps (box 3) or puts aside (card 77).
	Secret bool
	ID     uint32
	// PointsBySpace says how many points this answer has placed in each space, or removed from it.
	PointsBySpace [Spaces]int8
}

// An atom is a number. Its bits have this meaning:
//
//	bits 24-31 verb, bits 16-23 flag, bits 0-15 value
//
// For example, "place one support point in space 12" is VerbPlace<<24 | 12. The options of a question are listed in
// ascending order of these numbers.

// Verb is the verb of an atom.
type Verb uint8

// The verbs. A point or a check of a card's Operations has another verb (VerbOps...) than a point or a check of an
// event.
const (
	VerbPlay     Verb = iota + 1 // plays the card in value as the Mode in flag says
	VerbOpsPlace                 // places one support point with Operations (value: space)
	// VerbOpsCheck checks a space with Operations; flag 1 claims the bonus of
	// Austria-Hungary Border Reopened for the pair of checks.
	VerbOpsCheck
	VerbOpsTiananmen // uses granted Operations for a Tiananmen attempt
	VerbPlace        // places one support point (value: space)
	VerbRemove       // removes one support point (value: space)
	VerbCheck        // makes an event's support check (value: space)
	VerbChoose       // chooses: flag is a Choice, value the chosen space, country, card, option or side
	VerbTake         // takes a card, into the hand or for its event (value: card)
	VerbDiscard      // discards a card (value: card)
	VerbRaise        // discards a power struggle card (value) to raise the stakes
	// VerbAttack attacks with a power struggle card (value); flag is the suit of a leader, or the space of Scare
	// Tactics.
	VerbAttack
	VerbDefend  // defends with a power struggle card (value)
	VerbConcede // gives up a power struggle
	VerbPass    // declines
	VerbStop    // ends an answer that could have more atoms
	VerbBid     // bids for the side in flag and gives value support points for it
)

// Mode is how a card is used in an action round, for example for its event or for Operations.
type Mode uint8

// The modes of play.
const (
	PlayEvent      Mode = iota + 1 // plays a friendly, neutral or scoring card for its event
	PlayOps                        // plays a card for Operations when no event will happen
	PlayEventFirst                 // plays the enemy's card for Operations, event first
	PlayEventAfter                 // plays the enemy's card for Operations, event after
	PlayNoEvent                    // uses the seventh Tiananmen box: no event happens
	PlayBothFirst                  // uses the eighth box: event, then Operations
	PlayBothAfter                  // uses the eighth box: Operations, then the event
	PlayWithHome                   // plays the enemy's card together with Common European Home
	PlayTiananmen                  // plays a card for a Tiananmen attempt
	PlayStrike                     // discards a card under General Strike, and rolls
)

// Choice says what kind of value VerbChoose has, for example a space.
type Choice uint8

// The choices.
const (
	ChooseSpace Choice = iota + 1
	ChooseCountry
	ChooseCard
	ChooseOption
	ChooseSide
)

// The options that an order names, for example CHOOSE CLEAR.
const (
	OptionKeepPower = iota + 1
	OptionSurrenderPower
	OptionClear
	OptionDeclare
)

// NewAtom returns an atom. For example, NewAtom(VerbPlace, 0, 12) places a point in space 12.
func NewAtom(v Verb, flag uint8, value int) rules.Atom {
	return rules.Atom(uint32(v)<<24 | uint32(flag)<<16 | uint32(value))
}

// AtomVerb returns the verb of an atom.
func AtomVerb(a rules.Atom) Verb { return Verb(a >> 24) }

// AtomFlag returns an atom's flag.
func AtomFlag(a rules.Atom) uint8 { return uint8(a >> 16) }

// AtomValue returns an atom's value.
func AtomValue(a rules.Atom) int { return int(a & 0xffff) }

// PlayAtom returns the atom that plays a card in a mode.
func PlayAtom(c Card, m Mode) rules.Atom { return NewAtom(VerbPlay, uint8(m), int(c)) }

// SpaceAtom returns the atom with a verb and a space, without a flag.
func SpaceAtom(v Verb, s Space) rules.Atom { return NewAtom(v, 0, int(s)) }

// Atoms without flag and value.
var (
	AtomPass    = NewAtom(VerbPass, 0, 0)
	atomStop    = NewAtom(VerbStop, 0, 0)
	AtomConcede = NewAtom(VerbConcede, 0, 0)
)
