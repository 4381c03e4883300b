package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"samizdat/rules"
)

// reader parses the names of a stored position and keeps its first error, an unknown name.
type reader struct{ err error }

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// index finds a name in a list. The empty name has index 0 if the list lacks it.
func (r *reader) index(what string, names []string, name string) int {
	i := slices.Index(names, name)
	if i < 0 {
		r.fail("unknown %s %q", what, name)
		return 0
	}
	return i
}

// side parses "democrat" or "communist".
func (r *reader) side(name string) Side { return Side(r.index("side", sideNames[:Neutral], name)) }

// number parses a number between least and most.
func (r *reader) number(what string, n, minimum, maximum int) int {
	if n < minimum || n > maximum {
		r.fail("%s %d is not from %d to %d", what, n, minimum, maximum)
		return minimum
	}
	return n
}

func (r *reader) country(name string) Country {
	return Country(r.index("country", countryNames[:], name))
}

func (r *reader) space(name string) Space {
	if name == "" {
		return 0
	}
	s, ok := spaceByName[name]
	if !ok {
		r.fail("unknown space %q", name)
	}
	return s
}

func (r *reader) spaces(names []string) SpaceSet {
	var set SpaceSet
	for _, n := range names {
		set.Add(r.space(n))
	}
	return set
}

func (r *reader) card(n int) Card {
	if n < 0 || n >= Cards {
		r.fail("there is no card %d", n)
		return 0
	}
	return Card(n)
}

func (r *reader) cards(numbers []int) CardSet {
	var set CardSet
	for _, n := range numbers {
		set.Add(r.card(n))
	}
	return set
}

func (r *reader) hand(names []string) StruggleCards {
	var h StruggleCards
	for _, n := range names {
		h[r.struggleCard(n)]++
	}
	return h
}

func (r *reader) struggleCard(name string) StruggleCard {
	k, ok := struggleCardByName[name]
	if !ok {
		r.fail("unknown power struggle card %q", name)
	}
	return k
}

func (r *reader) suit(name string) Suit { return Suit(r.index("suit", suitNames[:], name)) }

func (r *reader) source(name string) Source {
	if name == "" {
		return SourceNone
	}
	for s, l := range sourceLabels {
		if l == name {
			return s
		}
	}
	var n int
	if _, err := fmt.Sscanf(name, "%d", &n); err != nil {
		r.fail("unknown source %q", name)
	}
	return Source(r.card(n))
}

// Decode implements rules.Engine. It refuses unknown values, and positions in which a card is
// missing or occurs twice.
func (Rules) Decode(data []byte) (rules.Position, error) {
	var d positionJSON
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return nil, fmt.Errorf("read a position of 1989: %w", err)
	}
	r := &reader{}
	p := r.position(&d)
	if r.err == nil {
		r.err = p.conserved()
	}
	if r.err != nil {
		return nil, fmt.Errorf("read a position of 1989: %w", r.err)
	}
	return p, nil
}

// maxSupport is more support points than a space can ever hold.
const maxSupport = 9999

// conserved checks that every strategy card lies in exactly one pile.
func (p *Position) conserved() error {
	var seen CardSet
	n := 0
	for _, pile := range p.Piles {
		seen = seen.Or(pile)
		n += pile.Len()
	}
	if n != Cards-1 || seen.Len() != Cards-1 {
		return errors.New("the piles do not hold every card exactly once")
	}
	return nil
}

func (r *reader) position(d *positionJSON) *Position {
	p := &Position{
		revision: uint8(r.number("rules revision", d.Revision, oldestRevision, newestRevision)), Extra: int8(d.Extra),
		SeatOfSide: [2]rules.Seat{rules.Seat(d.Seats.Democrat), rules.Seat(d.Seats.Communist)},
		Turn:       int8(r.number("turn", d.Turn, 1, Turns)), Round: int8(r.number("round", d.Round, 0, RoundsATurn+1)),
		Phase:   Phase(r.index("phase", phaseNames[:], d.Phase)),
		Phasing: r.side(d.Phasing), VP: int16(d.VP), Destroyed: r.space(d.Destroyed),
		USSR: int8(r.index("box of the U.S.S.R. track", USSRNames[:], d.USSR)), Effects: r.force(&d.Effects),
		Reach: r.spaces(d.Reach), lastID: d.LastID, play: d.Play, depth: int8(len(d.Stack)),
	}
	for name, n := range d.Support {
		s := r.space(name)
		p.SetSupport(Democrat, s, r.number("support in "+name, n.Democrat, 0, maxSupport))
		p.SetSupport(Communist, s, r.number("support in "+name, n.Communist, 0, maxSupport))
	}
	for pile, numbers := range map[Pile][]int{
		PileDemocrat: d.Hands.Democrat, PileCommunist: d.Hands.Communist, PileDeck: d.Deck, PileDiscard: d.Discard,
		PileRemoved: d.Removed, PileInPlay: d.InPlay, PileTable: d.Table, PileShown: d.Shown, PileFuture: d.Future,
	} {
		p.Piles[pile] = r.cards(numbers)
	}
	if d.Known != nil {
		p.Known = [2]CardSet{r.cards(d.Known.Democrat), r.cards(d.Known.Communist)}
	}
	if d.Samizdat != 0 {
		p.Piles[PileAside].Add(r.card(d.Samizdat))
	}
	p.Effects.Refuge = r.space(d.Tyrant)
	p.Tiananmen[Democrat].Box = int8(r.number("box", d.Tiananmen.Democrat, 0, 8))
	p.Tiananmen[Communist].Box = int8(r.number("box", d.Tiananmen.Communist, 0, 8))
	for name, t := range d.Attempts {
		track := &p.Tiananmen[r.side(name)]
		track.Failed, track.Attempted, track.UsedBox7, track.UsedBox8 = t.Failed, t.Attempted, t.Seventh, t.Eighth
	}
	for name, pw := range d.Power {
		p.Power[r.country(name)] = Power{r.side(pw.HeldBy), int8(pw.TimesHeld)}
	}
	if d.ExtraTo != "" {
		p.ExtraTo = r.side(d.ExtraTo)
	}
	for _, b := range d.Bids {
		p.Bids[r.number("chair", b.Chair, 0, 1)] = Bid{true, r.side(b.Side), int8(r.number("points given", b.Give, 0, MaxBid))}
	}
	if d.Struggle != nil {
		p.Struggle = r.struggle(d.Struggle)
	}
	if len(d.Stack) > frames || len(d.Stack) == 0 {
		r.fail("a stack of %d procedures", len(d.Stack))
		return p
	}
	for i := range d.Stack {
		p.stack[i] = r.frame(&d.Stack[i])
	}
	r.ending(p, d)
	return p
}

func (r *reader) ending(p *Position, d *positionJSON) {
	if d.Result != nil {
		p.Ending = Ending(r.index("ending", endingNames[:], d.Result.Ending))
		if d.Result.Winner != "draw" {
			p.Winners = rules.Only(p.SeatOfSide[r.side(d.Result.Winner)&1])
		}
		return
	}
	if len(d.Pending) != 1 {
		r.fail("%d pending decisions", len(d.Pending))
		return
	}
	j := &d.Pending[0]
	if j.Kind == "chance" {
		p.stalled = true
		return
	}
	q := &p.Question
	*q = Question{
		Kind: QuestionKind(r.index("kind of decision", askNames[:], j.Kind)), Side: r.side(j.Seat), Source: r.source(j.Source),
		Remaining: int8(j.Left), Given: int8(j.Given), Midway: j.Midway, MaxPerSpace: int8(j.Per), Optional: j.May, UpTo: j.UpTo, Secret: j.Secret, ID: j.ID,
	}
	for name, n := range j.Tally {
		q.PointsBySpace[r.space(name)] = int8(n)
	}
}

func (r *reader) force(d *effectsJSON) Effects {
	e := Effects{
		Cards: r.cards(d.Cards), Happened: r.cards(d.Happened), Debt: r.country(d.Debt), WallFallen: d.WallFallen,
		ExtraRound: d.ExtraRound, CrowdStruck: d.CrowdStruck, TyrantGone: d.TyrantGone, Party: d.Party,
		Announced: r.card(d.Announced), StasiFrom: int8(d.StasiFrom), Ceausescu: d.Ceausescu,
	}
	if d.Prudence != nil {
		e.Prudence = [2]int8{int8(d.Prudence.Democrat), int8(d.Prudence.Communist)}
	}
	if d.StandFast != "" {
		e.StandFast = int8(r.side(d.StandFast)) + 1
	}
	return e
}

func (r *reader) struggle(d *struggleJSON) Struggle {
	st := Struggle{
		Country: r.country(d.Country), Player: r.side(d.Player), Attacker: r.side(d.Attacker), Deck: r.hand(d.Deck),
		Hands: [2]StruggleCards{r.hand(d.Hands.Democrat), r.hand(d.Hands.Communist)},
		Drawn: r.hand(d.Drawn), Raised: int8(d.Stakes), Suit: r.suit(d.Suit), Won: r.suit(d.Won), Lose: int8(d.Lose), Last: d.Last,
		Winner: Neutral,
	}
	for k, n := range st.Drawn {
		if n > st.Hands[Democrat][k] {
			r.fail("%v was drawn and is not in the hand", StruggleCard(k))
		}
	}
	for _, s := range d.Banned {
		st.Banned[r.suit(s)] = true
	}
	if d.Attack != "" {
		st.Attack = r.struggleCard(d.Attack)
	}
	if d.Winner != "" {
		st.Winner = r.side(d.Winner)
	}
	return st
}

func (r *reader) frame(d *frameJSON) Frame {
	f := Frame{
		Proc: Proc(r.index("procedure", procNames[:], d.Proc)), Card: r.card(d.Card), Side: r.side(d.Side),
		Mode: Mode(r.index("mode of play", modeNames[:], d.Mode)), With: r.card(d.With), Source: r.source(d.Source),
		N: int8(d.N), Country: r.country(d.Country), Space: r.space(d.Space),
		Border: d.Border, Midway: d.Midway, Open: d.Open, May: d.May, Take: d.Take, Result: int8(d.Result),
	}
	if d.Won != nil {
		f.Won = [2]int8{int8(d.Won.Democrat), int8(d.Won.Communist)}
	}
	if f.Proc != ProcEvent {
		f.Step = uint8(r.index("step of "+d.Proc, stepLabels[f.Proc], d.Step))
		return f
	}
	steps := scripts[f.Card]
	f.Step = uint8(len(steps))
	if d.Step == endOfEvent {
		return f
	}
	for i := range steps {
		if steps[i].Label == d.Step {
			f.Step = uint8(i)
			return f
		}
	}
	r.fail("card %d has no step %q", d.Card, d.Step)
	return f
}

// Differences implements rules.Game. A member of part is compared as a whole, so that an extra
// support point is reported, with these exceptions:
//
//   - "kind" is a remark and is not compared;
//   - "active" is the side to play: "phasing", or in a power struggle its player, and the Democrat
//     while the Crowd's Operations are asked for (card 54);
//   - "deck_count" is the size of the draw deck, "result" the winner, and "how" a remark on the
//     winner;
//   - "removed" and "in_play" are compared as one set when both are present;
//   - only the given members of "struggle" are compared;
//   - a part of kind "struggle" describes the moment after the deal. If the card play asked no
//     question, that moment is over, and nothing is compared.
func (Rules) Differences(pos rules.Position, part []byte) ([]string, error) {
	p, ok := pos.(*Position)
	if !ok {
		return nil, fmt.Errorf("not a position of 1989 but %T", pos)
	}
	var want, have map[string]any
	if err := json.Unmarshal(part, &want); err != nil {
		return nil, fmt.Errorf("read the expected part of a position: %w", err)
	}
	data, err := p.MarshalJSON()
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &have); err != nil {
		return nil, err
	}
	if st := &p.Struggle; want["kind"] == "struggle" && (st.Country == NoCountry || st.Winner != Neutral) {
		return nil, nil
	}
	have["active"], have["deck_count"] = p.active().String(), float64(p.Piles[PileDeck].Len())
	if s, ok := want["result"].(string); ok {
		want["result"] = strings.ToLower(s)
		if r, ok := have["result"].(map[string]any); ok {
			have["result"] = r["winner"]
		}
	}
	delete(want, "kind")
	delete(want, "how")
	if want["removed"] != nil && want["in_play"] != nil {
		for _, m := range []map[string]any{want, have} {
			m["removed"] = union(m["removed"], m["in_play"])
			delete(m, "in_play")
		}
	}
	if st, ok := want["struggle"].(map[string]any); ok {
		delete(want, "struggle")
		got, _ := have["struggle"].(map[string]any)
		for k, v := range st {
			want["struggle."+k], have["struggle."+k] = v, got[k]
		}
	}
	var out []string
	for k, w := range want {
		out = append(out, differ(k, w, have[k])...)
	}
	slices.Sort(out)
	return out, nil
}

// active is the side to play in the sense of Differences.
func (p *Position) active() Side {
	switch {
	case p.Struggle.Country == NoCountry:
		return p.Phasing
	case p.Question.Source == Source(CrowdTurns):
		return p.Question.Side
	}
	return p.Struggle.Player
}

// differ compares two JSON values and names the differing members by their paths, for example
// "support.Gdansk".
func differ(path string, want, have any) []string {
	w, isObject := want.(map[string]any)
	h, both := have.(map[string]any)
	if !isObject || !both {
		if reflect.DeepEqual(want, have) {
			return nil
		}
		return []string{fmt.Sprintf("%s: expected %s, have %s", path, compact(want), compact(have))}
	}
	var out []string
	for k, v := range w {
		out = append(out, differ(path+"."+k, v, h[k])...)
	}
	for k, v := range h {
		if _, named := w[k]; !named {
			out = append(out, fmt.Sprintf("%s.%s: expected nothing, have %s", path, k, compact(v)))
		}
	}
	return out
}

func compact(v any) string {
	if v == nil {
		return "nothing"
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func union(a, b any) any {
	var out []any
	for _, v := range []any{a, b} {
		list, _ := v.([]any)
		out = append(out, list...)
	}
	slices.SortFunc(out, func(a, b any) int { return int(number64(a) - number64(b)) })
	return out
}

func number64(v any) float64 { f, _ := v.(float64); return f }
