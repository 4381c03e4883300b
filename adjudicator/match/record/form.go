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

// VerifyForm checks what every entry of a record with a sealed stream has and lacks, as far as
// that needs neither the game nor the secret: that it is one thing and no other, that it was
// made at a time, and that it shows what is hidden if, and only if, the record can prove it.
// It is good for the public form of a record as well. The error is a *Broken.
func VerifyForm(rec *Record) error {
	open := rec.Header.Secret != ""
	for _, s := range rec.Steps {
		if e := s.Entry; e != nil {
			if err := cmp.Or(e.checkKind(), e.checkAsked(), e.checkShown(open)); err != nil {
				return &ChainError{Line: s.Line, Seq: e.Seq, Problem: err.Error()}
			}
		}
	}
	return nil
}

// VerifyHeader checks that the words of every seat are in the key: whoever chose the secret
// would have chosen the outcomes of a match without.
func VerifyHeader(h Header, g *rules.Game) error {
	names := g.SeatNames(h.Setup(g))
	if len(h.Words) != len(names) || slices.Contains(h.Words, "") {
		return fmt.Errorf("line 1: words are missing in %q: each of %d seats has some", h.Words, len(names))
	}
	for _, w := range h.Words {
		// Whoever could choose among words that look the same would have a choice of dice.
		if !plain(w) {
			return fmt.Errorf("line 1: the words %q hold what no words do", w)
		}
	}
	for _, n := range names {
		if _, sits := h.Seats[n]; !sits {
			return fmt.Errorf("line 1: nobody sits at %s", n)
		}
	}
	return nil
}

// mostWords is how many characters the words of a seat have at most.
const mostWords = 300

// plain reports whether words are as they are mixed in: with one space between them and none
// at their ends, and nothing that cannot be seen.
func plain(words string) bool {
	unseen := func(r rune) bool {
		return r != ' ' && unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
	}
	return utf8.ValidString(words) && !strings.ContainsFunc(words, unseen) && words == strings.Join(strings.Fields(words), " ") &&
		utf8.RuneCountInString(words) <= mostWords
}

// checkKind checks that an entry is the first deal, or else one of the things that may happen.
func (e *Entry) checkKind() error {
	is := 0
	for _, has := range []bool{len(e.Orders) > 0 || e.Private, len(e.Answers) > 0, e.Tally != nil, e.Act != nil,
		e.Act == nil && e.Takeback != 0, e.Act == nil && e.Player != ""} {
		if has {
			is++
		}
	}
	switch {
	case e.Seq == 0 && (is != 0 || e.Seat != "" || e.Letter != ""):
		return errors.New("the first entry is the deal, and nothing else")
	case e.Seq > 0 && is == 0:
		return errors.New("nothing happens in it")
	case is > 1:
		return errors.New("it is several things at once")
	case e.Act != nil:
		if err := checkForm(e); err != nil {
			return err
		}
	}
	return e.checkMembers()
}

// checkMembers checks the members that every entry has, and those that none of a record of
// our own has.
func (e *Entry) checkMembers() error {
	switch {
	case (e.Setup != "") != (e.Seq == 0):
		return errors.New("the setup stands in the first entry, and in no other")
	case e.At.IsZero() || e.At.Nanosecond() != 0 || e.At.Location() != time.UTC:
		return errors.New("its time is missing, or not in whole seconds of UTC")
	case e.Source != nil || e.Forced || e.Note != "":
		return errors.New("it has a source, a mark or a remark, as records from elsewhere have")
	case e.Epoch < 0 || e.Takeback < 0:
		return errors.New("it has a number below 0")
	case !e.HasOrders() && len(e.Chance) > 0 && e.Seq > 0:
		return errors.New("it has outcomes that no orders caused")
	}
	return nil
}

// checkAsked checks whose answers an entry has, and out of which letters.
func (e *Entry) checkAsked() error {
	ordered := len(e.Orders) > 0 || e.Private
	switch several := len(e.Answers) > 0 || e.Tally != nil; {
	case several && e.Seat != "", e.Seq > 0 && !several && e.Act == nil && e.Seat == "":
		return errors.New("it has a seat and should not, or lacks one")
	case e.Silence != "" && !ordered, e.Letter != "" && !ordered && (e.Act == nil || e.Seat == "" || e.Act.By != ""):
		return errors.New("it has a letter, or is an answer for a silent seat, and has no orders")
	case len(e.Orders) > 1:
		return errors.New("it has several orders, where each is an entry of its own")
	}
	if err := checkLetter(e.Letter, e.Silence); err != nil {
		return err
	}
	return e.checkAnswers()
}

// checkAnswers checks the answers that were opened together.
func (e *Entry) checkAnswers() error {
	for _, a := range e.Answers {
		if a.Seat == "" || len(a.Orders) > 1 || len(a.Orders) == 0 && !a.Private {
			return errors.New("an answer lacks its seat or its order, or has several")
		}
		if err := checkLetter(a.Letter, a.Silence); err != nil {
			return err
		}
	}
	return nil
}

// checkLetter checks the form of a letter's digest: silence has none.
func checkLetter(letter, silence string) error {
	switch {
	case silence != "" && silence != SilenceDefault && silence != SilenceLot:
		return fmt.Errorf("there is no silence of the kind %q", silence)
	case letter != "" && silence != "":
		return errors.New("it is an answer for a silent seat, and has a letter")
	case letter != "" && !isDigest(letter):
		return errors.New("its letter is not a SHA-256 in lower-case digits")
	}
	return nil
}

func isDigest(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32 && hex.EncodeToString(b) == s
}

// checkShown checks that hidden fields are all there in an open record, and that none is in
// one without the secret, where nobody could say whether it is true.
func (e *Entry) checkShown(open bool) error {
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
		lot := o.From == rules.KindLot
		if o.Hidden {
			shown = append(shown, o.Draw != nil)
		}
		if o.Hidden || !lot {
			shown = append(shown, o.I != nil)
		}
		if o.hiddenLot() {
			shown = append(shown, o.N != nil)
		}
		if o.N == nil && !o.hiddenLot() || o.I == nil && lot && !o.Hidden {
			return errors.New("an outcome lacks its place or the size of the pile")
		}
	}
	if slices.Contains(shown, !open) {
		if open {
			return errors.New("it lacks something hidden, and the secret is published")
		}
		return errors.New("it shows something hidden, and without the secret nobody can say whether it is true")
	}
	return nil
}
