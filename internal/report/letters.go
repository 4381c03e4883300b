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
	name          message.LetterName
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
	var boxes []iter.Seq2[mailbox.Message, error]
	for _, p := range paths {
		boxes = append(boxes, mailbox.Messages(p))
	}
	return FindLetters(boxes...)
}

// FindLetters finds the letters of a referee among the mails of mailboxes that are open.
func FindLetters(boxes ...iter.Seq2[mailbox.Message, error]) (l Letters, err error) {
	l = Letters{given: len(boxes) > 0, of: map[string][]shown{}}
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
		slices.SortStableFunc(list, func(a, b shown) int {
			return cmp.Or(cmp.Compare(a.name.Kind, b.name.Kind), cmp.Compare(a.name.Holder, b.name.Holder),
				cmp.Compare(a.name.Number, b.name.Number))
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
	n, ok := message.ReadHeader(m.Raw).OwnName()
	if !ok {
		return s, false
	}
	l := message.Read(m.Raw)
	s = shown{name: n, from: l.Author, subject: l.Subject, epoch: -1, round: readRound(l.Text), words: readWords(l.Text),
		reveals: revealed(l.Text), text: l.Text, page: message.ReadHTML(m.Raw)}
	s.date, s.arrived = dates(l, m.Received)
	s.seals = strings.Join(sealShown.FindAllString(sealsShown.FindString(l.Text), -1), " ")
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
		// Letters to observers have none of their own before the end, and may bring another.
		s.other = fmt.Sprintf("letter %d of match %s", f.Number, f.Match)
	}
	return s, true
}

// lateDate is how far the Date of a letter and its arrival may lie apart without a word.
const lateDate = 5 * time.Minute

// dates are the Date field of a letter, and when it arrived: the time in its topmost Received
// field, which no server before the reader's own can write. Where there is none it is the time
// that the mailbox kept.
func dates(l message.Letter, kept time.Time) (date, arrived time.Time) {
	if at, err := netmail.ParseDate(l.Date); err == nil {
		date = at.UTC()
	}
	_, stamp, _ := strings.Cut(l.Received, ";")
	if at, err := netmail.ParseDate(strings.TrimSpace(stamp)); err == nil {
		kept = at
	}
	return date, kept.UTC()
}

// strayDates lists the letters whose Date and arrival lie far apart. Mail can be late; a Date
// that somebody chose lies apart as well.
func (c letterCheck) strayDates(out io.Writer) {
	far, most := 0, shown{}
	distance := func(s shown) time.Duration { return s.arrived.Sub(s.date).Abs() }
	for _, s := range c.list {
		if s.date.IsZero() || distance(s) <= lateDate {
			continue
		}
		if far++; far == 1 || distance(s) > distance(most) {
			most = s
		}
	}
	if far > 0 {
		fmt.Fprintf(out, "  Arrived more than five minutes from their Date: %d. The farthest: %s, arrived %s UTC.\n", far, c.called(most),
			listTime(most.arrived))
	}
}

// part is a part of a letter: its title in small letters, and its lines. The head has no title.
type part struct {
	title string
	lines []string
}

// happened is the title of the part that tells what happened.
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

// underlines reports whether a line is nothing but hyphens, under a title.
func underlines(line, title string) bool {
	return len(line) >= 3 && len(line) <= len(title)+1 && strings.Trim(line, "-") == ""
}

// pageParts takes the page of a letter apart, where titles are lines of their own.
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

// sentences are the lines of a part, with those put together that a text has broken.
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

// restored is less than the gap that a restore leaves in the numbers of letters.
const restored = 50_000

// missing tells of letters whose numbers lie between those that are there.
func (c letterCheck) missing(out io.Writer) {
	gaps := map[string][]string{}
	last := message.LetterName{Holder: -1}
	for _, s := range c.list {
		from, to, who := int64(1), s.name.Number-1, c.reader(s.name)
		if sameReader(s.name, last) {
			from = last.Number + 1
		}
		last = s.name
		switch {
		case to < from, to-from >= restored:
		case to == from:
			gaps[who] = append(gaps[who], strconv.FormatInt(to, 10))
		default:
			gaps[who] = append(gaps[who], fmt.Sprintf("%d-%d", from, to))
		}
	}
	for _, who := range slices.Sorted(maps.Keys(gaps)) {
		fmt.Fprintf(out, "  Not among those to %s: %s.\n", who, strings.Join(gaps[who], ", "))
	}
	if len(gaps) > 0 {
		fmt.Fprintln(out, "  A letter that only confirms is not sent where one that asks takes its place.")
	}
}
