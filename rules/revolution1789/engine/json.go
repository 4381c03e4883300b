package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/bits"

	"samizdat/rules"
)

// positionJSON is the JSON of a position. A seat is written as its citizen's key, a crisis or an objective
// as its short name, and a unit as the numbers of its two spaces, for example "1-2".
type positionJSON struct {
	Revision int    `json:"revision"`
	Players  int    `json:"players"`
	Phase    string `json:"phase"`
	Turn     uint8  `json:"turn"`
	// Order lists the drawn seats clockwise; Chairman is the key of the Chairman.
	Order    []string `json:"order,omitempty"`
	Chairman string   `json:"chairman,omitempty"`
	// Crises are the cards on the spaces 1, 2, ...; Results are the results of the votes by space.
	Crises          []string            `json:"crises,omitempty"`
	Results         map[Space]string    `json:"results,omitempty"`
	Units           map[string]string   `json:"units"`
	Purged          map[string][]string `json:"purged,omitempty"`
	Ministers       map[string]string   `json:"ministers,omitempty"`
	MinisterChanges uint16              `json:"moves,omitempty"`
	Objectives      map[string]string   `json:"objectives,omitempty"`
	Shown           []string            `json:"shown,omitempty"`
	Queue           spaceList           `json:"queue,omitzero"`
	Vote            *voteJSON           `json:"vote,omitempty"`
	Revolution      *revolutionJSON     `json:"revolution,omitempty"`
	// Asked are the open decisions by seat, and Group the latest group of sealed answers. Taken is the unit that the
	// Chairman has just taken, while the Chairman may choose the first vote.
	Asked map[string]rules.DecisionID `json:"asked,omitempty"`
	Group uint32                      `json:"group,omitempty"`
	Taken string                      `json:"taken,omitempty"`

	// Last is the last decision ID. The fields after Last are hidden from players: Pool has the undealt objectives,
	// Picks the answers of an incomplete sealed group, HiddenCallers the seats that have called while others are still
	// asked, Lists their announced gifts, and Gave the gifts of an incomplete answer.
	Last          rules.DecisionID    `json:"last,omitempty"`
	Pool          []string            `json:"pool,omitempty"`
	Picks         map[string]string   `json:"picks,omitempty"`
	HiddenCallers []string            `json:"calls,omitempty"`
	Lists         map[string][]string `json:"lists,omitempty"`
	Gave          []string            `json:"gave,omitempty"`
}

// spaceList is a list of spaces: [11], or in revision 1 its bytes in base64, "Cw==".
type spaceList struct {
	spaces []Space
	base64 bool
}

// IsZero reports whether the list is empty; then the JSON omits it.
func (l spaceList) IsZero() bool { return len(l.spaces) == 0 }

func (l spaceList) MarshalJSON() ([]byte, error) {
	if l.base64 {
		return json.Marshal(l.spaces)
	}
	numbers := make([]int, len(l.spaces))
	for i, s := range l.spaces {
		numbers[i] = int(s)
	}
	return json.Marshal(numbers)
}

// UnmarshalJSON reads both forms.
func (l *spaceList) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &l.spaces) }

// voteJSON is the vote under way. Monarchy and Republic are 0 before the ballots are counted.
type voteJSON struct {
	Space    Space `json:"space"`
	Monarchy uint8 `json:"monarchy"`
	Republic uint8 `json:"republic"`
}

type revolutionJSON struct {
	First    string              `json:"first"`
	Second   string              `json:"second"`
	Callers  []string            `json:"called"`
	Gifts    map[string][]string `json:"gifts,omitempty"`
	Declined bool                `json:"declined,omitempty"`
}

// MarshalJSON implements rules.Position.
func (p *Position) MarshalJSON() ([]byte, error) {
	out := p.State.json()
	out.Last, out.HiddenCallers, out.Gave = p.lastID, citizenKeys(p.callers), citizenKeys(p.currentGifts)
	for set := p.undealt; set != 0; set &= set - 1 {
		out.Pool = append(out.Pool, Objective(bits.TrailingZeros32(set)).String())
	}
	for s, at := range p.choices {
		if at != rules.NoSeat {
			setEntry(&out.Picks, CitizenKey(s), CitizenKey(int(at)))
		}
	}
	for s := range rules.Seat(p.Players) {
		if p.hasGiftList.Has(s) {
			setEntry(&out.Lists, CitizenKey(int(s)), citizenKeys(p.giftLists[s]))
		}
	}
	return json.Marshal(out)
}

// MarshalJSON implements rules.View.
func (v *View) MarshalJSON() ([]byte, error) {
	out := v.json()
	if v.hasGiftList {
		setEntry(&out.Lists, CitizenKey(int(v.seat)), citizenKeys(v.giftList))
	}
	return json.Marshal(out)
}

// json returns the public part of the JSON of a position.
func (t *State) json() positionJSON {
	out := positionJSON{Revision: t.Revision, Players: t.Players, Phase: t.Phase.String(), Turn: t.Turn, Units: map[string]string{},
		MinisterChanges: t.MinisterChanges, Shown: citizenKeys(t.ShownSeats), Group: t.Group}
	for _, s := range t.Order[:t.SeatsPlaced] {
		out.Order = append(out.Order, CitizenKey(int(s)))
	}
	if t.Turn > 0 {
		out.Chairman = CitizenKey(int(t.ChairmanSeat()))
	}
	for s := Space(1); s <= Space(t.CrisesDealt); s++ {
		out.Crises = append(out.Crises, t.Cards[s].String())
		if t.Verdicts[s] != CrisisOpen {
			setEntry(&out.Results, s, verdictNames[t.Verdicts[s]])
		}
	}
	for u := Unit(1); u < Units; u++ {
		if h := t.Holders[u]; h != rules.NoSeat {
			out.Units[u.String()] = CitizenKey(int(h))
		}
		for _, h := range t.Traces[u] {
			if h != rules.NoSeat {
				setEntry(&out.Purged, u.String(), append(out.Purged[u.String()], CitizenKey(int(h))))
			}
		}
	}
	for r, c := range t.Ministers {
		if c != NoColour {
			setEntry(&out.Ministers, Reform(r).String(), c.String())
		}
	}
	for s := range t.Players {
		if o := t.Objectives[s]; o != 0 {
			setEntry(&out.Objectives, CitizenKey(s), o.String())
		}
		if t.DecisionIDs[s] != 0 {
			setEntry(&out.Asked, CitizenKey(s), t.DecisionIDs[s])
		}
	}
	t.writeOngoing(&out)
	return out
}

func (t *State) writeOngoing(out *positionJSON) {
	out.Queue.base64 = t.queueInBase64()
	for _, s := range t.VoteQueue {
		if s != 0 {
			out.Queue.spaces = append(out.Queue.spaces, s)
		}
	}
	if t.VoteSpace != 0 {
		out.Vote = &voteJSON{t.VoteSpace, t.BallotCounts[Monarchist], t.BallotCounts[Republican]}
	}
	if t.ChosenUnit != 0 {
		out.Taken = t.ChosenUnit.String()
	}
	if r := t.Revolution; r.First != rules.NoSeat {
		out.Revolution = &revolutionJSON{First: CitizenKey(int(r.First)), Second: CitizenKey(int(r.Second)), Callers: citizenKeys(r.Callers),
			Declined: r.Declined}
		for i, s := range [...]rules.Seat{r.First, r.Second} {
			if r.Gifts[i] != 0 {
				setEntry(&out.Revolution.Gifts, CitizenKey(int(s)), citizenKeys(r.Gifts[i]))
			}
		}
	}
}

func setEntry[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[k] = v
}

func citizenKeys(set rules.Seats) []string {
	var out []string
	for s := range rules.Seat(MaxSeats) {
		if set.Has(s) {
			out = append(out, CitizenKey(int(s)))
		}
	}
	return out
}

// Decode implements rules.Engine.
func (Rules) Decode(data []byte) (rules.Position, error) {
	p := new(Position)
	if err := p.decode(data); err != nil {
		return nil, fmt.Errorf("decode position of 1789: %w", err)
	}
	return p, nil
}

// DecodeView implements rules.Game.DecodeView.
func (Rules) DecodeView(data []byte, seat rules.Seat) (rules.View, error) {
	p := new(Position)
	if err := p.decode(data); err != nil {
		return nil, fmt.Errorf("decode view of 1789: %w", err)
	}
	v := &View{State: p.State, seat: seat}
	if seat != rules.NoSeat && p.hasGiftList.Has(seat) {
		v.hasGiftList, v.giftList = true, p.giftLists[seat]
	}
	return v, nil
}

func (p *Position) decode(data []byte) error {
	var in positionJSON
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return err
	}
	if in.Players < MinSeats || in.Players > MaxSeats || len(in.Order) > in.Players || len(in.Crises) >= Spaces {
		return fmt.Errorf("invalid numbers: %d players, %d seats in order, %d crises", in.Players, len(in.Order), len(in.Crises))
	}
	if in.Revision < oldestRevision || in.Revision > newestRevision {
		return fmt.Errorf("unknown rules revision %d; the known revisions are %d to %d", in.Revision, oldestRevision, newestRevision)
	}
	p.setUp(in.Players, in.Revision)
	l := &lookup{players: in.Players}
	p.readPublic(in, l)
	p.readHidden(in, l)
	return l.err
}

// readPublic sets the fields of State from the JSON, and readHidden the other fields of Position.
func (p *Position) readPublic(in positionJSON, l *lookup) {
	p.Phase = Phase(l.index(phaseNames[:], in.Phase))
	p.Turn, p.MinisterChanges, p.Group, p.ShownSeats = in.Turn, in.MinisterChanges, in.Group, l.seats(in.Shown)
	p.CrisesDealt, p.SeatsPlaced = uint8(len(in.Crises)), uint8(len(in.Order))
	for i, c := range in.Order {
		p.Order[i] = l.seat(c)
	}
	if in.Chairman != "" {
		p.Chairman = uint8(l.index(in.Order, in.Chairman))
	}
	for i, c := range in.Crises {
		p.Cards[i+1] = Crisis(l.find(Crises, c, func(i int) string { return crises[i].id }))
	}
	for s, v := range in.Results {
		p.Verdicts[l.space(s)] = uint8(l.index(verdictNames[:], v))
	}
	for u, h := range in.Units {
		p.Holders[l.unit(u)] = l.seat(h)
	}
	for u, list := range in.Purged {
		for i, h := range list[:min(len(list), MaxTraces)] {
			p.Traces[l.unit(u)][i] = l.seat(h)
		}
	}
	for r := range Reforms {
		if c := in.Ministers[r.String()]; c != "" {
			p.Ministers[r] = Colour(l.find(3, c, func(i int) string { return Colour(i).String() }))
		}
	}
	for s, o := range in.Objectives {
		p.Objectives[l.seat(s)] = Objective(l.objective(o))
	}
	for s, id := range in.Asked {
		p.DecisionIDs[l.seat(s)] = id
	}
	for i, s := range in.Queue.spaces[:min(len(in.Queue.spaces), len(p.VoteQueue))] {
		p.VoteQueue[i] = l.space(s)
	}
	if v := in.Vote; v != nil {
		p.VoteSpace, p.BallotCounts[Monarchist], p.BallotCounts[Republican] = l.space(v.Space), v.Monarchy, v.Republic
		for i, u := range unitsAround[p.VoteSpace] {
			// Voters keep their tokens until a purge takes effect, so the holders are the voters.
			p.Voters[i] = l.seat(in.Units[u.String()])
		}
	}
	if in.Taken != "" {
		p.ChosenUnit = l.unit(in.Taken)
	}
	if r := in.Revolution; r != nil {
		p.Revolution = Revolution{First: l.seat(r.First), Second: l.seat(r.Second), Callers: l.seats(r.Callers), Declined: r.Declined}
		p.Revolution.Gifts = [2]rules.Seats{l.seats(r.Gifts[r.First]), l.seats(r.Gifts[r.Second])}
	}
}

func (p *Position) readHidden(in positionJSON, l *lookup) {
	p.lastID, p.callers, p.currentGifts = in.Last, l.seats(in.HiddenCallers), l.seats(in.Gave)
	for _, o := range in.Pool {
		p.undealt |= 1 << l.objective(o)
	}
	for s, at := range in.Picks {
		p.choices[l.seat(s)] = l.seat(at)
	}
	for s, list := range in.Lists {
		p.hasGiftList |= rules.Only(l.seat(s))
		p.giftLists[l.seat(s)] = l.seats(list)
	}
}

// lookup finds seats, cards and units by their names in JSON. err is the error for the first unknown name.
type lookup struct {
	players int
	err     error
}

func (l *lookup) find(n int, name string, nameOf func(int) string) int {
	for i := range n {
		if nameOf(i) == name {
			return i
		}
	}
	if l.err == nil {
		l.err = fmt.Errorf("unknown name %q", name)
	}
	return 0
}

func (l *lookup) index(names []string, name string) int {
	return l.find(len(names), name, func(i int) string { return names[i] })
}

func (l *lookup) seat(name string) rules.Seat { return rules.Seat(l.find(l.players, name, CitizenKey)) }

func (l *lookup) unit(name string) Unit {
	return Unit(l.find(Units, name, func(i int) string { return units[i].name }))
}

func (l *lookup) objective(name string) int {
	return l.find(Objectives, name, func(i int) string { return objectives[i].id })
}

func (l *lookup) space(s Space) Space {
	if s >= Spaces {
		l.find(0, fmt.Sprint(s), nil)
		return 0
	}
	return s
}

func (l *lookup) seats(names []string) (set rules.Seats) {
	for _, n := range names {
		set |= rules.Only(l.seat(n))
	}
	return set
}

// ImaginePositions implements rules.Desk.ImaginePositions. It returns a single position, because a seat's options never
// depend on facts that are hidden from the seat.
func ImaginePositions(v rules.View) []rules.Position {
	view := v.(*View)
	p := &Position{State: view.State}
	if view.hasGiftList {
		p.hasGiftList, p.giftLists[view.seat] = rules.Only(view.seat), view.giftList
	}
	return []rules.Position{p}
}
