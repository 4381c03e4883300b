package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"samizdat/adjudicator/match/record"
	"samizdat/rules"
)

// Verify checks what can be checked of a record, and says what that was. It returns false
// if the record differs from what it expects. A record that stops before the end of its
// match fails, unless it may be partial, or is that of a match whose secret is not published.
func Verify(out io.Writer, games rules.Games, rec *record.Record, held Evidence, partial bool) (same bool, err error) {
	f, err := verify(out, games, rec, held, partial)
	return f.same, err
}

// findings are what Verify has found.
type findings struct {
	letterCount
	// same is false if the record differs from what it expects.
	same bool
	// epochs is how many new ones there are.
	epochs int
	// end says in a line how the record ends.
	end string
}

func verify(out io.Writer, games rules.Games, rec *record.Record, held Evidence, partial bool) (f findings, err error) {
	h := rec.Header
	g, err := games.Find(h.Game)
	if err != nil {
		return f, err
	}
	recorded := h.Chance == record.ChanceRecorded
	linked, err := chain(out, g, rec, recorded)
	if err != nil {
		return f, err
	}
	if err := errors.Join(seals(out, rec), round(out, rec)); err != nil {
		return f, err
	}
	if f.letterCount, err = held.check(out, g, rec); err != nil {
		return f, err
	}
	if f.epochs, err = epochs(out, rec); err != nil {
		return f, err
	}
	if err := witnesses(out, rec); err != nil {
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
	f.same, f.end, err = played(out, g, rec, replay, newFactCheck(out, g, rec, held.Letters), partial)
	return f, err
}

// replay plays a record, and verifies its chain or does not.
type replay func(*record.Record, rules.Game, func(record.Visit) error) (record.Final, error)

// played computes every outcome again, plays every order, and looks whether the match is over.
func played(out io.Writer, g rules.Game, rec *record.Record, replay replay, facts *factCheck, partial bool) (same bool, end string, err error) {
	var chance error
	if rec.Header.Chance != record.ChanceRecorded {
		chance = record.VerifyStream(rec)
	}
	var visit func(record.Visit) error
	if facts != nil {
		visit = facts.visit
	}
	final, err := replay(rec, g, visit)
	if chance != nil && !before(err, chance) {
		return false, "", fmt.Errorf("chance: %w", chance)
	}
	if rec.Header.Chance != record.ChanceRecorded && chance == nil {
		fmt.Fprintf(out, "Chance: %d dice and cards, each is what the secret and the players' words give.\n", len(rec.Outcomes()))
	}
	var diffs record.Differences
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

// outcome says who has won, and by what: "democrat has won (resignation)".
func outcome(r rules.Result, names []string) string {
	said := "nobody has won"
	switch winners := r.WinnersOf(names); {
	case len(winners) == 1:
		said = winners[0] + " has won"
	case len(winners) > 1:
		said = strings.Join(winners, ", ") + " have won"
	case !r.Lost:
		said = "a draw"
	}
	if r.Reason != "" {
		said += " (" + r.Reason + ")"
	}
	return said
}

// before reports whether an entry that cannot be played stands before one whose outcomes are
// not those of the stream: that one is to blame, and what follows from it is not.
func before(played, chance error) bool {
	var failure *record.Failure
	var broken *record.Broken
	return errors.As(played, &failure) && errors.As(chance, &broken) && failure.Seq < broken.Seq
}

// seals checks that the words of each seat have the seal that it has sent before.
func seals(out io.Writer, rec *record.Record) error {
	if err := record.VerifySeals(rec); err != nil {
		return fmt.Errorf("seals: %w", err)
	}
	if n := len(rec.Header.Seals); n > 0 {
		fmt.Fprintf(out, "Seals: the words of all %d seats have the seals of the header (--seal: those that you were shown).\n", n)
	}
	return nil
}

// chain checks what entries have, and that each follows on the one before. It returns false
// if they have no chain.
func chain(out io.Writer, g rules.Game, rec *record.Record, recorded bool) (linked bool, err error) {
	if recorded && rec.Header.Commitment == "" {
		fmt.Fprintln(out, "Chain: none. This game was played elsewhere and written down.")
		return false, nil
	}
	if err := form(g, rec, recorded); err != nil {
		return false, fmt.Errorf("form: %w", err)
	}
	if err := record.VerifyChain(rec); err != nil {
		return false, fmt.Errorf("chain: %w", err)
	}
	fmt.Fprintf(out, "Chain: %d entries, each follows on the one before.\n", len(rec.Entries()))
	return true, nil
}

// form checks what entries and header have. A record from elsewhere has less, and more.
func form(g rules.Game, rec *record.Record, recorded bool) error {
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

// round checks the round of a public beacon, without asking anybody.
func round(out io.Writer, rec *record.Record) error {
	if err := record.VerifyBeacon(rec); err != nil {
		return fmt.Errorf("beacon: %w", err)
	}
	if b := rec.Header.Beacon; b != nil {
		fmt.Fprintf(out, "Beacon: the signature is that of round %d of %s (--round: the one that you were named).\n", b.Round, b.Chain)
	}
	return nil
}
