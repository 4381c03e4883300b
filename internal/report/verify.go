package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"samizdat/adjudicator/beacon"
	"samizdat/adjudicator/match/record"
	"samizdat/internal/lazyregexp"
	"samizdat/mail/message"
	"samizdat/rules"
)

// Verify checks a record and prints a line about each check. It returns false if a position differs from the position that
// the record expects (record.DifferencesError). A record that stops before the end of its match is an error, unless
// partial is set or the secret of the match is not yet published.
func Verify(out io.Writer, games rules.Games, rec *record.Record, evidence Evidence, partial bool) (isCorrect bool, err error) {
	verified, err := verify(out, games, rec, evidence, partial)
	return verified.isCorrect, err
}

type verification struct {
	letterTotals
	isCorrect bool
	// epochRises counts the increases of the epoch: take-backs, undos and restores.
	epochRises int
	// end is the line about the end of the record, e.g. "End: partial. The match is not over with the last entry."
	end string
}

// verify does what Verify describes, and also returns the totals for a line of VerifyFiles.
func verify(out io.Writer, games rules.Games, rec *record.Record, evidence Evidence, partial bool) (verified verification, err error) {
	h := rec.Header
	g, err := games.Find(h.Game)
	if err != nil {
		return verified, err
	}
	wasPlayedElsewhere := h.Chance == record.ChanceRecorded
	hasChain, err := verifyChain(out, g, rec, wasPlayedElsewhere)
	if err != nil {
		return verified, err
	}
	if err := errors.Join(verifySeals(out, rec), verifyRound(out, rec)); err != nil {
		return verified, err
	}
	if verified.letterTotals, err = evidence.check(out, g, rec); err != nil {
		return verified, err
	}
	if verified.epochRises, err = verifyEpochs(out, rec); err != nil {
		return verified, err
	}
	if err := printWitnesses(out, rec); err != nil {
		return verified, err
	}
	switch {
	case wasPlayedElsewhere:
		fmt.Fprintln(out, "Chance: not checked: recorded elsewhere. Nothing can be computed again.")
	case h.Secret == "":
		fmt.Fprintln(out, "Chance: not checked. The secret is published when the match is over.")
		fmt.Fprintln(out, "Orders: not checked. This record holds public fields only.")
		if evidence.Letters.hasMailboxes {
			fmt.Fprintln(out, "Facts in letters: not checked.")
		}
		verified.isCorrect, verified.end = true, "End: partial. The match goes on, or entries are cut off: only the hash in a letter shows which."
		fmt.Fprintln(out, verified.end)
		return verified, nil
	}
	replay := record.Replay
	if hasChain {
		replay = record.ReplayVerified
	}
	verified.isCorrect, verified.end, err = verifyPlay(out, g, rec, replay, newFactCheck(out, g, rec, evidence.Letters), partial)
	return verified, err
}

type replayFunc func(*record.Record, *rules.Game, func(record.Visit) error) (record.FinalState, error)

// verifyPlay computes all dice and draws again, replays every order, and checks whether the match has ended.
func verifyPlay(out io.Writer, g *rules.Game, rec *record.Record, replay replayFunc, facts *factCheck,
	partial bool) (isCorrect bool, end string, err error) {
	var chanceErr error
	if rec.Header.Chance != record.ChanceRecorded {
		chanceErr = record.VerifyStream(rec)
	}
	var visit func(record.Visit) error
	if facts != nil {
		visit = facts.checkEntry
	}
	final, err := replay(rec, g, visit)
	if chanceErr != nil && !precedes(err, chanceErr) {
		return false, "", fmt.Errorf("chance: %w", chanceErr)
	}
	if rec.Header.Chance != record.ChanceRecorded && chanceErr == nil {
		fmt.Fprintf(out, "Chance: %d dice and cards, each is what the secret and the players' words give.\n", len(rec.Outcomes()))
	}
	var diffs record.DifferencesError
	switch {
	case errors.As(err, &diffs):
		fmt.Fprintln(out, diffs)
		return false, "", nil
	case err != nil:
		return false, "", fmt.Errorf("orders: %w", err)
	}
	fmt.Fprintf(out, "Orders: %d entries played again, each is legal and leads where the record says.\n", final.EntryCount)
	if err := facts.finish(); err != nil {
		return false, "", err
	}
	entries := rec.Entries()
	last := entries[len(entries)-1].Seq
	r, isOver := final.Position.Result()
	if isOver {
		end = fmt.Sprintf("End: the match is over with entry %d: %s.", last, formatOutcome(r, g.SeatNames(rec.Header.Setup(g))))
	} else {
		end = "End: partial. The match is not over with the last entry."
	}
	fmt.Fprintln(out, end)
	if !isOver && !partial {
		return false, end, fmt.Errorf("the record ends at entry %d, before the end of the match; verify an unfinished record with "+
			"--partial", last)
	}
	return true, end, nil
}

// formatOutcome describes a result, for example "democrat has won (resignation)".
func formatOutcome(r rules.Result, names []string) string {
	text := "nobody has won"
	switch winners := r.WinnersOf(names); {
	case len(winners) == 1:
		text = winners[0] + " has won"
	case len(winners) > 1:
		text = strings.Join(winners, ", ") + " have won"
	case !r.AllLost:
		text = "a draw"
	}
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	return text
}

// precedes reports whether the first entry that cannot be replayed precedes the first entry with wrong dice or draws,
// so that the wrong dice are only a consequence.
func precedes(playErr, chanceErr error) bool {
	var failure *record.ReplayError
	var broken *record.ChainError
	return errors.As(playErr, &failure) && errors.As(chanceErr, &broken) && failure.Seq < broken.Seq
}

// verifySeals checks the seals: the words that each seat contributed to the dice must have the hash that the seat
// sent before.
func verifySeals(out io.Writer, rec *record.Record) error {
	if err := record.VerifySeals(rec); err != nil {
		return fmt.Errorf("seals: %w", err)
	}
	if n := len(rec.Header.Seals); n > 0 {
		fmt.Fprintf(out, "Seals: the words of all %d seats have the seals of the header "+
			"(--seal compares them with the seals that you were shown).\n", n)
	}
	return nil
}

// verifyChain checks the hash chain of the entries. It returns false for a record without a chain, for
// example the record of a match that was played at a table.
func verifyChain(out io.Writer, g *rules.Game, rec *record.Record, wasPlayedElsewhere bool) (hasChain bool, err error) {
	if wasPlayedElsewhere && rec.Header.Commitment == "" {
		fmt.Fprintln(out, "Chain: none. This game was played elsewhere and written down.")
		return false, nil
	}
	if err := verifyForm(g, rec, wasPlayedElsewhere); err != nil {
		return false, fmt.Errorf("form: %w", err)
	}
	if err := record.VerifyChain(rec); err != nil {
		return false, fmt.Errorf("chain: %w", err)
	}
	fmt.Fprintf(out, "Chain: %d entries, each follows on the one before.\n", len(rec.Entries()))
	return true, nil
}

// verifyForm checks the form of the header and of the entries. It skips the record of a match that was played
// elsewhere, because that record has other fields.
func verifyForm(g *rules.Game, rec *record.Record, wasPlayedElsewhere bool) error {
	if wasPlayedElsewhere {
		return nil
	}
	if err := record.VerifyHeader(rec.Header, g); err != nil {
		return err
	}
	if len(rec.Entries()) == 0 {
		return errors.New("line 1: the record has no entries")
	}
	return record.VerifyForm(rec)
}

// verifyRound checks the signature of the beacon round, without network access.
func verifyRound(out io.Writer, rec *record.Record) error {
	if err := record.VerifyBeacon(rec); err != nil {
		return fmt.Errorf("beacon: %w", err)
	}
	if b := rec.Header.Beacon; b != nil {
		fmt.Fprintf(out, "Beacon: the signature is that of round %d of %s (--round compares it with the round that you were told).\n",
			b.Round, b.Chain)
	}
	return nil
}

// verifyEpochs prints and counts the increases of the epoch that an entry explains, for example a restore. An
// increase without such an entry is an error.
func verifyEpochs(out io.Writer, rec *record.Record) (rises int, err error) {
	explained, err := record.VerifyEpochs(rec)
	switch n := len(explained); {
	case n == 1:
		fmt.Fprintln(out, "Epochs: 1 new epoch, with the reason:")
	case n > 1:
		fmt.Fprintf(out, "Epochs: %d new epochs, with their reasons:\n", n)
	case err == nil:
		fmt.Fprintln(out, "Epochs: one for the whole record. Nothing was taken back.")
	}
	for _, r := range explained {
		fmt.Fprintf(out, "  entry %d, epoch %d: %s\n", r.Entry.Seq, r.Entry.Epoch, explainEpoch(r.Entry))
	}
	if err != nil {
		err = fmt.Errorf("epochs: %w", err)
	}
	return len(explained), err
}

func explainEpoch(e *record.Entry) string {
	var text string
	switch a := e.Act; {
	case a == nil:
		return fmt.Sprintf("%s took back entry %d and what followed.", e.Seat, e.FirstTakenBack)
	case a.Kind == record.Restore:
		text = "the operator restored a backup with the entries until " + formatTime(a.Until) + " UTC."
	default:
		text = fmt.Sprintf("the director undid entry %d and what followed.", e.FirstTakenBack)
	}
	if e.Act.Why != "" {
		text += " The reason: " + e.Act.Why
	}
	return text
}

// Replay replays a record and returns false if it cannot be replayed or a position differs from the position that the
// record expects. With writesState it writes the last position, and with writesEvery the position after each entry, each
// as one line of JSON.
func Replay(out io.Writer, games rules.Games, rec *record.Record, writesState, writesEvery bool) (isCorrect bool, err error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return false, err
	}
	final, err := record.Replay(rec, g, func(v record.Visit) error {
		if writesEvery {
			return writePosition(out, v.Position)
		}
		return nil
	})
	if final.Position != nil && writesState && !writesEvery {
		if err := writePosition(out, final.Position); err != nil {
			return false, err
		}
	}
	var diffs record.DifferencesError
	if errors.As(err, &diffs) {
		fmt.Fprintln(out, diffs)
	}
	var failure *record.ReplayError
	switch {
	case errors.As(err, &failure):
		return false, failure
	case len(diffs) > 0:
		return false, nil
	case err != nil:
		return false, err
	}
	if writesState || writesEvery {
		out = io.Discard // The output consists of positions only.
	}
	fmt.Fprintf(out, "%d entries played again, no difference\n", final.EntryCount)
	_, err = verifyEpochs(out, rec)
	return err == nil, err
}

func writePosition(out io.Writer, p rules.Position) error {
	data, err := p.MarshalJSON()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", data)
	return err
}

// printWitnesses verifies the confirmations that players sent, and prints how far each seat has confirmed the history.
func printWitnesses(out io.Writer, rec *record.Record) error {
	witnesses, err := record.VerifyWitnesses(rec)
	if err != nil {
		return fmt.Errorf("witnesses: %w", err)
	}
	var newest []string
	isListed := map[record.SeatName]bool{}
	for _, e := range slices.Backward(witnesses) {
		if !isListed[e.Seat] {
			isListed[e.Seat] = true
			newest = append(newest, fmt.Sprintf("%s has confirmed the history up to entry %d", e.Seat, *e.Act.Entry))
		}
	}
	if len(witnesses) > 0 {
		fmt.Fprintf(out, "Witnesses: %d; %s.\n", len(witnesses), strings.Join(newest, ", "))
	}
	return nil
}

// checkChosenInTime prints a remark if no letter proves that the seals were fixed before the words were known. It
// prints another remark if no letter proves that the round was named before its value was known. A missing proof is not
// an error, because letters may be missing.
func (c letterCheck) checkChosenInTime(out io.Writer) {
	seals, wereShown := strings.Join(c.rec.Header.Seals, " "), false
	for i, letter := range c.letters {
		if letter.seals == "" || !c.isEarly(letter) {
			continue
		}
		wereShown = wereShown || letter.seals == seals
		if other := c.describeOtherSeals(letter, c.letters[i+1:]); other != "" {
			fmt.Fprintf(out, "  %s: %s.\n", c.describeLetter(letter), other)
		}
	}
	if seals != "" && !wereShown {
		fmt.Fprintln(out, "  No letter shows the seals of the record before the match began, "+
			"so the letters do not prove that all words were chosen before the match began.")
	}
	b := c.rec.Header.Beacon
	if b == nil {
		return
	}
	chain, err := beacon.Find(b.Chain)
	if err != nil || !slices.ContainsFunc(c.letters,
		func(letter letterEvidence) bool {
			return letter.round.number == b.Round && letter.arrived.Before(chain.PublicationTime(b.Round))
		}) {
		fmt.Fprintf(out, "  No letter names round %d before it was published, "+
			"so the letters do not prove that its value was unknown then.\n", b.Round)
	}
}

// describeOtherSeals describes the difference if a later letter to the same reader shows other seals. Otherwise it
// returns "".
func (c letterCheck) describeOtherSeals(letter letterEvidence, later []letterEvidence) string {
	i := slices.IndexFunc(later, func(other letterEvidence) bool {
		return c.isEarly(other) && isSameReader(other.name, letter.name) && other.seals != "" && other.seals != letter.seals
	})
	if i < 0 {
		return ""
	}
	text := fmt.Sprintf("it shows other seals than letter %d", later[i].name.Number)
	if findSeal(later[i].seals, letter.name.Reader) != findSeal(letter.seals, letter.name.Reader) {
		return text + ". That happens only if a player was replaced before the match began"
	}
	return text + ". If that reader revealed the words between these two letters, other players could choose theirs accordingly"
}

// isEarly reports whether a letter was written before the first entry. Only such letters show seals.
func (c letterCheck) isEarly(letter letterEvidence) bool {
	return c.places[letter.hash].seq < 0 || letter.hash == ""
}

func findSeal(seals string, seat int) string {
	if list := strings.Fields(seals); seat < len(list) {
		return list[seat]
	}
	return seals
}

// wordsPattern finds the words for the dice in the letter that confirms JOIN. It does not match a text of another
// player, because letters show it with "| " before each line.
var wordsPattern = lazyregexp.New(`(?m)^  You\s+have\s+joined\b[^|]{0,200}?\bYour\s+words\s+for\s+the\s+dice:((?:[ \t]*\S.*)?(?:\n  \S.*)*)`)

// readWords returns the words for the dice without white space, because letters wrap lines.
func readWords(text string) string {
	if !strings.Contains(text, "joined") {
		return ""
	}
	if m := wordsPattern.FindStringSubmatch(text); m != nil {
		return removeSpaces(m[1])
	}
	return ""
}

func removeSpaces(text string) string { return strings.Join(strings.Fields(text), "") }

// checkWords compares the words for the dice of each seat with the newest letter that confirmed them, and returns the
// number of differences. A referee that exchanges words could choose the dice. Letters to a player who was
// replaced before the match began are not compared.
func (c letterCheck) checkWords(out io.Writer) (wrongCount int) {
	for i, letter := range c.letters {
		if letter.words == "" || letter.name.Kind != message.Seat || letter.name.Reader >= len(c.rec.Header.Words) ||
			letter.words == removeSpaces(c.rec.Header.Words[letter.name.Reader]) {
			continue
		}
		hasPlayed := false
		for _, other := range c.letters[i+1:] {
			if !isSameReader(other.name, letter.name) {
				break
			}
			if other.words != "" {
				hasPlayed = false
				break
			}
			position, isKnown := c.places[other.hash]
			hasPlayed = hasPlayed || isKnown && position.seq >= 0
		}
		if hasPlayed {
			wrongCount++
			fmt.Fprintf(out, "  %s: the letter confirms other words than the record has for the seat.\n", c.describeLetter(letter))
		}
	}
	return wrongCount
}
