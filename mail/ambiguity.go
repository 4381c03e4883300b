package mail

import (
	"strings"
	"time"
)

const (
	// sameReply is how many recipients in a row must draw one and the same ambiguous
	// reply before it counts as one about us.
	sameReply = 2
	// ambiguousTries is after how many tries a refusal that may be for us counts as one
	// of the letter, when the server takes others: about two hours.
	ambiguousTries = 8
)

// ambiguity finds out whom replies are about that may mean a letter or us.
type ambiguity struct {
	// code is the newest such reply, and to are the recipients who have drawn it since
	// the server took a letter.
	code string
	to   map[string]bool
	// since is when a letter first drew one.
	since map[int64]time.Time
	// taken is when the server took a letter last.
	taken time.Time
}

// took notes that the server has taken a letter.
func (a *ambiguity) took(id int64, now time.Time) {
	a.code, a.to, a.taken = "", nil, now
	delete(a.since, id)
}

// forget is for a letter that is given up.
func (a *ambiguity) forget(id int64) { delete(a.since, id) }

// meansUs notes an ambiguous reply and tells whether it is about us, by now.
func (a *ambiguity) meansUs(code, to string) bool {
	if a.code != code || a.to == nil {
		a.code, a.to = code, map[string]bool{}
	}
	a.to[strings.ToLower(to)] = true
	return len(a.to) >= sameReply
}

// othersTaken notes that a letter drew an ambiguous reply, and tells whether the server
// took another letter since it did so first.
func (a *ambiguity) othersTaken(id int64, now time.Time) bool {
	first, ok := a.since[id]
	if !ok {
		if a.since == nil {
			a.since = map[int64]time.Time{}
		}
		a.since[id] = now
	}
	return ok && a.taken.After(first)
}

// meansLetter tells whether a letter that was tried so often is refused for itself.
func (a *ambiguity) meansLetter(tries int, now time.Time) bool {
	return tries >= ambiguousTries && now.Sub(a.taken) < aDay
}

// names tells whether a recipient has drawn such a reply since the server took a letter.
func (a *ambiguity) names(to string) bool { return len(a.to) > 0 && a.to[strings.ToLower(to)] }
