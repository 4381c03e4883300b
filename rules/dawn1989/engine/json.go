package engine

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// counts is a number for each side.
type counts struct {
	Democrat  int `json:"democrat"`
	Communist int `json:"communist"`
}

type cardPiles struct {
	Democrat  []int `json:"democrat"`
	Communist []int `json:"communist"`
}

type powerJSON struct {
	HeldBy    string `json:"held_by"`
	TimesHeld int    `json:"times_held"`
}

type trackJSON struct {
	Failed    bool `json:"failed,omitempty"`
	Attempted bool `json:"attempted,omitempty"`
	Seventh   bool `json:"seventh,omitempty"`
	Eighth    bool `json:"eighth,omitempty"`
}

type effectsJSON struct {
	Cards       []int   `json:"cards"`
	Happened    []int   `json:"happened"`
	Prudence    *counts `json:"prudence,omitempty"`
	StandFast   string  `json:"stand_fast,omitempty"`
	Debt        string  `json:"debt,omitempty"`
	WallFallen  bool    `json:"wall_fallen,omitempty"`
	ExtraRound  bool    `json:"extra_round,omitempty"`
	CrowdStruck bool    `json:"crowd_struck,omitempty"`
	TyrantGone  bool    `json:"tyrant_gone,omitempty"`
	Party       bool    `json:"party,omitempty"`
	Announced   int     `json:"announced,omitempty"`
	StasiFrom   int     `json:"stasi_from,omitempty"`
	Ceausescu   bool    `json:"ceausescu,omitempty"`
}

type struggleHands struct {
	Democrat  []string `json:"democrat"`
	Communist []string `json:"communist"`
}

type struggleJSON struct {
	Country  string        `json:"country"`
	Player   string        `json:"player"`
	Attacker string        `json:"attacker"`
	Hands    struggleHands `json:"hands"`
	Drawn    []string      `json:"drawn,omitempty"`
	Deck     []string      `json:"deck"`
	Banned   []string      `json:"banned"`
	Stakes   int           `json:"stakes"`
	Attack   string        `json:"attack,omitempty"`
	Suit     string        `json:"suit,omitempty"`
	Winner   string        `json:"winner,omitempty"`
	Won      string        `json:"won,omitempty"`
	Lose     int           `json:"lose,omitempty"`
	Last     bool          `json:"last,omitempty"`
}

type bidJSON struct {
	Chair int    `json:"chair"`
	Side  string `json:"side"`
	Give  int    `json:"give"`
}

type frameJSON struct {
	Proc    string  `json:"proc"`
	Step    string  `json:"step"`
	Card    int     `json:"card,omitempty"`
	Side    string  `json:"side"`
	Mode    string  `json:"mode,omitempty"`
	With    int     `json:"with,omitempty"`
	Source  string  `json:"source,omitempty"`
	N       int     `json:"n,omitempty"`
	Country string  `json:"country,omitempty"`
	Space   string  `json:"space,omitempty"`
	Border  bool    `json:"border,omitempty"`
	Midway  bool    `json:"midway,omitempty"`
	Open    bool    `json:"open,omitempty"`
	May     bool    `json:"may,omitempty"`
	Take    bool    `json:"take,omitempty"`
	Result  int     `json:"result,omitempty"`
	Won     *counts `json:"won,omitempty"`
}

type pendingJSON struct {
	ID     uint32         `json:"id,omitempty"`
	Seat   string         `json:"seat,omitempty"`
	Kind   string         `json:"kind"`
	Source string         `json:"source,omitempty"`
	Left   int            `json:"left,omitempty"`
	Given  int            `json:"given,omitempty"`
	Midway bool           `json:"midway,omitempty"`
	Per    int            `json:"per,omitempty"`
	May    bool           `json:"may,omitempty"`
	UpTo   bool           `json:"up_to,omitempty"`
	Secret bool           `json:"secret,omitempty"`
	Tally  map[string]int `json:"tally,omitempty"`
}

type resultJSON struct {
	Winner string `json:"winner"`
	Ending string `json:"ending"`
}

// positionJSON is a position as docs/record.md describes it.
type positionJSON struct {
	Revision  int                  `json:"revision"`
	Extra     int                  `json:"extra,omitempty"`
	ExtraTo   string               `json:"extra_to,omitempty"`
	Bids      []bidJSON            `json:"bids,omitempty"`
	Seats     cardlessSeats        `json:"seats"`
	Turn      int                  `json:"turn"`
	Round     int                  `json:"round"`
	Phase     string               `json:"phase"`
	Phasing   string               `json:"phasing"`
	VP        int                  `json:"vp"`
	Support   map[string]counts    `json:"support"`
	Destroyed string               `json:"destroyed,omitempty"`
	Hands     cardPiles            `json:"hands"`
	Known     *cardPiles           `json:"known,omitempty"`
	Deck      []int                `json:"deck"`
	Discard   []int                `json:"discard"`
	Removed   []int                `json:"removed"`
	InPlay    []int                `json:"in_play"`
	Table     []int                `json:"table"`
	Shown     []int                `json:"shown,omitempty"`
	Samizdat  int                  `json:"samizdat,omitempty"`
	Future    []int                `json:"future"`
	Tiananmen counts               `json:"tiananmen"`
	Attempts  map[string]trackJSON `json:"attempts,omitempty"`
	USSR      string               `json:"ussr"`
	Power     map[string]powerJSON `json:"power"`
	Effects   effectsJSON          `json:"effects"`
	Tyrant    string               `json:"tyrant,omitempty"`
	Struggle  *struggleJSON        `json:"struggle,omitempty"`
	Stack     []frameJSON          `json:"stack"`
	Reach     []string             `json:"reach,omitempty"`
	LastID    uint32               `json:"last_id"`
	Play      uint32               `json:"play"`
	Pending   []pendingJSON        `json:"pending"`
	Result    *resultJSON          `json:"result,omitempty"`
}

// cardlessSeats says which chair plays each side.
type cardlessSeats = counts

// USSRNames are the boxes of the U.S.S.R. track (rule 12).
var USSRNames = [...]string{"Stable", "Sajudis", "The Baltic Way", "Breakaway Baltic Republics", "Kremlin Coup!"}

// modeNames are the modes of play in stored positions.
var modeNames = [...]string{"", "event", "ops", "event first", "event after", "no event", "both first", "both after",
	"with", "tiananmen", "strike"}

// stepLabels are the steps of the procedures in stored positions. Events have
// their own, in their scripts.
var stepLabels = [procs][]string{
	ProcMatch: {"deal", "setup", "goddess", "goddess draw", "announce", "communist", "democrat", "extra round",
		"extra check", "extra roll", "verify", "party", "after party", "advance", "bid", "bid roll"},
	ProcRound: {"begin", "play", "first", "second", "strike", "end"},
	ProcOps:   {"ask", "placing", "check", "second", "second check", "attempt", "done"},
	ProcStruggle: {"begin", "deal", "roundtable", "peasants", "salvation", "look", "crowd", "stakes", "stakes other", "attack", "falters",
		"surges", "defend", "counter", "loss roll", "loss", "victory", "power", "score", "end"},
	ProcAward: {"begin", "ask", "done"},
}

// endOfEvent is the label of an event after its last step.
const endOfEvent = "end"

func (f *Frame) label() string {
	if f.Proc != ProcEvent {
		return stepLabels[f.Proc][f.Step]
	}
	if steps := scripts[f.Card]; int(f.Step) < len(steps) {
		return steps[f.Step].Label
	}
	return endOfEvent
}

// writer writes JSON, either with the members of objects as they come or, if canonical is set,
// sorted by name (RFC 8785).
type writer struct {
	out []byte
	// members are the members of all open objects, and open has the index of each object's first
	// member. Both are used only for canonical output.
	canonical bool
	members   []member
	open      []int
	sorted    []byte
}

// member is a member of an open object: its name and its position in the output.
type member struct {
	name      string
	from, end int
}

// Pools of writers, which keep their buffers: plain and canonical.
var (
	writers          = sync.Pool{New: func() any { return new(writer) }}
	canonicalWriters = sync.Pool{New: func() any { return &writer{canonical: true} }}
)

// wrote stores out after an append. While the capacity suffices, only the length changes, because
// storing a pointer costs a write barrier of the garbage collector.
func (w *writer) wrote(out []byte) {
	if cap(out) != cap(w.out) {
		w.out = out
		return
	}
	w.out = w.out[:len(out)]
}

// next writes a comma if the output needs one.
func (w *writer) next() { w.wrote(apart(w.out)) }

func apart(out []byte) []byte {
	switch out[len(out)-1] {
	case '{', '[', ':':
		return out
	}
	return append(out, ',')
}

// closed replaces the trailing comma of a list by a bracket.
func closed(out []byte, bracket byte) []byte {
	if last := len(out) - 1; out[last] == ',' {
		out[last] = bracket
		return out
	}
	return append(out, bracket)
}

// text writes a string without escaping: all strings are the game's own names.
func (w *writer) text(s string) { w.wrote(quoted(apart(w.out), s)) }

func quoted(out []byte, s string) []byte {
	out = append(out, '"')
	out = append(out, s...)
	return append(out, '"')
}

// integer appends a number; small numbers take a fast path.
func integer(out []byte, n int) []byte {
	switch {
	case n < 0 || n >= 100:
		return strconv.AppendInt(out, int64(n), 10)
	case n >= 10:
		return append(out, '0'+byte(n/10), '0'+byte(n%10))
	}
	return append(out, '0'+byte(n))
}

// name writes the name of a member.
func (w *writer) name(s string) {
	out := apart(w.out)
	if w.canonical {
		w.members = append(w.members, member{name: s, from: len(out)})
	}
	w.wrote(append(quoted(out, s), ':'))
}

func (w *writer) begin(name string, bracket byte) {
	w.name(name)
	if bracket == '{' {
		w.object()
		return
	}
	w.out = append(w.out, bracket)
}

// object begins an object.
func (w *writer) object() {
	w.out = append(w.out, '{')
	if w.canonical {
		w.open = append(w.open, len(w.members))
	}
}

func (w *writer) end(bracket byte) {
	if bracket == '}' && w.canonical {
		w.sort()
	}
	w.out = append(w.out, bracket)
}

// sort sorts the members of the object that ends here.
func (w *writer) sort() {
	last := len(w.open) - 1
	own := w.members[w.open[last]:]
	w.open, w.members = w.open[:last], w.members[:w.open[last]]
	byName := func(a, b member) int { return strings.Compare(a.name, b.name) }
	if slices.IsSortedFunc(own, byName) {
		return
	}
	begin, end := own[0].from, len(w.out)
	for i := len(own) - 1; i >= 0; i-- {
		own[i].end, end = end, own[i].from-1
	}
	slices.SortFunc(own, byName)
	w.sorted = w.sorted[:0]
	for i, m := range own {
		if i > 0 {
			w.sorted = append(w.sorted, ',')
		}
		w.sorted = append(w.sorted, w.out[m.from:m.end]...)
	}
	copy(w.out[begin:], w.sorted)
}

func (w *writer) number(name string, n int) {
	w.name(name)
	w.wrote(integer(w.out, n))
}

func (w *writer) word(name, s string) {
	w.name(name)
	w.text(s)
}

// count writes a number unless it is 0. called and flag do the same for a name and for a boolean.
func (w *writer) count(name string, n int) {
	if n != 0 {
		w.number(name, n)
	}
}

func (w *writer) called(name, s string) {
	if s != "" {
		w.word(name, s)
	}
}

func (w *writer) flag(name string, on bool) {
	if on {
		w.name(name)
		w.wrote(append(w.out, "true"...))
	}
}
