package compose

import (
	"fmt"
	"strings"

	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

func nameText(turn *match.Turn, seat rules.Seat) string {
	text := match.NameOthersWithVerb(turn, rules.Only(seat), "sees", "see") + " the name that your mail program writes next to your address"
	if name := turn.Match.Seats[seat].PlayerName; name != "" {
		text = match.NameOthersWithVerb(turn, rules.Only(seat), "knows", "know") + " you as " + name
	}
	return match.Capitalize(text) + ". To change that, write JOIN AS and another name, or later CALL ME. Your address is not shown to anyone."
}

// NewcomerLines returns the numbered explanation for a new player of how a match is played by mail.
func NewcomerLines(turn *match.Turn, seat rules.Seat) (out []string) {
	g, m := turn.Game, turn.Match
	hasPreview, hasTopics, hasCards := g.Ahead != nil, g.Topics != nil, g.Cards != nil
	number := 0
	for _, l := range []struct {
		applies bool
		text    string
	}{
		{true, "Everything happens by letter. A program reads your letters, not a person."},
		{true, "When it is your move, a letter comes. It asks a question and shows orders that you can copy."},
		{true, "Reply to it. Write your order in the first line; each further order has a line of its own."},
		{true, "You are told at once when an order is refused. A refused order changes nothing."},
		{hasPreview, "Write PREVIEW above your orders to see what they would do."},
		{true, "STATUS sends you the full position."},
		{true, "HELP shows how orders are written."},
		{hasTopics, "RULES explains the game in short texts."},
		{hasCards, "CARD and a number, or a title, tells what a card does."},
		{!m.TalkOff, "What you write between a line MESSAGE and a line END MESSAGE goes to " +
			match.NameOthers(turn, rules.Only(seat)) + "."},
	} {
		if l.applies {
			number++
			out = append(out, Wrap(l.text, fmt.Sprintf("%2d. ", number), "    ")...)
		}
	}
	return out
}

func declineText(turn *match.Turn, seat rules.Seat) string {
	m, text := turn.Match, "After DECLINE you may add a message to "+match.NameOthers(turn, rules.Only(seat))+"."
	if at := m.Invitations.ExpiresAt; !at.IsZero() {
		text += " The invitation expires on " + FormatPlayerTime(m.Seats[seat].Player, at) + " unless all players have joined by then."
	}
	if m.Tournament {
		text += " The match is part of a tournament: a player who declines the invitation, or lets it expire, loses the match there."
	}
	return text
}

func explainDice(m *match.Match) []templates.PlainSection {
	if m.Recorded != nil {
		return []templates.PlainSection{{Title: "The dice", Paragraphs: []string{"The dice and cards of this match were fixed in " +
			"advance: it replays a game that was played elsewhere. They do not come from a secret number, and cannot be checked."}}}
	}
	var out []templates.PlainSection
	switch {
	case m.SealedWords:
		out = []templates.PlainSection{{Title: "The dice", Paragraphs: []string{"In this match the words for the dice stay secret " +
			"until all players have joined, so that no player can choose words to suit those of another. Think of words that cannot be " +
			"guessed, such as six unrelated words, and keep them to yourself for now. Plain letters with single spaces " +
			"are best. On your own computer, one of these makes their fingerprint (SHA-256):"},
			Rows: []string{"samizdat seal your words", `printf %s "your words" | sha256sum`, `echo "your words" | shasum -a 256`}},
			{Paragraphs: []string{"When all players have joined, we will send every player all the fingerprints, and then ask you to reveal " +
				"your words with OPEN. Without the words the match cannot begin."}}}
	case m.Beacon != nil:
		out = []templates.PlainSection{{Title: "The dice", Paragraphs: []string{beaconText(m)}}}
	default:
		out = []templates.PlainSection{{Title: "The dice", Paragraphs: []string{"All dice and cards are computed from a secret number of the " +
			"referee, which is already fixed, and from the words that players write after JOIN, so the referee alone cannot choose " +
			"them. All players see these words.", "If you trust the operator of the referee, a plain JOIN is enough. If not: the " +
			"last player to join could learn the number from the operator, and try many words until the dice are good. To prevent " +
			"this, keep your words secret: write JOIN SEALED and the fingerprint (SHA-256) of your words, and send the words with " +
			"OPEN when a letter asks for them."}}}
	}
	return append(out, templates.PlainSection{Paragraphs: []string{"This is the fingerprint (SHA-256) of the secret number for the dice:"},
		Rows: []string{m.Secret.Commitment()}}, templates.PlainSection{Paragraphs: []string{"When the match is over the secret number " +
		"is published, and every die and every card can be checked."}})
}

func describeSeats(turn *match.Turn, seat rules.Seat) string {
	bidding := turn.Game.Bidding
	for option, value := range bidding {
		if turn.Match.Options[option] != value {
			bidding = nil
		}
	}
	if len(bidding) > 0 {
		return "When the match begins, you bid for the side that you want to play."
	}
	return "Your seat: " + strings.TrimPrefix(turn.Role(seat), "the ") + ". " + listOpponents(turn, seat)
}

func listOpponents(turn *match.Turn, seat rules.Seat) string {
	var others []string
	label := "The other seat: "
	for i, s := range turn.Match.Seats {
		if rules.Seat(i) == seat {
			continue
		}
		others = append(others, strings.TrimPrefix(turn.FullName(rules.Seat(i)), "the "))
		if s.PlayerName != "" {
			label = "Your opponent: "
		}
	}
	if len(others) > 1 {
		label = strings.Replace(label, ":", "s:", 1)
	}
	return label + match.JoinAnd(others) + "."
}

// AcceptOrder returns the order that accepts an invitation: JOIN, or JOIN SEALED.
func AcceptOrder(m *match.Match) string {
	if m.SealedWords {
		return string(letter.Join) + " " + letter.ChoiceSealed
	}
	return string(letter.Join)
}

// WriteInvitation returns the invitation to a new match, in this order: the opponents, the orders to accept and to
// decline, how a match works, the terms, and the dice. observersText is the result of ObserversText. practice is the URL
// of a practice match; empty for none. newcomer is set if the player has not played a match here.
func WriteInvitation(g *rules.Game, m *match.Match, seat rules.Seat, newcomer bool, observersText, practice string) templates.PlainLetter {
	turn := &match.Turn{Match: m, Game: g}
	intro := "You are invited to a match of " + g.Title() + ", by mail."
	if len(m.Seats) == 2 && m.Seats[1-seat].PlayerName != "" {
		intro = "You are invited to a match of " + g.Title() + " with " + m.Seats[1-seat].PlayerName + ", by mail."
	}
	joinHint := "To play, reply with this in the first line. After it you may write a few words of your own, which are mixed into the dice:"
	switch {
	case m.Recorded != nil:
		joinHint = "To play, reply with this in the first line:"
	case m.SealedWords:
		joinHint = "To play, reply with this in the first line, followed by the fingerprint of your secret words (see the dice, below):"
	}
	content := templates.PlainLetter{Paragraphs: []string{
		intro, "Samizdat is the referee, a program. You send your moves as ordinary letters; it applies the rules, rolls the dice and answers.",
		describeSeats(turn, seat) + " The match is called " + m.ID + ".",
		joinHint,
	}, Sections: []templates.PlainSection{{Rows: []string{AcceptOrder(m)}}, {Paragraphs: []string{"If you do not want to play, reply with"},
		Rows: []string{string(letter.Decline)}}, {Paragraphs: []string{declineText(turn, seat)}}}}
	if newcomer {
		content.Sections = append(content.Sections, templates.PlainSection{Title: "How it works", List: NewcomerLines(turn, seat)})
		if practice != "" {
			content.Sections = append(content.Sections, templates.PlainSection{Paragraphs: []string{
				"Rules of thumb, and a practice match on a page, without mail:", practice}})
		}
	}
	terms := []string{nameText(turn, seat)}
	if text := tempoText(m); text != "" {
		terms = append(terms, text)
	}
	if m.TalkOff {
		terms = append(terms, "This match is played without talk: the players cannot send messages.")
	}
	if observersText != "" {
		terms = append(terms, observersText)
	}
	content.Sections = append(append(content.Sections, templates.PlainSection{Title: "The match", Paragraphs: terms}), explainDice(m)...)
	if content.Closing = []string{g.Credit()}; g.Cards != nil {
		content.Closing[0] += "\nPlayers should own the game: its cards are named here, not reprinted."
	}
	return content
}

func beaconText(m *match.Match) string {
	if m.Beacon == nil {
		return ""
	}
	text := "The dice come from three things together: the words after JOIN, which all players see; a secret number of the referee, " +
		"which is already fixed; and a number from drand " + m.Beacon.Chain + ", a public source of random numbers. When all words are " +
		"known, a letter says which public number it will be. It is published some minutes later, and no one can know it before, so " +
		"no one can choose the dice."
	if m.Beacon.Wait == 0 {
		return text + " The match begins when we have the public number."
	}
	return text + " If we cannot get it within " + FormatSpan(m.Beacon.Wait) + ", the match begins without it, and all players are told. " +
		"In that case the operator may have chosen between two sets of dice: no one can check why the number did not come."
}

// describeRound describes the number that the match waits for: "a public random number, round 4711 of quicknet. It is published ...".
func describeRound(turn *match.Turn) string {
	beacon := turn.Match.Beacon
	published := beacon.At.Format("2 January 2006, 15:04:05 UTC")
	text := fmt.Sprintf("a public random number, round %d of %s. It is published on %s, and the match begins then.", beacon.Round,
		beacon.Chain, published)
	if beacon.Wait > 0 {
		text += " If we cannot get it within " + FormatSpan(beacon.Wait) + ", the match begins without it."
	}
	return text
}

// seedWordsSection shows all seed words while the match waits for the beacon's round. The letter proves that they
// were not changed after the round was known.
func seedWordsSection(turn *match.Turn, reader rules.Seat) []rules.Section {
	if !turn.Match.AwaitsBeacon() || reader == rules.NoSeat {
		return nil
	}
	var lines []string
	for i := range turn.Match.Seats {
		lines = append(lines, Wrap(match.Capitalize(turn.FullName(rules.Seat(i)))+": "+turn.Match.Seats[i].SeedWords, "", "    ")...)
	}
	return []rules.Section{{Title: "The words", Lines: append(lines,
		Paragraphs("Keep this letter: it shows that the words and the round were chosen before the random number was published.")...)}}
}

func joinPrompt(turn *match.Turn, reader rules.Seat) (templates.Prompt, bool) {
	if turn.Match.State != match.Inviting || reader == rules.NoSeat || turn.Match.Seats[reader].Joined {
		return templates.Prompt{}, false
	}
	prompt := templates.Prompt{Question: "Do you want to play? After JOIN, on the same line, you may write a few words of your own. " +
		"The dice will depend on them.",
		Forms: []string{AcceptOrder(turn.Match), string(letter.Decline)}}
	switch {
	case turn.Match.Recorded != nil:
		prompt.Question = "Do you want to play?"
	case turn.Match.SealedWords:
		prompt.Question = "Do you want to play? Choose some secret words for the dice, keep them to yourself, and write their fingerprint " +
			"(SHA-256) after JOIN SEALED."
		prompt.Forms[0] += " <the fingerprint>"
		prompt.Hints = []string{HowToSeal + "."}
	}
	return prompt, true
}

func revealPrompt(turn *match.Turn, reader rules.Seat) (templates.Prompt, bool) {
	if turn.Match.State != match.Inviting || turn.Match.UnjoinedSeats() != 0 || reader == rules.NoSeat ||
		!turn.Match.UnrevealedSeats().Has(reader) {
		return templates.Prompt{}, false
	}
	deadlineText := "Without these words the match cannot begin."
	if at := turn.Match.Invitations.ExpiresAt; !at.IsZero() {
		deadlineText = "If any player has not revealed the words by " + FormatPlayerTime(turn.Match.Seats[reader].Player, at) +
			", the match will be called off."
	}
	return templates.Prompt{Question: "Reveal your secret words: write OPEN, followed by the words.",
		Forms: []string{string(letter.Open) + " your secret words"},
		Hints: []string{match.Capitalize(match.NameOthersWithVerb(turn, rules.Only(reader), "sees", "see")) +
			" your words only when all secret " +
			"words have been revealed. " + deadlineText}}, true
}

// sealSection shows the seals of all players' words, after all players have joined and before the match begins.
func sealSection(turn *match.Turn, reader rules.Seat) []rules.Section {
	if turn.Match.State != match.Inviting || turn.Match.UnjoinedSeats() != 0 || reader == rules.NoSeat {
		return nil
	}
	var lines []string
	for i, seal := range turn.Match.Seals() {
		lines = append(lines, match.Capitalize(turn.FullName(rules.Seat(i)))+":", "    "+seal)
	}
	if len(lines) == 0 {
		return nil
	}
	note := "Keep this letter: when the match begins, you will see the words and can check them."
	if turn.Match.AwaitsBeacon() {
		note = "The words are below."
	}
	return []rules.Section{{Title: "The fingerprints", Lines: append(lines,
		Paragraphs("Each is a fingerprint (SHA-256) of a player's secret words for the dice. "+note)...)}}
}

// HowToSeal explains how to make a seal, a SHA-256 in hexadecimal.
const HowToSeal = `On your own computer, "samizdat seal your words" makes the fingerprint, and so does: printf %s "your words" | sha256sum`

// ObserversText tells an invited player that the match may be observed; JOIN accepts this. It returns "" if observers
// are not allowed.
func ObserversText(referee string, m *match.Match) string {
	if !m.ObserverPolicy.Allowed {
		return ""
	}
	when := "as soon as it happens"
	if m.ObserverPolicy.Delay > 0 {
		when = m.ObserverPolicy.FormatDelay() + " after it happened"
	}
	return fmt.Sprintf("This match may be watched. Anyone who knows its name can write OBSERVE %s to %s, and then sees what "+
		"is public, %s. With JOIN you accept this. Observers see the names of the players, but no hidden cards, sealed "+
		"answers, messages or addresses.", m.ID, referee, when)
}

// WelcomeObserver returns the introduction in the first letter to an observer.
func WelcomeObserver(turn *match.Turn) rules.Section {
	text := fmt.Sprintf("This is match %s of %s. When something public happens, you get a letter like this one. ",
		turn.Match.ID, turn.Game.Title())
	if turn.Match.ObserverPolicy.Delay > 0 {
		text += fmt.Sprintf("As the players have agreed, you see everything %s after it happened, also with STATUS. ",
			turn.Match.ObserverPolicy.FormatDelay())
	}
	lines := append(Paragraphs(text+"You do not see hidden information or messages between the players.\n"+observersHelpIntro), "")
	for _, form := range observerForms(turn.Game) {
		lines = append(lines, Wrap(form, "    ", "      ")...)
	}
	if turn.Match.Recorded == nil {
		lines = append(lines, "", "The dice come from a secret number. This is its fingerprint (SHA-256):", "",
			"    "+turn.Match.Secret.Commitment(), "")
		lines = append(lines, Paragraphs("The secret number is published when the match is over.")...)
	}
	return rules.Section{Title: "You are watching", Lines: lines}
}

// ObserversHelp lists the commands of observers, one on a line.
func ObserversHelp(g *rules.Game) string {
	return observersHelpIntro + "\n" + strings.Join(observerForms(g), "\n")
}

const observersHelpIntro = "You may write, each on its own line:"

func observerForms(g *rules.Game) []string {
	forms := []string{"STATUS: the current position", "HISTORY: what happened in the last turn; HISTORY 2: in turn 2"}
	if g.AnswerQuery != nil {
		forms = append(forms, "MAP: the map; MAP BIG: the large one", "DISCARDS: the open piles")
	}
	if g.Cards != nil {
		forms = append(forms, "CARD 1: what card 1 does")
	}
	if g.Topics != nil {
		forms = append(forms, "RULES: a list of pages about the rules; RULES turn: the page on the turn")
	}
	return append(forms, "FORMAT SPOKEN: letters for a screen reader", "HELP: this list")
}

const lastLetterNote = "This is the last letter about the match."
