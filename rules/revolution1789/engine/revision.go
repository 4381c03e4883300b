package engine

// The revisions of the rules and of the JSON of a position. A match keeps the revision that
// it began with to its end; every difference between revisions is asked here, and nowhere
// else. The numbers of rulings are those of docs/rulings-1789.md.
const (
	oldestRevision = 1
	newestRevision = 2
)

// Revision implements rules.Game.
func (Rules) Revision() int { return newestRevision }

// queueInBase64: a position writes its queue of crises as base64 ("Cw==") and not as a list
// of spaces ([11]).
func (t *Table) queueInBase64() bool { return t.Revision < 2 }

// listDropsShownLeader: a call's list of gifts that names a leader who has called too counts
// without him, and its writer is neither told nor asked (ruling 14).
func (t *Table) listDropsShownLeader() bool { return t.Revision < 2 }

// LeftMayWin: a seat whose player has left may win by what silence has answered for it (ruling 15).
func (t *Table) LeftMayWin() bool { return t.Revision < 2 }
