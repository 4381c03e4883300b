package message

import (
	"mime"
	"slices"
	"strings"

	"github.com/emersion/go-message/charset"

	"samizdat/internal/lazyregexp"
)

// Letter is a parsed message. Addresses are bare and in lower case. Message-IDs
// carry no angle brackets.
type Letter struct {
	// From holds the addresses of every From field, to be shown and logged.
	From []string
	// Author is the address that the letter says it is from. It is empty unless
	// there is exactly one: then nothing in the letter is to be trusted.
	Author string
	// AuthorName is what stands beside that address, decoded; it may be anything.
	AuthorName string
	// To and Cc are what the writer's mail program put there.
	To, Cc []string
	// Bcc is empty, unless the writer's program has forgotten to take it out.
	Bcc []string
	// Unread means that somebody may be named as a recipient who could not be read.
	Unread bool
	// DeliveredTo holds what mail servers recorded: Delivered-To,
	// X-Original-To and Envelope-To.
	DeliveredTo []string
	ReplyTo     []string
	Subject     string
	MessageID   string
	InReplyTo   string
	References  []string
	// Date is the Date field as it was written.
	Date string
	// Received is the topmost Received field, which the reader's own mail server wrote:
	// "from mx.club.test by mail.home.test with ESMTP; Sun, 4 Jun 1989 09:00:02 +0000".
	Received string
	// Text is the decoded plain text, whole, with quotes; lines end with \n.
	Text string
	// Auto tells why this is machine mail, else it is empty. Machine mail is
	// never answered (RFC 3834).
	Auto string
	// Bounces are the recipients a delivery report speaks of, and Returned the
	// letter that it is about.
	Bounces  []Bounce
	Returned Returned
	// AuthResults is the topmost Authentication-Results field: what the newest
	// server that wrote one found out, whoever that was.
	AuthResults string
	// Problems says in words for the player what could not be read.
	Problems []string
}

// Read reads a message. It never fails: what cannot be decoded is left out or
// taken as it stands, and told in Problems.
func Read(raw []byte) Letter {
	h, body, state := splitHeader(raw)
	l := readHeader(h, state)
	w := walker{letter: &l}
	l.Text = tidyText(w.entity(h, body, 0))
	w.readReport(h)
	w.gather(h)
	return l
}

// ReadPage reads the page that stands beside the text of a letter; empty where there is none.
// Mail programs show the page.
func ReadPage(raw []byte) string {
	h, body, _ := splitHeader(raw)
	w := walker{letter: new(Letter), pages: true}
	if text := w.entity(h, body, 0); w.paged {
		return tidyText(text)
	}
	return ""
}

// ReadHeader reads only what stands in the header of a message, which costs little
// however long the message is.
func ReadHeader(raw []byte) Letter {
	h, _, state := splitHeader(raw)
	return readHeader(h, state)
}

// Beginning is a message with no more of its body than so many bytes. The header stays
// whole: what it says must not depend on where a message is cut.
func Beginning(raw []byte, most int) []byte {
	_, body, _ := splitHeader(raw)
	return raw[:len(raw)-max(len(body)-most, 0)]
}

func readHeader(h header, state damage) Letter {
	var l Letter
	switch state {
	case damaged:
		l.problem("The header of the letter is damaged.")
	case endless:
		l.problem("The header of the letter is too long, and nothing in the letter was read.")
	}
	from, one := addresses(&l, h, "From")
	if l.From = bare(from); state != endless {
		// Another From could stand behind the limit.
		l.Author, l.AuthorName = author(h, from, one)
	}
	l.Unread = state != 0
	for _, to := range []struct {
		key  string
		list *[]string
	}{{"To", &l.To}, {"Cc", &l.Cc}, {"Bcc", &l.Bcc}} {
		list, ok := addresses(&l, h, to.key)
		*to.list, l.Unread = bare(list), l.Unread || !ok
	}
	replyTo, _ := addresses(&l, h, "Reply-To")
	l.ReplyTo = bare(replyTo)
	for _, key := range []string{"Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To"} {
		delivered, _ := addresses(nil, h, key)
		l.DeliveredTo = append(l.DeliveredTo, bare(delivered)...)
	}
	subject := h.get("Subject")
	l.Subject = OneLine(decodeWords(subject[:min(len(subject), longestSubject)]))
	l.MessageID = firstID(h.get("Message-Id"))
	l.InReplyTo = firstID(h.get("In-Reply-To"))
	l.References = allIDs(h.get("References"))
	l.Date = OneLine(h.get("Date"))
	l.Received = OneLine(h.get("Received"))
	l.AuthResults = OneLine(h.get("Authentication-Results"))
	l.Auto = machineMail(h, &l)
	return l
}

func (l *Letter) problem(text string) {
	if l != nil && len(l.Problems) < 10 && !slices.Contains(l.Problems, text) {
		l.Problems = append(l.Problems, text)
	}
}

var wordDecoder = &mime.WordDecoder{CharsetReader: charset.Reader}

// decodeWords undoes RFC 2047; what cannot be decoded stays as it is.
func decodeWords(s string) string {
	d, err := wordDecoder.DecodeHeader(s)
	if err != nil {
		d = s
	}
	return toUTF8([]byte(d))
}

var idPattern = lazyregexp.New(`<([^<>\s]+)>`)

func allIDs(s string) []string {
	var ids []string
	for _, m := range idPattern.FindAllStringSubmatch(s, 100) {
		ids = append(ids, strings.ToValidUTF8(m[1], "?"))
	}
	return ids
}

func firstID(s string) string {
	if ids := allIDs(s); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// longestSubject is how much of a subject is read: many times what programs write.
const longestSubject = 4 << 10
