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
	// Words follow JOIN, Seals follow JOIN SEALED.
	Words, Seals []string
	// Digest is the digest of the letter, Sender the display name of its writer.
	Digest, Sender string
}

// Report is the outcome of an order of an invited player.
type Report struct {
	Order   string
	Outcome match.Outcome
	Text    string
}

func newRefusal(order, text string) Report { return Report{order, match.OutcomeRefused, text} }
func newSuccess(order, text string) Report { return Report{order, match.OutcomeDone, text} }

// HowToJoin explains how to accept the invitation.
func HowToJoin(m *match.Match) string {
	if m.SealedWords {
		return "To accept the invitation, write JOIN SEALED, and behind it the seal of words of your own, which you keep to yourself: " +
			"their SHA-256. " + compose.HowToSeal + "."
	}
	return "To accept the invitation, write JOIN, and behind it some words of your own if you like."
}

// Accept joins the player of a seat; joined is false without a change.
func (j Join) Accept(m *match.Match, seat rules.Seat) (r Report, joined bool) {
	seatState, order := &m.Seats[seat], string(letter.Join)
	switch {
	case len(j.Seals) > 0:
		return j.acceptSealed(m, seat)
	case seatState.Joined && seatState.Seal != "":
		return newSuccess(order, "You have joined already"+formatAsName(seatState)+", and your seal stays as it was. The match begins when all have joined "+
			"and opened their words."), false
	case seatState.Joined:
		return newSuccess(order, "You have joined already"+formatAsName(seatState)+", and your words stay as they were. The match begins when all have "+
			"joined."), false
	case m.SealedWords:
		text := "In this match all words are sealed. " + HowToJoin(m)
		if strings.TrimSpace(strings.Join(j.Words, "")) != "" {
			text += " Take other words than in this letter: whoever runs the referee can have read those."
		}
		return newRefusal(order, text), false
	}
	seatState.Joined = true
	if seatState.Words = CleanWords(strings.Join(j.Words, " ")); seatState.Words == "" {
		// Without words, the digest of the letter is used: it was unknown when the commitment was made. It is
		// hashed, because all players see it.
		seatState.Words = "letter " + j.Digest
	}
	j.setName(m, seat)
	return newSuccess(order, "You have joined"+formatAsName(seatState)+". Your words for the dice: "+seatState.Words), true
}

// acceptSealed joins with a seal, or replaces the seal while it is not shown to others.
func (j Join) acceptSealed(m *match.Match, seat rules.Seat) (r Report, joined bool) {
	seatState, order := &m.Seats[seat], string(letter.Join)+" "+letter.Sealed
	seal, err := record.ParseSeal(j.Seals[0])
	switch {
	case m.Recorded != nil:
		return newRefusal(order, "The dice of this match were given beforehand, and no words are mixed into them. Write JOIN alone."), false
	case len(j.Seals) > 1 || len(j.Words) > 0:
		return newRefusal(order, "Your letter joins more than once. Write one JOIN SEALED, and behind it the seal."), false
	case err != nil:
		return newRefusal(order, "Behind SEALED stands the seal of your words and nothing else: their SHA-256, which is 64 digits and letters "+
			"from a to f. If your words stood in this letter, whoever runs the referee can have read them: take others. "+
			compose.HowToSeal+"."), false
	case record.MatchesSeal(seal, ""):
		return newRefusal(order, "This is the seal of no words at all. "+compose.HowToSeal+"."), false
	case slices.ContainsFunc(seatState.Timing.Opened, func(w string) bool { return record.MatchesSeal(seal, w) }):
		return newRefusal(order, "You have opened the words of this seal already. Seal others."), false
	case seatState.Joined && seatState.Seal == "":
		return newRefusal(order, "You have joined already"+formatAsName(seatState)+" with open words, and they stay as they were."), false
	case seatState.Joined && seal == seatState.Seal:
		return newSuccess(order, "You have joined already"+formatAsName(seatState)+" with this seal."), false
	case seatState.Joined && m.Unjoined() == 0:
		return newRefusal(order, "All have joined and were shown your seal, so it stays as it was: "+seatState.Seal), false
	case seatState.Joined:
		seatState.Seal = seal
		return newSuccess(order, "Your seal is another one from now on: "+seal+". Nobody else was shown the one before."), false
	}
	seatState.Joined, seatState.Seal = true, seal
	j.setName(m, seat)
	return newSuccess(order, "You have joined"+formatAsName(seatState)+". Your seal: "+seal+". Keep your words, and tell them nobody. When all have "+
		"joined, a letter shows everybody all seals and asks you to OPEN your words."), true
}

// setName sets the player's name from the letter, if none is set. If the name is invalid or taken, the seat's name
// stays.
func (j Join) setName(m *match.Match, seat rules.Seat) {
	if seatState := &m.Seats[seat]; seatState.PlayerName == "" {
		seatState.PlayerName, _ = CheckName(m, seat, naming.FromMail(j.Sender, seatState.Player.Address))
	}
}

// formatAsName returns the player's name for a sentence, e.g. " as Ben"; empty for none.
func formatAsName(s *match.Seat) string {
	if s.PlayerName == "" {
		return ""
	}
	return " as " + s.PlayerName
}

// Open handles the words after OPEN; opened is false without a change. The report does not repeat the words:
// the others see them when all are opened.
func Open(m *match.Match, seat rules.Seat, text string) (r Report, opened bool) {
	seatState, order := &m.Seats[seat], string(letter.Open)
	_, open := seatState.OpenedWords()
	switch {
	case seatState.Joined && seatState.Seal == "":
		return newRefusal(order, "You have joined with open words; there is nothing to open."), false
	case open, seatState.Joined && seatState.Words != "":
		return newSuccess(order, "Your words are open already. They are shown to all when everybody has opened his."), false
	case m.Unjoined() != 0:
		return newRefusal(order, "It is too early to open words: not everybody has joined. Whoever has not could choose his own words by "+
			"yours, if the referee tells him. Nobody was shown your words, but whoever runs the referee can have read them. So seal others: "+
			"write JOIN SEALED and their seal, and wait for the letter that asks you to open them."), false
	}
	words, found := findSealed(seatState.Seal, text)
	if !found {
		return newRefusal(order, "These are not the words that you have sealed. As they came here their SHA-256 is "+
			record.SealWords(CleanWords(text))+
			", and your seal is "+seatState.Seal+". Write them as you sealed them: each capital, comma and stop counts, and so do quotation marks "+
			"and dashes, which some mail programs change. Between words stands one space, and none before the first or behind the last. A "+
			"line break behind them, which echo makes, does no harm."), false
	}
	seatState.Timing.Opened = append(seatState.Timing.Opened, words)
	return newSuccess(order, "Your words are open, and have your seal. The match begins when all are open; then everybody is shown all "+
		"words."), true
}

// Reopen asks for new words if a player is replaced after others have opened theirs, because the new player could
// choose words to suit. The notices are for the seats concerned.
func Reopen(m *match.Match, seat rules.Seat) (notices map[rules.Seat][]string) {
	notices = map[rules.Seat][]string{}
	round := m.AwaitsBeacon()
	if round {
		again := *m.Beacon
		again.Round, again.At = 0, time.Time{}
		m.Beacon = &again
	}
	m.Acts.Invitations.OpeningAsked = time.Time{}
	for i := range m.Seats {
		to, other := rules.Seat(i), &m.Seats[i]
		if to == seat {
			continue
		}
		if round {
			notices[to] = append(notices[to], "The round of the beacon that was named does not count any more. Another is named when all "+
				"words are known.")
		}
		if other.Seal == "" {
			continue
		}
		if other.Words != "" {
			other.Timing.Opened, other.Words = append(other.Timing.Opened, other.Words), ""
		}
		text := "Another player is invited in the place of one who had joined. Do not open your words: wait for the letter that shows you " +
			"all seals anew."
		if _, open := other.OpenedWords(); open {
			other.Joined, other.Seal = false, ""
			text = "Another player is invited in the place of one who had joined. Your words were open, and he could choose his own by them, " +
				"if the referee tells him. So please join again: seal other words, and write JOIN SEALED and their seal."
		}
		notices[to] = append(notices[to], text)
	}
	return notices
}

// errNameTaken refuses a name of another player, a seat or the referee.
var errNameTaken = errors.New("somebody else, or the referee, is called that already")

// CheckName normalises and checks a name. Names are in letters to players and observers, but not in the record.
func CheckName(m *match.Match, seat rules.Seat, name string) (string, error) {
	name = naming.Clean(name)
	switch {
	case !naming.Valid(name):
		return "", naming.ErrNoName
	case naming.Reserved(name):
		return "", errNameTaken
	}
	is := naming.Spoken(name)
	for i, s := range m.Seats {
		if is == naming.Spoken(s.Name) || rules.Seat(i) != seat && is == naming.Spoken(s.PlayerName) {
			return "", errNameTaken
		}
	}
	return name, nil
}
