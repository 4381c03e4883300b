// Package message parses and writes e-mail letters (RFC 5322, MIME): raw bytes to a [Letter], and a [Draft] to raw
// bytes. The package does no input or output; DNS look-ups are passed in as functions.
//
// # Reading
//
// [Read] parses any letter and never fails; [ReadOrders] finds the text that the player typed, without quotes.
// Time and memory of both grow in proportion to the size of the letter. [Letter].AutoReason is the reason if a letter
// counts as machine mail.
//
// # Trust
//
// Only the [Token] of a seat proves who wrote a letter; an operator may also demand a [Proof]. A letter without
// exactly one From address has no [Letter].Author and must not be trusted.
//
// A delivery report is trusted if it contains the [LetterID] or the token of the returned letter; both are
// unguessable. [Letter.Report] finds them. A report never carries orders.
package message

import (
	"bytes"
	"mime"
	"slices"
	"strings"

	"github.com/emersion/go-message/charset"

	"samizdat/internal/lazyregexp"
)

// Letter is a parsed message. Addresses are bare and in lower case. Message-IDs have no angle brackets.
type Letter struct {
	// From holds the addresses of all From fields, for display and logs.
	From []string
	// Author is the From address. It is empty if there is no From address or more than one.
	Author string
	// AuthorName is the decoded display name of Author. The sender chooses it freely.
	AuthorName string
	To, Cc     []string
	// Bcc is usually empty: mail programs remove the field.
	Bcc []string
	// HasUnreadRecipients reports whether a recipient field could not be parsed completely. Then the letter may
	// have recipients that To and Cc lack.
	HasUnreadRecipients bool
	// DeliveredTo holds the addresses that mail servers recorded in Delivered-To, X-Original-To and Envelope-To.
	DeliveredTo []string
	ReplyTo     []string
	Subject     string
	MessageID   string
	InReplyTo   string
	References  []string
	// Date is the Date field as written.
	Date string
	// Received is the topmost Received field, written by the mail server of the inbox: "from mx.club.test by
	// mail.home.test with ESMTP; Sun, 4 Jun 1989 09:00:02 +0000".
	Received string
	// Text is the decoded plain text with quotes. Lines end with \n.
	Text string
	// AutoReason is the reason why the letter counts as machine mail, e.g. "Precedence: list"; otherwise empty. Machine
	// mail is never answered (RFC 3834).
	AutoReason string
	// Bounces are the results of a delivery report, one for each recipient. Returned is the header of our letter that the
	// report returns.
	Bounces  []Bounce
	Returned ReturnedLetter
	// AuthResults is the topmost Authentication-Results field (RFC 8601). The sender may have forged it; see ServerProof.
	AuthResults string
	// Problems are sentences for the player about parts of the letter that could not be read.
	Problems []string
}

// Read parses a message and never fails: undecodable parts are skipped or read as raw text, and reported in
// Problems.
func Read(raw []byte) Letter {
	h, body, state := splitHeader(raw)
	l := readHeader(h, state)
	w := partReader{letter: &l}
	l.Text = normalizeText(w.readPart(h, body, 0))
	w.readReport(h)
	w.collectEvidence(h)
	return l
}

// ReadSent parses a letter that a program has sent, for example the referee. Letter.Text is its plain text, and page
// is the text of its HTML alternative, or "". Read, in contrast, looks for the text of a person.
func ReadSent(raw []byte) (l Letter, page string) {
	h, body, state := splitHeader(raw)
	l = readHeader(h, state)
	w := partReader{letter: &l, wantsBoth: true}
	l.Text = normalizeText(w.readPart(h, body, 0))
	if w.page != "" {
		page = normalizeText(w.page)
	}
	return l, page
}

// ReadHeader parses only the header of a message.
func ReadHeader(raw []byte) Letter {
	h, _, state := splitHeader(raw)
	return readHeader(h, state)
}

// TruncateBody cuts the body of a message to at most limit bytes and keeps the header whole.
func TruncateBody(raw []byte, limit int) []byte {
	_, body, _ := splitHeader(raw)
	return raw[:len(raw)-max(len(body)-limit, 0)]
}

func readHeader(h header, state headerState) Letter {
	var l Letter
	switch state {
	case headerDamaged:
		l.addProblem("The header of the letter is damaged.")
	case headerTooLong:
		l.addProblem("The header of the letter is too long, and nothing in the letter was read.")
	}
	from, isValid := parseAddressFields(&l, h, "From")
	if l.From = addressesOf(from); state != headerTooLong {
		// Another From field could follow after the limit.
		l.Author, l.AuthorName = parseAuthor(h, from, isValid)
	}
	l.HasUnreadRecipients = state != 0
	for _, recipients := range []struct {
		key  string
		list *[]string
	}{{"To", &l.To}, {"Cc", &l.Cc}, {"Bcc", &l.Bcc}} {
		list, ok := parseAddressFields(&l, h, recipients.key)
		*recipients.list, l.HasUnreadRecipients = addressesOf(list), l.HasUnreadRecipients || !ok
	}
	replyTo, _ := parseAddressFields(&l, h, "Reply-To")
	l.ReplyTo = addressesOf(replyTo)
	for _, key := range []string{"Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To"} {
		addresses, _ := parseAddressFields(nil, h, key)
		l.DeliveredTo = append(l.DeliveredTo, addressesOf(addresses)...)
	}
	subject := h.get("Subject")
	l.Subject = OneLine(decodeWords(subject[:min(len(subject), maxSubject)]))
	l.MessageID = parseMessageID(h.get("Message-Id"))
	l.InReplyTo = parseMessageID(h.get("In-Reply-To"))
	l.References = parseMessageIDs(h.get("References"))
	l.Date = OneLine(h.get("Date"))
	l.Received = OneLine(h.get("Received"))
	l.AuthResults = OneLine(h.get("Authentication-Results"))
	l.AutoReason = machineMailReason(h, &l)
	return l
}

func (l *Letter) addProblem(text string) {
	if l != nil && len(l.Problems) < 10 && !slices.Contains(l.Problems, text) {
		l.Problems = append(l.Problems, text)
	}
}

var wordDecoder = &mime.WordDecoder{CharsetReader: charset.Reader}

// decodeWords decodes the encoded words of RFC 2047: "=?utf-8?q?=C5=81=C3=B3d=C5=BA?=" becomes "Łódź". Undecodable
// text stays as written.
func decodeWords(s string) string {
	decoded, err := wordDecoder.DecodeHeader(s)
	if err != nil {
		decoded = s
	}
	return toUTF8([]byte(decoded))
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

const maxSubject = 4 << 10

const (
	// maxHeader limits the bytes, and maxFields the fields, of the header of a letter. Real letters have less than a
	// tenth of both.
	maxHeader = 256 << 10
	maxFields = 2000
)

type field struct{ key, value string }

type header []field

func (h header) all(key string) []string {
	var out []string
	for _, f := range h {
		if strings.EqualFold(f.key, key) {
			out = append(out, f.value)
		}
	}
	return out
}

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

// headerState is the fault of a header. Zero means that the header has no fault.
type headerState int

const (
	// headerDamaged: lines that are not header fields were skipped.
	headerDamaged headerState = iota + 1
	// headerTooLong: the header exceeds maxHeader or maxFields; the rest of the letter is unknown.
	headerTooLong
)

// splitHeader splits a letter or a MIME part at its first blank line. For example, "To: a@x\r\n\r\nPASS" gives the
// field To and the body "PASS". It never fails, because mail programs also show damaged letters. Lines that are not
// header fields are skipped. But if such lines are directly above the first blank line, the body starts with them: the
// blank line above them is missing. If the first line is not a field, the whole text is body.
func splitHeader(raw []byte) (h header, body []byte, state headerState) {
	var value []byte      // value of the last field, which may continue on the next line
	var strayLines []byte // lines after the last field that are not fields
	endField := func() {
		if len(h) > 0 {
			h[len(h)-1].value = string(bytes.TrimSpace(value))
		}
	}
	remaining := raw
	for isFirst := true; len(remaining) > 0; isFirst = false {
		line, after, _ := bytes.Cut(remaining, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(line) == 0 {
			endField()
			if strayLines != nil {
				return h, strayLines, state
			}
			return h, after, state
		}
		if len(raw)-len(after) > maxHeader || len(h) > maxFields {
			endField()
			return h, nil, headerTooLong
		}
		key, start, hasColon := bytes.Cut(line, []byte(":"))
		name := string(bytes.TrimRight(key, " \t"))
		switch {
		case (line[0] == ' ' || line[0] == '\t') && len(h) > 0:
			value = append(append(value, ' '), bytes.TrimSpace(line)...)
		case hasColon && isFieldName(name):
			endField()
			strayLines = nil
			h, value = append(h, field{key: name}), bytes.Clone(bytes.TrimSpace(start))
		case isFirst && bytes.HasPrefix(bytes.TrimPrefix(line, []byte(">")), []byte("From ")):
			// Mailbox files put a "From " line above each letter.
		case len(h) == 0:
			return nil, remaining, headerDamaged
		default:
			if strayLines == nil {
				strayLines = remaining
			}
			state = headerDamaged
		}
		remaining = after
	}
	endField()
	return h, strayLines, state
}

// machineMailReason returns the reason why a letter is machine mail, e.g. "Auto-Submitted: auto-replied", by RFC 3834
// and by the habits of older programs; "" for a letter of a person.
//
// Mail services and lists add weak signs to letters of people too. In a letter with a token a single weak sign is
// ignored: machine mail is never answered, so the player would not learn that the letter was taken for machine mail. A
// program with a single weak sign cannot cause a mail loop, because the number of answers to letters without orders is
// limited.
func machineMailReason(h header, l *Letter) string {
	if reason := certainMachineSign(h, l); reason != "" {
		return reason
	}
	emptyReturnPath, suppressesReplies, isAwaySubject := hasEmptyReturnPath(h), firstWord(h, "X-Auto-Response-Suppress") == "all",
		awaySubjectPattern.MatchString(l.Subject)
	weakSign := weakMachineSign(h, l.From)
	isCertain := strings.HasPrefix(weakSign, daemonSign) || emptyReturnPath && (suppressesReplies || isAwaySubject || weakSign != "") ||
		suppressesReplies && isAwaySubject
	if l.hasTokenForm() && !isCertain {
		return ""
	}
	switch {
	case suppressesReplies:
		// Outlook's out-of-office replies send "all". A person who wants no receipts sends fewer values.
		return "X-Auto-Response-Suppress: all"
	case emptyReturnPath:
		return "Return-Path: " + returnPath(h)
	case weakSign != "":
		return weakSign
	case isAwaySubject:
		return "Subject of an automatic reply"
	}
	return ""
}

// certainMachineSign returns a sign that letters of people never have, or "".
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
	if replySubjectPattern.MatchString(l.Subject) {
		return "Subject of an automatic reply"
	}
	return ""
}

// daemonSign is the start of the weak sign for the sender names of mail servers, e.g. mailer-daemon. People do not use
// these names, so the sign is certain.
const daemonSign = "From: mailer"

// weakMachineSign returns a sign that lists and mail services also add to letters of people, or a sender name such as
// "noreply", or "".
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
		if local, _, _ := strings.Cut(a, "@"); machineNamePattern.MatchString(local) {
			return "From: " + local
		}
	}
	return ""
}

func returnPath(h header) string {
	return lowerASCII(strings.Join(strings.Fields(h.get("Return-Path")), ""))
}

// hasEmptyReturnPath reports whether Return-Path is "<>": the sender accepts no delivery reports. Some servers write
// "<mailer-daemon...>" instead.
func hasEmptyReturnPath(h header) bool {
	v := returnPath(h)
	return v == "<>" || strings.HasPrefix(v, "<mailer-daemon")
}

// hasTokenForm reports whether a recipient address or the subject contains text in the form of a token. The token may
// be forged: this package does not know the key.
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

func isToken(detail string) bool {
	_, ok := parseToken(detail)
	return ok
}

var (
	machineNamePattern = lazyregexp.New(`^(mailer-?daemon|postmaster|no-?reply|do-?not-?reply|listserv|majordomo|mailman|owner-.+|.+-(owner|request|bounces?))$`)
	// replySubjectPattern matches subjects of automatic replies, e.g. "Automatic reply: 1989", in many languages.
	// People's replies begin with "Re:" or a translation.
	replySubjectPattern = lazyregexp.New(`(?i)^\s*(auto(matic)?[ -]?(reply|response|answer)|out of office auto-?reply|automatische (antwort|beantwortung)|automatisch antwoord|réponse automatique|respuesta automática|resposta automática|risposta automatica|odpowiedź automatyczna|automatyczna odpowiedź|automatická odpověď|automatická odpoveď|automatikus válasz|automatiskt svar|autosvar|автоответ|автоматический ответ|自动回复)\s*[:：]`)
	// awaySubjectPattern matches subjects that automatic replies and people's letters may have, e.g. "Out of office".
	awaySubjectPattern = lazyregexp.New(`(?i)^\s*(out of (the )?office\b|abwesenheits(notiz|meldung|assistent)|réponse automatique|respuesta automática|resposta automática|risposta automatica|odpowiedź automatyczna|automatyczna odpowiedź|automatická odpověď|automatická odpoveď|automatikus válasz|automatiskt svar|автоответ|автоматический ответ|自动回复)`)
)

func firstWord(h header, key string) string {
	v, _, _ := strings.Cut(h.get(key), ";")
	f := strings.Fields(lowerASCII(OneLine(v)))
	if len(f) == 0 {
		return ""
	}
	return strings.TrimRight(f[0], ",")
}

// singleFields may occur only once in a letter (RFC 5322, section 3.6, and RFC 2045). If a letter has two such fields,
// a DKIM signature covers the lower field, but this package reads the upper field.
var singleFields = []string{
	"From", "To", "Cc", "Subject", "Date", "Message-Id", "Reply-To", "In-Reply-To", "References", "Sender", "MIME-Version", "Content-Type",
	"Content-Transfer-Encoding",
}

// hasDuplicateField reports whether a field of singleFields occurs twice. A DKIM signature stays valid if an attacker
// adds a second To with another token, or a second Content-Type that changes how the body is parsed.
func hasDuplicateField(raw []byte) bool {
	h, _, state := splitHeader(raw)
	return state == headerTooLong || slices.ContainsFunc(singleFields, func(key string) bool { return len(h.all(key)) > 1 })
}
