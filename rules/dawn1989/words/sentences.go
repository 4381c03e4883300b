package words

import (
	"fmt"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Sentences implements rules.LetterTexts. Consecutive events that belong together, for example the points of one
// placement, become one sentence. Events for other seats are skipped: the engine emits a secret event twice, with the
// secret for its owner, and without the secret for all others.
func (Words) Sentences(rv rules.View, events []rules.Event) []string {
	v := rv.(*engine.View)
	queue := eventQueue{view: v}
	for _, e := range events {
		if e.Audience.Has(v.Seat()) {
			queue.events = append(queue.events, e)
		}
	}
	if c, play := continuedCard(v, queue.events); c != 0 {
		queue.sentences = append(queue.sentences, fmt.Sprintf("%s of %s continues.", play, fullTitle(c)))
	}
	putScoringCardLast(queue.events)
	for len(queue.events) > 0 {
		n := 1
		text := ""
		if write := sentenceFuncs[queue.events[0].Kind]; write != nil {
			text, n = write(&queue)
		}
		queue.previous, queue.events = queue.events[n-1], queue.events[n:]
		if text != "" {
			queue.sentences = append(queue.sentences, text)
		}
	}
	return queue.sentences
}

// continuedCard returns the card of a play that began before the events, or 0. play is "The Democrat's play", or "The play" if
// the play is over before the last event. A scoring card gives 0, because sentences on its power struggle follow. 0 is also
// returned if no event shows the card, as when the events begin with the Operations after the card's event.
func continuedCard(v *engine.View, events []rules.Event) (last engine.Card, play string) {
	play, isOver := "The play", false
	for _, e := range events {
		if isOver = beginsPlay[e.Kind]; isOver {
			break
		}
		if c := engine.Card(e.Args[0]); e.Kind == engine.EvCardMoved && (c.Info().Duration == engine.Instant ||
			engine.Pile(e.Args[1]) == engine.PileInPlay) {
			last = c // A lasting card may also leave play because its effect ends.
		}
	}
	if c, side := v.Visible.PlayedCard(); c != 0 && !isOver && len(events) > 0 {
		last, play = c, capitalSideName(side)+"'s play"
	}
	if last != 0 && last.Info().Scoring != engine.NoCountry {
		return 0, ""
	}
	return last, play
}

// beginsPlay has the kinds of events that begin a play, or come between two plays.
var beginsPlay = map[rules.EventKind]bool{engine.EvPlayed: true, engine.EvTurn: true, engine.EvForfeited: true, engine.EvAnnounced: true,
	engine.EvTurnEffectsEnd: true}

// putScoringCardLast puts the discarding of a scoring card after the scoring of its country and the VP, because players
// at a table discard the card last.
func putScoringCardLast(events []rules.Event) {
	for i := 0; i+1 < len(events); i++ {
		if events[i].Kind != engine.EvCardMoved || events[i+1].Kind != engine.EvScored {
			continue
		}
		events[i], events[i+1] = events[i+1], events[i]
		if i++; i+1 < len(events) && events[i+1].Kind == engine.EvVP {
			events[i], events[i+1] = events[i+1], events[i]
		}
	}
}

// eventQueue holds the events that have no sentence yet.
type eventQueue struct {
	view *engine.View
	// events are the remaining events, previous is the last event before them.
	events    []rules.Event
	previous  rules.Event
	sentences []string
}

// sentenceFunc writes a sentence about the first events and returns the number of events that it covers. The text is
// empty if an earlier sentence covers them.
type sentenceFunc func(q *eventQueue) (text string, events int)

var sentenceFuncs map[rules.EventKind]sentenceFunc

func init() {
	sentenceFuncs = map[rules.EventKind]sentenceFunc{
		engine.EvDealt: dealSentence, engine.EvEvent: eventSentence, engine.EvCardMoved: cardMovedSentence,
		engine.EvPlaced: supportSentence, engine.EvRemoved: supportSentence, engine.EvCheck: checkSentence,
		engine.EvStruggleCard:    struggleDealSentence,
		engine.EvRaised:          discardSentence("%s raises the stakes and discards %s."),
		engine.EvStruggleDiscard: discardSentence("%s discards %s at random."),
		engine.EvOver:            overSentence, engine.EvVictory: victorySentence, engine.EvShown: shownSentence,
		engine.EvCrowdCard: crowdCardSentence, engine.EvLoss: lossSentence,
	}
	for kind, format := range map[rules.EventKind]func(a args) string{
		engine.EvPlayed: playSentence, engine.EvVP: vpSentence, engine.EvRoll: eventRollSentence, engine.EvAttempt: tiananmenSentence,
		engine.EvPassed: passSentence, engine.EvAttack: attackSentence, engine.EvCounter: counterSentence,
		engine.EvStruggleWon: struggleWonSentence,
		engine.EvScored:      scoreSentence, engine.EvStruggleMoved: struggleMovedSentence, engine.EvStrike: strikeSentence,
		engine.EvCrowd: crowdSentence, engine.EvContest: contestSentence, engine.EvBidRoll: bidRollSentence,
		engine.EvSides: sidesSentence,
	} {
		sentenceFuncs[kind] = singleEventSentence(format)
	}
	for kind, text := range templates {
		sentenceFuncs[kind] = singleEventSentence(parseTemplate(text))
	}
	for kind, v := range templateVariants {
		sentenceFuncs[kind] = singleEventSentence(func(a args) string { return parseTemplate(v.texts[min(a.n(v.arg), len(v.texts)-1)])(a) })
	}
}

// templates are the sentences of simple events, in the format of parseTemplate.
var templates = map[rules.EventKind]string{
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
	engine.EvPrudence:       "For the rest of the turn the cards of {s0} are worth {n1:Op} less (minimum 1).",
	engine.EvDestroyed:      "{p0} is destroyed. From now on its neighbours are adjacent to each other.",
	engine.EvRefuge:         "The Ceausescus' helicopter lands in {p0}. When the Democrat controls it, they are captured.",
	engine.EvDeclared:       "The Communist declares that the match ends with this turn.",
	engine.EvDefend:         "{S0} defends with {k1}.",
	engine.EvBanned:         "{u0} is banned from this power struggle.",
	engine.EvDiscarded:      "{T2}: {s0} discards {f1}.",
	engine.EvNoTarget:       "{T1}: {s0} has no space left to check, so the support check is lost.",
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

// templateVariants are alternative sentences of events. The value of argument arg is the index of the sentence; larger
// values select the last one.
var templateVariants = map[rules.EventKind]struct {
	arg   int
	texts []string
}{
	engine.EvTaken: {2, []string{"{S0} takes {f1} from the discard pile into the hand.",
		"{S0} takes {f1} from the discard pile for its event.", "{S0} takes {f1} from the hand of {e0} for its event."}},
	engine.EvKept: {1, []string{"{S0} keeps one of the cards of box 3.", "{S0} keeps {f1} of the cards of box 3."}},
	engine.EvAside: {1, []string{"{S0} puts a card aside face down until the next turn.",
		"{S0} puts {f1} aside face down until the next turn."}},
	engine.EvBox: {2, []string{"{S0} enters box {n1} of the Tiananmen track. Its award is already taken.",
		"{S0} is the first to enter box {n1} of the Tiananmen track. The award: {a1}."}},
	engine.EvConcede: {1, []string{"{S0} concedes.", "{S0} has no defence."}},
	engine.EvPower: {1, []string{"The Democrat takes Power in {C0}.", "The Communist surrenders Power in {C0}.",
		"The Communist keeps Power in {C0} after the {o2} power struggle there."}},
}

func playSentence(a args) string {
	if a.card(0).Info().Scoring != engine.NoCountry && engine.Mode(a.n(1)) == engine.PlayEvent {
		return parseTemplate("{S2} plays {f0}.")(a)
	}
	return parseTemplate(textsOfMode[engine.Mode(a.n(1))].sentence)(a)
}

// argFormats format an argument in a template: {S0} is argument 0 as a side at the start of a sentence, {s0} as a side
// in the middle of a sentence, and {e0} as its enemy. n is a number, o an ordinal number, k a power struggle card, u a
// suit, f a card with its number, c a card without its number, d the time for which a card is in force, p a space, C a
// country, T a source at the start of a sentence, a the award of a box, r a box of the U.S.S.R. track, h a player who bids.
var argFormats = map[byte]func(a args, i int) string{
	'n': func(a args, i int) string { return strconv.Itoa(a.n(i)) },
	'S': func(a args, i int) string { return capitalSideName(a.side(i)) },
	's': func(a args, i int) string { return sideName(a.side(i)) },
	'e': func(a args, i int) string { return sideName(a.side(i).Enemy()) },
	'a': func(a args, i int) string { return awardTexts[a.n(i)] },
	'o': func(a args, i int) string { return ordinal(a.n(i)) },
	'f': func(a args, i int) string { return fullTitle(a.card(i)) },
	'c': func(a args, i int) string { return a.card(i).String() },
	'C': func(a args, i int) string { return a.country(i).String() },
	'p': func(a args, i int) string { return a.space(i).String() },
	'k': func(a args, i int) string { return a.struggle(i).String() },
	'u': func(a args, i int) string { return a.suit(i).String() },
	'T': func(a args, i int) string { return sourceLead(a.source(i)) },
	'r': func(a args, i int) string { return engine.USSRNames[a.n(i)] },
	'd': func(a args, i int) string { return durationTexts[a.card(i).Info().Duration] },
	'h': func(a args, i int) string { return bidderNames[a.n(i)] },
}

// parseTemplate returns a function that fills the arguments into a template such as "{S0} hands over {f1}." In "{S0}
// draws {n1:card}." the number in argument 1 becomes "1 card" or, for example, "3 cards".
func parseTemplate(text string) func(a args) string {
	parts := strings.Split(text, "{")
	return func(a args) string {
		out := parts[0]
		for _, p := range parts[1:] {
			name, remaining, _ := strings.Cut(p, "}")
			name, unit, isCounted := strings.Cut(name, ":")
			if i := int(name[1] - '0'); isCounted {
				out += pluralize(a.n(i), unit)
			} else {
				out += argFormats[name[0]](a, i)
			}
			out += remaining
		}
		return out
	}
}

func singleEventSentence(format func(a args) string) sentenceFunc {
	return func(q *eventQueue) (string, int) { return format(args(q.events[0].Args)), 1 }
}

type args [12]int16

func (a args) n(i int) int                        { return int(a[i]) }
func (a args) side(i int) engine.Side             { return engine.Side(a[i]) }
func (a args) space(i int) engine.Space           { return engine.Space(a[i]) }
func (a args) card(i int) engine.Card             { return engine.Card(a[i]) }
func (a args) country(i int) engine.Country       { return engine.Country(a[i]) }
func (a args) struggle(i int) engine.StruggleCard { return engine.StruggleCard(a[i]) }
func (a args) suit(i int) engine.Suit             { return engine.Suit(a[i]) }
func (a args) source(i int) engine.Source         { return engine.Source(a[i]) }

// leading returns the leading events for which belongs returns true; it does not remove them.
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

// dealSentence describes a whole deal: the number of cards of each side, and the cards visible to the reader.
func dealSentence(q *eventQueue) (string, int) {
	group := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvDealt })
	var counts [2]int
	var visible [2]engine.CardSet
	for _, e := range group {
		c, s := engine.Card(e.Args[0]), engine.Side(e.Args[1])
		counts[s]++
		if c != 0 {
			visible[s].Add(c)
		}
	}
	// Without "these", the card number in "7 cards: 6 Brought in for Questioning" would read as "six of them".
	return drawSentence(counts, "card", "these ", func(s engine.Side) string { return cardList(visible[s]) }), len(group)
}

// drawSentence says how many cards each side draws, with the names that the reader may see. determiner is "these " in
// "draws these 2 cards: ..."; one card, or cards without names, get none.
func drawSentence(counts [2]int, noun, determiner string, names func(s engine.Side) string) string {
	var parts []string
	for s := engine.Communist; s >= engine.Democrat; s-- {
		if counts[s] == 0 {
			continue
		}
		what, list := pluralize(counts[s], noun), names(s)
		if list != "" && counts[s] > 1 {
			what = determiner + what
		}
		if list != "" {
			what += ": " + list
		}
		parts = append(parts, fmt.Sprintf("%s draws %s.", capitalSideName(s), what))
	}
	return strings.Join(parts, " ")
}

func capitalize(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// eventSentence says that the event of a card takes place, or returns "" if the last sentence says that the card is
// played for its event.
func eventSentence(q *eventQueue) (string, int) {
	a, b := args(q.events[0].Args), args(q.previous.Args)
	if q.previous.Kind == engine.EvPlayed && b.card(0) == a.card(0) && engine.Mode(b.n(1)) == engine.PlayEvent && b.side(2) == a.side(1) {
		return "", 1
	}
	return fmt.Sprintf("The event of %s takes place, in favour of %s.", fullTitle(a.card(0)), sideName(a.side(1))), 1
}

func cardMovedSentence(q *eventQueue) (string, int) {
	to := engine.Pile(q.events[0].Args[1])
	group := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvCardMoved && engine.Pile(e.Args[1]) == to })
	names := mapTexts(group, func(e rules.Event) string { return fullTitle(engine.Card(e.Args[0])) })
	verb, are := "go", "are"
	if len(names) == 1 {
		verb, are = "goes", "is"
	}
	list := joinWords(names, "and")
	switch to {
	case engine.PileInPlay:
		if q.previous.Kind == engine.EvInForce && engine.Card(q.previous.Args[0]) == engine.Card(group[0].Args[0]) {
			return "", len(group)
		}
		return fmt.Sprintf("%s %s into play.", list, verb), len(group)
	case engine.PileRemoved:
		return fmt.Sprintf("%s %s removed from the game.", list, are), len(group)
	}
	return fmt.Sprintf("%s %s to the discard pile.", list, verb), len(group)
}

var durationTexts = [...]string{engine.Instant: "now", engine.ForTurn: "for the rest of the turn",
	engine.ForGame:   "for the rest of the match",
	engine.UntilUsed: "until it is used", engine.UntilCancelled: "until it is cancelled"}

var declineTexts = map[engine.QuestionKind]string{
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
	what, ok := declineTexts[engine.QuestionKind(a.n(1))]
	if !ok {
		what = "passes"
	}
	if s := a.source(2); s != engine.SourceNone && s != engine.SourceStakes && s != engine.SourceExtra {
		return fmt.Sprintf("%s: %s %s.", sourceLead(s), sideName(a.side(0)), what)
	}
	return fmt.Sprintf("%s %s.", capitalSideName(a.side(0)), what)
}

// sourceLead returns the name of a source before the colon of a sentence, for example "40 Hungarian Democratic Forum".
func sourceLead(s engine.Source) string {
	if s < engine.Cards && s != engine.SourceNone {
		return fullTitle(engine.Card(s))
	}
	return capitalize(sourceTitle(s))
}

// sourceTitle returns the name of a source in a sentence, for example "card 40, Hungarian Democratic Forum".
func sourceTitle(s engine.Source) string {
	if s < engine.Cards && s != engine.SourceNone {
		return fmt.Sprintf("card %d, %v", s, engine.Card(s))
	}
	return strings.ToLower(s.String())
}

// The sentences about the events of single cards follow.

// shownSentence lists all cards that are shown at the same time.
func shownSentence(q *eventQueue) (string, int) {
	group := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvShown })
	var set engine.CardSet
	for _, e := range group {
		set.Add(engine.Card(e.Args[1]))
	}
	s := engine.Side(group[0].Args[0])
	return fmt.Sprintf("%s shows %s: %s.", capitalSideName(s), sideName(s.Enemy()), cardList(set)), len(group)
}

func contestSentence(a args) string {
	s := a.side(0)
	return fmt.Sprintf("%s rolls %d + %d = %d, %s %d + %d = %d. Rounds won: %d to %d.", capitalSideName(s), a.n(1), a.n(2), a.n(1)+a.n(2),
		sideName(s.Enemy()), a.n(3), a.n(4), a.n(3)+a.n(4), a.n(5), a.n(6))
}

func crowdCardSentence(q *eventQueue) (string, int) {
	group := q.leading(func(e rules.Event) bool { return e.Kind == engine.EvCrowdCard })
	var h engine.StruggleCards
	for _, e := range group {
		h[e.Args[0]]++
	}
	return fmt.Sprintf("%v: the cards drawn are %s.", engine.CrowdTurns, handList(h)), len(group)
}
