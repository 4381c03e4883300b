package compose

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// nameText tells a player the name that the others see, and the orders to change it.
func nameText(name string) string {
	text := "The others are told the name that your mail program writes beside your address"
	if name != "" {
		text = "The others know you as " + name
	}
	return text + "; JOIN AS and another name changes that, and later CALL ME. Nobody is shown your address."
}

// NewcomerText formats NewcomerLines as a section below an invitation.
func NewcomerText(g *rules.Game, m *match.Match) string {
	return "\nHow this works, since this is your first match here:\n\n" + strings.Join(NewcomerLines(g, m), "\n") + "\n"
}

// NewcomerLines explain to a new player how a match is played by mail.
func NewcomerLines(g *rules.Game, m *match.Match) (out []string) {
	plans, explains, cards := g.Ahead != nil, g.Topics != nil, g.Cards != nil
	n := 0
	for _, l := range []struct {
		known bool
		text  string
	}{
		{true, "Your letters and ours are the whole match. A program reads them, no person."},
		{true, "When it is your move, a letter comes. It says what is asked, and shows orders that you can copy, change and send."},
		{true, "Reply to it, and write above its first line. One order, one line."},
		{true, "What is refused does nothing, and you are told at once. Where an order does just what it says, your next letter tells."},
		{plans, "PREVIEW above your orders tells what they would do, and does nothing."},
		{true, "If a letter is lost, STATUS sends all that there is to see again."},
		{true, "HELP explains how orders are written, with examples of your own."},
		{explains, "RULES explains the game, in short texts."},
		{cards, "CARD and a number, or a title, tells what a card does."},
		{!m.Acts.TalkOff, "MESSAGE, your words, and END MESSAGE, each on lines of their own, write to the other players. They never see " +
			"your address."},
	} {
		if l.known {
			n++
			first := fmt.Sprintf("%2d. ", n)
			out = append(out, Wrap(l.text, first, "    ")...)
		}
	}
	return out
}

func declineText(m *match.Match, seat rules.Seat) string {
	text := "If you do not want to play, reply with DECLINE, and behind it, if you like, a word for the others."
	if at := m.Acts.Invitations.ExpiresAt; !at.IsZero() {
		text += " The invitation lapses on " + ClockTime(m.Seats[seat].Player, at) + " if not all have joined by then."
	}
	if m.Acts.Tournament {
		text += " The match is one of a tournament: whoever declines the invitation, or lets it lapse, has lost the match there."
	}
	return text
}

// wordsText explains how to accept an invitation, and why players add words to the dice.
func wordsText(m *match.Match) string {
	if m.SealedWords {
		return `
In this match all words for the dice are sealed, so that nobody can choose his
words by those of others. Think of some that nobody could guess, such as six
words that have nothing to do with each other, and keep them to yourself for
now. Plain letters with single spaces are best. On your own machine, one of
these makes their seal, which is their SHA-256 (the line break that echo adds
does no harm):

    samizdat seal your words
    printf %s "your words" | sha256sum
    echo "your words" | shasum -a 256

Then reply to this letter, and write in the first line

    JOIN SEALED

and behind it the seal. When all have joined, a letter shows everybody all
seals and asks you to OPEN your words. Without them there is no match.
`
	}
	const join = `
To accept, reply to this letter and write in the first line

    JOIN

and behind it, if you like, some words of your own, whatever comes to your
mind. They are mixed into the dice, and shown to all players.`
	if m.Beacon != nil {
		return join + "\n"
	}
	return join + ` The secret below
was fixed before anybody's words were known, so the referee alone cannot
choose the dice. But a player who joins last, and is told the secret by
whoever runs the referee, could try many words and take those whose dice
please him. To rule that out, seal yours: write JOIN SEALED and the SHA-256 of
your words, and keep them until a letter asks you to OPEN them.
`
}

// listOpponents lists the opponents of a seat. For an opponent without a name it gives the seat.
func listOpponents(t *match.Turn, seat rules.Seat) string {
	var others []string
	label := "The other seat: "
	for i, s := range t.Match.Seats {
		if rules.Seat(i) == seat {
			continue
		}
		others = append(others, strings.TrimPrefix(t.FullName(rules.Seat(i)), "the "))
		if s.PlayerName != "" {
			label = "Your opponent: "
		}
	}
	if len(others) > 1 {
		label = strings.Replace(label, ":", "s:", 1)
	}
	return label + match.JoinAnd(others) + "."
}

// InvitationText invites a seat to a new match.
func InvitationText(mark string, g *rules.Game, m *match.Match, seat rules.Seat, watched string) string {
	var b strings.Builder
	c := match.Turn{Match: m, Game: g}
	fmt.Fprintf(&b, "%s\n\nYou are invited to a match of %s, by mail.\nThe match is called %s. Your seat: %s.\n%s\n\n",
		mark, g.Title(), m.ID, strings.TrimPrefix(c.Role(seat), "the "), templates.Wrap(listOpponents(&c, seat)))
	b.WriteString(templates.Wrap(nameText(m.Seats[seat].PlayerName)) + "\n")
	if m.Recorded != nil {
		b.WriteString(`
To accept, reply to this letter and write in the first line

    JOIN

The dice and cards of this match were given beforehand, by whoever made it:
it replays a game that was played elsewhere. They are not from a secret, and
nobody can check them.
`)
	} else {
		b.WriteString(wordsText(m))
		if t := beaconText(m); t != "" {
			b.WriteString("\n" + templates.Wrap(t) + "\n")
		}
		fmt.Fprintf(&b, `
The dice are fixed by a secret that this number commits us to:

    %s

When the match is over the secret is published, and everybody can check every
die and every card.
`, m.Secret.Commitment())
	}
	b.WriteString("\n" + templates.Wrap(declineText(m, seat)) + "\n")
	if t := tempoText(m); t != "" {
		b.WriteString("\n" + templates.Wrap(t) + "\n")
	}
	if m.Acts.TalkOff {
		b.WriteString("\n" + templates.Wrap("It is agreed to play without talk: messages between players are not carried.") + "\n")
	}
	b.WriteString(watched)
	b.WriteString("\n" + templates.Wrap(g.Credit()) + "\n")
	if g.Cards != nil {
		b.WriteString("Players should own the game: its cards are named here, not reprinted.\n")
	}
	return b.String()
}

func beaconText(m *match.Match) string {
	if m.Beacon == nil {
		return ""
	}
	text := "A public beacon is mixed into the dice as well. When all words are known, a letter names a round of the drand beacon " +
		m.Beacon.Chain +
		" that is published some minutes later. Nobody can know it before, not even who knows the secret, so nobody can choose the dice."
	if m.Beacon.Wait == 0 {
		return text + " The match begins when we have the round."
	}
	return text + " If we cannot get the round within " + FormatSpan(m.Beacon.Wait) + ", the match begins without it, and all are told. " +
		"Then whoever runs the referee had a choice between two sets of dice, for nobody can tell whether he could have got it."
}

func describeRound(t *match.Turn, reader rules.Seat) string {
	b := t.Match.Beacon
	at := b.At.Format("2 January 2006, 15:04:05 UTC")
	text := fmt.Sprintf("Its round %d is published on %s, and the match begins then.", b.Round, at)
	if b.Wait > 0 {
		text += " If we cannot get it within " + FormatSpan(b.Wait) + ", the match begins without it."
	}
	return text
}

// wordsSection shows all words while the match waits for its round, so that they cannot be
// changed when it is known.
func wordsSection(t *match.Turn, reader rules.Seat) []rules.Section {
	if !t.Match.AwaitsBeacon() || reader == rules.NoSeat {
		return nil
	}
	var lines []string
	for i := range t.Match.Seats {
		lines = append(lines, Wrap(match.Capitalize(t.FullName(rules.Seat(i)))+": "+t.Match.Seats[i].Words, "", "    ")...)
	}
	return []rules.Section{{Title: "The words", Lines: append(lines,
		Paragraphs("Keep this letter: it shows that words and round were named before the round was published.")...)}}
}

func openPrompt(t *match.Turn, reader rules.Seat) (templates.Prompt, bool) {
	if t.Match.State != match.Inviting || t.Match.Unjoined() != 0 || reader == rules.NoSeat || !t.Match.Unopened().Has(reader) {
		return templates.Prompt{}, false
	}
	until := "Without them there is no match."
	if at := t.Match.Acts.Invitations.ExpiresAt; !at.IsZero() {
		until = "If not all are open by " + ClockTime(t.Match.Seats[reader].Player, at) + ", there is no match."
	}
	return templates.Prompt{Question: "Open your words: write OPEN, and behind it the words that you have sealed.",
		Forms: []string{string(letter.Open) + " your words"},
		Notes: []string{"Nobody else is shown them before all are open. " + until}}, true
}

// sealSection shows the seals of all words, from when all have joined until the match begins.
func sealSection(t *match.Turn, reader rules.Seat) []rules.Section {
	if t.Match.State != match.Inviting || t.Match.Unjoined() != 0 || reader == rules.NoSeat {
		return nil
	}
	var lines []string
	for i, seal := range t.Match.Seals() {
		lines = append(lines, match.Capitalize(t.FullName(rules.Seat(i)))+":", "    "+seal)
	}
	if len(lines) == 0 {
		return nil
	}
	return []rules.Section{{Title: "The seals", Lines: append(lines,
		Paragraphs("Each is the SHA-256 of the words that a player mixes into "+
			"the dice. Keep this letter: when the match begins, you are shown the words.")...)}}
}

// HowToSeal explains how to make a seal, a SHA-256 in hexadecimal.
const HowToSeal = `On your own machine, "samizdat seal your words" makes the seal, and so does: printf %s "your words" | sha256sum`

// ObserversText tells an invited player that the match may be observed; JOIN accepts
// this. The text is empty if observers are not allowed.
func ObserversText(referee string, m *match.Match) string {
	if !m.ObserverPolicy.Allowed {
		return ""
	}
	when := "as soon as it happens"
	if m.ObserverPolicy.Delay > 0 {
		when = m.ObserverPolicy.DelayWords() + " after it happened"
	}
	return "\n" + templates.Wrap(fmt.Sprintf("This match may be watched. Who knows its name can write OBSERVE %s to %s and is then told "+
		"what everybody may see, %s. With JOIN you accept that. Spectators are told the names of the players; none sees hidden "+
		"cards, sealed "+
		"answers, messages between players or addresses.",
		m.ID, referee, when)) + "\n"
}

// WelcomeObserver returns the introduction in the first letter to an observer.
func WelcomeObserver(t *match.Turn) rules.Section {
	text := fmt.Sprintf("You watch match %s of %s from now on. When something happens that everybody may see, you get a letter like this "+
		"one. ", t.Match.ID, t.Game.Title())
	if t.Match.ObserverPolicy.Delay > 0 {
		text += fmt.Sprintf("As its players have agreed, you are told everything %s later than it happened, the match as it stands now too. ",
			t.Match.ObserverPolicy.DelayWords())
	} else if t.After == nil {
		text += "The match has not begun. "
	}
	lines := Paragraphs(text + "What is hidden stays hidden, and what players write to each other is not passed on.\n" + ObserversHelp)
	if t.Match.Recorded == nil {
		lines = append(lines, "", "The dice come from a secret that this number binds, its SHA-256:", "",
			"    "+t.Match.Secret.Commitment(), "")
		lines = append(lines, Paragraphs("When the match is over the secret is published.")...)
	}
	return rules.Section{Title: "You watch", Lines: lines}
}

// ObserversHelp lists the commands of observers.
const ObserversHelp = `An observer may write, a line each: STATUS for how the match stands, HISTORY or HISTORY 2 for what happened in a turn, ` +
	`MAP, MAP BIG, ` +
	`DISCARDS, CARD 14, RULES and RULES turn, as far as the game has them; HELP for this; UNOBSERVE to watch no longer.`

const lastLetterNote = "This is the last letter about the match. The referee can export its record, which holds every order, die and card " +
	"from the beginning: everybody can play it again and check it."
