package dawn1989

import "samizdat/rules"

// The steps of a power struggle (rule 8). After the card play come the steps of
// the aftermath (aftermath.go).
const (
	struggleBegin uint8 = iota
	struggleDeal
	struggleRoundtable
	strugglePeasants
	struggleSalvation
	struggleLook
	struggleCrowd
	struggleStakes
	struggleStakesOther
	struggleAttack
	struggleFalters
	struggleSurges
	struggleDefend
	struggleCounter
	struggleLossRoll
	struggleLoss
	struggleVictory
	strugglePower
	struggleScore
	struggleEnd
)

// dealt is how many power struggle cards a side gets for the spaces it controls
// (rule 8.1.1): 6 for the first and 2 for each further one.
func dealt(controlled int) int {
	if controlled == 0 {
		return 0
	}
	return 6 + 2*(controlled-1)
}

// runStruggle runs a power struggle. In its frame Side played the scoring card;
// N counts cards moved in the step under way.
func runStruggle(x *Run, f *Frame) error {
	p := x.p
	st := &p.struggle
	switch f.Step {
	case struggleBegin:
		*st = Struggle{Country: f.Country, Player: f.Side, Attacker: f.Side, Deck: wholeStruggleDeck, Winner: Neutral,
			Last: f.Source == Source(NewYearsEveParty)}
		d, c := p.inCountry(Democrat, f.Country), p.inCountry(Communist, f.Country)
		x.say(EvStruggle, int(f.Country), int(f.Side), d, c, dealt(d), dealt(c))
		f.Step = struggleDeal
	case struggleDeal:
		return x.dealStruggle(f)
	case struggleRoundtable:
		return x.shift(f, RoundtableTalks, Democrat, 2, p.force.cards.has(RoundtableTalks))
	case strugglePeasants:
		farmers := ofKind[Farmer].and(inCountry[f.Country]).and(p.controls[Democrat]).and(p.onMap())
		return x.shift(f, PeasantPartiesRevolt, Democrat, 1, p.force.cards.has(PeasantPartiesRevolt) && !farmers.empty())
	case struggleSalvation:
		return x.shift(f, NationalSalvationFront, Communist, 2, p.force.cards.has(NationalSalvationFront) && f.Country.balkan())
	case struggleLook:
		x.look()
		f.Step = struggleCrowd
	case struggleCrowd:
		return x.crowd(f)
	case struggleStakes, struggleStakesOther:
		side := st.Player
		if f.Step == struggleStakesOther {
			side = side.Enemy()
		}
		f.Step++
		if st.Hands[side].len() >= 3 {
			x.ask(Question{Ask: AskStakes, Side: side, Source: SourceStakes, Left: 3, May: true})
		}
	case struggleAttack:
		var buf [64]rules.Atom
		if len(attacks(p, buf[:0])) == 0 {
			x.say(EvNoAttack, int(st.Attacker), st.Hands[st.Attacker].len())
			x.won(f, st.Attacker.Enemy(), NoSuit)
			return nil
		}
		x.ask(Question{Ask: AskAttack, Side: st.Attacker, Source: SourceStruggle, Left: 1})
	case struggleFalters:
		return x.falters(f)
	case struggleSurges:
		return x.surges(f)
	case struggleDefend:
		if !p.canDefend() {
			x.say(EvConcede, int(st.Attacker.Enemy()), 1)
			x.won(f, st.Attacker, st.Suit)
			return nil
		}
		x.ask(Question{Ask: AskDefend, Side: st.Attacker.Enemy(), Source: SourceStruggle, Left: 1})
	case struggleCounter:
		return x.counter(f)
	default:
		return runAftermath(x, f)
	}
	return nil
}

// inCountry counts the spaces of a country that a side controls.
func (p *Position) inCountry(side Side, c Country) int {
	return p.controls[side].and(inCountry[c]).and(p.onMap()).len()
}

// usable reports whether a side can use a leader in the struggle: it controls a
// space of the leader's type in the country now (rule 2.3.2).
func (p *Position) usable(side Side, c StruggleCard) bool {
	info := c.Info()
	here := ofKind[info.Kind].and(inCountry[p.struggle.Country]).and(p.onMap())
	return info.Leader && !here.and(p.controls[side]).empty()
}

// attacks lists the attacker's legal attacks (rule 8.3.1).
func attacks(p *Position, dst []rules.Atom) []rules.Atom {
	st := &p.struggle
	h := &st.Hands[st.Attacker]
	victims := inCountry[st.Country].and(p.holds[st.Attacker.Enemy()]).and(p.onMap())
	// Plain cards first, then leaders suit by suit and Scare Tactics space by
	// space, so that the atoms ascend.
	for k := range StruggleCard(struggleKinds) {
		suit := k.Info().Suit
		switch {
		case h[k] == 0 || k == TacticFails || k.Info().Leader:
		case suit != NoSuit && st.Banned[suit]:
		case k == ScareTactics && !victims.empty():
		default:
			dst = append(dst, atom(VerbAttack, 0, int(k)))
		}
	}
	scare := h[ScareTactics] > 0
	for fl := 1; fl < spaces; fl++ {
		suit := Suit(fl)
		for k := range StruggleCard(struggleKinds) {
			if suit < suits && h[k] > 0 && k.Info().Leader && !st.Banned[suit] && p.usable(st.Attacker, k) {
				dst = append(dst, atom(VerbAttack, uint8(fl), int(k)))
			}
		}
		if scare && victims.has(Space(fl)) {
			dst = append(dst, atom(VerbAttack, uint8(fl), int(ScareTactics)))
		}
	}
	return dst
}

// defends reports whether a kind of card matches the attack: the same suit, a
// usable leader, or Tactic Fails (rule 8.3.2).
func (p *Position) defends(side Side, k StruggleCard) bool {
	info := k.Info()
	return p.struggle.Hands[side][k] > 0 &&
		(k == TacticFails || info.Suit != NoSuit && info.Suit == p.struggle.Suit || p.usable(side, k))
}

func (p *Position) canDefend() bool {
	for k := range StruggleCard(struggleKinds) {
		if p.defends(p.struggle.Attacker.Enemy(), k) {
			return true
		}
	}
	return false
}

func struggleOptions(p *Position, f *Frame, dst []rules.Atom) []rules.Atom {
	st := &p.struggle
	q := &p.question
	switch q.Ask {
	case AskStakes:
		for k := range StruggleCard(struggleKinds) {
			if st.Hands[q.Side][k] > 0 {
				dst = append(dst, atom(VerbRaise, 0, int(k)))
			}
		}
		if q.Given == 0 {
			dst = append(dst, pass)
		}
	case AskAttack:
		dst = attacks(p, dst)
	case AskDefend:
		for k := range StruggleCard(struggleKinds) {
			if p.defends(q.Side, k) {
				dst = append(dst, atom(VerbDefend, 0, int(k)))
			}
		}
		dst = append(dst, concede)
	case AskRemove:
		dst = p.removable(q.Side, inCountry[st.Country].and(p.onMap()), dst)
	case AskPower:
		dst = append(dst, atom(VerbChoose, uint8(ChooseOption), OptionKeepPower),
			atom(VerbChoose, uint8(ChooseOption), OptionSurrenderPower))
	}
	return dst
}

func answerStruggle(x *Run, f *Frame, a rules.Atom) {
	p := x.p
	st := &p.struggle
	k := StruggleCard(AtomValue(a))
	side := p.question.Side
	switch AtomVerb(a) {
	case VerbPass:
		x.close()
		x.say(EvPassed, int(side), int(AskStakes), int(SourceStakes))
	case VerbRaise:
		st.Hands[side][k]--
		x.say(EvRaised, int(side), int(k))
		if x.gave() {
			st.Raised++
		}
	case VerbAttack:
		x.close()
		x.attack(f, k, AtomFlag(a))
	case VerbDefend:
		x.close()
		st.Hands[side][k]--
		x.say(EvDefend, int(side), int(k))
		f.Step = struggleCounter
		if k == TacticFails {
			st.Banned[st.Suit] = true
			x.say(EvBanned, int(st.Suit))
			f.Step = struggleAttack
		}
	case VerbConcede:
		x.close()
		x.say(EvConcede, int(side), 0)
		x.won(f, st.Attacker, st.Suit)
	case VerbRemove:
		if x.takeOne(side, Space(AtomValue(a))) {
			f.Step = struggleVictory
		}
	case VerbChoose:
		x.close()
		x.power(f, AtomValue(a) == OptionKeepPower)
	}
}

// attack leads a card. A wild card is carried out without reply, and the
// initiative passes (rule 8.3.4).
func (x *Run) attack(f *Frame, k StruggleCard, fl uint8) {
	p := x.p
	st := &p.struggle
	st.Hands[st.Attacker][k]--
	suit := k.Info().Suit
	if k.Info().Leader {
		suit = Suit(fl)
	}
	// A wild card waits for no defence, and is not remembered.
	st.Attack, st.Suit = 0, suit
	if suit != NoSuit {
		st.Attack = k
	}
	scared := Space(0)
	if k == ScareTactics {
		scared = Space(fl)
	}
	x.say(EvAttack, int(st.Attacker), int(k), int(suit), int(scared))
	f.N = 0
	switch k {
	case SupportFalters:
		f.Step = struggleFalters
	case SupportSurges:
		f.Step = struggleSurges
	case ScareTactics:
		if scared != 0 {
			x.remove(st.Attacker.Enemy(), scared, 1)
		}
		x.yield(f)
	default:
		f.Step = struggleDefend
	}
}

// yield passes the initiative to the defender.
func (x *Run) yield(f *Frame) {
	st := &x.p.struggle
	st.Attacker = st.Attacker.Enemy()
	f.Step, f.N = struggleAttack, 0
}

// counter is the counterattack (rule 8.3.2): a die of at least the rank of the
// attack takes the initiative; against rank 1 no die is needed.
func (x *Run) counter(f *Frame) error {
	st := &x.p.struggle
	rank, die := st.Attack.Info().Rank, 0
	if rank > 1 {
		var err error
		if die, err = x.roll(reasonCounter, 0); err != nil {
			return err
		}
	}
	success := rank <= 1 || die >= rank
	x.say(EvCounter, int(st.Attacker.Enemy()), die, rank, flag(success))
	f.Step = struggleAttack
	if success {
		st.Attacker = st.Attacker.Enemy()
	}
	return nil
}

// won ends the card play.
func (x *Run) won(f *Frame, winner Side, suit Suit) {
	st := &x.p.struggle
	st.Winner, st.Won = winner, suit
	x.say(EvStruggleWon, int(winner), int(st.Country), int(suit))
	f.Step = struggleLossRoll
}
