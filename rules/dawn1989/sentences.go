package dawn1989

import (
	"samizdat/rules"
)

// Sentences implements rules.Scribe. A run of events that belong together (the
// points of one placement, a deal) makes one sentence. Hidden twins of secret
// events are told without the secret.
func (Game) Sentences(rv rules.View, events []rules.Event) []string {
	v := rv.(*View)
	t := telling{view: v}
	for _, e := range events {
		if e.Audience.Has(v.seat) {
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
	view *View
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
		EvDealt: dealtCards, EvReshuffled: plain(reshuffled), EvTurn: plain(turnBegan), EvPlayed: plain(played),
		EvForfeited: plain(forfeited), EvEvent: eventHappens, EvNoEvent: plain(noEvent), EvNoEffect: plain(noEffect),
		EvCardTo: cardTo, EvPlaced: support, EvRemoved: support, EvCheck: supportCheck, EvNoTarget: plain(noTarget),
		EvVP: plain(victoryPoints), EvRoll: plain(eventRoll), EvAttempt: plain(tiananmenRoll), EvBox: plain(boxEntered),
		EvDiscarded: plain(discarded), EvKept: plain(kept), EvTaken: plain(taken), EvUSSR: plain(ussrMoved),
		EvInForce: plain(inForceNow), EvExtraRound: plain(extraRoundGiven), EvPassed: plain(passed),
		EvStruggle: plain(struggleBegan), EvStruggleCard: struggleCardsDealt, EvRaised: stakesRaised,
		EvAttack: plain(attacked), EvDefend: plain(defended), EvConcede: plain(conceded), EvNoAttack: plain(noAttack),
		EvCounter: plain(counterattacked), EvBanned: plain(suitBanned), EvStruggleDiscard: struggleDiscards,
		EvStruggleWon: plain(struggleWon), EvLoss: plain(lossRoll), EvVictory: plain(victoryRoll), EvPower: plain(powerChanged),
		EvScored: plain(countryScored), EvStruggleMoved: plain(struggleMoved), EvOver: over, EvSpent: plain(spent),
		EvCaptured: plain(captured), EvStrike: plain(strikeRoll), EvCrowd: plain(crowd), EvAnnounced: plain(announced),
		EvTurnEffectsEnd: plain(turnEffectsEnd), EvHandedOver: plain(handedOver), EvShown: cardsShown, EvAside: plain(putAside),
		EvTable: plain(tableRoll), EvContest: plain(contestRound), EvCountry: plain(countryChosen), EvDebt: plain(debtBurden),
		EvPrudence: plain(prudence), EvDestroyed: plain(spaceDestroyed), EvRefuge: plain(refugeChosen),
		EvDeclared: plain(endDeclared), EvCrowdCard: crowdDrawn,
		EvBid: plain(bidOpened), EvBidRoll: plain(bidRolled), EvSides: plain(sidesSettled),
	}
}

// plain tells one event by itself.
func plain(say func(a args) string) teller {
	return func(t *telling) (string, int) { return say(args(t.events[0].Args)), 1 }
}

// args are the numbers of an event, read as what they stand for.
type args [12]int16

func (a args) n(i int) int                 { return int(a[i]) }
func (a args) side(i int) Side             { return Side(a[i]) }
func (a args) space(i int) Space           { return Space(a[i]) }
func (a args) card(i int) Card             { return Card(a[i]) }
func (a args) country(i int) Country       { return Country(a[i]) }
func (a args) struggle(i int) StruggleCard { return StruggleCard(a[i]) }
func (a args) suit(i int) Suit             { return Suit(a[i]) }
func (a args) source(i int) Source         { return Source(a[i]) }

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
	ending := Ending(t.events[0].Args[0])
	text := "The match is over (" + ending.String() + ")."
	switch s := t.view.winner(); s {
	case Neutral:
		return text + " It is a draw.", 1
	default:
		return text + " " + s.capital() + " wins.", 1
	}
}

// winner is the side that has won, Neutral if none has.
func (v *View) winner() Side {
	for s := Democrat; s <= Communist; s++ {
		if v.p.ending != NotOver && v.p.winners.Has(v.p.sits[s]) {
			return s
		}
	}
	return Neutral
}
