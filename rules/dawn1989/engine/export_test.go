package engine

import (
	"bytes"
	"encoding/json"
	"slices"

	"samizdat/rules"
)

// What the tests of the engine, which play it through its words, look at and do besides
// what its callers may.

// NewRun is a run on a position.
func NewRun(p *Position, c rules.Chance) *Run { return &Run{p: p, Chance: c} }

// NewPosition is the position before the deal by the newest revision of the rules.
func NewPosition() *Position { return newPosition(newestRevision) }

// NewPositionBy is the position before the deal by another revision.
func NewPositionBy(revision uint8) *Position { return newPosition(revision) }

// Keep makes the position one of another revision.
func (p *Position) Keep(revision uint8) { p.revision = revision }

// StandAt sets the step of the match.
func (p *Position) StandAt(step uint8) { p.stack[0].Step = step }

// PositionAt is the position of a table.
func PositionAt(t rules.Simulation) *Position { return &t.(*simulation).pos }

func (p *Position) Conserved() error                          { return p.checkPiles() }
func (p *Position) Highest(s Side) CardSet                    { return p.highestOpsCards(s) }
func (p *Position) Show(v *View, seat rules.Seat)             { p.fillView(v, seat) }
func (c Country) Balkan() bool                                { return c.isBalkan() }
func (s *Set[T]) Drop(e T)                                    { s.remove(e) }
func (r *Run) Attempt(f *Frame, then uint8) error             { return r.attemptTiananmen(f, then) }
func (r *Run) Close()                                         { r.closeQuestion() }
func (r *Run) Deal(s Side, to Pile, reason int) (Card, error) { return r.deal(s, to, reason) }
func (r *Run) Push(f Frame) *Frame                            { return r.push(f) }
func (r *Run) Round(s Side)                                   { r.startRound(s) }
func (r *Run) Score(c Country)                                { r.scoreCountry(c) }

const (
	BidYes          = bidYes
	DrawStrategy    = drawStrategy
	DrawStruggle    = drawStruggle
	HandSize        = handSize
	MatchAnnounce   = matchRoundPair
	MatchBid        = matchBids
	MatchDemocrat   = matchDemocratRound
	MatchExtraRound = matchExtraRound
	OldestRevision  = oldestRevision
	NewestRevision  = newestRevision
	StruggleStakes  = struggleStakes
)

var (
	Bucuresti          = bucuresti
	ClujNapoca         = clujNapoca
	Compact            = compactJSON
	CountryNames       = countryNames
	LastsForTurn       = turnEffectCards
	ModeNames          = modeNames
	OfKind             = ofType
	RedTitles          = redTitles
	SideNames          = sideNames
	SpaceByName        = spaceByName
	SpacesNamed        = findSpaces
	StruggleCardByName = struggleCardByName
)

// Names lists the pile in the order of the alphabet, as positions show it.
func (hand *StruggleCards) Names() []string {
	out := []string{}
	for _, c := range hand.cards() {
		out = append(out, c.String())
	}
	slices.Sort(out)
	return out
}

// WrittenAgain reads a position or a view into the types that say what it may hold, and
// writes those.
func WrittenAgain(data []byte, view bool) ([]byte, error) {
	var d any = new(positionJSON)
	if view {
		d = new(viewJSON)
	}
	r := json.NewDecoder(bytes.NewReader(data))
	r.DisallowUnknownFields()
	if err := r.Decode(d); err != nil {
		return nil, err
	}
	return json.Marshal(d)
}

// Names lists the names of the set, of spaces in the order of the map.
func (s Set[T]) Names() []string {
	var out []string
	for _, e := range s.List() {
		out = append(out, e.String())
	}
	return out
}
