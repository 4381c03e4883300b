package engine_test

import (
	"encoding/json"
	"errors"
	cli "flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/dawn1989/engine"
)

// The cases of the cards are data: one file a card in testdata/cards, told in
// the lines that testdata/cards/README describes. With -update-cases the
// values behind "=" are written anew, to be read before they are kept.

// TestCards runs every case of every card.
func TestCards(t *testing.T) {
	t.Parallel()
	for c := engine.Card(1); c < engine.Cards; c++ {
		path := caseFile(c)
		if _, err := os.Stat(path); err != nil {
			continue
		}
		t.Run(fmt.Sprintf("%d %v", c, c), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i := range archive.Files {
				f := &archive.Files[i]
				for revision := engine.OldestRevision; revision <= engine.NewestRevision; revision++ {
					t.Run(fmt.Sprintf("%s by rules %d", f.Name, revision), func(t *testing.T) { f.Data = runCase(t, c, uint8(revision), string(f.Data)) })
				}
			}
			if *updateCases {
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

var updateCases = cli.Bool("update-cases", false, "write the values of the cases of the cards anew")

func caseFile(c engine.Card) string {
	return filepath.Join("testdata", "cards", fmt.Sprintf("%03d.txt", c))
}

// tale is one case being told.
type tale struct {
	t    testing.TB
	card engine.Card
	// revision is that of the rules.
	revision uint8
	side     engine.Side
	// told is set when the case says whose round it is, holds are the hands that
	// it tells.
	told   bool
	holds  [2][]engine.Card
	before []func(*engine.Position)
	p      *engine.Position
	chance *told
}

// runCase tells one case and returns its text, with the values that
// -update-cases asked for.
func runCase(t *testing.T, c engine.Card, revision uint8, text string) []byte {
	k := &tale{t: t, card: c, revision: revision, side: c.Info().Side, chance: &told{t: t},
		holds: [2][]engine.Card{engine.Democrat: {engine.JanPalachWeek}, engine.Communist: {engine.TearGas}}}
	if k.side == engine.Neutral {
		k.side = engine.Democrat
	}
	var out []string
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		told, isOurs := k.ours(strings.TrimSpace(line))
		if isOurs {
			have, err := k.line(told)
			if err != nil {
				t.Fatalf("line %d, %s: %v", i+1, told, err)
			}
			line = strings.TrimSuffix(line, told) + have
		}
		out = append(out, line)
	}
	k.begin("")
	if remaining := k.chance.left(); remaining != "" {
		t.Errorf("chance is left over: %s", remaining)
	}
	return []byte(strings.Join(out, "\n") + "\n")
}

// ours takes "rules 1" off the beginning of a line that holds by that revision of the
// rules only, and reports whether the line holds by those of the case.
func (k *tale) ours(line string) (string, bool) {
	remaining, some := strings.CutPrefix(line, "rules ")
	if !some {
		return line, true
	}
	revision, remaining, _ := strings.Cut(remaining, " ")
	return remaining, revision == strconv.Itoa(int(k.revision))
}

// line tells one line and returns it, with another value where -update-cases asks for it.
func (k *tale) line(line string) (string, error) {
	word, remaining, _ := strings.Cut(line, " ")
	remaining = strings.TrimSpace(remaining)
	switch word {
	case "", "#":
		return line, nil
	case ">", "!", "?":
		k.begin(remaining)
		return line, k.order(word, remaining)
	case "=":
		k.begin("")
		have, err := k.have(remaining)
		switch {
		case err != nil || have == remaining:
			return line, err
		case *updateCases:
			return "= " + have, nil
		}
		return line, fmt.Errorf("have %s", have)
	}
	return line, k.tell(word, remaining)
}

// begin makes the scene when the position before has been told. It is the round
// of whoever holds the first card that is played, unless the case says whose.
func (k *tale) begin(first string) {
	if k.p != nil {
		return
	}
	var played engine.Card
	if _, err := fmt.Sscanf(first, "PLAY %d", &played); err == nil && !k.told {
		for side, held := range k.holds {
			if slices.Contains(held, played) {
				k.side = engine.Side(side)
			}
		}
	}
	k.p = scene(k.t, k.side, append(k.before, by(k.revision))...)
}

// order carries an order out (>), or says that it is refused (!) or that it
// would be accepted (?).
func (k *tale) order(word, text string) error {
	switch word {
	case "!", "?":
		// Either is tried with dice that show 1.
		_, err := try(k.t, k.p, &told{t: k.t, free: true}, text)
		if word == "?" {
			return err
		}
		if err == nil {
			return errors.New("it is accepted")
		}
		return nil
	}
	next, err := try(k.t, k.p, k.chance, text)
	if err != nil {
		return fmt.Errorf("%w (now: %s)", err, k.asks())
	}
	sound(k.t, next)
	k.p = next
	return nil
}

// tell is a line of the position before, or of chance, which may come at any
// place.
func (k *tale) tell(word, remaining string) error {
	fields := strings.Fields(remaining)
	switch word {
	case "dice":
		for _, f := range fields {
			n, err := strconv.Atoi(f)
			if err != nil {
				return err
			}
			k.chance.dice = append(k.chance.dice, n)
		}
		return nil
	case "draw":
		k.chance.draws = append(k.chance.draws, list(remaining)...)
		return nil
	case "deal":
		side, names, err := sideFirst(remaining)
		k.chance.deals[side] = append(k.chance.deals[side], list(names)...)
		return err
	}
	if k.p != nil {
		return fmt.Errorf("the position before is told before the first order")
	}
	change, err := k.change(word, remaining)
	if change != nil {
		k.before = append(k.before, change)
	}
	return err
}

// list splits at commas.
func list(text string) []string {
	var out []string
	for s := range strings.SplitSeq(text, ",") {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// sideFirst reads "Democrat rest".
func sideFirst(text string) (engine.Side, string, error) {
	word, remaining, _ := strings.Cut(text, " ")
	i := slices.Index(engine.SideNames[:], strings.ToLower(word))
	if i < 0 {
		return 0, "", fmt.Errorf("%q is not a side", word)
	}
	return engine.Side(i), strings.TrimSpace(remaining), nil
}

var caseEffects = map[string]func(*engine.Position){
	"crowd struck": func(p *engine.Position) { happened(engine.CrowdTurns)(p); p.Effects.CrowdStruck = true },
	"tyrant gone": func(p *engine.Position) {
		happened(engine.CrowdTurns, engine.TyrantIsGone)(p)
		p.Effects.CrowdStruck, p.Effects.TyrantGone = true, true
	},
	"wall fallen":    func(p *engine.Position) { happened(engine.WallMustGo)(p); p.Effects.WallFallen = true },
	"extra round":    func(p *engine.Position) { p.Effects.ExtraRound = true },
	"party declared": func(p *engine.Position) { p.Effects.EndDeclared = true },
	"visit":          lasting(engine.PresidentialVisit),
}

var casePiles = map[string]engine.Pile{"deck": engine.PileDeck, "discard": engine.PileDiscard, "removed": engine.PileRemoved, "future": engine.PileFuture,
	"aside": engine.PileAside, "Democrat": engine.PileDemocrat, "Communist": engine.PileCommunist, "play": engine.PileInPlay, "table": engine.PileTable, "shown": engine.PileShown}

// change reads one line of the position before.
func (k *tale) change(word, remaining string) (func(*engine.Position), error) {
	switch word {
	case "round":
		side, n, err := sideFirst(remaining)
		k.side, k.told = side, true
		if n == "" {
			return nil, err
		}
		round, err2 := strconv.Atoi(n)
		return func(p *engine.Position) {
			p.Round = int8(round)
			if side == engine.Democrat && round == engine.RoundsPerTurn {
				p.StandAt(engine.MatchExtraRound)
			}
		}, errors.Join(err, err2)
	case "put":
		return casePut(remaining)
	case "effect":
		f, ok := caseEffects[remaining]
		if !ok {
			return nil, errors.New("no such effect")
		}
		return f, nil
	case "destroyed":
		s, ok := engine.SpaceByName[remaining]
		if !ok {
			return nil, errors.New("no such space")
		}
		return func(p *engine.Position) { sp(remaining, 0, 0)(p); p.Destroyed = s }, nil
	case "tyrant":
		s, ok := engine.SpaceByName[remaining]
		if !ok {
			return nil, errors.New("no such space")
		}
		return func(p *engine.Position) { caseEffects["tyrant gone"](p); p.Effects.Refuge = s }, nil
	case "debt":
		i := slices.Index(engine.CountryNames[:], remaining)
		if i <= 0 {
			return nil, errors.New("no such country")
		}
		return func(p *engine.Position) { lasting(engine.DebtBurden)(p); p.Effects.DebtCountry = engine.Country(i) }, nil
	case "ussr":
		i := slices.Index(engine.USSRNames[:], remaining)
		if i < 0 {
			return nil, errors.New("no such box")
		}
		return func(p *engine.Position) { p.USSR = int8(i) }, nil
	case "power":
		return casePower(remaining)
	case "turn", "vp":
		n, err := strconv.Atoi(remaining)
		if word == "turn" {
			return turn(int8(n)), err
		}
		return vpAt(int16(n)), err
	}
	return k.changeCards(word, remaining)
}

// changeCards reads the lines of the position before that name cards or a side
// and a number.
func (k *tale) changeCards(word, remaining string) (func(*engine.Position), error) {
	var err error
	numbers := func(text string) []engine.Card {
		var out []engine.Card
		for _, f := range strings.Fields(text) {
			n, e := strconv.Atoi(f)
			if e != nil || n < 1 || n >= engine.Cards {
				err = fmt.Errorf("%q is not a card", f)
			}
			out = append(out, engine.Card(n))
		}
		return out
	}
	switch word {
	case "play":
		return lasting(numbers(remaining)...), err
	case "happened":
		return happened(numbers(remaining)...), err
	case "pile", "only":
		name, which, _ := strings.Cut(remaining, " ")
		pile, ok := casePiles[name]
		if !ok {
			return nil, fmt.Errorf("no pile %q", name)
		}
		put := lay(pile, numbers(which)...)
		if pile == engine.PileDemocrat || pile == engine.PileCommunist {
			k.holds[pile-engine.PileDemocrat] = append(k.holds[pile-engine.PileDemocrat], numbers(which)...)
		}
		return func(p *engine.Position) {
			if word == "only" {
				p.Piles[engine.PileRemoved] = p.Piles[engine.PileRemoved].Or(p.Piles[pile])
				p.Piles[pile] = engine.CardSet{}
			}
			put(p)
		}, err
	}
	side, value, err2 := sideFirst(remaining)
	n, _ := strconv.Atoi(value)
	switch word {
	case "hand":
		k.holds[side] = append(k.holds[side], numbers(value)...)
		return holds(side, numbers(value)...), errors.Join(err, err2)
	case "box":
		return func(p *engine.Position) { p.Tiananmen[side].Box = int8(n) }, err2
	case "track":
		return caseTrack(side, value), err2
	case "prudence":
		return func(p *engine.Position) { p.Effects.Prudence[side] = int8(n) }, err2
	case "stand":
		return func(p *engine.Position) { lasting(engine.StandFast)(p); p.Effects.StandFast = int8(side) + 1 }, err2
	}
	return nil, fmt.Errorf("no line begins with %q", word)
}

func caseTrack(side engine.Side, what string) func(*engine.Position) {
	return func(p *engine.Position) {
		t := &p.Tiananmen[side]
		switch what {
		case "failed":
			t.Failed = true
		case "attempted":
			t.Attempted = true
		case "seventh":
			t.UsedBox7 = true
		case "eighth":
			t.UsedBox8 = true
		}
	}
}

// casePut reads "Lodz 3 0".
func casePut(remaining string) (func(*engine.Position), error) {
	f := strings.Fields(remaining)
	if len(f) < 3 {
		return nil, errors.New("write: put <space> <Democrat> <Communist>")
	}
	name := strings.Join(f[:len(f)-2], " ")
	d, err := strconv.Atoi(f[len(f)-2])
	c, err2 := strconv.Atoi(f[len(f)-1])
	if engine.SpaceByName[name] == 0 {
		return nil, fmt.Errorf("no space %q", name)
	}
	return sp(name, d, c), errors.Join(err, err2)
}

// casePower reads "Poland Democrat 2".
func casePower(remaining string) (func(*engine.Position), error) {
	f := strings.Fields(remaining)
	if len(f) < 2 {
		return nil, errors.New("write: power <country> <side> [<struggles>]")
	}
	n := 0
	if v, err := strconv.Atoi(f[len(f)-1]); err == nil {
		n, f = v, f[:len(f)-1]
	}
	side, _, err := sideFirst(f[len(f)-1])
	i := slices.Index(engine.CountryNames[:], strings.Join(f[:len(f)-1], " "))
	if i <= 0 {
		return nil, errors.New("no such country")
	}
	return func(p *engine.Position) { p.Power[i] = engine.Power{Holder: side, Struggles: int8(n)} }, err
}

// have answers a line of what is expected with what there is, in the same form.
func (k *tale) have(want string) (string, error) {
	p := k.p
	word, remaining, _ := strings.Cut(want, " ")
	f := strings.Fields(want)
	last := len(f) - 1
	switch {
	case word == "VP":
		plus := ""
		if p.VP > 0 {
			plus = "+"
		}
		return fmt.Sprintf("VP %s%d", plus, p.VP), nil
	case word == "over" || word == "asks":
		return k.asks(), nil
	case word == "turn":
		return fmt.Sprintf("turn %d", p.Turn), nil
	case word == "ussr":
		return "ussr " + engine.USSRNames[p.USSR], nil
	case word == "box" && last == 2:
		side, _, err := sideFirst(remaining)
		return fmt.Sprintf("box %s %d", f[1], p.Tiananmen[side].Box), err
	case word == "hand" && last == 2:
		side, _, err := sideFirst(remaining)
		return fmt.Sprintf("hand %s %d", f[1], p.Piles[engine.HandPile(side)].Len()), err
	case word == "track" && last >= 1:
		side, _, err := sideFirst(remaining)
		return k.track(f[1], side), err
	case word == "prudence" && last == 2:
		side, _, err := sideFirst(remaining)
		return fmt.Sprintf("prudence %s %d", f[1], p.Effects.Prudence[side]), err
	case word == "tyrant":
		return strings.TrimSpace("tyrant " + orNone(p.Effects.Refuge.String())), nil
	case word == "destroyed":
		return "destroyed " + orNone(p.Destroyed.String()), nil
	case word == "options":
		return fmt.Sprintf("options %d", len(p.LegalAtoms(nil))), nil
	case word == "power":
		name := strings.Join(f[1:last-1], " ")
		i := slices.Index(engine.CountryNames[:], name)
		if i <= 0 {
			return "", errors.New("write: power <country> <side> <struggles>")
		}
		return fmt.Sprintf("power %s %s %d", name, sideCalled[p.Power[i].Holder], p.Power[i].Struggles), nil
	case word == "sees" && last == 2:
		side, _, err := sideFirst(remaining)
		return fmt.Sprintf("sees %s %d", f[1], k.sees(side)), err
	case word == "effects":
		return k.effects(remaining)
	case word == "card" && last == 2:
		n, err := strconv.Atoi(f[1])
		if err != nil || n < 1 || n >= engine.Cards {
			return "", errors.New("no such card")
		}
		for name, pile := range casePiles {
			if p.Piles[pile].Has(engine.Card(n)) {
				return fmt.Sprintf("card %d %s", n, name), nil
			}
		}
	case last >= 2 && engine.SpaceByName[strings.Join(f[:last-1], " ")] != 0:
		name := strings.Join(f[:last-1], " ")
		s := engine.FindSpace(name)
		return fmt.Sprintf("%s %d %d", name, p.Support[engine.Democrat][s], p.Support[engine.Communist][s]), nil
	}
	return "", errors.New("not a line of what is expected")
}

// sees counts the enemy's power struggle cards that a side's view shows, for
// spectators (neutral) those of both sides.
func (k *tale) sees(side engine.Side) int {
	if side == engine.Neutral {
		v := k.p.View(rules.NoSeat).(*engine.View)
		return v.Visible.Struggle.Hands[engine.Democrat].Len() + v.Visible.Struggle.Hands[engine.Communist].Len()
	}
	return k.p.View(k.p.SeatOfSide[side]).(*engine.View).Visible.Struggle.Hands[side.Enemy()].Len()
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// sideCalled are the sides as the cases write them.
var sideCalled = [...]string{"Democrat", "Communist", "neutral"}

// asks says what is asked of whom, or how the match ended.
func (k *tale) asks() string {
	p := k.p
	if p.Ending != engine.NotOver {
		name := "draw"
		for s := engine.Democrat; s <= engine.Communist; s++ {
			if p.Winners.Has(p.SeatOfSide[s]) {
				name = sideCalled[s]
			}
		}
		return fmt.Sprintf("over %s %v", name, p.Ending)
	}
	q := &p.Question
	return strings.TrimSpace(fmt.Sprintf("asks %s %v %s", sideCalled[q.Side], q.Kind, q.Source))
}

func (k *tale) track(name string, side engine.Side) string {
	t := k.p.Tiananmen[side]
	out := "track " + name
	for _, f := range []struct {
		on   bool
		name string
	}{{t.Failed, "failed"}, {t.Attempted, "attempted"}, {t.UsedBox7, "seventh"}, {t.UsedBox8, "eighth"}} {
		if f.on {
			out += " " + f.name
		}
	}
	return out
}

// effects compares members of the stored effects: "effects debt Poland".
func (k *tale) effects(remaining string) (string, error) {
	name, _, _ := strings.Cut(remaining, " ")
	data, err := k.p.MarshalJSON()
	if err != nil {
		return "", err
	}
	var all struct{ Effects map[string]any }
	if err := json.Unmarshal(data, &all); err != nil {
		return "", err
	}
	return "effects " + name + " " + strings.Trim(engine.Compact(all.Effects[name]), `"`), nil
}

// told is chance as a case tells it: dice in a row, draws in a row, and what is
// dealt to each side for a power struggle. A deal that is not told takes the
// first of the pile.
type told struct {
	t     testing.TB
	free  bool
	dice  []int
	draws []string
	deals [2][]string
}

func (c *told) left() string {
	var out []string
	for _, n := range c.dice {
		out = append(out, strconv.Itoa(n))
	}
	out = append(out, c.draws...)
	return strings.Join(append(append(out, c.deals[0]...), c.deals[1]...), ", ")
}

func (c *told) Roll(reason rules.Reason) (int, error) {
	if c.free {
		return 1, nil
	}
	if len(c.dice) == 0 {
		return 0, fmt.Errorf("a die for %s is asked, and none is told", dawn1989.Game().Reason(reason))
	}
	n := c.dice[0]
	c.dice = c.dice[1:]
	return n, nil
}

func (c *told) Draw(d rules.Draw) (int, error) {
	if c.free {
		return 0, nil
	}
	from := &c.draws
	if dealing := d.For == engine.Reason(engine.ReasonStruggleDeal, 0) || d.For == engine.Reason(engine.ReasonDeal, 0); dealing {
		from = &c.deals[d.To]
		if len(*from) == 0 {
			return 0, nil
		}
	}
	if len(*from) == 0 {
		return 0, fmt.Errorf("%s for %s is asked, and none is told", d.Kind, dawn1989.Game().Reason(d.For))
	}
	want := (*from)[0]
	*from = (*from)[1:]
	for i, e := range d.Pile {
		if fmt.Sprint(dawn1989.Game().Element(d.Kind, e)) == want {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s: %s is not in the pile", d.Kind, want)
}

// TestEveryEdgeCase counts the cases: each edge case of each card has one, or is
// listed among the remarks, and each card has those of its kind.
func TestEveryEdgeCase(t *testing.T) {
	t.Parallel()
	remarks := caseRemarks(t)
	wanted := 0
	for c, n := range caseCounts(t) {
		names := map[string]bool{}
		if archive, err := txtar.ParseFile(caseFile(c)); err != nil {
			t.Errorf("card %d has no cases: %v", c, err)
		} else {
			for _, f := range archive.Files {
				names[f.Name] = true
			}
		}
		var want []string
		for i := range n {
			want = append(want, fmt.Sprintf("%d.%d", c, i+1))
		}
		wanted += n
		for _, kind := range caseKinds(c) {
			want = append(want, fmt.Sprintf("%d.%s", c, kind))
		}
		for _, name := range want {
			if !names[name] && remarks[name] == "" {
				t.Errorf("there is no case %s (%v)", name, c)
			}
			if names[name] && remarks[name] != "" {
				t.Errorf("case %s is there and listed among the remarks", name)
			}
		}
	}
	if wanted != 787 {
		t.Errorf("counts.csv knows %d edge cases, want 787", wanted)
	}
}

// caseKinds are the cases that a card must have besides its edge cases.
func caseKinds(c engine.Card) []string {
	info := c.Info()
	switch {
	case info.Scoring != engine.NoCountry, c == engine.CommonEuropeanHome:
		return []string{"event"}
	case info.Side == engine.Neutral:
		return []string{"event", "event b", "ops"}
	}
	return []string{"event", "before", "after"}
}

// caseCounts reads how many edge cases each card has.
func caseCounts(t *testing.T) map[engine.Card]int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "cards", "counts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[engine.Card]int{}
	for line := range strings.Lines(string(data)) {
		var c, n int
		if _, err := fmt.Sscanf(line, "%d,%d", &c, &n); err == nil {
			out[engine.Card(c)] = n
		}
	}
	if len(out) != engine.Cards-1 {
		t.Fatalf("counts.csv has %d cards", len(out))
	}
	return out
}

// caseRemarks reads what has no case, each with one word why.
func caseRemarks(t *testing.T) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "cards", "remarks.txt"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, _ := strings.Cut(line, " ")
		if len(strings.Fields(reason)) != 1 {
			t.Errorf("remarks.txt: %q does not say why in one word", line)
		}
		out[name] = reason
	}
	return out
}
