package engine

import (
	"strings"

	"samizdat/rules"
)

// StruggleCard is a kind of power struggle card: equal cards are the same StruggleCard. For example, all Rally cards
// are StruggleCard 0. Before a draw from a pile, its cards are sorted by kind.
type StruggleCard uint8

// StruggleKinds is the number of kinds of power struggle cards.
const StruggleKinds = 20

// The power struggle cards with special rules.
const (
	Rally          StruggleCard = 0
	SupportFalters StruggleCard = 16
	SupportSurges  StruggleCard = 17
	ScareTactics   StruggleCard = 18
	TacticFails    StruggleCard = 19
)

// Suit is a suit of power struggle cards (rule 2.3.2).
type Suit uint8

// The suits.
const (
	NoSuit Suit = iota
	RallySuit
	StrikeSuit
	MarchSuit
	PetitionSuit
	Suits
)

var suitNames = [...]string{"", "Rally", "Strike", "March", "Petition"}

func (s Suit) String() string { return suitNames[s] }

// StruggleInfo is a power struggle card as printed.
type StruggleInfo struct {
	Name string
	// Suit is NoSuit for leaders and wild cards.
	Suit Suit
	// Rank is the smallest die with which a counterattack against this card takes the initiative (rule 8.3.2).
	Rank int
	// Leader is set for leaders. A side can use a leader only if it controls a space of LeaderType in the country.
	Leader     bool
	LeaderType SpaceType
	Copies     int
}

// Info returns the printed facts of the card.
func (c StruggleCard) Info() *StruggleInfo { return &struggleCards[c] }

func (c StruggleCard) String() string { return struggleCards[c].Name }

var (
	struggleCards      [StruggleKinds]StruggleInfo
	struggleCardByName = map[string]StruggleCard{}
	// WholeStruggleDeck is the power struggle deck before any card is dealt.
	WholeStruggleDeck StruggleCards
)

func init() {
	for i, r := range readTable("data/struggle.csv") {
		c := StruggleInfo{Name: r["name"], Rank: parseNumber(r["rank"]), Copies: parseNumber(r["copies"])}
		for s := RallySuit; s < Suits; s++ {
			if strings.EqualFold(s.String(), r["suit"]) {
				c.Suit = s
			}
		}
		if strings.HasSuffix(c.Name, " Leader") {
			c.Leader, c.LeaderType = true, SpaceType(indexOf(spaceTypeNames[:], r["suit"]))
		}
		struggleCards[i] = c
		struggleCardByName[c.Name] = StruggleCard(i)
		WholeStruggleDeck[i] = uint8(c.Copies)
	}
}

// StruggleCards is a hand or another pile of power struggle cards: how many it has of each kind.
type StruggleCards [StruggleKinds]uint8

// Len counts the cards.
func (hand *StruggleCards) Len() int {
	n := 0
	for _, c := range hand {
		n += int(c)
	}
	return n
}

func (hand StruggleCards) cards() []StruggleCard {
	var out []StruggleCard
	for k, n := range hand {
		for range n {
			out = append(out, StruggleCard(k))
		}
	}
	return out
}

// dealStruggle deals a power struggle card. Repeated calls deal to the Communist first, and then alternate between
// the sides until both hands are full.
func (r *Run) dealStruggle(f *Frame) error {
	p := r.p
	st := &p.Struggle
	handSizes := [2]int{st.Hands[Democrat].Len(), st.Hands[Communist].Len()}
	// The deal does not change the control of spaces, so each call computes the same full sizes.
	fullSizes := [2]int{StruggleHandSize(p.CountControlled(Democrat, st.Country)), StruggleHandSize(p.CountControlled(Communist, st.Country))}
	side := Communist
	if handSizes[Communist] > handSizes[Democrat] || handSizes[Communist] >= fullSizes[Communist] {
		side = Democrat
	}
	if handSizes[side] >= fullSizes[side] {
		side = side.Enemy()
	}
	if handSizes[side] >= fullSizes[side] || st.Deck.Len() == 0 {
		f.Step, f.N = struggleRoundtable, 0
		return nil
	}
	k, err := r.drawStruggle(&st.Deck, rules.Draw{To: p.SeatOfSide[side], From: rules.NoSeat, Hidden: true,
		For: Reason(ReasonStruggleDeal, 0)})
	if err != nil {
		return err
	}
	st.Deck[k]--
	st.Hands[side][k]++
	return nil
}

// showHands shows each side its hand, after events have moved power struggle cards between the hands (rule 8.1.2). If
// a hand were shown before, its owner would know which cards the enemy got.
func (r *Run) showHands() {
	for s := Communist; s >= Democrat; s-- {
		for k, n := range r.p.Struggle.Hands[s] {
			for range n {
				r.emitSecret(s, 1, HiddenStruggleCard, EvStruggleCard, int(s), k)
			}
		}
	}
}

// haveSeenHands reports whether showHands has shown the sides their hands. It returns true if there is no struggle.
func (p *Position) haveSeenHands() bool {
	for i := range p.depth {
		if f := &p.stack[i]; f.Proc == ProcStruggle {
			return f.Step > struggleShowHands
		}
	}
	return true
}

// isHandShown reports whether Securitate (card 70) shows the Communist the Democrat's hand in the current struggle.
func (p *Position) isHandShown() bool {
	return p.Effects.Cards.Has(Securitate) && p.Struggle.Country == Romania
}

// removeFromHand removes a card that is played face up. If the hand has several equal cards, a card that the
// Communist has seen is removed first.
func (st *Struggle) removeFromHand(side Side, k StruggleCard) {
	st.Hands[side][k]--
	if side == Democrat {
		st.Drawn[k] = min(st.Drawn[k], st.Hands[side][k])
	}
}

// HiddenStruggleCard is the argument of events in place of a power struggle card that the reader may not know.
const HiddenStruggleCard = 255

// drawStruggle draws a random card from a pile of power struggle cards. The caller must remove the card from the
// pile.
func (r *Run) drawStruggle(hand *StruggleCards, d rules.Draw) (StruggleCard, error) {
	n := 0
	for k, c := range hand {
		for range c {
			r.pile[n] = int16(k)
			n++
		}
	}
	d.Kind, d.Pile = drawStruggle, r.pile[:n]
	i, err := r.Chance.Draw(d)
	if err != nil {
		return 0, err
	}
	return StruggleCard(r.pile[i]), nil
}

// moveRandomCards lets a side take n random power struggle cards from the enemy's hand, before the sides see their
// hands (rule 8.1.2). Each call moves one card. The event of card c causes this; applies reports whether c is in
// force and has this effect in the current struggle.
func (r *Run) moveRandomCards(f *Frame, c Card, to Side, n int8, applies bool) error {
	p := r.p
	st := &p.Struggle
	from := &st.Hands[to.Enemy()]
	if !applies || f.N == n || from.Len() == 0 {
		if applies {
			r.emit(EvStruggleMoved, int(c), int(to), int(f.N))
			if c != PeasantPartiesRevolt {
				r.expire(c)
			}
		}
		f.Step, f.N = f.Step+1, 0
		return nil
	}
	k, err := r.drawStruggle(from, rules.Draw{To: p.SeatOfSide[to], From: p.SeatOfSide[to.Enemy()], Hidden: true,
		For: Reason(ReasonEvent, int(c))})
	if err != nil {
		return err
	}
	from[k]--
	st.Hands[to][k]++
	f.N++
	return nil
}

// resolveFalters carries out Support Falters: the defender discards two random cards, one in each call.
func (r *Run) resolveFalters(f *Frame) error {
	p := r.p
	st := &p.Struggle
	side := st.Attacker.Enemy()
	hand := &st.Hands[side]
	if f.N == 2 || hand.Len() == 0 {
		r.passInitiative(f)
		return nil
	}
	k, err := r.drawStruggle(hand, rules.Draw{To: rules.NoSeat, From: p.SeatOfSide[side],
		For: Reason(ReasonStruggleCard, int(SupportFalters))})
	if err != nil {
		return err
	}
	st.removeFromHand(side, k)
	f.N++
	r.emit(EvStruggleDiscard, int(side), int(k))
	return nil
}

// resolveSurges carries out Support Surges: the attacker draws two cards, one in each call.
func (r *Run) resolveSurges(f *Frame) error {
	p := r.p
	st := &p.Struggle
	if f.N == 2 || st.Deck.Len() == 0 {
		r.passInitiative(f)
		return nil
	}
	k, err := r.drawStruggle(&st.Deck, rules.Draw{To: p.SeatOfSide[st.Attacker], From: rules.NoSeat, Hidden: true,
		For: Reason(ReasonStruggleCard, int(SupportSurges))})
	if err != nil {
		return err
	}
	st.Deck[k]--
	st.Hands[st.Attacker][k]++
	if st.Attacker == Democrat && p.isHandShown() && !p.isSecuritateShowingDraws() {
		st.Drawn[k]++
	}
	f.N++
	r.emitSecret(st.Attacker, 1, HiddenStruggleCard, EvStruggleCard, int(st.Attacker), int(k))
	return nil
}
