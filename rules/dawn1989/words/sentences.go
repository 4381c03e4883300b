package words

import (
	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Sentences implements rules.Scribe. A run of events that belong together (the
// points of one placement, a deal) makes one sentence. Hidden twins of secret
// events are told without the secret.
func (Words) Sentences(rv rules.View, events []rules.Event) []string {
	v := rv.(*engine.View)
	t := telling{view: v}
	for _, e := range events {
		if e.Audience.Has(v.Seat()) {
			t.events = append(t.events, e)
		}
	}
	for len(t.events) > 0 {
		n := 1
		text := ""
		if tell := tellers[t.events[0].Kind]; tell != nil {
			text, n = tell(&t)
		}
		t.before, t.events = t.events[n-1], t.events[n:]
		if text != "" {
			t.out = append(t.out, text)
		}
	}
	return t.out
}

// telling is events on the way to sentences.
type telling struct {
	view *engine.View
	// events are those not told yet, before is the last one told.
	events []rules.Event
	before rules.Event
	out    []string
}

// teller makes a sentence of the first events, and says of how many. An empty
// sentence means that another has told it already.
type teller func(t *telling) (text string, events int)

var tellers map[rules.EventKind]teller

func init() {
	tellers = map[rules.EventKind]teller{
		engine.EvDealt: dealtCards, engine.EvReshuffled: plain(reshuffled), engine.EvTurn: plain(turnBegan), engine.EvPlayed: plain(played),
		engine.EvForfeited: plain(forfeited), engine.EvEvent: eventHappens, engine.EvNoEvent: plain(noEvent), engine.EvNoEffect: plain(noEffect),
		engine.EvCardTo: cardTo, engine.EvPlaced: support, engine.EvRemoved: support, engine.EvCheck: supportCheck, engine.EvNoTarget: plain(noTarget),
		engine.EvVP: plain(victoryPoints), engine.EvRoll: plain(eventRoll), engine.EvAttempt: plain(tiananmenRoll), engine.EvBox: plain(boxEntered),
		engine.EvDiscarded: plain(discarded), engine.EvKept: plain(kept), engine.EvTaken: plain(taken), engine.EvUSSR: plain(ussrMoved),
		engine.EvInForce: plain(inForceNow), engine.EvExtraRound: plain(extraRoundGiven), engine.EvPassed: plain(passed),
		engine.EvStruggle: plain(struggleBegan), engine.EvStruggleCard: struggleCardsDealt, engine.EvRaised: stakesRaised,
		engine.EvAttack: plain(attacked), engine.EvDefend: plain(defended), engine.EvConcede: plain(conceded), engine.EvNoAttack: plain(noAttack),
		engine.EvCounter: plain(counterattacked), engine.EvBanned: plain(suitBanned), engine.EvStruggleDiscard: struggleDiscards,
		engine.EvStruggleWon: plain(struggleWon), engine.EvLoss: plain(lossRoll), engine.EvVictory: plain(victoryRoll), engine.EvPower: plain(powerChanged),
		engine.EvScored: plain(countryScored), engine.EvStruggleMoved: plain(struggleMoved), engine.EvOver: over, engine.EvSpent: plain(spent),
		engine.EvCaptured: plain(captured), engine.EvStrike: plain(strikeRoll), engine.EvCrowd: plain(crowd), engine.EvAnnounced: plain(announced),
		engine.EvTurnEffectsEnd: plain(turnEffectsEnd), engine.EvHandedOver: plain(handedOver), engine.EvShown: cardsShown, engine.EvAside: plain(putAside),
		engine.EvTable: plain(tableRoll), engine.EvContest: plain(contestRound), engine.EvCountry: plain(countryChosen), engine.EvDebt: plain(debtBurden),
		engine.EvPrudence: plain(prudence), engine.EvDestroyed: plain(spaceDestroyed), engine.EvRefuge: plain(refugeChosen),
		engine.EvDeclared: plain(endDeclared), engine.EvCrowdCard: crowdDrawn,
		engine.EvBid: plain(bidOpened), engine.EvBidRoll: plain(bidRolled), engine.EvSides: plain(sidesSettled),
	}
}

// plain tells one event by itself.
func plain(say func(a args) string) teller {
	return func(t *telling) (string, int) { return say(args(t.events[0].Args)), 1 }
}

// args are the numbers of an event, read as what they stand for.
type args [12]int16

func (a args) n(i int) int                        { return int(a[i]) }
func (a args) side(i int) engine.Side             { return engine.Side(a[i]) }
func (a args) space(i int) engine.Space           { return engine.Space(a[i]) }
func (a args) card(i int) engine.Card             { return engine.Card(a[i]) }
func (a args) country(i int) engine.Country       { return engine.Country(a[i]) }
func (a args) struggle(i int) engine.StruggleCard { return engine.StruggleCard(a[i]) }
func (a args) suit(i int) engine.Suit             { return engine.Suit(a[i]) }
func (a args) source(i int) engine.Source         { return engine.Source(a[i]) }

// run is how many of the coming events are of the kinds of the first, as long
// as they go with it.
func (t *telling) run(goes func(e rules.Event) bool) []rules.Event {
	n := 0
	for n < len(t.events) && goes(t.events[n]) {
		n++
	}
	return t.events[:n]
}

// over tells the end of the match. The view knows the winner.
func over(t *telling) (string, int) {
	ending := engine.Ending(t.events[0].Args[0])
	text := "The match is over (" + ending.String() + ")."
	switch s := winner(t.view); s {
	case engine.Neutral:
		return text + " It is a draw.", 1
	default:
		return text + " " + capital(s) + " wins.", 1
	}
}

// winner is the side that has won, Neutral if none has.
func winner(v *engine.View) engine.Side {
	for s := engine.Democrat; s <= engine.Communist; s++ {
		if v.Seen.Ending != engine.NotOver && v.Seen.Winners.Has(v.Seen.Sits[s]) {
			return s
		}
	}
	return engine.Neutral
}
