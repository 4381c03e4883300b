package attack

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"samizdat/internal/playout"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
)

// table is a match between robots that writes its record, and may cheat.
type table struct {
	testing.TB
	lines
	game   *rules.Game
	seats  rules.Setup
	robots []rules.Robot
	pos    rules.Position
	// before are the positions before each entry.
	before []rules.Position
	epoch  int
	n      int
	// silent seats answer by lot where the game says so.
	silent rules.Seats
	// bend may change an outcome out of so many, given what for.
	bend func(kind string, m, honest int) int
}

// begin deals. The header may be changed before.
func begin(t testing.TB, g *rules.Game, seed byte, change func(header object)) *table {
	t.Helper()
	m := &table{TB: t, game: g, seats: rules.Setup{Seats: 2, Revision: g.Revision()}}
	secret := sha256.Sum256([]byte{seed})
	m.header = object{"format": "samizdat-record", "version": 1, "game": g.Name(), "rules": g.Revision(), "match": fmt.Sprintf("m%d", seed),
		"options": object{}, "seats": object{}, "words": []any{"the lamp is lit", "no river is straight"}, "secret": fmt.Sprintf("%x", secret)}
	for i, name := range g.SeatNames(m.seats) {
		m.header["seats"].(object)[name] = fmt.Sprintf("player %d", i+1)
		m.robots = append(m.robots, rules.NewRandomRobot(uint64(seed)<<8|uint64(i)))
	}
	m.commit()
	if change != nil {
		change(m.header)
	}
	var err error
	if m.pos, err = g.Begin(m.seats); err != nil {
		t.Fatal(err)
	}
	m.deal()
	return m
}

func dawn(t testing.TB, seed byte) *table    { return begin(t, dawn1989.Game(), seed, nil) }
func village(t testing.TB, seed byte) *table { return begin(t, council.Game(), seed, nil) }

func (m *table) must(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// deal writes entry 0.
func (m *table) deal() {
	m.Helper()
	m.before = append(m.before, m.pos.Clone())
	s := m.stream()
	_, err := m.pos.Resume(s, nil)
	m.must(err)
	m.add(object{"seat": nil, "chance": s.chance})
}

// stream is the source of the outcomes of an entry.
type stream struct {
	*table
	key    []byte
	chance []any
}

func (m *table) stream() *stream { return &stream{table: m, key: m.lines.key()} }

func (s *stream) outcome(kind string, m int) int {
	i := at(s.key, s.epoch, s.n, len(s.chance), kind, m)
	if s.bend != nil {
		i = s.bend(kind, m, i)
	}
	return i
}

// Roll implements rules.Chance.
func (s *stream) Roll(why rules.Reason) (int, error) {
	r := 1 + s.outcome("roll", 6)
	s.chance = append(s.chance, object{"roll": r, "for": s.game.Reason(why)})
	return r, nil
}

// Draw implements rules.Chance.
func (s *stream) Draw(d rules.Draw) (int, error) {
	i := s.outcome(d.Kind, len(d.Pile))
	o := object{"draw": plain(s.game.Element(d.Kind, d.Pile[i])), "i": i, "n": len(d.Pile), "from": strings.TrimPrefix(d.Kind, "draw "), "for": s.game.Reason(d.For)}
	for name, seat := range map[string]rules.Seat{"to": d.To, "hand": d.From} {
		if seat != rules.NoSeat {
			o[name] = s.seat(seat)
		}
	}
	if d.Hidden {
		o["hidden"] = true
	}
	s.chance = append(s.chance, o)
	return i, nil
}

// plain is a value as canonical takes it.
func plain(v any) (out any) {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

func (m *table) seat(s rules.Seat) string { return m.game.SeatNames(m.seats)[s] }

// step answers what is asked, with the robots, and reports whether anything was.
func (m *table) step() bool {
	m.Helper()
	owed := m.pos.OpenDecisions(nil)
	if len(owed) == 0 {
		return false
	}
	d := owed[0]
	if d.Sealed {
		owed = slices.DeleteFunc(owed, func(o rules.Decision) bool { return o.Group != d.Group })
	} else {
		owed = owed[:1]
	}
	answers := make([][]rules.Atom, len(owed))
	for i, o := range owed {
		if m.stays(o) {
			continue
		}
		var err error
		answers[i], err = playout.Answer(m.pos, o, m.robots[o.Seat])
		m.must(err)
	}
	m.answer(owed, answers)
	return true
}

// answer makes an entry of the answers to decisions of one group.
func (m *table) answer(owed []rules.Decision, answers [][]rules.Atom) {
	m.Helper()
	m.before = append(m.before, m.pos.Clone())
	m.n++
	s, e := m.stream(), object{"seat": nil}
	if d := owed[0]; d.Ballot {
		var ballots []rules.Ballot
		for i, o := range owed {
			ballots = append(ballots, rules.Ballot{Decision: o, Atom: answers[i][0]})
		}
		outcome, err := m.game.Ballots.CountBallots(ballots)
		m.must(err)
		_, err = m.game.Ballots.ApplyOutcome(m.pos, d.Group, outcome, s, nil)
		m.must(err)
		e["tally"] = object{"group": int(d.Group), "outcome": plain(json.RawMessage(outcome))}
	} else {
		var all []any
		for i, d := range owed {
			if m.stays(d) {
				answers[i] = s.lot(d)
			}
		}
		for i, d := range owed {
			m.apply(d, answers[i], s)
			o := object{"seat": m.seat(d.Seat), "orders": []any{m.game.FormatOrder(answers[i])}}
			switch {
			case m.stays(d):
				o["silence"] = "lot"
			case !d.Repeats:
				o["letter"] = fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, m.n, i)))
			}
			if d.Private {
				o["private"] = true
			}
			all = append(all, o)
		}
		if owed[0].Sealed {
			e["answers"] = all
		} else {
			e = all[0].(object)
		}
	}
	if len(s.chance) > 0 {
		e["chance"] = s.chance
	}
	m.add(e)
}

// stays reports whether a lot answers for a seat that stays silent.
func (m *table) stays(d rules.Decision) bool {
	return m.silent.Has(d.Seat) && d.Silence == rules.SilenceLot && !d.Ballot && !d.Repeats
}

// lot answers a question of one atom.
func (s *stream) lot(d rules.Decision) []rules.Atom {
	options := s.pos.Options(nil, d.ID)
	i := s.outcome("lot", len(options))
	a := options[i : i+1]
	o := object{"draw": s.game.FormatOrder(a), "i": i, "n": len(options), "from": "lot", "to": s.seat(d.Seat), "for": "silence"}
	if d.Private {
		o["hidden"] = true
	}
	s.chance = append(s.chance, o)
	return a
}

// apply gives an answer, atom by atom.
func (m *table) apply(d rules.Decision, atoms []rules.Atom, s *stream) {
	m.Helper()
	for _, a := range atoms {
		_, err := m.pos.Apply(d.ID, a, s, nil)
		m.must(err)
		for _, o := range m.pos.OpenDecisions(nil) {
			if o.Seat == d.Seat && o.Midway {
				d = o
			}
		}
	}
}

// add completes an entry.
func (m *table) add(e object) {
	m.Helper()
	k := len(m.entries)
	e["seq"] = k
	if _, given := e["at"]; !given {
		e["at"] = time.Date(1989, 6, 4, 9, 0, k, 0, time.UTC).Format(time.RFC3339)
	}
	if m.epoch > 0 {
		e["epoch"] = m.epoch
	}
	state, err := m.pos.MarshalJSON()
	m.must(err)
	e["state"] = digest(plain(json.RawMessage(state)))
	m.entries = append(m.entries, e)
	m.rechain(k)
}

// act makes an entry of an act.
func (m *table) act(seat any, act object) {
	m.Helper()
	m.before = append(m.before, m.pos.Clone())
	m.add(object{"seat": seat, "act": act})
}

// restore makes an entry of the operator's restore.
func (m *table) restore() {
	m.Helper()
	m.epoch++
	m.act(nil, object{"kind": "restore", "by": "operator", "until": m.entries[len(m.entries)-1]["at"]})
}

// back makes an entry of a take-back, or of an undo where nobody asked for it.
func (m *table) back(to int, seat string) {
	m.Helper()
	m.before = append(m.before, m.pos.Clone())
	m.pos = m.before[to].Clone()
	m.epoch++
	e := object{"seat": nil, "takeback": to}
	if seat != "" {
		e["seat"] = seat
	} else {
		e["act"] = object{"kind": "undo", "by": "director", "why": "a mistake", "until": m.entries[to-1]["at"]}
	}
	m.add(e)
}

// resign ends a match of two seats.
func (m *table) resign() *table {
	m.Helper()
	names := m.game.SeatNames(m.seats)
	end := object{}
	if m.game.Name() == "1989" {
		end["winners"] = []any{names[1]}
	}
	m.act(names[0], object{"kind": "resign", "end": end})
	return m
}

// steps plays on for so many entries.
func (m *table) steps(n int) *table {
	m.Helper()
	for range n {
		if !m.step() {
			break
		}
	}
	return m
}

// play plays to the end.
func (m *table) play() *table {
	m.Helper()
	for m.step() {
	}
	return m
}

// merge makes one entry of two answers of a seat, one behind the other.
func (m *table) merge() {
	m.Helper()
	for {
		d := m.pos.OpenDecisions(nil)[0]
		trial := m.pos.Clone()
		one, err := playout.Answer(trial, d, first{})
		m.must(err)
		m.n++
		s := m.stream()
		keep := m.pos
		m.pos = trial
		m.apply(d, one, s)
		next := m.pos.OpenDecisions(nil)
		if len(next) == 0 || next[0].Seat != d.Seat {
			m.pos, m.n = keep, m.n-1
			m.step()
			continue
		}
		two, err := playout.Answer(m.pos, next[0], first{})
		m.must(err)
		m.apply(next[0], two, s)
		m.before = append(m.before, keep)
		e := object{"seat": m.seat(d.Seat), "orders": []any{m.game.FormatOrder(one), m.game.FormatOrder(two)}, "letter": digest("")}
		if len(s.chance) > 0 {
			e["chance"] = s.chance
		}
		m.add(e)
		return
	}
}

// first is a robot that gives the first option.
type first struct{}

// Choose implements rules.Robot.
func (first) Choose(_ func() rules.View, _ rules.Decision, options []rules.Atom) rules.Atom {
	return options[0]
}
