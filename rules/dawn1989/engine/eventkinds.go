package engine

import "samizdat/rules"

// The kinds of events. After the colon of each comment stand the arguments (Event.Args) in order. "side" is 0 for the
// Democrat and 1 for the Communist; "space", "card" and "country" are numbers; "struggle card" is a StruggleCard;
// "source" is a Source; "chair" is a seat that bids for a side. A secret event has a public twin, without the secret,
// for readers who may not know it. For example, EvPlaced with the arguments 0, Gdansk, 2, 5, 3 means that the
// Democrat placed 2 points in Gdansk and now has 5 there, and the Communist has 3.
const (
	EvDealt      rules.EventKind = iota + 1 // a card dealt or drawn: card (0 in the public twin), side
	EvReshuffled                            // the discards became the draw deck: number of cards
	EvTurn                                  // a turn began: turn
	EvPlayed                                // a card was played: card, Mode, side, 21 if it was played with card 21, or 0
	EvForfeited                             // an action round without a card: side
	EvEvent                                 // a card's event takes place: card, side that carries it out
	EvNoEvent                               // a card's event cannot take place: card
	EvNoEffect                              // a card's event takes place without effect: card
	EvCardMoved                             // where a card went: card, Pile
	// EvPlaced: support points placed: side, space, number, democrat's points and communist's points there afterwards.
	EvPlaced
	EvRemoved // support points of a side removed: side, space, number, points there afterwards as for EvPlaced
	// EvCheck: a support check: side, space, die, Ops value, own adjacent spaces, enemy adjacent spaces, other
	// modifiers, total, needed (twice the stability), points removed, points added, bits of the CheckCards with an
	// effect (CheckBonus.cardBits).
	EvCheck
	EvNoTarget // a support check has no target, or an event has no space for its step target: side, card
	// EvVP: the victory points change: change (positive is good for the Democrat), VP afterwards, VPReason, and the
	// card or country of the reason.
	EvVP
	EvRoll // a die of an event: side, die, modifier, total, needed, 1 when it succeeded, card
	// EvAttempt: a Tiananmen attempt: side, box, die, Ops value, modifiers, total, needed, 1 when it succeeded, card.
	EvAttempt
	EvBox       // a marker entered a box of the Tiananmen track: side, box, 1 if before the enemy's marker
	EvDiscarded // a card discarded face up out of a hand: side, card, source
	EvKept      // the card kept of the three of box 3: side, card (0 in the public twin)
	// EvTaken: a card taken: side, card, and a number: 0 from the discard pile into the hand, 1 from the discard pile
	// for its event, 2 from the enemy's hand for its event.
	EvTaken
	EvUSSR       // the U.S.S.R. marker moved: box
	EvInForce    // a card's lasting effect begins: card, side
	EvExtraRound // the Communist may take an eighth round
	EvPassed     // a side declined: side, QuestionKind, source
	// EvStruggle: a power struggle begins: country, side that started it, spaces controlled by the Democrat, by the
	// Communist, power struggle cards dealt to the Democrat, to the Communist.
	EvStruggle
	EvStruggleCard    // a power struggle card dealt or drawn: side, struggle card (255 in the public twin)
	EvRaised          // one card of three discarded to raise the stakes: side, struggle card
	EvAttack          // an attack: side, struggle card, suit, space where Scare Tactics removes a point, or 0
	EvDefend          // a defence: side, struggle card
	EvConcede         // a side has no defence or concedes: side, 1 if it cannot defend
	EvNoAttack        // the attacker has no playable card: side, cards left
	EvCounter         // a counterattack: side, die (0 when automatic), needed, 1 when it takes the initiative
	EvBanned          // a suit is banned: suit
	EvStruggleDiscard // a power struggle card discarded at random: side, struggle card
	EvStruggleWon     // a power struggle is won: side, country, suit (0 for none)
	EvLoss            // the support loss roll: losing side, die, modifier, modified die, points to lose
	// EvVictory: the victory points roll: winning side, die, modifier, modified die, VP, 1 when the Democrat takes
	// Power.
	EvVictory
	// EvPower: Power changed or was kept: country, 0 taken by the Democrat, 1 surrendered, 2 kept, power struggles
	// there so far.
	EvPower
	// EvScored: a country is scored: country; then for the Democrat, and again for the Communist: level (0 none, 1
	// Presence, 2 Domination, 3 Control), VP of the level, battlegrounds.
	EvScored
	EvStruggleMoved  // a card moved power struggle cards into a side's hand: card, side, number
	EvOver           // the match is over: Ending
	EvSpent          // Operations found no legal use: side, card
	EvCaptured       // the Democrat captured the Tyrant: space
	EvStrike         // the strike roll: die, Ops value, 1 when it ends
	EvCrowd          // the result of the Crowd (card 54): rallies, Ops granted
	EvAnnounced      // the card that Stasi makes the Democrat announce: card
	EvTurnEffectsEnd // the effects that last one turn end
	EvHandedOver     // a card handed over to the enemy, who uses it: side that gives it up, card
	EvShown          // a card of a hand shown to the enemy: owner's side, card
	EvAside          // a card put aside face down: side, card (0 in the public twin)
	EvTable          // a die that is looked up in the table of an event: side, die, result, card
	// EvContest: a round of a contest: side that began the contest, this side's die and spaces, the enemy's die and
	// spaces, rounds won by this side, by the enemy.
	EvContest
	EvCountry   // a country was chosen: side, country, card
	EvDebt      // no Communist checks in a country this turn: country
	EvPrudence  // a side's Ops values are lower this turn: side, difference
	EvDestroyed // a space was destroyed: space
	EvRefuge    // where the Tyrant's marker lies: space
	EvDeclared  // the Communist declared the end of the match
	EvCrowdCard // a card drawn for the Crowd (card 54): struggle card
	EvBid       // a bid was opened: chair, side of the bid, points given
	EvBidRoll   // the dice after equal bids: first chair's, second chair's
	EvSides     // the seats get sides: chair of the Democrat, extra points, side that gets them
)

// VPReason is the reason for a change of victory points.
type VPReason uint8

// The reasons of victory points.
const (
	VPFromEvent VPReason = iota + 1
	VPFromStruggle
	VPFromPower
	VPFromCountry
	VPFromCommonHome
	VPFromHeldPower
	VPFromCeausescus
	VPFromCapture
	VPFromLigachev
)

// Reasons of dice and draws, for the first parameter of Reason. Its second parameter, arg, is a space or a card (0
// for none), unless another meaning is noted here.
const (
	ReasonDeal = iota + 1
	ReasonCheck
	ReasonAttempt
	ReasonEvent
	ReasonCounter
	ReasonLoss
	ReasonVictory
	ReasonStrike
	ReasonStruggleDeal
	ReasonBox3
	ReasonStruggleCard
	ReasonDraw
	// ReasonContest: arg is the side that rolls.
	ReasonContest
	// ReasonBid: arg is the chair that rolls.
	ReasonBid
)

// Reason returns a reason and its argument in a single number. The argument is in the lowest eight bits.
func Reason(what, arg int) rules.Reason { return rules.Reason(what<<8 | arg) }

// Changes says which parts of the map have changed since the reader's last letter.
type Changes struct {
	Spaces    SpaceSet
	Power     [Countries]bool
	Tiananmen [2]bool
	USSR, VP  bool
}

// CollectChanges returns the changes of support, Power, the tracks and the VP that these events made.
func CollectChanges(since []rules.Event) Changes {
	var c Changes
	for _, e := range since {
		switch e.Kind {
		case EvPlaced, EvRemoved:
			if e.Args[2] != 0 {
				c.Spaces.Add(Space(e.Args[1]))
			}
		case EvCheck:
			if e.Args[9] != 0 || e.Args[10] != 0 {
				c.Spaces.Add(Space(e.Args[1]))
			}
		case EvDestroyed, EvRefuge, EvCaptured:
			c.Spaces.Add(Space(e.Args[0]))
		case EvPower:
			c.Power[e.Args[0]] = true
		case EvBox:
			c.Tiananmen[e.Args[0]] = true
		case EvUSSR:
			c.USSR = true
		case EvVP:
			c.VP = c.VP || e.Args[0] != 0
		}
	}
	c.Spaces.remove(0)
	return c
}
