package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

func promptTake(q *questionWriter) {
	q.setQuestion("%s: which card do you take?", capitalize(q.sourceName()))
	if q.pos.Question.Source != engine.SourceBox3 {
		q.addCardChoice(engine.VerbTake)
		return
	}
	q.prompt.Question += " The others are discarded."
	q.addForm(q.firstOption(engine.VerbTake)...)
	for _, c := range q.cardsOf(engine.VerbTake).List() {
		use := strings.ReplaceAll(cardUse(q.view, c, q.side), " *", ", leaves the game after its event")
		q.addNote(fmt.Sprintf("%s (%s)", fullTitle(c), use), cardText(q.pos, c))
	}
}

func promptDiscard(q *questionWriter) {
	q.setQuestion("%s: which card do you discard?", capitalize(q.sourceName()))
	if s := q.step(); s != nil && s.Act == &engine.ActExchange {
		q.setQuestion("%s: which cards do you discard? You draw as many new ones.", capitalize(q.sourceName()))
	} else if s != nil && s.Act == &engine.ActMayCancel {
		q.setQuestion("%s: you may discard a card of at least %s to cancel the support check.", capitalize(q.sourceName()), formatOps(s.N))
	}
	cards := q.firstOption(engine.VerbDiscard)
	if q.hasWarning(cards...) {
		// The example discards all scoring cards, because a player who keeps them would lose the match.
		cards = slices.DeleteFunc(q.optionsOf(engine.VerbDiscard), func(a rules.Atom) bool {
			return engine.Card(engine.AtomValue(a)).Info().Scoring == engine.NoCountry
		})
	}
	q.addForm(cards...)
	q.addNote("You can choose from", cardList(q.cardsOf(engine.VerbDiscard)))
}

func promptAnnounce(q *questionWriter) {
	q.setQuestion("%v: announce the card that you will play in this action round.", engine.Stasi)
	q.warnOfScoringCards()
	q.addCardChoice(engine.VerbChoose)
}

func (q *questionWriter) addCardChoice(v engine.Verb) {
	q.addForm(q.firstOption(v)...)
	q.addNote("You can choose from", cardList(q.cardsOf(v)))
}

func promptCountry(q *questionWriter) {
	q.setQuestion("%s: choose a country.", capitalize(q.sourceName()))
	q.addForm(q.firstOption(engine.VerbChoose)...)
	if q.mayNumberAnswers() {
		return
	}
	q.addNote("Legal", joinComma(mapTexts(q.optionsOf(engine.VerbChoose), func(a rules.Atom) string {
		return engine.Country(engine.AtomValue(a)).String()
	})))
}

// firstOption returns the first option with this verb, as a list. It skips options with a Warning, unless all have a
// Warning.
func (q *questionWriter) firstOption(v engine.Verb) []rules.Atom {
	w := q.optionsOf(v)
	i := max(0, slices.IndexFunc(w, func(a rules.Atom) bool { return !q.hasWarning(a) }))
	return w[i:min(i+1, len(w))]
}

// bidderNames are the names of the players, by seat, before they have sides.
var bidderNames = [...]string{"The first player", "The second player"}

func promptBid(q *questionWriter) {
	q.setQuestion("Bid for a side: which side do you want to play, and how many support points (0 to %d) do you give the other side for it?",
		engine.MaxBid)
	for side := engine.Communist; side >= engine.Democrat; side-- {
		for _, a := range q.optionsOf(engine.VerbBid) {
			if engine.Side(engine.AtomFlag(a)) == side && engine.AtomValue(a) == 2 {
				q.addForm(a)
			}
		}
	}
	q.addNote("How bids are settled", "If the players want different sides, each gets the side he wants, and no points are given. If "+
		"both want the same side, the higher bid gets it, and the other player places the points at the end of set-up. Dice "+
		"decide between equal bids.")
}

func promptSide(q *questionWriter) {
	wanted := q.pos.Bids[0].Side
	q.setQuestion("The bids were equal and your die was higher: which side do you play? The %s gets %s.",
		sideTitles[wanted.Enemy()], pluralize(int(q.pos.Bids[0].Points), "support point"))
	for _, a := range q.optionsOf(engine.VerbChoose) {
		q.addForm(a)
	}
}

func bidRollSentence(a args) string {
	text := fmt.Sprintf("The bids are equal. The first player rolls %d, the second %d", a.n(0), a.n(1))
	if a.n(0) == a.n(1) {
		return text + "; they roll again."
	}
	return text + "."
}

func sidesSentence(a args) string {
	democrat := a.n(0)
	text := fmt.Sprintf("%s plays the Democrat, %s the Communist.", bidderNames[democrat], lowerFirst(bidderNames[1-democrat]))
	if n := a.n(1); n > 0 {
		text += fmt.Sprintf(" %s places %s at the end of set-up.", capitalSideName(a.side(2)), pluralize(n, "more support point"))
	}
	return text
}

func promptAlternative(q *questionWriter) {
	n := int(q.pos.Question.Remaining)
	q.setQuestion("%s: choose one of two options.", capitalize(q.sourceName()))
	if checks := q.spacesOf(engine.VerbCheck); !checks.IsEmpty() {
		s := q.step()
		q.prompt.Question += fmt.Sprintf(" Either make %s, or place %s.", pluralize(s.N, "support check"), pluralize(n, "support point"))
		q.addForm(q.firstOption(engine.VerbCheck)...)
		q.noteChecks(checkSucceeds, 0, checks, func(at engine.Space) int {
			return q.pos.CheckBonus(q.side, at, q.frame().Card.Info().Ops, s.Extra, false).Total()
		})
	} else {
		q.prompt.Question += fmt.Sprintf(" Either place %s, or remove all support of %s from these spaces.",
			pluralize(n, "support point"), sideName(q.side.Enemy()))
		q.addForm(q.firstOption(engine.VerbChoose)...)
	}
	q.addForm(q.exampleSpread(engine.VerbPlace, nil)...)
	q.noteSpaces("Legal to place", q.spacesOf(engine.VerbPlace))
}

func promptCard(q *questionWriter) {
	q.setQuestion("%s: which card do you hand over?", capitalize(q.sourceName()))
	if q.pos.Question.Source == engine.Source(engine.Samizdat) {
		q.setQuestion("%s: which card do you put aside until the next turn? You draw a card for it.", capitalize(q.sourceName()))
	}
	q.addCardChoice(engine.VerbChoose)
}

func promptDeclare(q *questionWriter) {
	powers := q.pos.CountPowers(engine.Communist)
	n := engine.PartyVP * engine.Democrat.Sign()
	if powers >= engine.PartyPowers {
		n = engine.PartyVP * engine.Communist.Sign()
	}
	q.setQuestion("%s: do you declare that the match ends with this turn? With Power in %s that gives %s "+
		"VP.", capitalize(q.sourceName()), countriesText(powers), formatSigned(n))
	q.addForm(q.firstOption(engine.VerbChoose)...)
}

func countriesText(n int) string {
	if n == 1 {
		return "1 country"
	}
	return fmt.Sprintf("%d countries", n)
}

// addOffers adds an Offer for each card of the hand that may be played or chosen now: the most usual order with this
// card, which the HTML page links to the card.
func (q *questionWriter) addOffers() {
	for _, c := range q.pos.Piles[engine.HandPile(q.side)].List() {
		if atoms := q.answerWithCard(c); len(atoms) > 0 {
			q.prompt.ItemOrders = append(q.prompt.ItemOrders, rules.ItemOrder{Label: strconv.Itoa(int(c)), Order: formatAnswer(atoms)})
		}
	}
}

// answerWithCard returns the most usual answer with a card of the hand, or nil if the card is in no legal answer.
func (q *questionWriter) answerWithCard(c engine.Card) []rules.Atom {
	switch q.kind {
	case engine.AskRound, engine.AskExtraRound, engine.AskStrike:
		for _, m := range append(exampleModes[:], engine.PlayStrike) {
			if a := engine.PlayAtom(c, m); slices.Contains(q.options, a) && !q.hasWarning(a) {
				return q.playForm(c, m, false)
			}
		}
	case engine.AskDiscard, engine.AskCard, engine.AskAnnounce:
		for _, a := range q.options {
			if v := engine.AtomVerb(a); (v == engine.VerbDiscard || v == engine.VerbChoose) &&
				engine.Card(engine.AtomValue(a)) == c && !q.hasWarning(a) {
				return []rules.Atom{a}
			}
		}
	}
	return nil
}
