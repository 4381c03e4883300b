package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	netmail "net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"samizdat/internal/lazyregexp"
	"samizdat/mail/mailbox"
	"samizdat/mail/message"
)

// Letters are the letters of a referee that were found in mailboxes.
type Letters struct {
	// given reports whether mailboxes were read. mails counts their distinct mails.
	given bool
	mails int
	// of holds the letters of each match, sorted by reader and number.
	of map[string][]letterState
}

// letterState is the evidence about a history in one letter.
type letterState struct {
	name          message.LetterName
	from, subject string
	// date is the Date field, which the referee wrote. arrived is the time at which the reader's mail
	// server or mailbox received the letter.
	date, arrived time.Time
	// head is the hash in the foot of the letter; empty if there is none. epoch is negative if the foot has no epoch.
	head  string
	epoch int
	// other describes the letter in the foot if the foot belongs to another letter.
	other string
	// commits marks an invitation. Then head is the commitment.
	commits bool
	// seals are the seals of all words, if the letter shows them.
	seals string
	round shownRound
	// reveals are the SHA-256 digests of the numbers with 64 hexadecimal digits in the letter. If a
	// digest equals the commitment of the match, the letter publishes the secret.
	reveals string
	// words are the words that the letter confirms, without white space.
	words string
	// text is the text of the letter; page is the text of its HTML page.
	text, page string
}

// Before a match begins, its invitation names the commitment, and the letter to all players shows the
// seals of their words.
var (
	commitment = lazyregexp.New(`that\s+this\s+number\s+commits\s+us\s+to:\s+([0-9a-f]{64})\b`)
	sealsShown = lazyregexp.New(`(?ms)^(?:THE (?:SEALS|FINGERPRINTS)|The (?:seals|fingerprints))$.*?^Each\s+is\s+(?:the\s+SHA-256|a\s+fingerprint)`)
)

// isNoDigit reports whether a character ends a number of hexadecimal digits.
func isNoDigit(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// findLongNumbers returns the numbers of 64 hexadecimal digits in a text, such as hashes and seals.
func findLongNumbers(text string) (out []string) {
	for word := range strings.FieldsFuncSeq(text, isNoDigit) {
		if len(word) == hex.EncodedLen(sha256.Size) && strings.Trim(word, "0123456789abcdef") == "" {
			out = append(out, word)
		}
	}
	return out
}

// findRevealed returns the SHA-256 digests of all 64-digit hexadecimal numbers in a text.
func findRevealed(text string) string {
	var out []string
	for _, n := range findLongNumbers(text) {
		b, err := hex.DecodeString(n)
		if sum := sha256.Sum256(b); err == nil && !slices.Contains(out, hex.EncodeToString(sum[:])) {
			out = append(out, hex.EncodeToString(sum[:]))
		}
	}
	return strings.Join(out, " ")
}

// ReadLetters finds the letters of a referee in mailbox files. It skips answers that quote letters.
func ReadLetters(paths []string) (l Letters, err error) {
	var boxes []iter.Seq2[mailbox.Message, error]
	for _, p := range paths {
		boxes = append(boxes, mailbox.Messages(p))
	}
	return FindLetters(boxes...)
}

// FindLetters finds the letters of a referee in open mailboxes.
func FindLetters(boxes ...iter.Seq2[mailbox.Message, error]) (l Letters, err error) {
	l = Letters{given: len(boxes) > 0, of: map[string][]letterState{}}
	for _, box := range boxes {
		for m, e := range box {
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
		slices.SortStableFunc(list, func(a, b letterState) int {
			return cmp.Or(cmp.Compare(a.name.Kind, b.name.Kind), cmp.Compare(a.name.Holder, b.name.Holder),
				cmp.Compare(a.name.Number, b.name.Number))
		})
	}
	return l, err
}

// add adds a letter. If a copy is already there, the copy that arrived first is kept.
func (l Letters) add(s letterState) {
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

// readShown parses a letter of the referee. It reads the last foot in the letter, because a player's
// message in the letter may contain another foot.
func readShown(m mailbox.Message) (s letterState, ok bool) {
	n, ok := message.ReadHeader(m.Raw).OwnName()
	if !ok {
		return s, false
	}
	l, page := message.ReadSent(m.Raw)
	s = letterState{name: n, from: l.Author, subject: l.Subject, epoch: -1, round: readRound(l.Text), words: readWords(l.Text),
		reveals: findRevealed(l.Text), text: l.Text, page: page}
	s.date, s.arrived = findDates(l, m.Received)
	if strings.Contains(l.Text, "SHA-256") {
		s.seals = strings.Join(findLongNumbers(sealsShown.FindString(l.Text)), " ")
	}
	feet := message.FindFooters(l.Text)
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
		// Letters to observers have no foot before the end and may quote the foot of another letter.
		s.other = fmt.Sprintf("letter %d of match %s", f.Number, f.Match)
	}
	return s, true
}

// lateDate is the accepted distance between the Date of a letter and its arrival.
const lateDate = 5 * time.Minute

// findDates returns the Date field of a letter and its arrival: the time in the topmost Received field,
// which only the reader's own server can write (RFC 5321, section 4.4). Without a Received field, the
// arrival is the time stored by the mailbox.
func findDates(l message.Letter, kept time.Time) (date, arrived time.Time) {
	if at, err := netmail.ParseDate(l.Date); err == nil {
		date = at.UTC()
	}
	_, stamp, _ := strings.Cut(l.Received, ";")
	if at, err := netmail.ParseDate(strings.TrimSpace(stamp)); err == nil {
		kept = at
	}
	return date, kept.UTC()
}

// reportStrayDates lists the letters whose Date and arrival lie far apart. Either the mail was late or the
// Date was forged.
func (c letterCheck) reportStrayDates(out io.Writer) {
	far, most := 0, letterState{}
	distance := func(s letterState) time.Duration { return s.arrived.Sub(s.date).Abs() }
	for _, s := range c.list {
		if s.date.IsZero() || distance(s) <= lateDate {
			continue
		}
		if far++; far == 1 || distance(s) > distance(most) {
			most = s
		}
	}
	if far > 0 {
		fmt.Fprintf(out, "  Arrived more than five minutes from their Date: %d. The farthest: %s, arrived %s "+
			"UTC.\n", far, c.describeLetter(most),
			listTime(most.arrived))
	}
}

// part is a part of a letter: its title in lower case, and its lines. The head of a letter has no title.
type part struct {
	title string
	lines []string
}

const happened = "what happened"

// textParts takes the text of a letter apart. A title is underlined:
//
//	WHAT HAPPENED
//	-------------
func textParts(text string) []part {
	lines := strings.Split(text, "\n")
	out := []part{{}}
	for i, l := range lines {
		if l != "" && i+1 < len(lines) && underlines(lines[i+1], l) {
			out = append(out, part{title: strings.ToLower(l)})
			continue
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, l)
	}
	return out
}

// underlines reports whether a line of hyphens underlines a title.
func underlines(line, title string) bool {
	return len(line) >= 3 && len(line) <= len(title)+1 && strings.Trim(line, "-") == ""
}

// pageParts splits the page of a letter into parts. A title is a line of its own.
func pageParts(page string, titles []string) []part {
	out := []part{{}}
	for l := range strings.SplitSeq(page, "\n") {
		title := strings.ToLower(strings.TrimSpace(l))
		if title != "" && slices.Contains(titles, title) {
			out = append(out, part{title: title})
			continue
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, l)
	}
	return out
}

// sentences returns the lines of a part and joins lines that the text version has wrapped.
func (p part) sentences() (out []string) {
	for _, l := range p.lines {
		switch more, broken := strings.CutPrefix(l, "  "); {
		case broken && len(out) > 0:
			out[len(out)-1] += " " + strings.TrimSpace(more)
		default:
			out = append(out, l)
		}
	}
	return out
}

// restored is smaller than the gap that a restore leaves in letter numbers. A larger gap is not
// reported as missing letters.
const restored = 50_000

// reportMissing reports gaps in the numbers of the letters.
func (c letterCheck) reportMissing(out io.Writer) {
	gaps := map[string][]string{}
	last := message.LetterName{Holder: -1}
	for _, s := range c.list {
		from, to, name := int64(1), s.name.Number-1, c.reader(s.name)
		if sameReader(s.name, last) {
			from = last.Number + 1
		}
		last = s.name
		switch {
		case to < from, to-from >= restored:
		case to == from:
			gaps[name] = append(gaps[name], strconv.FormatInt(to, 10))
		default:
			gaps[name] = append(gaps[name], fmt.Sprintf("%d-%d", from, to))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(gaps)) {
		fmt.Fprintf(out, "  Not among those to %s: %s.\n", name, strings.Join(gaps[name], ", "))
	}
	if len(gaps) > 0 {
		fmt.Fprintln(out, "  A letter that only confirms is not sent where one that asks takes its place.")
	}
}
