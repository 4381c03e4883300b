package playout

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"samizdat/adjudicator/order"
	"samizdat/internal/test/goldentest"
	"samizdat/internal/test/long"
	"samizdat/internal/test/rulestest"
	"samizdat/internal/test/rulestest/council"
	"samizdat/rules"
	"samizdat/rules/dawn1989"
	"samizdat/rules/liarsdice"
	"samizdat/rules/revolution1789"
)

const (
	// frozenGames is how many matches of each game are frozen, frozenStep how many share a hash.
	frozenGames, frozenStep = 1000, 25
	// frozenWords is how many matches have their words frozen as well.
	frozenWords = 12
)

// frozen are the plans that are frozen, by name.
func frozen() map[string]Plan {
	random := []string{rules.RandomName}
	return map[string]Plan{
		"1989":          {Game: dawn1989.Game(), Robots: random},
		"1989-bidding":  {Game: dawn1989.Game(), Robots: random, Options: dawn1989.Game().Bidding},
		"1989-sensible": {Game: dawn1989.Game(), Robots: []string{"sensible"}},
		"1789":          {Game: revolution1789.Game(), Robots: random},
		"liarsdice":     {Game: liarsdice.Game(), Robots: random},
		"orchards":      {Game: rulestest.Game(), Robots: random},
		"council":       {Game: council.Game(), Robots: random},
	}
}

// TestFrozen plays 1,000 matches of each game and compares hashes of every decision, option,
// event and position with testdata/frozen, and of the words of the first matches:
//
//	0-24 5f3a... the matches with seeds 0 to 24
//	words 3 77b1... prompts, orders, sections, sentences and refusals of the match with seed 3
func TestFrozen(t *testing.T) {
	t.Parallel()
	for name, plan := range frozen() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			games := long.N(frozenStep, frozenGames)
			if name == "1989-sensible" {
				games /= 5
			}
			var lines []string
			for first := 0; first < games; first += frozenStep {
				sum := sha256.New()
				for seed := first; seed < first+frozenStep; seed++ {
					playFrozen(t, plan, uint64(seed), &hashed{sum: sum})
				}
				lines = append(lines, fmt.Sprintf("%d-%d %s", first, first+frozenStep-1, short(sum)))
			}
			for seed := range uint64(long.N(frozenWords/12, frozenWords)) {
				sum := sha256.New()
				playFrozen(t, plan, seed, &hashed{sum: sum, parser: order.New(plan.Game)})
				lines = append(lines, fmt.Sprintf("words %d %s", seed, short(sum)))
			}
			compareFrozen(t, filepath.Join("testdata", "frozen", name+".txt"), lines)
		})
	}
}

func short(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)[:12]) }

// compareFrozen compares lines with those of a file that begin with the same words.
func compareFrozen(t *testing.T, file string, lines []string) {
	t.Helper()
	if *goldentest.Update && long.Run {
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	key := func(line string) string { return line[:strings.LastIndexByte(line, ' ')] }
	want := slices.DeleteFunc(strings.Split(strings.TrimSpace(string(raw)), "\n"), func(line string) bool {
		return !slices.ContainsFunc(lines, func(l string) bool { return key(l) == key(line) })
	})
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("matches are played or told differently than %s says:\n%s", file, diff)
	}
}

// playFrozen plays a match of a plan through its positions. The seed chooses how many sit down.
func playFrozen(t *testing.T, plan Plan, seed uint64, table *hashed) {
	t.Helper()
	minimum, maximum := plan.Game.Seats()
	setup, err := rules.NewSetup(plan.Game, minimum+int(seed)%(maximum-minimum+1))
	if err != nil {
		t.Fatal(err)
	}
	setup.Options = plan.Options
	start, err := plan.Game.Begin(setup)
	if err != nil {
		t.Fatal(err)
	}
	table.plainSimulation = plainSimulation{game: plan.Game, start: start}
	p := &worker{plan: plan, simulation: table, names: plan.Game.SeatNames(setup), view: table.View}
	for seat := range setup.Seats {
		r, err := plan.Game.Robot(plan.Robots[0], scramble(seed+uint64(seat)+1))
		if err != nil {
			t.Fatal(err)
		}
		p.robots = append(p.robots, r)
	}
	if err := p.play(&matchCounts{}, seed); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
}

// hashed is a table that adds all that happens at it to a hash.
type hashed struct {
	plainSimulation
	sum hash.Hash
	// parser is nil where no words are to be hashed.
	parser *order.Parser
	// others are options of earlier questions, to be refused now.
	others []rules.Atom
}

func (h *hashed) Begin(c rules.Chance) error {
	err := h.plainSimulation.Begin(c)
	h.add(h.events, h.pos)
	return err
}

func (h *hashed) Ask() (rules.Decision, []rules.Atom, bool) {
	d, options, isOpen := h.plainSimulation.Ask()
	h.add(d, options, isOpen)
	if h.parser != nil && isOpen {
		h.tell(d, options)
	}
	return d, options, isOpen
}

func (h *hashed) Answer(a rules.Atom) error {
	h.events = h.events[:0]
	err := h.plainSimulation.Answer(a)
	h.add(a, h.events, h.pos)
	return err
}

// add adds values to the hash: what is of fixed size in binary, the rest as JSON.
func (h *hashed) add(values ...any) {
	for _, v := range values {
		if binary.Size(v) > 0 {
			_ = binary.Write(h.sum, binary.BigEndian, v) // A hash takes all.
			continue
		}
		raw, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		h.sum.Write(raw)
	}
}

// tell adds the words of a question to the hash, as the seat asked and observers have them.
func (h *hashed) tell(d rules.Decision, options []rules.Atom) {
	for _, seat := range []rules.Seat{d.Seat, rules.NoSeat} {
		v := h.pos.View(seat)
		events := slices.DeleteFunc(slices.Clone(h.events), func(e rules.Event) bool { return !e.Audience.Has(seat) })
		h.add(v, h.game.Status(v), h.game.Sentences(v, events), h.game.Sections(v))
		h.tellOptional(v, d, events)
	}
	v := h.pos.View(d.Seat)
	h.add(h.game.Prompt(v, d, options))
	h.tellOrders(v, d, options)
	for i := 0; i < len(h.others); i += 1 + len(h.others)/10 {
		if _, isLegal := slices.BinarySearch(options, h.others[i]); !isLegal {
			h.add(h.game.Refusal(v, d, h.others[i], options))
		}
	}
	h.others = append(h.others, options...)
	slices.Sort(h.others)
	h.others = slices.Compact(h.others)
}

// tellOrders adds how options are written as orders, and what some of these orders are read as.
func (h *hashed) tellOrders(v rules.View, d rules.Decision, options []rules.Atom) {
	decisions := []rules.Decision{d}
	for i, o := range options {
		line := h.game.FormatOrder([]rules.Atom{o})
		h.add(line)
		if (i+int(d.ID))%(1+len(options)/10) != 0 {
			continue
		}
		read, err := h.parser.ParsePlain(line)
		h.add(fmt.Sprint(err))
		answers, err := h.game.Answers(read, decisions)
		h.add(answers, fmt.Sprint(err))
		if h.game.ExplainOrder != nil {
			h.add(h.game.ExplainOrder(v, d, answers))
		}
		if h.game.Warning != nil {
			h.add(h.game.Warning(v, d, []rules.Atom{o}))
		}
	}
}

// tellOptional adds the words that a game need not have.
func (h *hashed) tellOptional(v rules.View, d rules.Decision, events []rules.Event) {
	g := h.game
	if g.MarkedSections != nil {
		h.add(g.MarkedSections(v, events))
		_, page := g.MarkedSections(v, nil)
		h.add(page)
	}
	if g.Headline != nil {
		h.add(g.Headline(v))
	}
	if g.Role != nil {
		h.add(g.Role(v))
	}
	if g.AnswerQuery != nil {
		for _, q := range []rules.Query{rules.QueryHand, rules.QueryDiscards, rules.QueryMap} {
			h.add(g.AnswerQuery(v, q), g.Turn(v))
		}
	}
	if c := g.Chronicle; c != nil {
		h.add(c.Episode(v), c.Curves(v), c.KeyPhrases())
	}
	if g.Counts != nil {
		h.add(g.Counts.Count(v, events), g.Counts.Dice(v, events))
	}
	if f := g.Facts; f != nil {
		h.add(f.Facts(v), f.EventFacts(v, events), f.ReadEventFacts(g.Sentences(v, events)))
		for _, s := range g.Sections(v) {
			h.add(f.ReadFacts(s.Title, s.Lines))
		}
	}
	if g.Map != nil {
		h.add(g.Map.TextMap(v, events))
	}
	if g.Cards != nil {
		names := g.Names()
		for i := int(d.ID) % 7; i < len(names); i += 7 {
			if names[i].Kind == rules.CardName {
				h.add(g.Cards(v, names[i]))
			}
		}
	}
	if g.Manual != nil {
		for _, page := range g.Manual() {
			h.add(page)
			if g.Samples != nil && v.Seat() >= 0 {
				h.add(g.Samples(v, page))
			}
		}
	}
}
