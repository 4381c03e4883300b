package engine

// The revisions of the rules that matches are played by. A match keeps the one that it
// began with to its end. What they rule otherwise is asked here, and nowhere else; the
// numbers of rulings are those of docs/rulings.md.
const (
	oldestRevision = 1
	newestRevision = 2
)

// Revision implements rules.Game.
func (Rules) Revision() int { return newestRevision }

// Revision is the revision of the rules that the match keeps.
func (p *Position) Revision() int { return int(p.revision) }

// reformerDeclines: the player of Reformer Rehabilitated (67) may choose no card
// (ruling 48).
func (p *Position) reformerDeclines() bool { return p.revision < 2 }

// securitateKeepsShowing: Securitate (70) shows the Communist also the struggle cards
// that the Democrat draws after the beginning (ruling 27).
func (p *Position) securitateKeepsShowing() bool { return p.revision < 2 }

// revoltNeedsPower: the event of Workers Revolt (78) happens only while the enemy has
// Power in a country (ruling 17).
func (p *Position) revoltNeedsPower() bool { return p.revision >= 2 }

// lastStruggleFindsCard: where the last struggle of the New Year's Eve Party (104) ends
// the Communist's Power, the scoring card leaves the game from wherever it lies
// (ruling 60).
func (p *Position) lastStruggleFindsCard() bool { return p.revision >= 2 }

// handedCardInUse: the card given up for Deutsche Marks (20) is discarded when its
// Operations are done, and not before (ruling 4).
func (p *Position) handedCardInUse() bool { return p.revision >= 2 }
