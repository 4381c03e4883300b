package words

import (
	"fmt"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Sentences implements rules.LetterTexts. A run of related events (the points of one placement, a deal) makes
// one sentence. The public twin of a secret event gives a sentence without the secret.
func (Words) Sentences(rv rules.View, events []rules.Event) []string {
	v := rv.(*engine.View)
	t := eventQueue{view: v}
	for _, e := range events {
		if e.Audience.Has(v.Seat()) {
			t.events = append(t.events, e)
		}
	}
	for len(t.events) > 0 {
		n := 1
		text := ""
		if tell := sentenceFuncs[t.events[0].Kind]; tell != nil {
			text, n = tell(&t)
		}
		t.before, t.events = t.events[n-1], t.events[n:]
		if text != "" {
			t.out = append(t.out, text)
		}
	}
	return t.out
}

// eventQueue holds the events without a sentence so far.
type eventQueue struct {
	view *engine.View
	// events are the events without a sentence so far, before is the last event with one.
	events []rules.Event
	before rules.Event
	out    []string
}

// sentenceFunc makes a sentence of the first events and returns the number of events that it covers. The
// sentence is empty if an earlier sentence covers the event.
type sentenceFunc func(q *eventQueue) (text string, events int)

var sentenceFuncs map[rules.EventKind]sentenceFunc

func init() {
	sentenceFuncs = map[rules.EventKind]sentenceFunc{
		engine.EvDealt: dealSentence, engine.EvEvent: eventSentence, engine.EvCardMoved: cardMovedSentence,
		engine.EvPlaced: supportSentence, engine.EvRemoved: supportSentence, engine.EvCheck: checkSentence,
		engine.EvStruggleCard:    struggleDealSentence,
		engine.EvRaised:          discarded("%s raises the stakes and discards %s."),
		engine.EvStruggleDiscard: discarded("%s discards %s at random."),
		engine.EvOver:            overSentence, engine.EvShown: shownSentence, engine.EvCrowdCard: crowdCardSentence,
	}
	for kind, say := range map[rules.EventKind]func(a args) string{
		engine.EvPlayed: playSentence, engine.EvVP: vpSentence, engine.EvRoll: eventRollSentence, engine.EvAttempt: tiananmenSentence,
		engine.EvPassed: passSentence, engine.EvAttack: attackSentence, engine.EvCounter: counterSentence,
		engine.EvStruggleWon: struggleWonSentence, engine.EvLoss: lossSentence, engine.EvVictory: victorySentence,
		engine.EvScored: scoreSentence, engine.EvStruggleMoved: struggleMovedSentence, engine.EvStrike: strikeSentence,
		engine.EvCrowd: crowdSentence, engine.EvContest: contestSentence, engine.EvBidRoll: bidRollSentence,
		engine.EvSides: sidesSentence,
	} {
		sentenceFuncs[kind] = fixedSentence(say)
	}
	for kind, text := range phrases {
		sentenceFuncs[kind] = fixedSentence(phrase(text))
	}
	for kind, v := range variants {
		sentenceFuncs[kind] = fixedSentence(func(a args) string { return phrase(v.texts[min(a.n(v.arg), len(v.texts)-1)])(a) })
	}
}

// phrases are the sentences of simple events, see phrase.
var phrases = map[rules.EventKind]string{
	engine.EvTurn:           "Turn {n0} begins.",
	engine.EvForfeited:      "{S0} has no card left and forfeits the action round.",
	engine.EvNoEvent:        "The event of {f0} cannot happen now.",
	engine.EvNoEffect:       "The event of {f0} has no effect.",
	engine.EvExtraRound:     "The Communist may take an eighth action round this turn.",
	engine.EvAnnounced:      "The Democrat announces {f0} for this action round (" + engine.Stasi.String() + ").",
	engine.EvTurnEffectsEnd: "The effects that last one turn end.",
	engine.EvHandedOver:     "{S0} hands over {f1}.",
	engine.EvCountry:        "{c2}: the country is {C1}.",
	engine.EvDebt:           "The Communist may make no support check in {C0} for the rest of the turn.",
	engine.EvPrudence:       "For the rest of the turn the cards of {s0} are worth {n1} Ops less (minimum 1).",
	engine.EvDestroyed:      "{p0} is destroyed. From now on its neighbours are adjacent to each other.",
	engine.EvRefuge:         "The Ceausescus' helicopter lands in {p0}. When the Democrat controls it, they are captured.",
	engine.EvDeclared:       "The Communist declares that the match ends with this turn.",
	engine.EvDefend:         "{S0} defends with {k1}.",
	engine.EvBanned:         "{u0} is banned from this power struggle.",
	engine.EvDiscarded:      "{S0} discards {f1} ({t2}).",
	engine.EvNoTarget:       "{S0} has no space left to check, so the support check is lost ({t1}).",
	engine.EvSpent:          "{S0} has no legal use for the Operations of {f1}.",
	engine.EvCaptured:       "The Democrat captures the Tyrant in {p0}.",
	engine.EvReshuffled:     "The draw deck is empty; the {n0:discarded card} are shuffled into a new one.",
	engine.EvTable:          "{c3}: rolled {n1}, for {n2:support point}.",
	engine.EvUSSR:           "The U.S.S.R. marker moves to {r0}.",
	engine.EvInForce:        "{f0} is in force {d0}.",
	engine.EvBid:            "{h0} bids for {s1} and gives {n2:support point}.",
	engine.EvNoAttack:       "{S0} has no card to attack with ({n1:card} left).",
	engine.EvStruggle: "A power struggle begins in {C0}. The Democrat controls {n2:space}: {n4:card}. " +
		"The Communist controls {n3:space}: {n5:card}.",
}

// variants are the sentences of events by an argument.
var variants = map[rules.EventKind]struct {
	arg   int
	texts []string
}{
	engine.EvTaken: {2, []string{"{S0} takes {f1} from the discard pile into the hand.",
		"{S0} takes {f1} from the discard pile for its event.", "{S0} takes {f1} from the hand of {e0} for its event."}},
	engine.EvKept: {1, []string{"{S0} keeps one of the cards of box 3.", "{S0} keeps {f1} of the cards of box 3."}},
	engine.EvAside: {1, []string{"{S0} puts a card aside face down until the next turn.",
		"{S0} puts {f1} aside face down until the next turn."}},
	engine.EvBox: {2, []string{"{S0} enters box {n1} of the Tiananmen track; the award is already taken.",
		"{S0} enters box {n1} of the Tiananmen track first: {a1}."}},
	engine.EvConcede: {1, []string{"{S0} concedes.", "{S0} has no defence."}},
	engine.EvPower: {1, []string{"The Democrat takes Power in {C0}.", "The Communist surrenders Power in {C0}.",
		"The Communist keeps Power in {C0} after the {o2} power struggle there."}},
}

func playSentence(a args) string {
	if a.card(0).Info().Scoring != engine.NoCountry && engine.Mode(a.n(1)) == engine.PlayEvent {
		return phrase("{S2} plays {f0}.")(a)
	}
	return phrase(plays[engine.Mode(a.n(1))].told)(a)
}

// argWords format an argument: {S0} is argument 0 as a side.
var argWords = map[byte]func(a args, i int) string{
	'n': func(a args, i int) string { return strconv.Itoa(a.n(i)) },
	'S': func(a args, i int) string { return capitalSideName(a.side(i)) },
	's': func(a args, i int) string { return sideName(a.side(i)) },
	'e': func(a args, i int) string { return sideName(a.side(i).Enemy()) },
	'a': func(a args, i int) string { return awards[a.n(i)] },
	'o': func(a args, i int) string { return ordinal(a.n(i)) },
	'f': func(a args, i int) string { return fullTitle(a.card(i)) },
	'c': func(a args, i int) string { return a.card(i).String() },
	'C': func(a args, i int) string { return a.country(i).String() },
	'p': func(a args, i int) string { return a.space(i).String() },
	'k': func(a args, i int) string { return a.struggle(i).String() },
	'u': func(a args, i int) string { return a.suit(i).String() },
	't': func(a args, i int) string { return sourceTitle(a.source(i)) },
	'r': func(a args, i int) string { return engine.USSRNames[a.n(i)] },
	'd': func(a args, i int) string { return lastingWords[a.card(i).Info().Duration] },
	'h': func(a args, i int) string { return chairs[a.n(i)] },
}

// phrase formats arguments by a template: "{S0} hands over {f1}." or "{S0} draws {n1:card}.", which counts cards.
func phrase(text string) func(a args) string {
	parts := strings.Split(text, "{")
	return func(a args) string {
		out := parts[0]
		for _, p := range parts[1:] {
			name, rest, _ := strings.Cut(p, "}")
			name, unit, counted := strings.Cut(name, ":")
			if i := int(name[1] - '0'); counted {
				out += pluralize(a.n(i), unit)
			} else {
				out += argWords[name[0]](a, i)
			}
			out += rest
		}
		return out
	}
}

func fixedSentence(say func(a args) string) sentenceFunc {
	return func(q *eventQueue) (string, int) { return say(args(q.events[0].Args)), 1 }
}

// args are the arguments of an event, with methods that interpret them.
type args [12]int16

func (a args) n(i int) int                        { return int(a[i]) }
func (a args) side(i int) engine.Side             { return engine.Side(a[i]) }
func (a args) space(i int) engine.Space           { return engine.Space(a[i]) }
func (a args) card(i int) engine.Card             { return engine.Card(a[i]) }
func (a args) country(i int) engine.Country       { return engine.Country(a[i]) }
func (a args) struggle(i int) engine.StruggleCard { return engine.StruggleCard(a[i]) }
func (a args) suit(i int) engine.Suit             { return engine.Suit(a[i]) }
func (a args) source(i int) engine.Source         { return engine.Source(a[i]) }

// leading returns the leading events for which belongs returns true; the caller removes them.
func (q *eventQueue) leading(belongs func(e rules.Event) bool) []rules.Event {
	n := 0
	for n < len(q.events) && belongs(q.events[n]) {
		n++
	}
	return q.events[:n]
}

func overSentence(q *eventQueue) (string, int) {
	ending := engine.Ending(q.events[0].Args[0])
	text := "The match is over (" + ending.String() + ")."
	switch s := winner(q.view); s {
	case engine.Neutral:
		return text + " It is a draw.", 1
	default:
		return text + " " + capitalSideName(s) + " wins.", 1
	}
}

func winner(v *engine.View) engine.Side {
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if v.Visible.Ending != engine.NotOver && v.Visible.Winners.Has(v.Visible.SeatOfSide[s]) {
			return s
		}
	}
	return engine.Neutral
}

// The sentences about cards, hands and turns follow.

// dealSentence tells a whole deal: the number of cards of each side, and the cards visible to the reader.
func dealSentence(q *eventQueue) (string, int) {
	run := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvDealt })
	var number [2]int
	var seen [2]engine.CardSet
	for _, e := range run {
		c, s := engine.Card(e.Args[0]), engine.Side(e.Args[1])
		number[s]++
		if c != 0 {
			seen[s].Add(c)
		}
	}
	return drawn(number, "card", func(s engine.Side) string { return cardList(seen[s]) }), len(run)
}

// drawn tells how many cards each side draws, and their names as far as the reader sees them.
func drawn(number [2]int, what string, names func(s engine.Side) string) string {
	var parts []string
	for s := engine.Communist; s >= engine.Democrat; s-- {
		if number[s] == 0 {
			continue
		}
		part := fmt.Sprintf("%s draws %s", capitalSideName(s), pluralize(number[s], what))
		if list := names(s); list != "" {
			part += ": " + list
		}
		parts = append(parts, part+".")
	}
	return strings.Join(parts, " ")
}

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// eventSentence returns empty if the card was just played for its event.
func eventSentence(q *eventQueue) (string, int) {
	a, b := args(q.events[0].Args), args(q.before.Args)
	if q.before.Kind == engine.EvPlayed && b.card(0) == a.card(0) && engine.Mode(b.n(1)) == engine.PlayEvent && b.side(2) == a.side(1) {
		return "", 1
	}
	return fmt.Sprintf("The event of %s takes place, in favour of %s.", fullTitle(a.card(0)), sideName(a.side(1))), 1
}

// cardMovedSentence tells where cards went, grouped by pile.
func cardMovedSentence(q *eventQueue) (string, int) {
	to := engine.Pile(q.events[0].Args[1])
	run := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvCardMoved && engine.Pile(e.Args[1]) == to })
	names := each(run, func(e rules.Event) string { return fullTitle(engine.Card(e.Args[0])) })
	verb := map[bool]string{true: "goes", false: "go"}[len(names) == 1]
	list := join(names, "and")
	switch to {
	case engine.PileInPlay:
		if q.before.Kind == engine.EvInForce && engine.Card(q.before.Args[0]) == engine.Card(run[0].Args[0]) {
			return "", len(run)
		}
		return fmt.Sprintf("%s %s into play.", list, verb), len(run)
	case engine.PileRemoved:
		return fmt.Sprintf("%s %s out of the game.", list, verb), len(run)
	}
	return fmt.Sprintf("%s %s to the discard pile.", list, verb), len(run)
}

var lastingWords = [...]string{engine.Instant: "now", engine.ForTurn: "for the rest of the turn",
	engine.ForGame:   "for the rest of the match",
	engine.UntilUsed: "until it is used", engine.UntilCancelled: "until it is cancelled"}

var declinings = map[engine.QuestionKind]string{
	engine.AskExtraRound:  "does not take the eighth action round",
	engine.AskOps:         "does not use the Operations",
	engine.AskSecondCheck: "makes no second support check",
	engine.AskPlace:       "places no support",
	engine.AskCheck:       "makes no further support check",
	engine.AskTake:        "takes no card",
	engine.AskDiscard:     "discards no card",
	engine.AskStakes:      "does not raise the stakes",
	engine.AskCountry:     "names no country",
	engine.AskGrant:       "does not use the Operations",
	engine.AskCard:        "puts no card aside",
	engine.AskDeclare:     "does not declare the end of the match",
}

func passSentence(a args) string {
	what, ok := declinings[engine.QuestionKind(a.n(1))]
	if !ok {
		what = "passes"
	}
	text := capitalSideName(a.side(0)) + " " + what
	if s := a.source(2); s != engine.SourceNone && s != engine.SourceStakes && s != engine.SourceExtra {
		text += " (" + sourceTitle(s) + ")"
	}
	return text + "."
}

// sourceTitle returns the name of a source in sentences; cards have their title.
func sourceTitle(s engine.Source) string {
	if s < engine.Cards && s != engine.SourceNone {
		return fmt.Sprintf("card %d, %v", s, engine.Card(s))
	}
	return strings.ToLower(s.String())
}

// The sentences about the events of single cards follow.

// shownSentence tells all cards that are shown at the same time.
func shownSentence(q *eventQueue) (string, int) {
	run := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvShown })
	var set engine.CardSet
	for _, e := range run {
		set.Add(engine.Card(e.Args[1]))
	}
	s := engine.Side(run[0].Args[0])
	return fmt.Sprintf("%s shows %s: %s.", capitalSideName(s), sideName(s.Enemy()), cardList(set)), len(run)
}

func contestSentence(a args) string {
	s := a.side(0)
	return fmt.Sprintf("%s rolls %d + %d = %d, %s %d + %d = %d. Rounds won: %d to %d.", capitalSideName(s), a.n(1), a.n(2), a.n(1)+a.n(2),
		sideName(s.Enemy()), a.n(3), a.n(4), a.n(3)+a.n(4), a.n(5), a.n(6))
}

func crowdCardSentence(q *eventQueue) (string, int) {
	run := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvCrowdCard })
	var h engine.StruggleCards
	for _, e := range run {
		h[e.Args[0]]++
	}
	return fmt.Sprintf("%v: drawn are %s.", engine.CrowdTurns, handList(h)), len(run)
}
