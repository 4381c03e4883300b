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

// Letters are the letters of a referee in the mailboxes of players.
type Letters struct {
	hasMailboxes bool
	// mailCount counts all messages in the mailboxes, also those that the referee did not write.
	mailCount int
	// byMatch has the letters of each match, sorted by reader and number.
	byMatch map[string][]letterEvidence
}

// letterEvidence holds the statements of one letter about the history of its match.
type letterEvidence struct {
	name            message.LetterName
	sender, subject string
	// date is the Date field, which the referee wrote. arrived is when the mail server or mailbox of the reader
	// received the letter.
	date, arrived time.Time
	// hash is the hash in the footer of the letter, or "". epoch is -1 if the footer has no epoch.
	hash  string
	epoch int
	// foreignFooter names the other letter to which the footer belongs, e.g. "letter 12 of match m7". It is empty if the
	// footer is the letter's own.
	foreignFooter string
	// isInvitation is set for an invitation; then hash is the commitment to the secret of the match.
	isInvitation bool
	// seals are the hashes of the words of all seats, separated by spaces, if the letter shows them.
	seals string
	round roundInLetter
	// revealedDigests are the SHA-256 digests of all 64-digit hexadecimal numbers in the letter. A digest that equals the
	// commitment of the match shows that the letter publishes the secret.
	revealedDigests string
	// words are the reader's words for the dice, as the letter confirms them, without white space.
	words string
	text  string
	// page is the text of the HTML page.
	page string
}

var (
	commitmentPattern = lazyregexp.New(`that\s+this\s+number\s+commits\s+us\s+to:\s+([0-9a-f]{64})\b`)
	// sealsPattern finds the list of seals in the letter before a match begins.
	sealsPattern = lazyregexp.New(`(?ms)^(?:THE (?:SEALS|FINGERPRINTS)|The (?:seals|fingerprints))$.*?^Each\s+is\s+(?:the\s+SHA-256|a\s+fingerprint)`)
)

func isNotWordCharacter(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

// findLongNumbers returns the numbers with 64 hexadecimal digits in a text, for example hashes and seals.
func findLongNumbers(text string) (out []string) {
	for word := range strings.FieldsFuncSeq(text, isNotWordCharacter) {
		if len(word) == hex.EncodedLen(sha256.Size) && strings.Trim(word, "0123456789abcdef") == "" {
			out = append(out, word)
		}
	}
	return out
}

func digestLongNumbers(text string) string {
	var out []string
	for _, n := range findLongNumbers(text) {
		b, err := hex.DecodeString(n)
		if hash := sha256.Sum256(b); err == nil && !slices.Contains(out, hex.EncodeToString(hash[:])) {
			out = append(out, hex.EncodeToString(hash[:]))
		}
	}
	return strings.Join(out, " ")
}

// ReadLetters finds the letters of a referee in mailbox files. It skips the replies of players, which may quote
// letters.
func ReadLetters(paths []string) (l Letters, err error) {
	var mailboxes []iter.Seq2[mailbox.Message, error]
	for _, p := range paths {
		mailboxes = append(mailboxes, mailbox.Messages(p))
	}
	return FindLetters(mailboxes...)
}

// FindLetters finds the letters of a referee in open mailboxes.
func FindLetters(mailboxes ...iter.Seq2[mailbox.Message, error]) (l Letters, err error) {
	l = Letters{hasMailboxes: len(mailboxes) > 0, byMatch: map[string][]letterEvidence{}}
	for _, box := range mailboxes {
		for m, e := range box {
			if e != nil {
				err = errors.Join(err, fmt.Errorf("read letters: %w", e))
				continue
			}
			l.mailCount++
			if letter, ok := readLetter(m); ok {
				l.add(letter)
			}
		}
	}
	for _, list := range l.byMatch {
		slices.SortStableFunc(list, func(a, b letterEvidence) int {
			return cmp.Or(cmp.Compare(a.name.Kind, b.name.Kind), cmp.Compare(a.name.Reader, b.name.Reader),
				cmp.Compare(a.name.Number, b.name.Number))
		})
	}
	return l, err
}

// add adds a letter. Of several copies of a letter it keeps the copy with the earliest arrival.
func (l Letters) add(letter letterEvidence) {
	list := l.byMatch[letter.name.Match]
	for i, earlier := range list {
		if earlier.arrived = letter.arrived; earlier == letter {
			if letter.arrived.Before(list[i].arrived) {
				list[i] = letter
			}
			return
		}
	}
	l.byMatch[letter.name.Match] = append(list, letter)
}

// readLetter parses a message; ok is false if the referee did not write the message. It reads the last footer, because a
// quoted message of a player may contain another footer.
func readLetter(m mailbox.Message) (letter letterEvidence, ok bool) {
	n, ok := message.ReadHeader(m.Raw).OwnName()
	if !ok {
		return letter, false
	}
	l, page := message.ReadSent(m.Raw)
	letter = letterEvidence{name: n, sender: l.Author, subject: l.Subject, epoch: -1, round: readRound(l.Text), words: readWords(l.Text),
		revealedDigests: digestLongNumbers(l.Text), text: l.Text, page: page}
	letter.date, letter.arrived = findDates(l, m.Received)
	if strings.Contains(l.Text, "SHA-256") {
		letter.seals = strings.Join(findLongNumbers(sealsPattern.FindString(l.Text)), " ")
	}
	footers := message.FindFooters(l.Text)
	if len(footers) == 0 {
		if m := commitmentPattern.FindStringSubmatch(l.Text); m != nil {
			letter.hash, letter.isInvitation = m[1], true
		}
		return letter, true
	}
	switch f := footers[len(footers)-1]; {
	case f.Match == n.Match && (f.Number == 0 || f.Number == n.Number):
		letter.hash, letter.epoch = f.Head, f.Epoch
	case n.Kind == message.Seat:
		// Letters to observers have no footer before the end and may quote the footer of another letter.
		letter.foreignFooter = fmt.Sprintf("letter %d of match %s", f.Number, f.Match)
	}
	return letter, true
}

// maxDateDifference is the largest accepted difference between the Date of a letter and its arrival.
const maxDateDifference = 5 * time.Minute

// findDates returns the Date field of a letter and its arrival: the time in the topmost Received field, which only
// the reader's own server can write (RFC 5321, section 4.4). Without a Received field, the arrival is the time in the
// mailbox.
func findDates(l message.Letter, received time.Time) (date, arrived time.Time) {
	if at, err := netmail.ParseDate(l.Date); err == nil {
		date = at.UTC()
	}
	_, timestamp, _ := strings.Cut(l.Received, ";")
	if at, err := netmail.ParseDate(strings.TrimSpace(timestamp)); err == nil {
		received = at
	}
	return date, received.UTC()
}

// printStrayDates prints the number of letters with a Date that differs by more than maxDateDifference from the
// arrival. Either the letters were late or their Dates were forged.
func (c letterCheck) printStrayDates(out io.Writer) {
	farCount, farthest := 0, letterEvidence{}
	distance := func(letter letterEvidence) time.Duration { return letter.arrived.Sub(letter.date).Abs() }
	for _, letter := range c.letters {
		if letter.date.IsZero() || distance(letter) <= maxDateDifference {
			continue
		}
		if farCount++; farCount == 1 || distance(letter) > distance(farthest) {
			farthest = letter
		}
	}
	if farCount > 0 {
		fmt.Fprintf(out, "  Arrived more than five minutes before or after their Date: %d. The greatest difference: %s, arrived %s UTC.\n",
			farCount, c.describeLetter(farthest), formatTime(farthest.arrived))
	}
}

// letterPart is a part of a letter: its title in lower case, and its lines. The first part of a letter has no title.
type letterPart struct {
	title string
	lines []string
}

const happenedTitle = "what happened"

// splitText splits the text of a letter into parts. A title is underlined:
//
//	WHAT HAPPENED
//	-------------
func splitText(text string) []letterPart {
	lines := strings.Split(text, "\n")
	out := []letterPart{{}}
	for i, l := range lines {
		if l != "" && i+1 < len(lines) && isUnderline(lines[i+1], l) {
			out = append(out, letterPart{title: strings.ToLower(l)})
			continue
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, l)
	}
	return out
}

func isUnderline(line, title string) bool {
	return len(line) >= 3 && len(line) <= len(title)+1 && strings.Trim(line, "-") == ""
}

// splitPage splits the text of the HTML page of a letter into parts. A line that equals a title starts a part.
func splitPage(page string, titles []string) []letterPart {
	out := []letterPart{{}}
	for l := range strings.SplitSeq(page, "\n") {
		title := strings.ToLower(strings.TrimSpace(l))
		if title != "" && slices.Contains(titles, title) {
			out = append(out, letterPart{title: title})
			continue
		}
		out[len(out)-1].lines = append(out[len(out)-1].lines, l)
	}
	return out
}

// sentences returns the sentences of a part: lines that start with two spaces continue the line before.
func (p letterPart) sentences() (out []string) {
	for _, l := range p.lines {
		switch more, isContinued := strings.CutPrefix(l, "  "); {
		case isContinued && len(out) > 0:
			out[len(out)-1] += " " + strings.TrimSpace(more)
		default:
			out = append(out, l)
		}
	}
	return out
}

// A gap of minRestoreGap numbers or more is probably due to a restore of the database, which skips numbers of letters
// on purpose. A smaller gap means missing letters.
const minRestoreGap = 50_000

func (c letterCheck) printMissing(out io.Writer) {
	gaps := map[string][]string{}
	last := message.LetterName{Reader: -1}
	for _, letter := range c.letters {
		from, to, name := int64(1), letter.name.Number-1, c.formatReader(letter.name)
		if isSameReader(letter.name, last) {
			from = last.Number + 1
		}
		last = letter.name
		switch {
		case to < from, to-from >= minRestoreGap:
		case to == from:
			gaps[name] = append(gaps[name], strconv.FormatInt(to, 10))
		default:
			gaps[name] = append(gaps[name], fmt.Sprintf("%d-%d", from, to))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(gaps)) {
		fmt.Fprintf(out, "  Missing letters to %s: %s.\n", name, strings.Join(gaps[name], ", "))
	}
	if len(gaps) > 0 {
		fmt.Fprintln(out, "  A confirmation is not sent if a later letter with a question replaces it, so its number is missing.")
	}
}
