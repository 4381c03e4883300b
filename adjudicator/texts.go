package adjudicator

import (
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// strangerText answers a registered sender whose letter has no good token. It
// says nothing of any match.
func strangerText(mark string) string {
	return mark + `

Your letter reached Samizdat, but not as an answer to one of its letters: the
address it was sent to does not say which match it belongs to, or it was sent
from another address than the one you play with. Nothing in it was carried out.

Please reply to the newest letter of your match, with your mail program's reply
button, from the address that you play with.
`
}

// unprovenText answers a letter that came with a token, but without the proof that
// is demanded beside it. It says nothing of any match.
func unprovenText(mark string) string {
	return mark + `

Your letter reached Samizdat, but nothing shows that it comes from your mail
provider: it was not signed in your provider's name, or was changed on the way.
Samizdat was told to demand such a proof, so nothing in your letter was carried
out.

Please reply to the newest letter of your match, with your mail program's reply
button, through the server of your own mail provider. If that does not help, ask
whoever runs Samizdat.
`
}

// tooManyText answers a letter that is not answered, as there were too many. It says nothing of any match.
func tooManyText(mark string, again time.Time) string {
	return mark + "\n\n" + templates.Wrap("Your letter was read, but it is not answered. It carried out no order, and there were many such letters lately. "+
		"What it set or put down for later counts. Please ask again after "+again.UTC().Truncate(time.Minute).Add(time.Minute).Format("2 January 2006, 15:04 UTC")+", in reply to the same letter as now.") + "\n\n" +
		templates.Wrap("Orders that are carried out are always answered. You are told this once a day.") + "\n"
}

// tooLongText answers a letter that was too long to see whether it has the proof
// that is demanded. It says nothing of any match.
func tooLongText(mark string) string {
	return mark + `

Your letter reached Samizdat, but it was too long: only its beginning was read.
That is not enough to see that it comes from your mail provider, as Samizdat was
told to demand, so nothing in your letter was carried out.

Please send it again as a short letter without attachments.
`
}

// callsText says what a player will be called, and how to be called otherwise.
func callsText(name string) string {
	said := "The others are told the name that your mail program writes beside your address"
	if name != "" {
		said = "The others know you as " + name
	}
	return said + "; JOIN AS and another name changes that, and later CALL ME. Nobody is shown your address."
}

// newcomerText is what newcomerLines are below an invitation.
func newcomerText(g *rules.Game, m *Match) string {
	return "\nHow this works, since this is your first match here:\n\n" + strings.Join(newcomerLines(g, m), "\n") + "\n"
}

// newcomerLines tell whoever has played no match here how one goes.
func newcomerLines(g *rules.Game, m *Match) (out []string) {
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
		{!m.Acts.TalkOff, "MESSAGE, your words, and END MESSAGE, each on lines of their own, write to the other players. They never see your address."},
	} {
		if l.known {
			n++
			first := fmt.Sprintf("%2d. ", n)
			out = append(out, wrapped(l.text, first, "    ")...)
		}
	}
	return out
}

// declineText says how an invitation is declined, and when it lapses.
func declineText(m *Match, seat rules.Seat) string {
	text := "If you do not want to play, reply with DECLINE, and behind it, if you like, a word for the others."
	if at := m.Acts.Invited.Lapses; !at.IsZero() {
		text += " The invitation lapses on " + clockTime(m.Seats[seat].Player, at) + " if not all have joined by then."
	}
	if m.Acts.Tournament {
		text += " The match is one of a tournament: whoever declines the invitation, or lets it lapse, has lost the match there."
	}
	return text
}

// wordsText says how an invitation is accepted, and what the words for the dice prove.
func wordsText(m *Match) string {
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

// facing names those whom the player of a seat is to play, as far as their names are known.
func facing(c *match.Turn, seat rules.Seat) string {
	var others []string
	label := "The other seat: "
	for i, s := range c.Match.Seats {
		if rules.Seat(i) == seat {
			continue
		}
		others = append(others, strings.TrimPrefix(c.Called(rules.Seat(i)), "the "))
		if s.Called != "" {
			label = "Your opponent: "
		}
	}
	if len(others) > 1 {
		label = strings.Replace(label, ":", "s:", 1)
	}
	return label + match.List(others) + "."
}

// invitationText invites a seat to a new match.
func invitationText(mark string, g *rules.Game, m *Match, seat rules.Seat, watched string) string {
	var b strings.Builder
	c := match.Turn{Match: m, Game: g}
	fmt.Fprintf(&b, "%s\n\nYou are invited to a match of %s, by mail.\nThe match is called %s. Your seat: %s.\n%s\n\n",
		mark, g.Title(), m.ID, strings.TrimPrefix(c.Role(seat), "the "), templates.Wrap(facing(&c, seat)))
	b.WriteString(templates.Wrap(callsText(m.Seats[seat].Called)) + "\n")
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
