package invitation

import (
	"errors"
	"slices"
	"strings"
	"time"

	"samizdat/adjudicator/compose"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
	"samizdat/adjudicator/match/record"
	"samizdat/adjudicator/naming"
	"samizdat/rules"
)

// Join holds the JOIN lines of a letter, e.g. "JOIN AS Ben" and "JOIN SEALED 9f86d0...".
type Join struct {
	// Words are the texts after JOIN, Seals are the fingerprints after JOIN SEALED.
	Words, Seals []string
	// Digest is the digest of the letter, Sender the display name of its writer.
	Digest, Sender string
}

// OrderReport is the outcome of an order of an invited player.
type OrderReport struct {
	Order   string
	Outcome match.LineOutcome
	Text    string
}

func newRefusal(order, text string) OrderReport {
	return OrderReport{order, match.OutcomeRefused, text}
}
func newSuccess(order, text string) OrderReport { return OrderReport{order, match.OutcomeDone, text} }

// HowToJoin explains how to accept the invitation.
func HowToJoin(m *match.Match) string {
	if m.SealedWords {
		return "To accept the invitation, choose some secret words for the dice, keep them to yourself, and write JOIN SEALED " +
			"followed by their fingerprint (SHA-256). " + compose.HowToSeal + "."
	}
	return "To accept the invitation, write JOIN, followed by some words of your own if you like."
}

// howToSeal explains how to make a fingerprint; empty for a player who has not joined, because HowToJoin explains it.
func howToSeal(seatState *match.Seat) string {
	if !seatState.Joined {
		return ""
	}
	return " " + compose.HowToSeal + "."
}

// Accept joins the player of a seat; joined is false if the order is refused or the player had already joined.
func (j Join) Accept(m *match.Match, seat rules.Seat) (r OrderReport, joined bool) {
	seatState, order := &m.Seats[seat], string(letter.Join)
	switch {
	case len(j.Seals) > 0:
		return j.acceptSealed(m, seat)
	case seatState.Joined && seatState.Seal != "":
		return newSuccess(order, "You had already joined"+formatAsName(seatState)+", and the fingerprint of your secret words stays as it "+
			"was. The match begins when all players have joined and revealed their secret words."), false
	case seatState.Joined:
		return newSuccess(order, "You had already joined"+formatAsName(seatState)+". Your words for the dice have not changed. The "+
			"match begins when all players have joined."), false
	case m.SealedWords:
		text := "In this match the words for the dice are secret until all players have joined. So write JOIN SEALED and the fingerprint " +
			"of your words."
		if strings.TrimSpace(strings.Join(j.Words, "")) != "" {
			text += " Choose words other than those in this letter, because the operator can have read those."
		}
		return newRefusal(order, text), false
	}
	seatState.Joined = true
	hint := ""
	if seatState.SeedWords = CleanWords(strings.Join(j.Words, " ")); seatState.SeedWords == "" {
		// Without words, the digest of the letter is used, which was unknown when the commitment was made. All players
		// see a digest and not the letter itself.
		seatState.SeedWords = "letter " + j.Digest
		hint = " You chose no words, so the check number of your letter is mixed into the dice."
	}
	j.setName(m, seat)
	return newSuccess(order, "You have joined"+formatAsName(seatState)+"."+hint+" Your words for the dice are: \""+
		seatState.SeedWords+"\"."), true
}

// acceptSealed joins with a seal, or replaces an earlier seal that other players have not seen.
func (j Join) acceptSealed(m *match.Match, seat rules.Seat) (r OrderReport, joined bool) {
	seatState, order := &m.Seats[seat], string(letter.Join)+" "+letter.ChoiceSealed
	seal, err := record.ParseSeal(j.Seals[0])
	switch {
	case m.Recorded != nil:
		return newRefusal(order, "The dice of this match were fixed in advance, so no words are needed. Write JOIN alone."), false
	case len(j.Seals) > 1 || len(j.Words) > 0:
		return newRefusal(order, "Your letter says JOIN more than once. Write JOIN SEALED once, followed by the fingerprint."), false
	case err != nil:
		return newRefusal(order, "After SEALED write only the fingerprint of your words (SHA-256): 64 digits and letters from "+
			"a to f. If your words were in this letter, the operator can have read them, so choose others."+
			howToSeal(seatState)), false
	case record.MatchesSeal(seal, ""):
		return newRefusal(order, "This is the fingerprint of an empty text."+howToSeal(seatState)), false
	case slices.ContainsFunc(seatState.Private.RevealedWords, func(w string) bool { return record.MatchesSeal(seal, w) }):
		return newRefusal(order, "You have already revealed the words of this fingerprint. Choose other words."), false
	case seatState.Joined && seatState.Seal == "":
		return newRefusal(order, "You had already joined"+formatAsName(seatState)+" with words that are not secret. They "+
			"stay as they were."), false
	case seatState.Joined && seal == seatState.Seal:
		return newSuccess(order, "You had already joined"+formatAsName(seatState)+" with this fingerprint of your secret words."), false
	case seatState.Joined && m.UnjoinedSeats() == 0:
		return newRefusal(order, "All players have joined and have seen the fingerprint of your secret words, so it can no longer be changed. "+
			"It is still:\n"+seatState.Seal), false
	case seatState.Joined:
		seatState.Seal = seal
		return newSuccess(order, "The fingerprint of your secret words is changed. No player has seen the earlier one. It is now:\n"+seal), false
	}
	seatState.Joined, seatState.Seal = true, seal
	j.setName(m, seat)
	return newSuccess(order, "You have joined"+formatAsName(seatState)+". Keep your words secret, and do not lose them. When all "+
		"players have joined, we will send every player all the fingerprints, and then ask you to reveal your words with OPEN. The "+
		"fingerprint of "+
		"your words:\n"+seal), true
}

// setName takes the player's name from the letter if the player has no name yet. An invalid or taken name is ignored.
func (j Join) setName(m *match.Match, seat rules.Seat) {
	if seatState := &m.Seats[seat]; seatState.PlayerName == "" {
		seatState.PlayerName, _ = CheckName(m, seat, naming.FromMail(j.Sender, seatState.Player.Address))
	}
}

func formatAsName(seatState *match.Seat) string {
	if seatState.PlayerName == "" {
		return ""
	}
	return " as " + seatState.PlayerName
}

// Reveal handles the words after OPEN; revealed is false if the match does not change. The report does not repeat the words,
// because the others see them only when all are revealed.
func Reveal(m *match.Match, seat rules.Seat, text string) (r OrderReport, revealed bool) {
	seatState, order := &m.Seats[seat], string(letter.Open)
	_, isRevealed := seatState.RevealedWords()
	switch {
	case seatState.Joined && seatState.Seal == "":
		return newRefusal(order, "You joined with words that are not secret, so there is nothing to reveal."), false
	case isRevealed, seatState.Joined && seatState.SeedWords != "":
		return newSuccess(order, "You have already revealed your words. All players will see all the words when the last player has "+
			"revealed theirs."), false
	case m.UnjoinedSeats() != 0:
		return newRefusal(order, "It is too early to reveal your words, because not all players have joined. No player was shown them, but the "+
			"operator may have read them. Please choose new words: write JOIN SEALED and the fingerprint of the new words, and wait for "+
			"the letter that asks you to reveal them."), false
	}
	words, found := findWordsOfSeal(seatState.Seal, text)
	if !found {
		return newRefusal(order, "These are not your secret words. Write them exactly as you did for the fingerprint, down to "+
			"capitals and punctuation, with one space between words; some mail programs change quotation marks and dashes. "+
			"The fingerprint of these words:\n"+record.SealWords(CleanWords(text))+"\nThe fingerprint that you sent:\n"+seatState.Seal), false
	}
	seatState.Private.RevealedWords = append(seatState.Private.RevealedWords, words)
	return newSuccess(order, "You have revealed your words, and they match the fingerprint you sent. All players will see all "+
		"the words when the last player has revealed theirs."), true
}

// RequestNewWords asks players who have revealed their words for new words after another player was replaced, because the new player could
// choose words that suit the revealed words. It returns the notices to each seat.
func RequestNewWords(m *match.Match, seat rules.Seat) (notices map[rules.Seat][]string) {
	notices = map[rules.Seat][]string{}
	awaitsRound := m.AwaitsBeacon()
	if awaitsRound {
		beacon := *m.Beacon
		beacon.Round, beacon.At = 0, time.Time{}
		m.Beacon = &beacon
	}
	m.Invitations.RevealAsked = time.Time{}
	for i := range m.Seats {
		reader, other := rules.Seat(i), &m.Seats[i]
		if reader == seat {
			continue
		}
		if awaitsRound {
			notices[reader] = append(notices[reader], "The public random number that was named no longer counts. Another "+
				"will be named when all words are known.")
		}
		if other.Seal == "" {
			continue
		}
		if other.SeedWords != "" {
			other.Private.RevealedWords, other.SeedWords = append(other.Private.RevealedWords, other.SeedWords), ""
		}
		text := "Another player has been invited to replace one who had joined. Do not reveal your words: wait for the letter " +
			"that shows you all fingerprints again."
		if _, isRevealed := other.RevealedWords(); isRevealed {
			other.Joined, other.Seal = false, ""
			text = "Another player has been invited to replace one who had joined. Your words no longer count, because you had " +
				"already revealed them. Please join again with new words: write JOIN SEALED and the fingerprint of the new words."
		}
		notices[reader] = append(notices[reader], text)
	}
	return notices
}

var errNameTaken = errors.New("another player, or the referee, has that name already")

// CheckName normalises and checks a name. Names are in letters to players and observers, but not in the record.
func CheckName(m *match.Match, seat rules.Seat, name string) (string, error) {
	name = naming.Clean(name)
	switch {
	case !naming.IsValid(name):
		return "", naming.ErrInvalidName
	case naming.IsReserved(name):
		return "", errNameTaken
	}
	spoken := naming.SpokenForm(name)
	for i, s := range m.Seats {
		if spoken == naming.SpokenForm(s.Name) || rules.Seat(i) != seat && spoken == naming.SpokenForm(s.PlayerName) {
			return "", errNameTaken
		}
	}
	return name, nil
}
