package engine

import "samizdat/rules"

// An atom is a verb, a flag and a value, in that order of significance, so that
// the options of a question ascend when they are listed verb by verb.
//
//	bits 24-31 verb, bits 16-23 flag, bits 0-15 value

// Verb is what an atom does.
type Verb uint8

// The verbs. Operations of a card (VerbOps...) are other atoms than the same
// acts asked by an event.
const (
	// VerbPlay plays the card in value as the Mode in flag says.
	VerbPlay Verb = iota + 1
	// VerbOpsPlace places one support point with Operations (value: space).
	VerbOpsPlace
	// VerbOpsCheck checks a space with Operations; flag 1 claims the bonus of
	// Austria-Hungary Border Reopened for the pair of checks.
	VerbOpsCheck
	// VerbOpsTiananmen uses granted Operations for a Tiananmen attempt.
	VerbOpsTiananmen
	// VerbPlace places one support point (value: space).
	VerbPlace
	// VerbRemove removes one support point (value: space).
	VerbRemove
	// VerbCheck makes an event's support check (value: space).
	VerbCheck
	// VerbChoose chooses a thing: flag is its Choice, value the thing.
	VerbChoose
	// VerbTake takes a card to get or to use (value: card).
	VerbTake
	// VerbDiscard discards a card (value: card).
	VerbDiscard
	// VerbRaise discards one power struggle card to raise the stakes.
	VerbRaise
	// VerbAttack leads a power struggle card (value); flag is the suit that a
	// leader stands for, or the space of Scare Tactics.
	VerbAttack
	// VerbDefend matches with a power struggle card (value).
	VerbDefend
	// VerbConcede gives up a power struggle.
	VerbConcede
	// VerbPass declines.
	VerbPass
	// VerbStop ends an answer that may go on but need not.
	VerbStop
	// VerbBid bids for the side in flag and gives value support points for it.
	VerbBid
)

// Mode is how a card is played in an action round.
type Mode uint8

// The modes of play.
const (
	// PlayEvent plays an own, neutral or scoring card for its event.
	PlayEvent Mode = iota + 1
	// PlayOps plays a card for Operations when no event will happen.
	PlayOps
	// PlayEventFirst plays the enemy's card for Operations, event first.
	PlayEventFirst
	// PlayEventAfter plays the enemy's card for Operations, event after.
	PlayEventAfter
	// PlayNoEvent uses the seventh Tiananmen box: no event happens.
	PlayNoEvent
	// PlayBothFirst uses the eighth box: event, then Operations.
	PlayBothFirst
	// PlayBothAfter uses the eighth box: Operations, then the event.
	PlayBothAfter
	// PlayWithHome plays the enemy's card together with Common European Home.
	PlayWithHome
	// PlayTiananmen plays a card for a Tiananmen attempt.
	PlayTiananmen
	// PlayStrike discards a card under General Strike, and rolls.
	PlayStrike
)

// Choice says what sort of thing VerbChoose chooses.
type Choice uint8

// The sorts of choices.
const (
	ChooseSpace Choice = iota + 1
	ChooseCountry
	ChooseCard
	ChooseOption
	ChooseSide
)

// Options that are chosen by name.
const (
	OptionKeepPower = iota + 1
	OptionSurrenderPower
	OptionClear
	OptionDeclare
)

// NewAtom puts an atom together.
func NewAtom(v Verb, flag uint8, value int) rules.Atom {
	return rules.Atom(uint32(v)<<24 | uint32(flag)<<16 | uint32(value))
}

// AtomVerb returns what an atom does.
func AtomVerb(a rules.Atom) Verb { return Verb(a >> 24) }

// AtomFlag returns an atom's flag.
func AtomFlag(a rules.Atom) uint8 { return uint8(a >> 16) }

// AtomValue returns an atom's value.
func AtomValue(a rules.Atom) int { return int(a & 0xffff) }

// AtomPlay plays a card in one of the modes.
func AtomPlay(c Card, m Mode) rules.Atom { return NewAtom(VerbPlay, uint8(m), int(c)) }

// AtomAt is a verb with a space.
func AtomAt(v Verb, s Space) rules.Atom { return NewAtom(v, 0, int(s)) }

// The atoms that say nothing but their verb.
var (
	AtomPass    = NewAtom(VerbPass, 0, 0)
	atomStop    = NewAtom(VerbStop, 0, 0)
	AtomConcede = NewAtom(VerbConcede, 0, 0)
)
