package engine

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// USSRNames are the names of the boxes of the U.S.S.R. track (rule 12).
var USSRNames = [...]string{"Stable", "Sajudis", "The Baltic Way", "Breakaway Baltic Republics", "Kremlin Coup!"}

// modeNames are the names of each Mode in stored positions.
var modeNames = [...]string{"", "event", "ops", "event first", "event after", "no event", "both first", "both after",
	"with", "tiananmen", "strike"}

// eventLabels has, for each card, the labels of the steps of its event in stored positions, and then endOfEvent.
var eventLabels [Cards][]string

// stepLabels has the labels of the steps of the other procedures in stored positions. They must never change.
var stepLabels = [procCount][]string{
	ProcMatch: {matchDeal: "deal", matchSetup: "setup", matchExchange: "goddess", matchExchangeDraw: "goddess draw",
		matchRoundPair: "announce", matchCommunistRound: "communist", matchDemocratRound: "democrat", matchExtraRound: "extra round",
		matchFreeCheck: "extra check", matchFreeCheckRoll: "extra roll", matchHeldCards: "verify", matchFinalStruggle: "party",
		matchAfterFinalStruggle: "after party", matchNextTurn: "advance", matchBids: "bid", matchBidsRoll: "bid roll"},
	ProcRound: {"begin", "play", "first", "second", "strike", "end"},
	ProcOps:   {"ask", "placing", "check", "second", "second check", "attempt", "done"},
	ProcStruggle: {"begin", "deal", "roundtable", "peasants", "salvation", "look", "crowd", "stakes", "stakes other", "attack", "falters",
		"surges", "defend", "counter", "loss roll", "loss", "victory", "power", "score", "end"},
	ProcAward: {"begin", "ask", "done"},
}

// endOfEvent is the label after the last step of an event, when only finishEvent remains.
const endOfEvent = "end"

func (f *Frame) stepLabels() []string {
	if f.Proc == ProcEvent {
		return eventLabels[f.Card]
	}
	return stepLabels[f.Proc]
}

// writer writes JSON. It writes the members of objects in the order of the calls, or sorted by name if canonical is set
// (RFC 8785).
type writer struct {
	out       []byte
	canonical bool
	// These fields are used only for canonical output. members has the members of all objects that are not ended yet,
	// openObjects the index of the first member of each of these objects, and sorted is the buffer of sortMembers.
	members     []member
	openObjects []int
	sorted      []byte
}

type member struct {
	name      string
	from, end int
}

var (
	writers          = sync.Pool{New: func() any { return new(writer) }}
	canonicalWriters = sync.Pool{New: func() any { return &writer{canonical: true} }}
)

// setOutput stores the output after an append. If append has not moved the buffer, setOutput changes only its length,
// because storing a pointer costs a write barrier of the garbage collector.
func (w *writer) setOutput(out []byte) {
	if cap(out) != cap(w.out) {
		w.out = out
		return
	}
	w.out = w.out[:len(out)]
}

func (w *writer) separate() { w.setOutput(addSeparator(w.out)) }

func addSeparator(out []byte) []byte {
	switch out[len(out)-1] {
	case '{', '[', ':':
		return out
	}
	return append(out, ',')
}

// closeBracket ends a list or an object. If the output ends with a comma, the bracket replaces it.
func closeBracket(out []byte, bracket byte) []byte {
	if last := len(out) - 1; out[last] == ',' {
		out[last] = bracket
		return out
	}
	return append(out, bracket)
}

// text writes a string. It escapes no characters, because all strings are names of the game.
func (w *writer) text(s string) { w.setOutput(appendQuoted(addSeparator(w.out), s)) }

func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

func appendInt(out []byte, n int) []byte {
	switch {
	case n < 0 || n >= 100:
		return strconv.AppendInt(out, int64(n), 10)
	case n >= 10:
		return append(out, '0'+byte(n/10), '0'+byte(n%10))
	}
	return append(out, '0'+byte(n))
}

func (w *writer) name(s string) {
	out := addSeparator(w.out)
	if w.canonical {
		w.members = append(w.members, member{name: s, from: len(out)})
	}
	w.setOutput(append(appendQuoted(out, s), ':'))
}

func (w *writer) begin(name string, bracket byte) {
	w.name(name)
	if bracket == '{' {
		w.object()
		return
	}
	w.out = append(w.out, bracket)
}

func (w *writer) object() {
	w.out = append(w.out, '{')
	if w.canonical {
		w.openObjects = append(w.openObjects, len(w.members))
	}
}

func (w *writer) end(bracket byte) {
	if bracket == '}' && w.canonical {
		w.sortMembers()
	}
	w.out = append(w.out, bracket)
}

// sortMembers sorts the members of the object that ends here.
func (w *writer) sortMembers() {
	last := len(w.openObjects) - 1
	members := w.members[w.openObjects[last]:]
	w.openObjects, w.members = w.openObjects[:last], w.members[:w.openObjects[last]]
	byName := func(a, b member) int { return strings.Compare(a.name, b.name) }
	if slices.IsSortedFunc(members, byName) {
		return
	}
	begin, end := members[0].from, len(w.out)
	for i := len(members) - 1; i >= 0; i-- {
		members[i].end, end = end, members[i].from-1
	}
	slices.SortFunc(members, byName)
	w.sorted = w.sorted[:0]
	for i, m := range members {
		if i > 0 {
			w.sorted = append(w.sorted, ',')
		}
		w.sorted = append(w.sorted, w.out[m.from:m.end]...)
	}
	copy(w.out[begin:], w.sorted)
}
