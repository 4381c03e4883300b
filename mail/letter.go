package mail

import (
	"bytes"
	"mime"
	netmail "net/mail"
	"regexp"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/charset"
)

// Letter is a parsed message. Addresses are bare and in lower case. Message-IDs
// carry no angle brackets.
type Letter struct {
	// From holds the addresses of every From field. A letter with not exactly
	// one From is not to be trusted: a signature may cover the other one.
	From []string
	// To and Cc are what the writer's mail program put there.
	To, Cc []string
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
	// Text is the decoded plain text, whole, with quotes; lines end with \n.
	Text string
	// Auto tells why this is machine mail, else it is empty. Machine mail is
	// never answered (RFC 3834).
	Auto string
	// Bounces are the failures a delivery report speaks of.
	Bounces []Bounce
	// Problems says in words for the player what could not be read.
	Problems []string
}

// Parse reads a message. It never fails: what cannot be decoded is left out or
// taken as it stands, and told in Problems.
func Parse(raw []byte) Letter {
	var l Letter
	e, err := message.Read(bytes.NewReader(raw))
	if e == nil {
		// One malformed header line makes the library refuse the whole mail.
		e, err = laxRead(raw)
		l.problem("The header of the letter is damaged.")
	}
	h := e.Header
	l.From = addresses(&l, h, "From")
	l.To = addresses(&l, h, "To")
	l.Cc = addresses(&l, h, "Cc")
	l.ReplyTo = addresses(&l, h, "Reply-To")
	for _, key := range []string{"Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To"} {
		l.DeliveredTo = append(l.DeliveredTo, addresses(nil, h, key)...)
	}
	l.Subject = tidyLine(decodeWords(h.Get("Subject")))
	l.MessageID = firstID(h.Get("Message-Id"))
	l.InReplyTo = firstID(h.Get("In-Reply-To"))
	l.References = allIDs(h.Get("References"))
	l.Date = tidyLine(h.Get("Date"))
	l.Auto = machineMail(h, l.From)

	w := walker{letter: &l}
	l.Text = tidyText(w.entity(e, err, 0))
	return l
}

func (l *Letter) problem(text string) {
	if l == nil || len(l.Problems) >= 10 {
		return
	}
	for _, p := range l.Problems {
		if p == text {
			return
		}
	}
	l.Problems = append(l.Problems, text)
}

// laxRead splits at the first blank line and keeps the header lines that are
// header lines. A text without any header is all body.
func laxRead(raw []byte) (*message.Entity, error) {
	const maxHeader = 1 << 20
	var fields []string
	rest := raw
	for len(rest) > 0 && len(raw)-len(rest) < maxHeader {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			rest = after
			break
		}
		switch key, _, ok := bytes.Cut(line, []byte(":")); {
		case (line[0] == ' ' || line[0] == '\t') && len(fields) > 0:
			fields[len(fields)-1] += " " + strings.TrimSpace(string(line))
		case ok && isFieldName(string(bytes.TrimRight(key, " \t"))):
			fields = append(fields, string(line))
		case len(fields) == 0:
			// Not a header at all.
			return message.New(message.Header{}, bytes.NewReader(rest))
		}
		rest = after
	}
	var h message.Header
	// Add puts a field on top, so the last comes first.
	for i := len(fields) - 1; i >= 0; i-- {
		key, value, _ := strings.Cut(fields[i], ":")
		h.Add(strings.TrimRight(key, " \t"), strings.TrimSpace(value))
	}
	return message.New(h, bytes.NewReader(rest))
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

var (
	idPattern      = regexp.MustCompile(`<([^<>\s]+)>`)
	addressPattern = regexp.MustCompile(`^[^\s<>"(),;:@]+@[^\s<>"(),;:@]+$`)
	angleAtEnd     = regexp.MustCompile(`<\s*([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)\s*>\s*$`)
)

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

// addresses reads every field named key. One that cannot be read gives an
// address only when it plainly ends in <one@address>: a display name must
// never pass for the sender.
func addresses(l *Letter, h message.Header, key string) []string {
	var out []string
	fields := h.FieldsByKey(key)
	for fields.Next() {
		v := strings.TrimSpace(fields.Value())
		if v == "" {
			continue
		}
		if addressPattern.MatchString(v) {
			out = append(out, cleanAddress(v))
			continue
		}
		p := netmail.AddressParser{WordDecoder: wordDecoder}
		list, err := p.ParseList(v)
		if err == nil {
			for _, a := range list {
				out = append(out, cleanAddress(a.Address))
			}
			continue
		}
		if m := angleAtEnd.FindStringSubmatch(v); m != nil && strings.Count(v, "<") == 1 {
			out = append(out, cleanAddress(m[1]))
			continue
		}
		if strings.EqualFold(v, "undisclosed-recipients:;") {
			continue
		}
		l.problem("The " + key + " line of the letter cannot be read.")
	}
	return out
}

func cleanAddress(a string) string {
	return strings.ToLower(strings.ToValidUTF8(strings.TrimSpace(a), "?"))
}
