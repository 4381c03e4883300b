// Package message reads what a person wrote with any mail program, and writes answers
// that any of them can show: bytes to a [Letter], and a [Draft] to bytes. It does no
// input or output and knows no other package of the program; what has to be asked of
// the domain name system is handed in.
//
// # Reading
//
// [Read] takes apart what real inboxes hold and never fails; [ReadOrders] keeps
// what the writer typed. Both take time and memory in proportion to the letter,
// whatever is in it. Letters of machines say so in Auto.
//
// # Trust
//
// Nothing in a letter is proof of who wrote it except the seat's [Token], and
// beside it the [Proof] that an operator may demand. A letter without exactly one
// From address has no [Letter] Author, and is not to be trusted at all.
//
// A delivery report is believed when it shows the [LetterID] or the token of the
// letter that came back: [Letter.Report] finds them. Nobody can guess either. A report
// proves nothing else, and no order counts by it.
package message

import (
	"bytes"
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
	w := partReader{letter: &l}
	l.Text = tidyText(w.readPart(h, body, 0))
	w.readReport(h)
	w.gatherEvidence(h)
	return l
}

// ReadHTML reads the page that stands beside the text of a letter; empty where there is none.
// Mail programs show the page.
func ReadHTML(raw []byte) string {
	h, body, _ := splitHeader(raw)
	w := partReader{letter: new(Letter), wantHTML: true}
	if text := w.readPart(h, body, 0); w.hasAlternatives {
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

// TruncateBody is a message with no more of its body than so many bytes. The header stays
// whole: what it says must not depend on where a message is cut.
func TruncateBody(raw []byte, most int) []byte {
	_, body, _ := splitHeader(raw)
	return raw[:len(raw)-max(len(body)-most, 0)]
}

func readHeader(h header, state headerState) Letter {
	var l Letter
	switch state {
	case headerDamaged:
		l.addProblem("The header of the letter is damaged.")
	case headerTooLong:
		l.addProblem("The header of the letter is too long, and nothing in the letter was read.")
	}
	from, one := addresses(&l, h, "From")
	if l.From = bareAddresses(from); state != headerTooLong {
		// Another From could stand behind the limit.
		l.Author, l.AuthorName = parseAuthor(h, from, one)
	}
	l.Unread = state != 0
	for _, to := range []struct {
		key  string
		list *[]string
	}{{"To", &l.To}, {"Cc", &l.Cc}, {"Bcc", &l.Bcc}} {
		list, ok := addresses(&l, h, to.key)
		*to.list, l.Unread = bareAddresses(list), l.Unread || !ok
	}
	replyTo, _ := addresses(&l, h, "Reply-To")
	l.ReplyTo = bareAddresses(replyTo)
	for _, key := range []string{"Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To"} {
		delivered, _ := addresses(nil, h, key)
		l.DeliveredTo = append(l.DeliveredTo, bareAddresses(delivered)...)
	}
	subject := h.get("Subject")
	l.Subject = OneLine(decodeWords(subject[:min(len(subject), maxSubject)]))
	l.MessageID = parseMessageID(h.get("Message-Id"))
	l.InReplyTo = parseMessageID(h.get("In-Reply-To"))
	l.References = parseMessageIDs(h.get("References"))
	l.Date = OneLine(h.get("Date"))
	l.Received = OneLine(h.get("Received"))
	l.AuthResults = OneLine(h.get("Authentication-Results"))
	l.Auto = machineMailReason(h, &l)
	return l
}

func (l *Letter) addProblem(text string) {
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

var messageIDPattern = lazyregexp.New(`<([^<>\s]+)>`)

func parseMessageIDs(s string) []string {
	var ids []string
	for _, m := range messageIDPattern.FindAllStringSubmatch(s, 100) {
		ids = append(ids, strings.ToValidUTF8(m[1], "?"))
	}
	return ids
}

func parseMessageID(s string) string {
	if ids := parseMessageIDs(s); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// maxSubject is how much of a subject is read: many times what programs write.
const maxSubject = 4 << 10

const (
	// maxHeader and maxFields bound the header of a letter. Real ones stay below
	// a tenth of it, with all that servers on the way add.
	maxHeader = 256 << 10
	maxFields = 2000
)

// field is one header field, unfolded, as it was written.
type field struct{ key, value string }

// header is the header of a letter or of a part, from top to bottom.
type header []field

// all gives the values of every field of a name.
func (h header) all(key string) []string {
	var out []string
	for _, f := range h {
		if strings.EqualFold(f.key, key) {
			out = append(out, f.value)
		}
	}
	return out
}

// get gives the topmost field of a name; empty when there is none.
func (h header) get(key string) string {
	if i := h.index(key); i >= 0 {
		return h[i].value
	}
	return ""
}

func (h header) has(key string) bool { return h.index(key) >= 0 }

func (h header) index(key string) int {
	return slices.IndexFunc(h, func(f field) bool { return strings.EqualFold(f.key, key) })
}

// headerState is what is wrong with a header; 0 is nothing.
type headerState int

const (
	// damaged: lines that are no header lines were left out.
	headerDamaged headerState = iota + 1
	// endless: the header is longer than any; nothing behind the limit is known.
	headerTooLong
)

// splitHeader cuts a letter, or a part of one, at the first blank line. Lines
// that are no header lines are left out; a text that begins with one has no
// header and is all body. Where such lines stand last, the blank line is missing
// and they are the beginning of the body. It never fails: mail programs read such
// letters too.
func splitHeader(raw []byte) (h header, body []byte, state headerState) {
	var value []byte // of the last field, which may go on
	var stray []byte // what follows the last field and is none
	end := func() {
		if len(h) > 0 {
			h[len(h)-1].value = string(bytes.TrimSpace(value))
		}
	}
	rest := raw
	for first := true; len(rest) > 0; first = false {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			end()
			if stray != nil {
				return h, stray, state
			}
			return h, after, state
		}
		if len(raw)-len(after) > maxHeader || len(h) > maxFields {
			end()
			return h, nil, headerTooLong
		}
		key, begin, ok := bytes.Cut(line, []byte(":"))
		name := string(bytes.TrimRight(key, " \t"))
		switch {
		case (line[0] == ' ' || line[0] == '\t') && len(h) > 0:
			value = append(append(value, ' '), bytes.TrimSpace(line)...)
		case ok && isFieldName(name):
			end()
			stray = nil
			h, value = append(h, field{key: name}), bytes.Clone(bytes.TrimSpace(begin))
		case first && bytes.HasPrefix(bytes.TrimPrefix(line, []byte(">")), []byte("From ")):
			// The line that mailbox files put above each letter.
		case len(h) == 0:
			return nil, rest, headerDamaged
		default:
			if stray == nil {
				stray = rest
			}
			state = headerDamaged
		}
		rest = after
	}
	end()
	return h, stray, state
}

// machineMailReason tells why a letter comes from a machine, by RFC 3834 and by
// what older programs do. The answer to such a letter would reach nobody, or
// another machine that answers it.
//
// In a letter that bears a token of ours only those signs count that no person's
// letter has. Mail services and lists add the others to what people write, and a
// machine's letter is never answered: the player would learn nothing. A robot that
// gives itself away by nothing else comes to an end all the same, because answers
// to letters that do nothing are bounded.
func machineMailReason(h header, l *Letter) string {
	if why := certainMachineSign(h, l); why != "" {
		return why
	}
	bounced, quiet, away := hasEmptyReturnPath(h), firstWord(h, "X-Auto-Response-Suppress") == "all", awaySubject.MatchString(l.Subject)
	passing := weakMachineSign(h, l.From)
	certain := strings.HasPrefix(passing, daemonSign) || bounced && (quiet || away || passing != "") || quiet && away
	if l.hasTokenForm() && !certain {
		return ""
	}
	switch {
	case quiet:
		// Outlook's out-of-office notes ask for no answer of any kind. With fewer
		// words it is only a person who wants no receipts.
		return "X-Auto-Response-Suppress: all"
	case bounced:
		return "Return-Path: " + returnPath(h)
	case passing != "":
		return passing
	case away:
		return "Subject of an automatic reply"
	}
	return ""
}

// certainMachineSign finds what no letter of a person has.
func certainMachineSign(h header, l *Letter) string {
	if v := firstWord(h, "Auto-Submitted"); v != "" && v != "no" {
		return "Auto-Submitted: " + v
	}
	if v := firstWord(h, "Precedence"); v == "auto_reply" || v == "auto-reply" {
		return "Precedence: " + v
	}
	for _, key := range []string{"X-Autogenerated", "X-Vacation", "X-Failed-Recipients"} {
		if h.has(key) {
			return key
		}
	}
	for _, key := range []string{"X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Mail-Autoreply", "Autoreply", "X-Auto-Reply"} {
		if v := firstWord(h, key); v != "" && v != "no" {
			return key
		}
	}
	if replySubject.MatchString(l.Subject) {
		return "Subject of an automatic reply"
	}
	return ""
}

// daemonSign is the sign that a mail server writes under the name which only servers have.
const daemonSign = "From: mailer"

// weakMachineSign finds what lists and mail services add to letters of people, and
// names of addresses at which hardly anybody reads.
func weakMachineSign(h header, from []string) string {
	switch v := firstWord(h, "Precedence"); v {
	case "bulk", "list", "junk":
		return "Precedence: " + v
	}
	for _, key := range []string{"List-Id", "List-Unsubscribe", "List-Post"} {
		if h.has(key) {
			return key
		}
	}
	for _, a := range from {
		if local, _, _ := strings.Cut(a, "@"); machineName.MatchString(local) {
			return "From: " + local
		}
	}
	return ""
}

// returnPath gives where reports on the letter go, as the last server wrote it down.
func returnPath(h header) string {
	return lowerASCII(strings.Join(strings.Fields(h.get("Return-Path")), ""))
}

// hasEmptyReturnPath says that nobody wants reports on the letter. Some servers forget whose
// letter it is.
func hasEmptyReturnPath(h header) bool {
	v := returnPath(h)
	return v == "<>" || strings.HasPrefix(v, "<mailer-daemon")
}

// hasTokenForm reports whether a letter was sent to an address that has the form of one
// of ours with a token, or names one in its subject. Whose it is, and whether it is
// a true one, others find out.
func (l *Letter) hasTokenForm() bool {
	for _, a := range slices.Concat(l.To, l.Cc) {
		local, _, _ := SplitAddress(a)
		if _, detail, _ := strings.Cut(local, "+"); isToken(detail) {
			return true
		}
	}
	for _, m := range tagPattern.FindAllStringSubmatch(l.Subject, 20) {
		if isToken(lowerASCII(m[1])) {
			return true
		}
	}
	return false
}

// isToken knows the form of a token.
func isToken(detail string) bool {
	_, ok := parseToken(detail)
	return ok
}

var (
	// machineName are the local parts of addresses at which hardly anybody reads.
	machineName = lazyregexp.New(`^(mailer-?daemon|postmaster|no-?reply|do-?not-?reply|listserv|majordomo|mailman|owner-.+|.+-(owner|request|bounces?))$`)
	// replySubject is how the out-of-office notes of those programs begin that
	// say it nowhere else. People answer with "Re:" or what it is in their language.
	replySubject = lazyregexp.New(`(?i)^\s*(auto(matic)?[ -]?(reply|response|answer)|out of office auto-?reply|automatische (antwort|beantwortung)|automatisch antwoord|réponse automatique|respuesta automática|resposta automática|risposta automatica|odpowiedź automatyczna|automatyczna odpowiedź|automatická odpověď|automatická odpoveď|automatikus válasz|automatiskt svar|autosvar|автоответ|автоматический ответ|自动回复)\s*[:：]`)
	// awaySubject is how such a note may begin, and a person's letter too.
	awaySubject = lazyregexp.New(`(?i)^\s*(out of (the )?office\b|abwesenheits(notiz|meldung|assistent)|réponse automatique|respuesta automática|resposta automática|risposta automatica|odpowiedź automatyczna|automatyczna odpowiedź|automatická odpověď|automatická odpoveď|automatikus válasz|automatiskt svar|автоответ|автоматический ответ|自动回复)`)
)

// firstWord gives the first word of a field, in lower case.
func firstWord(h header, key string) string {
	v, _, _ := strings.Cut(h.get(key), ";")
	f := strings.Fields(lowerASCII(OneLine(v)))
	if len(f) == 0 {
		return ""
	}
	return strings.TrimRight(f[0], ",")
}

// singleFields are the fields that a letter has once (RFC 5322, section 3.6, and RFC 2045):
// what a signature covers of them is the lowest, and what is read here the topmost.
var singleFields = []string{
	"From", "To", "Cc", "Subject", "Date", "Message-Id", "Reply-To", "In-Reply-To", "References", "Sender", "MIME-Version", "Content-Type",
	"Content-Transfer-Encoding",
}

// hasDuplicateField reports whether a letter has such a field twice. A signature stays good when
// somebody puts a second one on top, with another token in To, or with another
// Content-Type, by which the text below reads otherwise than it was written.
func hasDuplicateField(raw []byte) bool {
	h, _, state := splitHeader(raw)
	return state == headerTooLong || slices.ContainsFunc(singleFields, func(key string) bool { return len(h.all(key)) > 1 })
}
