package message

import (
	"cmp"
	"strings"

	"samizdat/internal/lazyregexp"
)

// Bounce is one recipient in a delivery report (RFC 3464), or in one of the
// older kinds that only people can read.
type Bounce struct {
	// Recipient is the address that was not reached; empty when nobody said.
	Recipient string
	// Action is failed, delayed, delivered, relayed or expanded.
	Action string
	// Status is the enhanced code, such as 5.1.1.
	Status string
	// Reason is what the other server said.
	Reason string
}

// Returned is the letter of ours that a delivery report is about, as far as the
// report shows it.
type Returned struct {
	MessageID, Subject string
	ReplyTo            []string
	// Said is what the report says anywhere, for who looks for its letter.
	Said string `json:"-"`
}

// Failure says how bad a delivery report is for an address.
type Failure string

// The failures.
const (
	// NoFailure: the letter arrived, or nothing was said that matters.
	NoFailure Failure = ""
	// OwnFailure: our account or our sender address is refused. It says nothing of the
	// recipient's.
	OwnFailure Failure = "own"
	// SoftFailure: this letter is late or lost, the next may arrive.
	SoftFailure Failure = "soft"
	// HardFailure: the address does not work; the next letter will not arrive.
	HardFailure Failure = "hard"
)

var (
	// deadAddressCode are the codes by which a server says that the address itself
	// is at fault (RFC 3463): not the sender, the size, the content or the weather.
	deadAddressCode = lazyregexp.New(`^5\.(1\.([01234569]|10)|2\.1|4\.4)$`)
	// senderCode are those by which it says that we are: see [IsSenderRefusal].
	senderCode = lazyregexp.New(`^5\.(1\.[78]|4\.5|7\.(57|60))$`)
	// lateWords are what is said of a letter that is late and still tried.
	lateWords = lazyregexp.New(`(?i)\bdelayed \d+ (hour|minute)|not yet been delivered|attempts will continue|will (be re-?tried|keep trying|retry)|continue to try|^\s*(delayed mail|warning: (could not send|message)|delivery (status notification )?\(?delay)`)
	// deadWords say the same, where the code says nothing.
	deadWords = lazyregexp.New(`(?i)user unknown|unknown user|no such (user|recipient|mailbox|address|person)|unknown (recipient|mailbox|address)|recipient unknown|does(n't| not) exist|address not found|invalid recipient|mailbox not found|no mailbox here|unrouteable address|host or domain name not found|domain not found|disabled or discontinued`)
)

// Failure says how bad the report is.
func (b Bounce) Failure() Failure {
	switch b.Action {
	case "delivered", "relayed", "expanded":
		return NoFailure
	case "delayed":
		return SoftFailure
	}
	switch {
	case strings.HasPrefix(b.Status, "2"):
		return NoFailure
	case senderCode.MatchString(b.Status) || IsSenderRefusal(b.Reason):
		return OwnFailure
	case strings.HasPrefix(b.Status, "4"):
		return SoftFailure
	case b.Status == "" || b.Status == "5.0.0":
		if deadWords.MatchString(b.Reason) {
			return HardFailure
		}
		return SoftFailure
	case deadAddressCode.MatchString(b.Status):
		return HardFailure
	}
	return SoftFailure
}

// Report is what a delivery report says of a letter of ours.
type Report struct {
	Failure Failure
	// Recipient, Status and Reason are those of the worst failure.
	Recipient, Status, Reason string
	// MessageID is what the letter was called; empty when the report does not say.
	MessageID string
	// Letter is the letter that the report shows to have been sent: only who had it
	// knows its id, so a report with a valid one is no forgery. Nil when there was
	// none.
	Letter *LetterID
}

var severity = map[Failure]int{NoFailure: 0, OwnFailure: 1, SoftFailure: 2, HardFailure: 3}

// Report gives what the letter says as a delivery report to the referee at base;
// false when it is none, or speaks of no failure.
func (l Letter) Report(base string) (Report, bool) {
	var r Report
	if l.Auto == "" {
		return r, false
	}
	for _, b := range l.Bounces {
		f := b.Failure()
		if severity[f] <= severity[r.Failure] {
			continue
		}
		r.Failure, r.Recipient, r.Status, r.Reason = f, b.Recipient, b.Status, b.Reason
	}
	if r.Failure == NoFailure {
		return r, false
	}
	r.MessageID = l.Returned.MessageID
	if id, ok := findLetterID(l.Returned.Said, base); ok {
		r.Letter = &id
	}
	return r, true
}

// readStatus reads the fields of a message/delivery-status part.
func readStatus(text string) []Bounce {
	var out []Bounce
	rest := []byte(text)
	for blocks := 0; len(rest) > 0 && len(out) < 100 && blocks < 1000; blocks++ {
		h, after, _ := splitHeader(rest)
		if len(after) >= len(rest) {
			return out
		}
		rest = after
		to := cmp.Or(h.get("Original-Recipient"), h.get("Final-Recipient"))
		if to == "" {
			continue
		}
		out = append(out, Bounce{
			Recipient: cleanAddress(OneLine(strings.Trim(afterSemicolon(to), "<>"))),
			Action:    lowerASCII(OneLine(h.get("Action"))),
			Status:    statusCode(h.get("Status")),
			Reason:    shorten(OneLine(afterSemicolon(h.get("Diagnostic-Code")))),
		})
	}
	return out
}

var (
	enhancedCode = lazyregexp.New(`\b([245])\.(\d{1,3})\.(\d{1,3})\b`)
	replyCode    = lazyregexp.New(`(?i)\b(?:smtp|error|said|status|code|server|remote)\b.{0,80}?\b([45])\d\d\b|^\s*(?:<<<\s*)?([45])\d\d[ -]`)
)

// statusCode finds an enhanced code, which may have a comment behind it.
func statusCode(s string) string { return enhancedCode.FindString(s) }

func afterSemicolon(s string) string {
	if _, v, ok := strings.Cut(s, ";"); ok {
		return strings.TrimSpace(v)
	}
	return strings.TrimSpace(s)
}

// shorten keeps a reason fit for a log.
func shorten(s string) string {
	if r := []rune(s); len(r) > 300 {
		return string(r[:300]) + "..."
	}
	return s
}

// readReturnedHeader reads the header of a letter that came back.
func (w *partReader) readReturnedHeader(text string) {
	if r := &w.letter.Returned; r.MessageID == "" && r.ReplyTo == nil {
		h, _, _ := splitHeader([]byte(text))
		*r = parseReturned(h)
	}
}

func parseReturned(h header) Returned {
	replyTo, _ := addresses(nil, h, "Reply-To")
	return Returned{MessageID: parseMessageID(h.get("Message-Id")), Subject: OneLine(decodeWords(h.get("Subject"))), ReplyTo: bareAddresses(replyTo)}
}

// readReport reads the delivery reports that are made for people only: those of
// qmail, of Exim, of older servers. They speak of a failure in their own words
// and append the letter as text.
func (w *partReader) readReport(h header) {
	l := w.letter
	failed := h.get("X-Failed-Recipients")
	if !w.isReport && failed == "" && len(l.Bounces) == 0 && (!isFromMailServer(h, l.From) || isAutomaticReply(h)) {
		l.Returned = Returned{}
		return
	}
	w.markMachineMail("a delivery report")
	lines := strings.Split(l.Text, "\n")
	if l.Returned.MessageID == "" {
		l.Returned = findReturnedHeader(lines)
	}
	if len(l.Bounces) > 0 || w.isReport && !w.isDeliveryReport && failed == "" {
		return
	}
	b := Bounce{Action: "failed"}
	if lateWords.MatchString(l.Subject) {
		b.Action = "delayed"
	}
	if list, ok := mailboxes(failed); ok && len(list) > 0 {
		b.Recipient = OneLine(list[0].address)
	}
	left := maxReportText
	for i, line := range lines {
		line = strings.ToValidUTF8(line[:min(len(line), left)], "")
		if left -= len(line) + 1; left <= 0 {
			break
		}
		if headerLine.MatchString(line) {
			break // The letter begins, and what it says is ours.
		}
		b.readLine(line, i+1 < len(lines))
	}
	if b.Reason == "" && b.Status == "" {
		return // Nothing says that it is about a failure.
	}
	l.Bounces = []Bounce{b}
}

// readLine takes what a line of a report for people says of a failure. The words that name
// a dead address count for more than any other reason.
func (b *Bounce) readLine(line string, more bool) {
	if lateWords.MatchString(line) {
		b.Action = "delayed"
	}
	b.Recipient = cmp.Or(b.Recipient, failedRecipient(line))
	code, words := statusCode(line), deadWords.MatchString(line)
	b.Status = cmp.Or(b.Status, code)
	m := replyCode.FindStringSubmatch(line)
	line = strings.TrimSpace(line)
	if m != nil && b.Status == "" {
		b.Status, b.Reason = m[1]+m[2]+".0.0", shorten(line)
	}
	if words || b.Reason == "" && (code != "" || more && strings.HasPrefix(line, "<")) {
		b.Reason = shorten(line)
	}
}

// maxReportText is how many bytes are read of a report for people: it begins with the
// reason, and the patterns take long.
const maxReportText = 8 << 10

// maxEvidence bounds how much of a report is looked through for the letter that it
// is about.
const maxEvidence = 1 << 20

// gatherEvidence keeps what a report says anywhere: some show the whole letter, some its
// header, some only its Message-ID, and some nothing but the address they were sent
// to.
func (w *partReader) gatherEvidence(h header) {
	l := w.letter
	if len(l.Bounces) == 0 {
		return
	}
	var b strings.Builder
	add := func(s string) {
		if b.Len()+len(s) < maxEvidence {
			b.WriteString(s + "\n")
		}
	}
	for _, f := range h {
		add(decodeWords(f.value))
	}
	add(decodeWords(l.Returned.Subject))
	for _, s := range w.decoded {
		add(s)
	}
	add(l.Text)
	l.Returned.Said = b.String()
}

// isFromMailServer knows the letters that mail servers write themselves, by who writes.
// An empty Return-Path alone is no sign: notes of absence have it too, and speak of
// days and numbers that look like codes. People write under the name of postmaster as
// well, but with a path of their own.
func isFromMailServer(h header, from []string) bool {
	for _, a := range from {
		local, _, _ := strings.Cut(a, "@")
		if local == "postmaster" && h.has("Return-Path") && !hasEmptyReturnPath(h) {
			continue
		}
		if postmasterName.MatchString(local) {
			return true
		}
	}
	return false
}

// isAutomaticReply says that a letter is an automatic answer to one. Some servers call their
// reports so too, but those have their parts.
func isAutomaticReply(h header) bool {
	return h.has("In-Reply-To") && firstWord(h, "Auto-Submitted") == "auto-replied"
}

var postmasterName = lazyregexp.New(`^(mailer-?daemon|postmaster|mail-?daemon|microsoftexchange[0-9a-f]*)$`)

var recipientLine = lazyregexp.New(`^\s*<?([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)>?(?:\s*:|\s+on\s+\d.*)?\s*$`)

// failedRecipient knows the line above a reason: "<ann@x>:", or "ann@x on 1 May".
func failedRecipient(line string) string {
	if m := recipientLine.FindStringSubmatch(line); m != nil {
		return cleanAddress(OneLine(m[1]))
	}
	return ""
}

var headerLine = lazyregexp.New(`(?i)^[>\s]*(message-id|received|return-path|reply-to)\s*:`)

// findReturnedHeader finds the header of a letter that stands in a text.
func findReturnedHeader(lines []string) Returned {
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if !strings.Contains(line, ":") || !headerLine.MatchString(line) {
			continue
		}
		// A report indents the letter, or quotes it, or neither.
		mark := line[:len(line)-len(strings.TrimLeft(line, "> \t"))]
		var b strings.Builder
		for ; i < len(lines) && strings.TrimSpace(strings.TrimPrefix(lines[i], mark)) != ""; i++ {
			b.WriteString(strings.TrimPrefix(lines[i], mark) + "\n")
		}
		h, _, _ := splitHeader([]byte(b.String()))
		if r := parseReturned(h); r.MessageID != "" || r.ReplyTo != nil {
			return r
		}
	}
	return Returned{}
}

// BounceForReason reads the reason for which a letter was given up as a report that it did
// not arrive: who refuses a letter at once sends none.
func BounceForReason(to, reason string) Bounce {
	return Bounce{Recipient: to, Action: "failed", Status: statusCode(reason), Reason: shorten(reason)}
}

var senderRefusalWords = lazyregexp.New(`(?i)outboundspam|submissionquota|sending (limit|quota|rate)|(limit|quota) for sending|send(er|ing)?\b.{0,20}\bquota|daily .{0,20}(limit|quota)|too many (messages|mails|e-mails)\b.{0,30}\b(sent|today|per)\b|(your|sender'?s?) account (is|has been|was) (suspended|disabled|blocked|locked|restricted)|sender (address )?(is )?(blocked|suspended|not allowed|not owned)|not permitted to send|sendasdenied|not authenticated|must authenticate`)

// IsSenderRefusal knows the words by which a server refuses our account, our sender
// address or what we may send in a day, whatever the letter.
func IsSenderRefusal(words string) bool { return senderRefusalWords.MatchString(words) }
