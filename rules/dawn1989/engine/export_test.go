package engine

import "samizdat/rules"

// What the tests of this directory look at besides the exported names.

func (r *CardSet) Drop(a0 Card)                            { r.drop(a0) }
func (r Country) Balkan() bool                             { return r.balkan() }
func (r *Hand) Names() []string                            { return r.names() }
func (r *Position) Conserved() error                       { return r.conserved() }
func (r *Position) Highest(a0 Side) CardSet                { return r.highest(a0) }
func (r *Position) Show(a0 *View, a1 rules.Seat)           { r.show(a0, a1) }
func (r *Run) Attempt(a0 *Frame, a1 uint8) error           { return r.attempt(a0, a1) }
func (r *Run) Close()                                      { r.close() }
func (r *Run) Deal(a0 Side, a1 Pile, a2 int) (Card, error) { return r.deal(a0, a1, a2) }
func (r *Run) Push(a0 Frame) *Frame                        { return r.push(a0) }
func (r *Run) Round(a0 Side)                               { r.round(a0) }
func (r *Run) Score(a0 Country)                            { r.score(a0) }
func (r *Struggle) Modifier(a0 bool) int                   { return r.modifier(a0) }

const BidYes = bidYes

var Bucuresti = bucuresti

var ClujNapoca = clujNapoca
var Compact = compact

var CountryNames = countryNames

const DrawStrategy = drawStrategy
const DrawStruggle = drawStruggle
const HandSize = handSize

func (r *Effects) Document() effectsJSON { return r.document() }

var LastsForTurn = lastsForTurn

const MatchAnnounce = matchAnnounce
const MatchBid = matchBid
const MatchDemocrat = matchDemocrat
const MatchExtraRound = matchExtraRound

var ModeNames = modeNames
var NewPosition = newPosition

var OfKind = ofKind

var RedTitles = redTitles

const Revision = revision

var SideNames = sideNames

var SpaceByName = spaceByName
var SpacesNamed = spacesNamed

var StruggleCardByName = struggleCardByName

const StruggleStakes = struggleStakes
