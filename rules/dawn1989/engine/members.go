package engine

import (
	"math"
	"slices"

	"samizdat/rules"
)

// maxSupport is the largest number of support points in a space that is decoded. No match can reach it.
const maxSupport = 9999

// position writes or reads the members of a position. docs/record.md describes them.
func (c *codec) position(p *Position) {
	number(c, "revision", &p.revision, oldestRevision, newestRevision)
	c.setup(p)
	number(c, "turn", &p.Turn, 1, Turns)
	number(c, "round", &p.Round, 0, RoundsPerTurn+1)
	enum(c, "phase", &p.Phase, phaseNames[:])
	enum(c, "phasing", &p.Phasing, sideNames[:Neutral])
	number(c, "vp", &p.VP, math.MinInt16, math.MaxInt16)
	c.support(p)
	optionalEnum(c, "destroyed", &p.Destroyed, spaceNames())
	c.piles(p)
	bothSides(c, "tiananmen", &p.Tiananmen[Democrat].Box, &p.Tiananmen[Communist].Box, LastBox)
	c.attempts(p)
	enum(c, "ussr", &p.USSR, USSRNames[:])
	c.object("power", func() {
		for _, n := range countriesByName() {
			if c.hasMember(n.String(), true) {
				c.object(n.String(), func() {
					enum(c, "held_by", &p.Power[n].Holder, sideNames[:Neutral])
					number(c, "times_held", &p.Power[n].Struggles, 0, math.MaxInt8)
				})
			}
		}
	})
	c.object("effects", func() { c.effects(&p.Effects) })
	optionalEnum(c, "tyrant", &p.Effects.Refuge, spaceNames())
	if c.hasMember("struggle", p.Struggle.Country != NoCountry) {
		c.object("struggle", func() { c.struggle(&p.Struggle) })
	}
	depth := int(p.depth)
	if c.isReading() {
		depth = maxDepth
	}
	depth = c.objects("stack", depth, func(i int) { c.frame(&p.stack[i]) })
	if c.isReading() {
		if p.depth = int8(depth); depth == 0 {
			c.setError("the stack has no procedure")
		}
	}
	if c.hasMember("reach", !p.Reach.IsEmpty()) {
		c.spaces("reach", &p.Reach)
	}
	number(c, "last_id", &p.lastID, 0, math.MaxUint32)
	number(c, "play", &p.playNumber, 0, math.MaxUint32)
	c.pending(p)
	c.result(p)
}

func (c *codec) view(v *View) {
	c.position(&v.Visible)
	bothSides(c, "hand_count", &v.PileCounts[PileDemocrat], &v.PileCounts[PileCommunist], Cards)
	number(c, "deck_count", &v.PileCounts[PileDeck], 0, math.MaxInt16)
	optionalNumber(c, "samizdat_count", &v.PileCounts[PileAside], Cards)
	optionalNumber(c, "shown_count", &v.PileCounts[PileShown], Cards)
	if c.hasMember("struggle_count", v.Visible.Struggle.Country != NoCountry) {
		bothSides(c, "struggle_count", &v.StruggleCounts[Democrat], &v.StruggleCounts[Communist], WholeStruggleDeck.Len())
	}
	if c.hasMember("struggle_played", v.StrugglePlayed.Len() > 0) {
		c.hand("struggle_played", &v.StrugglePlayed)
	}
}

// setup writes or reads the extra points, the bids and the seats of the sides.
func (c *codec) setup(p *Position) {
	optionalNumber(c, "extra", &p.ExtraPoints, math.MaxInt8)
	optionalEnum(c, "extra_to", &p.ExtraSide, sideNames[:Neutral])
	if c.hasMember("bids", p.Bids[0].Received || p.Bids[1].Received) {
		var bidders []int
		for chair, b := range p.Bids {
			if b.Received {
				bidders = append(bidders, chair)
			}
		}
		if c.isReading() {
			bidders = make([]int, len(p.Bids))
		}
		c.objects("bids", len(bidders), func(i int) {
			number(c, "chair", &bidders[i], 0, int64(len(p.Bids)-1))
			b := &p.Bids[bidders[i]]
			b.Received = true
			enum(c, "side", &b.Side, sideNames[:Neutral])
			number(c, "give", &b.Points, 0, MaxBid)
		})
	}
	bothSides(c, "seats", &p.SeatOfSide[Democrat], &p.SeatOfSide[Communist], 1)
}

func (c *codec) support(p *Position) {
	if c.isReading() {
		c.object("support", func() {
			for s := Space(1); s < Spaces; s++ {
				if name := s.String(); c.hasMember(name, false) {
					var n [2]int
					bothSides(c, name, &n[Democrat], &n[Communist], maxSupport)
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
			out = append(c.w.appendPair(out, int(a), int(b)), ',')
		}
	}
	c.w.setOutput(closeBracket(out, '}'))
}

func (c *codec) spaces(name string, set *SpaceSet) {
	c.names(name, func() {
		remaining := *set
		for s := remaining.Next(); s != 0; s = remaining.Next() {
			c.w.text(s.String())
		}
	}, func(text string) {
		s, ok := spaceByName[text]
		if set.Add(s); !ok {
			c.setError("unknown space %q", text)
		}
	})
}

func (c *codec) piles(p *Position) {
	c.object("hands", func() {
		c.cards("democrat", &p.Piles[PileDemocrat])
		c.cards("communist", &p.Piles[PileCommunist])
	})
	if c.hasMember("known", !p.KnownCards[Democrat].IsEmpty() || !p.KnownCards[Communist].IsEmpty()) {
		c.object("known", func() {
			c.cards("democrat", &p.KnownCards[Democrat])
			c.cards("communist", &p.KnownCards[Communist])
		})
	}
	c.cards("deck", &p.Piles[PileDeck])
	c.cards("discard", &p.Piles[PileDiscard])
	c.cards("removed", &p.Piles[PileRemoved])
	c.cards("in_play", &p.Piles[PileInPlay])
	c.cards("table", &p.Piles[PileTable])
	if c.hasMember("shown", !p.Piles[PileShown].IsEmpty()) {
		c.cards("shown", &p.Piles[PileShown])
	}
	aside := p.Piles[PileAside]
	card := aside.Next()
	if optionalNumber(c, "samizdat", &card, Cards-1); c.isReading() && card != 0 {
		p.Piles[PileAside].Add(card)
	}
	c.cards("future", &p.Piles[PileFuture])
}

// attempts writes or reads the state of the sides on the Tiananmen track, except their boxes.
func (c *codec) attempts(p *Position) {
	isUsed := func(t Track) bool { return t.Failed || t.Attempted || t.UsedBox7 || t.UsedBox8 }
	if !c.hasMember("attempts", isUsed(p.Tiananmen[Democrat]) || isUsed(p.Tiananmen[Communist])) {
		return
	}
	c.object("attempts", func() {
		for _, s := range [...]Side{Communist, Democrat} {
			if t := &p.Tiananmen[s]; c.hasMember(s.String(), isUsed(*t)) {
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
	c.cards("happened", &e.PastEvents)
	if c.hasMember("prudence", e.Prudence != [2]int8{}) {
		bothSides(c, "prudence", &e.Prudence[Democrat], &e.Prudence[Communist], math.MaxInt8)
	}
	optionalEnum(c, "stand_fast", &e.StandFast, standFastNames[:])
	optionalEnum(c, "debt", &e.DebtCountry, countryNames[:])
	c.optionalFlag("wall_fallen", &e.WallFallen)
	c.optionalFlag("extra_round", &e.ExtraRound)
	c.optionalFlag("crowd_struck", &e.CrowdStruck)
	c.optionalFlag("tyrant_gone", &e.TyrantGone)
	c.optionalFlag("party", &e.EndDeclared)
	optionalNumber(c, "announced", &e.AnnouncedCard, Cards-1)
	optionalNumber(c, "stasi_from", &e.StasiFrom, math.MaxInt8)
	c.optionalFlag("ceausescu", &e.CeausescuPending)
}

func (c *codec) struggle(st *Struggle) {
	enum(c, "country", &st.Country, countryNames[:])
	enum(c, "player", &st.StartedBy, sideNames[:Neutral])
	enum(c, "attacker", &st.Attacker, sideNames[:Neutral])
	c.object("hands", func() {
		c.hand("democrat", &st.Hands[Democrat])
		c.hand("communist", &st.Hands[Communist])
	})
	if c.hasMember("drawn", st.Drawn.Len() > 0) {
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
			c.setError("unknown suit %q", text)
		}
	})
	number(c, "stakes", &st.Stakes, 0, math.MaxInt8)
	if c.hasMember("attack", st.Suit != NoSuit) {
		enum(c, "attack", &st.Attack, struggleNames())
	}
	optionalEnum(c, "suit", &st.Suit, suitNames[:])
	if c.hasMember("winner", st.Winner != Neutral) {
		enum(c, "winner", &st.Winner, sideNames[:Neutral])
	} else if c.isReading() {
		st.Winner = Neutral
	}
	optionalEnum(c, "won", &st.WinningSuit, suitNames[:])
	optionalNumber(c, "lose", &st.PointsToLose, math.MaxInt8)
	c.optionalFlag("last", &st.IsFinal)
	for k, n := range st.Drawn {
		if n > st.Hands[Democrat][k] {
			c.setError("%v was drawn and is not in the hand", StruggleCard(k))
		}
	}
}

// frame writes or reads a procedure of the stack. In JSON the card comes after the step, but it is read first,
// because the labels of event steps depend on the card.
func (c *codec) frame(f *Frame) {
	enum(c, "proc", &f.Proc, procNames[:])
	if c.isReading() {
		optionalNumber(c, "card", &f.Card, Cards-1)
	}
	enum(c, "step", &f.Step, f.stepLabels())
	optionalNumber(c, "card", &f.Card, Cards-1)
	enum(c, "side", &f.Side, sideNames[:Neutral])
	optionalEnum(c, "mode", &f.Mode, modeNames[:])
	optionalNumber(c, "with", &f.SecondCard, Cards-1)
	optionalEnum(c, "source", &f.Source, sourceNames[:])
	optionalNumber(c, "n", &f.N, math.MaxInt8)
	optionalEnum(c, "country", &f.Country, countryNames[:])
	optionalEnum(c, "space", &f.Space, spaceNames())
	c.optionalFlag("border", &f.OnlyEastGermany)
	c.optionalFlag("midway", &f.Midway)
	c.optionalFlag("open", &f.MayAttempt)
	c.optionalFlag("may", &f.MayDecline)
	c.optionalFlag("take", &f.MayTake)
	optionalNumber(c, "result", &f.EarlierResult, math.MaxInt8)
	if c.hasMember("won", f.RoundsWon != [2]int8{}) {
		bothSides(c, "won", &f.RoundsWon[Democrat], &f.RoundsWon[Communist], math.MaxInt8)
	}
}

// pending writes or reads the list "pending". It contains the open question, or {"kind":"chance"} if the position
// waits for a die or a draw. After the end of the match it is empty.
func (c *codec) pending(p *Position) {
	n := 1
	if !c.isReading() && p.Ending != NotOver {
		n = 0
	}
	n = c.objects("pending", n, func(int) { c.question(p) })
	if c.isReading() && n != 1 && !c.hasMember("result", false) {
		c.setError("no decision is pending")
	}
}

const stalledKind = "chance"

// question writes or reads the object in the list "pending": the open question, or {"kind":"chance"}.
func (c *codec) question(p *Position) {
	q := &p.Question
	if !c.isReading() && q.Kind == AskNothing {
		c.w.name("kind")
		c.w.text(stalledKind)
		return
	}
	if c.isReading() && c.members["kind"] == stalledKind {
		delete(c.members, "kind")
		p.stalled = true
		return
	}
	optionalNumber(c, "id", &q.ID, math.MaxUint32)
	enum(c, "seat", &q.Side, sideNames[:Neutral])
	enum(c, "kind", &q.Kind, questionKindNames[:])
	optionalEnum(c, "source", &q.Source, sourceNames[:])
	optionalNumber(c, "left", &q.Remaining, math.MaxInt8)
	optionalNumber(c, "given", &q.Given, math.MaxInt8)
	c.optionalFlag("midway", &q.Midway)
	optionalNumber(c, "per", &q.MaxPerSpace, math.MaxInt8)
	c.optionalFlag("may", &q.Optional)
	c.optionalFlag("up_to", &q.UpTo)
	c.optionalFlag("secret", &q.Secret)
	if c.hasMember("tally", q.PointsBySpace != [Spaces]int8{}) {
		c.object("tally", func() {
			for _, s := range spacesByName() {
				optionalNumber(c, s.String(), &q.PointsBySpace[s], math.MaxInt8)
			}
		})
	}
}

// resultWinners are the names of the winner in JSON, indexed by Side. Neutral means that the match is a draw.
var resultWinners = [...]string{sideNames[Democrat], sideNames[Communist], "draw"}

func (c *codec) result(p *Position) {
	if !c.hasMember("result", p.Ending != NotOver) {
		return
	}
	winner := Neutral
	for s := Democrat; s <= Communist; s++ {
		if p.Winners.Has(p.SeatOfSide[s]) {
			winner = s
		}
	}
	c.object("result", func() {
		enum(c, "winner", &winner, resultWinners[:])
		enum(c, "ending", &p.Ending, endingNames[:])
	})
	if c.isReading() && winner != Neutral {
		p.Winners = rules.Only(p.SeatOfSide[winner])
	}
}
