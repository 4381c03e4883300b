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

// Verify checks a record and prints the checks that were made. It returns false if the record differs
// from the expected outcomes. A record that stops before the end of its match fails, unless partial is
// set or the secret of the match is not yet published.
func Verify(out io.Writer, games rules.Games, rec *record.Record, held Evidence, partial bool) (same bool, err error) {
	f, err := verify(out, games, rec, held, partial)
	return f.same, err
}

type findings struct {
	letterCount
	// same is false if the record differs from the expected outcomes.
	same bool
	// epochs counts the increases of the epoch.
	epochs int
	// end describes the end of the record in a line.
	end string
}

func verify(out io.Writer, games rules.Games, rec *record.Record, held Evidence, partial bool) (f findings, err error) {
	h := rec.Header
	g, err := games.Find(h.Game)
	if err != nil {
		return f, err
	}
	recorded := h.Chance == record.ChanceRecorded
	linked, err := verifyChain(out, g, rec, recorded)
	if err != nil {
		return f, err
	}
	if err := errors.Join(verifySeals(out, rec), verifyRound(out, rec)); err != nil {
		return f, err
	}
	if f.letterCount, err = held.check(out, g, rec); err != nil {
		return f, err
	}
	if f.epochs, err = verifyEpochs(out, rec); err != nil {
		return f, err
	}
	if err := printWitnesses(out, rec); err != nil {
		return f, err
	}
	switch {
	case recorded:
		fmt.Fprintln(out, "Chance: not checked: recorded elsewhere. Nothing can be computed again.")
	case h.Secret == "":
		fmt.Fprintln(out, "Chance: not checked. The secret is published when the match is over.")
		fmt.Fprintln(out, "Orders: not checked. This record holds public fields only.")
		if held.Letters.given {
			fmt.Fprintln(out, "Facts in letters: not checked.")
		}
		f.same, f.end = true, "End: partial. The match goes on, or entries are cut off: only the hash of a letter tells."
		fmt.Fprintln(out, f.end)
		return f, nil
	}
	replay := record.Replay
	if linked {
		replay = record.ReplayVerified
	}
	f.same, f.end, err = verifyPlay(out, g, rec, replay, newFactCheck(out, g, rec, held.Letters), partial)
	return f, err
}

// replay replays a record, with or without verification of the hash chain.
type replay func(*record.Record, *rules.Game, func(record.Visit) error) (record.FinalState, error)

// verifyPlay computes every outcome of chance again, replays every order, and checks whether the match has ended.
func verifyPlay(out io.Writer, g *rules.Game, rec *record.Record, replay replay, facts *factCheck,
	partial bool) (same bool, end string, err error) {
	var chance error
	if rec.Header.Chance != record.ChanceRecorded {
		chance = record.VerifyStream(rec)
	}
	var visit func(record.Visit) error
	if facts != nil {
		visit = facts.visit
	}
	final, err := replay(rec, g, visit)
	if chance != nil && !isBefore(err, chance) {
		return false, "", fmt.Errorf("chance: %w", chance)
	}
	if rec.Header.Chance != record.ChanceRecorded && chance == nil {
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
	fmt.Fprintf(out, "Orders: %d entries played again, each is legal and leads where the record says.\n", final.Entries)
	if err := facts.result(); err != nil {
		return false, "", err
	}
	entries := rec.Entries()
	last := entries[len(entries)-1].Seq
	r, over := final.Position.Result()
	if over {
		end = fmt.Sprintf("End: the match is over with entry %d: %s.", last, outcome(r, g.SeatNames(rec.Header.Setup(g))))
	} else {
		end = "End: partial. The match is not over with the last entry."
	}
	fmt.Fprintln(out, end)
	if !over && !partial {
		return false, end, fmt.Errorf("the history stops with entry %d, before the match ends; --partial takes a part of one", last)
	}
	return true, end, nil
}

// outcome describes a result. For example: "democrat has won (resignation)".
func outcome(r rules.Result, names []string) string {
	text := "nobody has won"
	switch winners := r.WinnersOf(names); {
	case len(winners) == 1:
		text = winners[0] + " has won"
	case len(winners) > 1:
		text = strings.Join(winners, ", ") + " have won"
	case !r.Lost:
		text = "a draw"
	}
	if r.Reason != "" {
		text += " (" + r.Reason + ")"
	}
	return text
}

// isBefore reports whether the first entry that cannot be played precedes the first entry with wrong
// dice or draws. Then the former is the cause and the latter only a consequence.
func isBefore(played, chance error) bool {
	var failure *record.ReplayError
	var broken *record.ChainError
	return errors.As(played, &failure) && errors.As(chance, &broken) && failure.Seq < broken.Seq
}

// verifySeals checks that the words of each seat match the seal which the seat sent earlier.
func verifySeals(out io.Writer, rec *record.Record) error {
	if err := record.VerifySeals(rec); err != nil {
		return fmt.Errorf("seals: %w", err)
	}
	if n := len(rec.Header.Seals); n > 0 {
		fmt.Fprintf(out, "Seals: the words of all %d seats have the seals of the header (--seal: those that you were shown).\n", n)
	}
	return nil
}

// verifyChain checks the hash chain of the entries. It returns false for a record without a chain, for
// example the record of a match that was played at a table.
func verifyChain(out io.Writer, g *rules.Game, rec *record.Record, recorded bool) (linked bool, err error) {
	if recorded && rec.Header.Commitment == "" {
		fmt.Fprintln(out, "Chain: none. This game was played elsewhere and written down.")
		return false, nil
	}
	if err := verifyForm(g, rec, recorded); err != nil {
		return false, fmt.Errorf("form: %w", err)
	}
	if err := record.VerifyChain(rec); err != nil {
		return false, fmt.Errorf("chain: %w", err)
	}
	fmt.Fprintf(out, "Chain: %d entries, each follows on the one before.\n", len(rec.Entries()))
	return true, nil
}

// verifyForm checks the fields of entries and header. A record from a table has other fields.
func verifyForm(g *rules.Game, rec *record.Record, recorded bool) error {
	if recorded {
		return nil
	}
	if err := record.VerifyHeader(rec.Header, g); err != nil {
		return err
	}
	if len(rec.Entries()) == 0 {
		return errors.New("line 1: no entry follows")
	}
	return record.VerifyForm(rec)
}

// verifyRound checks the signature of the beacon round, without network access.
func verifyRound(out io.Writer, rec *record.Record) error {
	if err := record.VerifyBeacon(rec); err != nil {
		return fmt.Errorf("beacon: %w", err)
	}
	if b := rec.Header.Beacon; b != nil {
		fmt.Fprintf(out, "Beacon: the signature is that of round %d of %s (--round: the one that you were named).\n", b.Round, b.Chain)
	}
	return nil
}

// verifyEpochs lists and counts the increases of the epoch that an entry explains, for example a restore.
// The error names the increases without an explanation.
func verifyEpochs(out io.Writer, rec *record.Record) (rises int, err error) {
	explained, err := record.VerifyEpochs(rec)
	switch n := len(explained); {
	case n == 1:
		fmt.Fprintln(out, "Epochs: 1 new one, whose entry says why:")
	case n > 1:
		fmt.Fprintf(out, "Epochs: %d new ones, each with an entry that says why:\n", n)
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

// explainEpoch returns the reason why an entry increases the epoch.
func explainEpoch(e *record.Entry) string {
	var text string
	switch a := e.Act; {
	case a == nil:
		return fmt.Sprintf("%s took back entry %d and what followed.", e.Seat, e.Takeback)
	case a.Kind == record.Restore:
		text = "the operator put a backup back, of a match that stood as after " + listTime(a.Until) + " UTC."
	default:
		text = fmt.Sprintf("the director undid entry %d and what followed.", e.Takeback)
	}
	if e.Act.Why != "" {
		text += " The reason: " + e.Act.Why
	}
	return text
}

// Replay replays a record and returns false if the record differs from the expected outcomes. With state it writes
// the last position, and with every the position after each entry, each as one line of JSON.
func Replay(out io.Writer, games rules.Games, rec *record.Record, state, every bool) (same bool, err error) {
	g, err := games.Find(rec.Header.Game)
	if err != nil {
		return false, err
	}
	final, err := record.Replay(rec, g, func(v record.Visit) error {
		if every {
			return writePosition(out, v.Position)
		}
		return nil
	})
	if final.Position != nil && state && !every {
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
	if state || every {
		out = io.Discard // It has only positions.
	}
	fmt.Fprintf(out, "%d entries played again, no difference\n", final.Entries)
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

// printWitnesses checks and counts the entries in which players confirmed the history.
func printWitnesses(out io.Writer, rec *record.Record) error {
	signed, err := record.VerifyWitnesses(rec)
	if err != nil {
		return fmt.Errorf("witnesses: %w", err)
	}
	var newest []string
	seen := map[record.SeatName]bool{}
	for _, e := range slices.Backward(signed) {
		if !seen[e.Seat] {
			seen[e.Seat] = true
			newest = append(newest, fmt.Sprintf("%s has signed off all up to entry %d", e.Seat, *e.Act.Entry))
		}
	}
	if len(signed) > 0 {
		fmt.Fprintf(out, "Witnesses: %d; %s.\n", len(signed), strings.Join(newest, ", "))
	}
	return nil
}

// checkBegun lists the seals and rounds that no letter from before the match proves to be chosen in time. They fail
// no record, because letters may be missing.
func (c letterCheck) checkBegun(out io.Writer) {
	seals, showed := strings.Join(c.rec.Header.Seals, " "), false
	for i, s := range c.list {
		if s.seals == "" || !c.isEarly(s) {
			continue
		}
		showed = showed || s.seals == seals
		if other := c.describeOtherSeals(s, c.list[i+1:]); other != "" {
			fmt.Fprintf(out, "  %s: %s.\n", c.describeLetter(s), other)
		}
	}
	if seals != "" && !showed {
		fmt.Fprintln(out, "  None of them shows the seals of the record before the match began, "+
			"so they do not prove that nobody chose his words late.")
	}
	b := c.rec.Header.Beacon
	if b == nil {
		return
	}
	chain, err := beacon.Find(b.Chain)
	if err != nil || !slices.ContainsFunc(c.list,
		func(s letterState) bool {
			return s.round.number == b.Round && s.arrived.Before(chain.Published(b.Round))
		}) {
		fmt.Fprintf(out, "  None of them names round %d before it was published, so they do not prove that nobody chose it.\n", b.Round)
	}
}

// describeOtherSeals says that a later letter to the same reader shows other seals; empty where none does.
func (c letterCheck) describeOtherSeals(s letterState, later []letterState) string {
	i := slices.IndexFunc(later, func(o letterState) bool {
		return c.isEarly(o) && sameReader(o.name, s.name) && o.seals != "" && o.seals != s.seals
	})
	if i < 0 {
		return ""
	}
	text := fmt.Sprintf("it shows other seals than letter %d", later[i].name.Number)
	if sealAt(later[i].seals, s.name.Holder) != sealAt(s.seals, s.name.Holder) {
		return text + ". That is so only where a player was replaced before the match began"
	}
	return text + ". If that reader had opened his words between these two, others could choose theirs by them"
}

// isEarly reports whether a letter shows no entry: only such letters show seals of their own.
func (c letterCheck) isEarly(s letterState) bool { return c.places[s.head].seq < 0 || s.head == "" }

func sealAt(seals string, seat int) string {
	if list := strings.Fields(seals); seat < len(list) {
		return list[seat]
	}
	return seals
}

// joinedWords finds the words in the letter that confirms that its reader has joined. What other
// players write never begins a row.
var joinedWords = lazyregexp.New(`(?m)^  You\s+have\s+joined\b[^|]{0,200}?\bYour\s+words\s+for\s+the\s+dice:((?:[ \t]*\S.*)?(?:\n  \S.*)*)`)

// readWords returns these words without white space, because letters break rows.
func readWords(text string) string {
	if !strings.Contains(text, "joined") {
		return ""
	}
	if m := joinedWords.FindStringSubmatch(text); m != nil {
		return removeSpaces(m[1])
	}
	return ""
}

func removeSpaces(text string) string { return strings.Join(strings.Fields(text), "") }

// checkWords compares the words of each seat with the newest letter that confirmed them to its player, and
// returns the number of differences. Exchanged words would give a choice of dice. A player who was replaced
// before the match began has no such letter.
func (c letterCheck) checkWords(out io.Writer) (bad int) {
	for i, s := range c.list {
		if s.words == "" || s.name.Kind != message.Seat || s.name.Holder >= len(c.rec.Header.Words) ||
			s.words == removeSpaces(c.rec.Header.Words[s.name.Holder]) {
			continue
		}
		plays := false
		for _, o := range c.list[i+1:] {
			if !sameReader(o.name, s.name) {
				break
			}
			if o.words != "" {
				plays = false
				break
			}
			p, known := c.places[o.head]
			plays = plays || known && p.seq >= 0
		}
		if plays {
			bad++
			fmt.Fprintf(out, "  %s: the words that it confirms are not those of that seat in the record.\n", c.describeLetter(s))
		}
	}
	return bad
}
