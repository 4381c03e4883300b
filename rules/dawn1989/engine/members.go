package engine

import (
	"math"
	"slices"

	"samizdat/rules"
)

// maxSupport is more support points than a space can ever hold.
const maxSupport = 9999

// position writes or reads the members of a position, as docs/record.md describes them.
func (c *codec) position(p *Position) {
	number(c, "revision", &p.revision, oldestRevision, newestRevision)
	c.agreed(p)
	number(c, "turn", &p.Turn, 1, Turns)
	number(c, "round", &p.Round, 0, RoundsATurn+1)
	word(c, "phase", &p.Phase, phaseNames[:])
	word(c, "phasing", &p.Phasing, sideNames[:Neutral])
	number(c, "vp", &p.VP, math.MinInt16, math.MaxInt16)
	c.support(p)
	optionalWord(c, "destroyed", &p.Destroyed, spaceNames())
	c.piles(p)
	sides(c, "tiananmen", &p.Tiananmen[Democrat].Box, &p.Tiananmen[Communist].Box, LastBox)
	c.attempts(p)
	word(c, "ussr", &p.USSR, USSRNames[:])
	c.object("power", func() {
		for _, n := range countryByName() {
			if c.has(n.String(), true) {
				c.object(n.String(), func() {
					word(c, "held_by", &p.Power[n].Held, sideNames[:Neutral])
					number(c, "times_held", &p.Power[n].Times, 0, math.MaxInt8)
				})
			}
		}
	})
	c.object("effects", func() { c.effects(&p.Effects) })
	optionalWord(c, "tyrant", &p.Effects.Refuge, spaceNames())
	if c.has("struggle", p.Struggle.Country != NoCountry) {
		c.object("struggle", func() { c.struggle(&p.Struggle) })
	}
	depth := int(p.depth)
	if c.reading() {
		depth = frames
	}
	depth = c.objects("stack", depth, func(i int) { c.frame(&p.stack[i]) })
	if c.reading() {
		if p.depth = int8(depth); depth == 0 {
			c.fail("the stack has no procedure")
		}
	}
	if c.has("reach", !p.Reach.IsEmpty()) {
		c.spaces("reach", &p.Reach)
	}
	number(c, "last_id", &p.lastID, 0, math.MaxUint32)
	number(c, "play", &p.play, 0, math.MaxUint32)
	c.pending(p)
	c.result(p)
}

// view writes or reads the members of a view: those of a position, and the numbers of hidden cards.
func (c *codec) view(v *View) {
	c.position(&v.Visible)
	sides(c, "hand_count", &v.PileCounts[PileDemocrat], &v.PileCounts[PileCommunist], Cards)
	number(c, "deck_count", &v.PileCounts[PileDeck], 0, math.MaxInt16)
	optionalNumber(c, "samizdat_count", &v.PileCounts[PileAside], Cards)
	optionalNumber(c, "shown_count", &v.PileCounts[PileShown], Cards)
	if c.has("struggle_count", v.Visible.Struggle.Country != NoCountry) {
		sides(c, "struggle_count", &v.StruggleCount[Democrat], &v.StruggleCount[Communist], WholeStruggleDeck.Len())
	}
	if c.has("struggle_played", v.StrugglePlayed.Len() > 0) {
		c.hand("struggle_played", &v.StrugglePlayed)
	}
}

// agreed writes or reads the agreed or bid parts of the set-up.
func (c *codec) agreed(p *Position) {
	optionalNumber(c, "extra", &p.Extra, math.MaxInt8)
	optionalWord(c, "extra_to", &p.ExtraTo, sideNames[:Neutral])
	if c.has("bids", p.Bids[0].Received || p.Bids[1].Received) {
		var chairs []int
		for chair, b := range p.Bids {
			if b.Received {
				chairs = append(chairs, chair)
			}
		}
		if c.reading() {
			chairs = make([]int, len(p.Bids))
		}
		c.objects("bids", len(chairs), func(i int) {
			number(c, "chair", &chairs[i], 0, len(p.Bids)-1)
			b := &p.Bids[chairs[i]]
			b.Received = true
			word(c, "side", &b.Side, sideNames[:Neutral])
			number(c, "give", &b.Points, 0, MaxBid)
		})
	}
	sides(c, "seats", &p.SeatOfSide[Democrat], &p.SeatOfSide[Communist], 1)
}

// support writes or reads the spaces with support, in the order of their names.
func (c *codec) support(p *Position) {
	if c.reading() {
		c.object("support", func() {
			for s := Space(1); s < Spaces; s++ {
				if name := s.String(); c.has(name, false) {
					var n [2]int
					sides(c, name, &n[Democrat], &n[Communist], maxSupport)
					p.SetSupport(Democrat, s, n[Democrat])
					p.SetSupport(Communist, s, n[Communist])
				}
			}
		})
		return
	}
	c.w.name("support")
	out := append(c.w.out, '{')
	for _, s := range spacesByName() {
		if a, b := p.Support[Democrat][s], p.Support[Communist][s]; a != 0 || b != 0 {
			out = append(appendQuoted(out, s.String()), ':')
			out = append(c.w.pair(out, int(a), int(b)), ',')
		}
	}
	c.w.wrote(closeBracket(out, '}'))
}

func (c *codec) spaces(name string, set *SpaceSet) {
	c.names(name, func() {
		rest := *set
		for s := rest.Next(); s != 0; s = rest.Next() {
			c.w.text(s.String())
		}
	}, func(text string) {
		s, ok := spaceByName[text]
		if set.Add(s); !ok {
			c.fail("unknown space %q", text)
		}
	})
}

func (c *codec) piles(p *Position) {
	c.object("hands", func() {
		c.cards("democrat", &p.Piles[PileDemocrat])
		c.cards("communist", &p.Piles[PileCommunist])
	})
	if c.has("known", !p.Known[Democrat].IsEmpty() || !p.Known[Communist].IsEmpty()) {
		c.object("known", func() {
			c.cards("democrat", &p.Known[Democrat])
			c.cards("communist", &p.Known[Communist])
		})
	}
	c.cards("deck", &p.Piles[PileDeck])
	c.cards("discard", &p.Piles[PileDiscard])
	c.cards("removed", &p.Piles[PileRemoved])
	c.cards("in_play", &p.Piles[PileInPlay])
	c.cards("table", &p.Piles[PileTable])
	if c.has("shown", !p.Piles[PileShown].IsEmpty()) {
		c.cards("shown", &p.Piles[PileShown])
	}
	aside := p.Piles[PileAside]
	card := aside.Next()
	if optionalNumber(c, "samizdat", &card, Cards-1); c.reading() && card != 0 {
		p.Piles[PileAside].Add(card)
	}
	c.cards("future", &p.Piles[PileFuture])
}

// attempts writes or reads the state of the sides on the Tiananmen Square Track, except their boxes.
func (c *codec) attempts(p *Position) {
	begun := func(t Track) bool { return t.Failed || t.Attempted || t.UsedBox7 || t.UsedBox8 }
	if !c.has("attempts", begun(p.Tiananmen[Democrat]) || begun(p.Tiananmen[Communist])) {
		return
	}
	c.object("attempts", func() {
		for _, s := range [...]Side{Communist, Democrat} {
			if t := &p.Tiananmen[s]; c.has(s.String(), begun(*t)) {
				c.object(s.String(), func() {
					c.optionalFlag("failed", &t.Failed)
					c.optionalFlag("attempted", &t.Attempted)
					c.optionalFlag("seventh", &t.UsedBox7)
					c.optionalFlag("eighth", &t.UsedBox8)
				})
			}
		}
	})
}

var standFastNames = [...]string{"", sideNames[Democrat], sideNames[Communist]}

func (c *codec) effects(e *Effects) {
	c.cards("cards", &e.Cards)
	c.cards("happened", &e.Happened)
	if c.has("prudence", e.Prudence != [2]int8{}) {
		sides(c, "prudence", &e.Prudence[Democrat], &e.Prudence[Communist], math.MaxInt8)
	}
	optionalWord(c, "stand_fast", &e.StandFast, standFastNames[:])
	optionalWord(c, "debt", &e.Debt, countryNames[:])
	c.optionalFlag("wall_fallen", &e.WallFallen)
	c.optionalFlag("extra_round", &e.ExtraRound)
	c.optionalFlag("crowd_struck", &e.CrowdStruck)
	c.optionalFlag("tyrant_gone", &e.TyrantGone)
	c.optionalFlag("party", &e.Party)
	optionalNumber(c, "announced", &e.Announced, Cards-1)
	optionalNumber(c, "stasi_from", &e.StasiFrom, math.MaxInt8)
	c.optionalFlag("ceausescu", &e.Ceausescu)
}

func (c *codec) struggle(st *Struggle) {
	word(c, "country", &st.Country, countryNames[:])
	word(c, "player", &st.Player, sideNames[:Neutral])
	word(c, "attacker", &st.Attacker, sideNames[:Neutral])
	c.object("hands", func() {
		c.hand("democrat", &st.Hands[Democrat])
		c.hand("communist", &st.Hands[Communist])
	})
	if c.has("drawn", st.Drawn.Len() > 0) {
		c.hand("drawn", &st.Drawn)
	}
	c.hand("deck", &st.Deck)
	c.names("banned", func() {
		for s := RallySuit; s < Suits; s++ {
			if st.Banned[s] {
				c.w.text(s.String())
			}
		}
	}, func(text string) {
		s := max(0, slices.Index(suitNames[:], text))
		if st.Banned[s] = true; s == 0 {
			c.fail("unknown suit %q", text)
		}
	})
	number(c, "stakes", &st.Raised, 0, math.MaxInt8)
	if c.has("attack", st.Suit != NoSuit) {
		word(c, "attack", &st.Attack, struggleNames())
	}
	optionalWord(c, "suit", &st.Suit, suitNames[:])
	if c.has("winner", st.Winner != Neutral) {
		word(c, "winner", &st.Winner, sideNames[:Neutral])
	} else if c.reading() {
		st.Winner = Neutral
	}
	optionalWord(c, "won", &st.Won, suitNames[:])
	optionalNumber(c, "lose", &st.Lose, math.MaxInt8)
	c.optionalFlag("last", &st.Last)
	for k, n := range st.Drawn {
		if n > st.Hands[Democrat][k] {
			c.fail("%v was drawn and is not in the hand", StruggleCard(k))
		}
	}
}

func (c *codec) frame(f *Frame) {
	word(c, "proc", &f.Proc, procNames[:])
	if c.reading() {
		optionalNumber(c, "card", &f.Card, Cards-1)
	}
	word(c, "step", &f.Step, f.stepLabels())
	optionalNumber(c, "card", &f.Card, Cards-1)
	word(c, "side", &f.Side, sideNames[:Neutral])
	optionalWord(c, "mode", &f.Mode, modeNames[:])
	optionalNumber(c, "with", &f.SecondCard, Cards-1)
	optionalWord(c, "source", &f.Source, sourceNames[:])
	optionalNumber(c, "n", &f.N, math.MaxInt8)
	optionalWord(c, "country", &f.Country, countryNames[:])
	optionalWord(c, "space", &f.Space, spaceNames())
	c.optionalFlag("border", &f.Border)
	c.optionalFlag("midway", &f.Midway)
	c.optionalFlag("open", &f.Open)
	c.optionalFlag("may", &f.May)
	c.optionalFlag("take", &f.Take)
	optionalNumber(c, "result", &f.Result, math.MaxInt8)
	if c.has("won", f.Won != [2]int8{}) {
		sides(c, "won", &f.Won[Democrat], &f.Won[Communist], math.MaxInt8)
	}
}

// pending writes or reads the open decision, or {"kind":"chance"} for a stalled position.
func (c *codec) pending(p *Position) {
	n := 1
	if !c.reading() && p.Ending != NotOver {
		n = 0
	}
	n = c.objects("pending", n, func(int) { c.question(p) })
	if c.reading() && n != 1 && !c.has("result", false) {
		c.fail("no decision is pending")
	}
}

// stalledKind is the kind of the pending decision of a stalled position.
const stalledKind = "chance"

func (c *codec) question(p *Position) {
	q := &p.Question
	if !c.reading() && q.Kind == AskNothing {
		c.w.name("kind")
		c.w.text(stalledKind)
		return
	}
	if c.reading() && c.members["kind"] == stalledKind {
		delete(c.members, "kind")
		p.stalled = true
		return
	}
	optionalNumber(c, "id", &q.ID, math.MaxUint32)
	word(c, "seat", &q.Side, sideNames[:Neutral])
	word(c, "kind", &q.Kind, askNames[:])
	optionalWord(c, "source", &q.Source, sourceNames[:])
	optionalNumber(c, "left", &q.Remaining, math.MaxInt8)
	optionalNumber(c, "given", &q.Given, math.MaxInt8)
	c.optionalFlag("midway", &q.Midway)
	optionalNumber(c, "per", &q.MaxPerSpace, math.MaxInt8)
	c.optionalFlag("may", &q.Optional)
	c.optionalFlag("up_to", &q.UpTo)
	c.optionalFlag("secret", &q.Secret)
	if c.has("tally", q.PointsBySpace != [Spaces]int8{}) {
		c.object("tally", func() {
			for _, s := range spacesByName() {
				optionalNumber(c, s.String(), &q.PointsBySpace[s], math.MaxInt8)
			}
		})
	}
}

// resultWinners are the winners of results by Side; Neutral is a draw.
var resultWinners = [...]string{sideNames[Democrat], sideNames[Communist], "draw"}

func (c *codec) result(p *Position) {
	if !c.has("result", p.Ending != NotOver) {
		return
	}
	winner := Neutral
	for s := Democrat; s <= Communist; s++ {
		if p.Winners.Has(p.SeatOfSide[s]) {
			winner = s
		}
	}
	c.object("result", func() {
		word(c, "winner", &winner, resultWinners[:])
		word(c, "ending", &p.Ending, endingNames[:])
	})
	if c.reading() && winner != Neutral {
		p.Winners = rules.Only(p.SeatOfSide[winner])
	}
}
