package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"samizdat/internal/lazyregexp"
	"samizdat/mail/mailbox"
	"samizdat/mail/message"
)

// Letters are those of a referee that were found in mailboxes.
type Letters struct {
	// given means that mailboxes were read, mails is how many mails they hold, each once.
	given bool
	mails int
	// of are the letters of each match, by their readers and in their order.
	of map[string][]shown
}

// shown is what a letter of the referee shows of a history.
type shown struct {
	name          message.Name
	from, subject string
	// date is the Date field, which the referee wrote; arrived is when the reader's own
	// mail server or mailbox took the letter in.
	date, arrived time.Time
	// head is the hash in its foot; empty where there is none. Epoch is negative where the
	// foot does not say it.
	head  string
	epoch int
	// other is the letter that the foot names, where that is not this one.
	other string
	// commits means that the letter is an invitation: head is the commitment that it names.
	commits bool
	// seals are those of all words, where the letter shows them.
	seals string
	round shownRound
	// reveals are the SHA-256 digests of the numbers of 64 hexadecimal digits in the letter. Where
	// one of them is the commitment of the match, the letter publishes the secret.
	reveals string
	// words are those that the letter confirms, without white space.
	words string
	// text is the letter's, and page that of the page beside it.
	text, page string
}

// Before a match begins letters name what it will be made from: the invitation the commitment,
// and the letter to all who have joined the seals of their words.
var (
	commitment = lazyregexp.New(`that\s+this\s+number\s+commits\s+us\s+to:\s+([0-9a-f]{64})\b`)
	sealsShown = lazyregexp.New(`(?ms)^(?:THE SEALS|The seals)$.*?^Each\s+is\s+the\s+SHA-256`)
	sealShown  = lazyregexp.New(`\b[0-9a-f]{64}\b`)
)

// revealed are the digests of the secrets that a text may hold.
func revealed(text string) string {
	var out []string
	for _, n := range sealShown.FindAllString(text, -1) {
		b, err := hex.DecodeString(n)
		if sum := sha256.Sum256(b); err == nil && !slices.Contains(out, hex.EncodeToString(sum[:])) {
			out = append(out, hex.EncodeToString(sum[:]))
		}
	}
	return strings.Join(out, " ")
}

// ReadLetters finds the letters of a referee among the mails of mailboxes. Answers to them,
// which quote them, are none.
func ReadLetters(paths []string) (l Letters, err error) {
	l = Letters{given: len(paths) > 0, of: map[string][]shown{}}
	for _, p := range paths {
		for m, e := range mailbox.Messages(p) {
			if e != nil {
				err = errors.Join(err, fmt.Errorf("read letters: %w", e))
				continue
			}
			l.mails++
			if s, ok := readShown(m); ok {
				l.add(s)
			}
		}
	}
	for _, list := range l.of {
		slices.SortStableFunc(list, func(a, b shown) int {
			return cmp.Or(cmp.Compare(a.name.Kind, b.name.Kind), cmp.Compare(a.name.Holder, b.name.Holder), cmp.Compare(a.name.Number, b.name.Number))
		})
	}
	return l, err
}

// add adds a letter, unless a copy of it is there: of copies the first to arrive counts.
func (l Letters) add(s shown) {
	list := l.of[s.name.Match]
	for i, o := range list {
		if o.arrived = s.arrived; o == s {
			if s.arrived.Before(list[i].arrived) {
				list[i] = s
			}
			return
		}
	}
	l.of[s.name.Match] = append(list, s)
}

// readShown reads a letter of the referee. The last foot in it is its own: a player's message
// in it may hold another.
func readShown(m mailbox.Message) (s shown, ok bool) {
	n, ok := message.ReadHeader(m.Raw).Own()
	if !ok {
		return s, false
	}
	l := message.Read(m.Raw)
	s = shown{name: n, from: l.Author, subject: l.Subject, epoch: -1, round: readRound(l.Text), words: readWords(l.Text), reveals: revealed(l.Text), text: l.Text, page: message.ReadPage(m.Raw)}
	s.date, s.arrived = dates(l, m.Kept)
	s.seals = strings.Join(sealShown.FindAllString(sealsShown.FindString(l.Text), -1), " ")
	feet := message.Feet(l.Text)
	if len(feet) == 0 {
		if m := commitment.FindStringSubmatch(l.Text); m != nil {
			s.head, s.commits = m[1], true
		}
		return s, true
	}
	switch f := feet[len(feet)-1]; {
	case f.Match == n.Match && (f.Number == 0 || f.Number == n.Number):
		s.head, s.epoch = f.Head, f.Epoch
	case n.Kind == message.Seat:
		// Letters to observers have none of their own before the end, and may bring another.
		s.other = fmt.Sprintf("letter %d of match %s", f.Number, f.Match)
	}
	return s, true
}
