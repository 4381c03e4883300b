package record

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"samizdat/rules"
)

// VerifyForm checks the form of each entry of a record with a sealed stream. It needs neither the game nor the
// secret, so it also checks public records. Each entry after the first must contain a single kind of change, e.g. an
// order. Each entry must have a time, and it must contain its hidden fields if and only if the record contains the secret. The
// error is a *ChainError.
func VerifyForm(rec *Record) error {
	hasSecret := rec.Header.Secret != ""
	for _, s := range rec.Steps {
		if e := s.Entry; e != nil {
			if err := cmp.Or(e.checkKind(), e.checkSeatAndLetter(), e.checkHiddenFields(hasSecret)); err != nil {
				return &ChainError{Line: s.Line, Seq: e.Seq, Problem: err.Error()}
			}
		}
	}
	return nil
}

// VerifyHeader checks that the header has a player and words for every seat. The words are part of the key of the match: without them, the
// owner of the secret could choose the outcomes.
func VerifyHeader(h Header, g *rules.Game) error {
	names := g.SeatNames(h.Setup(g))
	if len(h.Words) != len(names) || slices.Contains(h.Words, "") {
		return fmt.Errorf("line 1: expected words of %d seats, got %q", len(names), h.Words)
	}
	for _, w := range h.Words {
		// With invisible characters, a player could choose between words that look equal but give different dice.
		if !isCleanText(w) {
			return fmt.Errorf("line 1: the words %q contain invisible characters or are too long", w)
		}
	}
	for _, n := range names {
		if _, hasPlayer := h.Seats[n]; !hasPlayer {
			return fmt.Errorf("line 1: the seat %s has no player", n)
		}
	}
	return nil
}

// maxWordsLength is the maximum number of characters in a seat's words.
const maxWordsLength = 300

// isCleanText reports whether words have at most maxWordsLength characters, only single spaces, no spaces at the ends, and no
// invisible characters. The key includes words only in this form.
func isCleanText(words string) bool {
	isInvisible := func(r rune) bool {
		return r != ' ' && unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}
	return utf8.ValidString(words) && !strings.ContainsFunc(words, isInvisible) && words == strings.Join(strings.Fields(words), " ") &&
		utf8.RuneCountInString(words) <= maxWordsLength
}

func (e *Entry) checkKind() error {
	kinds := 0
	for _, has := range []bool{len(e.Orders) > 0 || e.Private, len(e.Answers) > 0, e.Tally != nil, e.Act != nil,
		e.Act == nil && e.FirstTakenBack != 0, e.Act == nil && e.Player != ""} {
		if has {
			kinds++
		}
	}
	switch {
	case e.Seq == 0 && (kinds != 0 || e.Seat != "" || e.Letter != ""):
		return errors.New("the first entry must contain only the deal")
	case e.Seq > 0 && kinds == 0:
		return errors.New("the entry contains no answer and no other change")
	case kinds > 1:
		return errors.New("the entry contains several kinds of changes")
	case e.Act != nil:
		if err := checkActForm(e); err != nil {
			return err
		}
	}
	return e.checkMembers()
}

// checkMembers checks that required members are present, and members for records of other programs, e.g. "note", are absent.
func (e *Entry) checkMembers() error {
	switch {
	case (e.Setup != "") != (e.Seq == 0):
		return errors.New("\"setup\" must be in the first entry and in no other")
	case e.At.IsZero() || e.At.Nanosecond() != 0 || e.At.Location() != time.UTC:
		return errors.New("the time must be in whole seconds of UTC")
	case e.Source != nil || e.Forced || e.Note != "":
		return errors.New("\"source\", \"forced\" and \"note\" are allowed only in records of other programs")
	case e.Epoch < 0 || e.FirstTakenBack < 0:
		return errors.New("\"epoch\" and \"takeback\" must not be negative")
	case !e.HasOrders() && len(e.Chance) > 0 && e.Seq > 0:
		return errors.New("an entry without orders must have no outcomes")
	}
	return nil
}

func (e *Entry) checkSeatAndLetter() error {
	hasOrders := len(e.Orders) > 0 || e.Private
	switch isGroup := len(e.Answers) > 0 || e.Tally != nil; {
	case isGroup && e.Seat != "", e.Seq > 0 && !isGroup && e.Act == nil && e.Seat == "":
		return errors.New("missing or unexpected seat")
	case e.Silence != "" && !hasOrders, e.Letter != "" && !hasOrders && (e.Act == nil || e.Seat == "" || e.Act.By != ""):
		return errors.New("\"letter\" and \"silence\" need orders of a seat")
	case len(e.Orders) > 1:
		return fmt.Errorf("expected one order in an entry, got %d", len(e.Orders))
	}
	if err := checkLetter(e.Letter, e.Silence); err != nil {
		return err
	}
	return e.checkAnswers()
}

func (e *Entry) checkAnswers() error {
	for _, a := range e.Answers {
		if a.Seat == "" || len(a.Orders) > 1 || len(a.Orders) == 0 && !a.Private {
			return errors.New("each answer must have a seat and one order")
		}
		if err := checkLetter(a.Letter, a.Silence); err != nil {
			return err
		}
	}
	return nil
}

func checkLetter(letter, silence string) error {
	switch {
	case silence != "" && silence != SilenceDefault && silence != SilenceLot:
		return fmt.Errorf("unknown silence %q", silence)
	case letter != "" && silence != "":
		return errors.New("an answer for a silent seat must have no letter")
	case letter != "" && !isDigest(letter):
		return errors.New("\"letter\" must be a SHA-256 of 64 lower-case hexadecimal digits")
	}
	return nil
}

func isDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32 && hex.EncodeToString(b) == s
}

// checkHiddenFields checks that a record with the secret contains all hidden fields, and that a record without the
// secret contains none, because they could not be verified.
func (e *Entry) checkHiddenFields(hasSecret bool) error {
	shown := []bool{e.State != ""}
	if e.Private {
		shown = append(shown, len(e.Orders) > 0)
	}
	for _, a := range e.Answers {
		if a.Private {
			shown = append(shown, len(a.Orders) > 0)
		}
	}
	for _, o := range e.Chance {
		if o.From == "" {
			continue
		}
		isLot := o.From == rules.KindLot
		if o.Hidden {
			shown = append(shown, o.Draw != nil)
		}
		if o.Hidden || !isLot {
			shown = append(shown, o.I != nil)
		}
		if o.isHiddenLot() {
			shown = append(shown, o.N != nil)
		}
		if o.N == nil && !o.isHiddenLot() || o.I == nil && isLot && !o.Hidden {
			return errors.New("an outcome lacks the index or the size of the pile")
		}
	}
	if slices.Contains(shown, !hasSecret) {
		if hasSecret {
			return errors.New("a hidden field is missing, although the secret is published")
		}
		return errors.New("the entry contains hidden fields, which cannot be verified without the secret")
	}
	return nil
}
