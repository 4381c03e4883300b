package message

import (
	"cmp"
	"strings"

	"samizdat/internal/lazyregexp"
)

// Bounce is the part of a delivery report about one recipient. The report has the format of RFC 3464, or is a text for
// people.
type Bounce struct {
	// Recipient is the address that the report is about, or empty if the report does not name it.
	Recipient string
	// Action is failed, delayed, delivered, relayed or expanded; or ComplaintAction.
	Action string
	// Status is the enhanced status code (RFC 3463), e.g. 5.1.1.
	Status string
	// Reason is the answer of the recipient's mail server, e.g. "550 user unknown".
	Reason string
}

// ReturnedLetter is the header of our letter in a delivery report, as far as the report contains it.
type ReturnedLetter struct {
	MessageID, Subject string
	ReplyTo            []string
	// ReportText is all text of the report. Letter.Report searches it for the ID of the letter.
	ReportText string `json:"-"`
}

// FailureKind says how serious a failed delivery is.
type FailureKind string

// The failures, see [Bounce.Failure].
const (
	// NoFailure: the letter was delivered, or the report says nothing about a failure.
	NoFailure FailureKind = ""
	// OwnFailure: the server refuses our account or sender address. The recipient's address may be fine.
	OwnFailure FailureKind = "own"
	// SoftFailure: the letter is late or lost; the next letter may arrive.
	SoftFailure FailureKind = "soft"
	// HardFailure: the address does not work; the next letter will not arrive either.
	HardFailure FailureKind = "hard"
)

var (
	// deadAddressPattern matches codes that blame the recipient's address (RFC 3463), e.g. 5.1.1 and 5.2.1.
	deadAddressPattern = lazyregexp.New(`^5\.(1\.([01234569]|10)|2\.1|4\.4)$`)
	// senderCodePattern matches codes that blame our account or sender address; see [IsSenderRefusal].
	senderCodePattern = lazyregexp.New(`^5\.(1\.[78]|4\.5|7\.(57|60))$`)
	// latePattern matches reports about a delayed letter that the server will try again.
	latePattern = lazyregexp.New(`(?i)\bdelayed \d+ (hour|minute)|not yet been delivered|attempts will continue|will (be re-?tried|keep trying|retry)|continue to try|^\s*(delayed mail|warning: (could not send|message)|delivery (status notification )?\(?delay)`)
	// deadPattern matches the words for a dead address. It is used for reports without a specific code.
	deadPattern = lazyregexp.New(`(?i)user unknown|unknown user|no such (user|recipient|mailbox|address|person)|unknown (recipient|mailbox|address)|recipient unknown|does(n't| not) exist|address not found|invalid recipient|mailbox not found|no mailbox here|unrouteable address|host or domain name not found|domain not found|disabled or discontinued`)
)

// Failure returns the kind of failure that a bounce reports: {Action: failed, Status: 5.1.1} gives HardFailure, and
// Status 4.2.2 gives SoftFailure.
func (b Bounce) Failure() FailureKind {
	switch b.Action {
	case "delivered", "relayed", "expanded":
		return NoFailure
	case "delayed":
		return SoftFailure
	case ComplaintAction:
		return HardFailure
	}
	switch {
	case strings.HasPrefix(b.Status, "2"):
		return NoFailure
	case senderCodePattern.MatchString(b.Status) || IsSenderRefusal(b.Reason):
		return OwnFailure
	case strings.HasPrefix(b.Status, "4"):
		return SoftFailure
	case b.Status == "" || b.Status == "5.0.0":
		if deadPattern.MatchString(b.Reason) {
			return HardFailure
		}
		return SoftFailure
	case deadAddressPattern.MatchString(b.Status):
		return HardFailure
	}
	return SoftFailure
}

// Report is the content of a delivery report about a letter of ours.
type Report struct {
	Failure   FailureKind
	Complaint bool
	// Recipient, Status and Reason are those of the bounce with the worst failure.
	Recipient, Status, Reason string
	// MessageID is the Message-ID of the returned letter, or empty if unknown.
	MessageID string
	// Letter is the ID of the returned letter, or nil. A report with a valid ID is not forged, because only the
	// recipient and the mail servers in between know the ID.
	Letter *LetterID
}

var severities = map[FailureKind]int{NoFailure: 0, OwnFailure: 1, SoftFailure: 2, HardFailure: 3}

// Report returns the delivery report in a letter to the referee, whose address is base. It returns false if the letter is not a
// delivery report, or reports no failure.
func (l Letter) Report(base string) (Report, bool) {
	var r Report
	if l.AutoReason == "" {
		return r, false
	}
	for _, b := range l.Bounces {
		f := b.Failure()
		if severities[f] <= severities[r.Failure] {
			continue
		}
		r.Failure, r.Recipient, r.Status, r.Reason, r.Complaint = f, b.Recipient, b.Status, b.Reason, b.Action == ComplaintAction
	}
	if r.Failure == NoFailure {
		return r, false
	}
	r.MessageID = l.Returned.MessageID
	if id, ok := findLetterID(l.Returned.ReportText, base); ok {
		r.Letter = &id
	}
	return r, true
}

// ComplaintAction is the Action of a complaint: the recipient has reported our letter as unwanted.
const ComplaintAction = "complaint"

// parseComplaint parses a message/feedback-report part (RFC 5965): "Feedback-Type: abuse\nOriginal-Rcpt-To: <ann@x.org>" gives
// {ann@x.org complaint}. Other types, e.g. "not-spam", are not complaints.
func parseComplaint(text string) []Bounce {
	h, _, _ := splitHeader([]byte(text))
	kind := lowerASCII(OneLine(h.get("Feedback-Type")))
	if kind != "abuse" && kind != "fraud" && kind != "other" {
		return nil
	}
	return []Bounce{{Action: ComplaintAction, Recipient: cleanAddress(OneLine(strings.Trim(h.get("Original-Rcpt-To"), "<> "))),
		Reason: "the recipient has reported the letter as unwanted (" + kind + ")"}}
}

// parseDeliveryStatus parses a message/delivery-status part (RFC 3464): "Final-Recipient: rfc822; ann@x.org\nAction:
// failed\nStatus: 5.1.1" gives {ann@x.org failed 5.1.1}.
func parseDeliveryStatus(text string) []Bounce {
	var out []Bounce
	remaining := []byte(text)
	for blocks := 0; len(remaining) > 0 && len(out) < 100 && blocks < 1000; blocks++ {
		h, after, _ := splitHeader(remaining)
		if len(after) >= len(remaining) {
			return out
		}
		remaining = after
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
	enhancedCodePattern = lazyregexp.New(`\b([245])\.(\d{1,3})\.(\d{1,3})\b`)
	replyCodePattern    = lazyregexp.New(`(?i)\b(?:smtp|error|said|status|code|server|remote)\b.{0,80}?\b([45])\d\d\b|^\s*(?:<<<\s*)?([45])\d\d[ -]`)
)

// statusCode finds an enhanced code in text: "5.1.1 (bad mailbox)" gives "5.1.1".
func statusCode(s string) string { return enhancedCodePattern.FindString(s) }

func afterSemicolon(s string) string {
	if _, v, ok := strings.Cut(s, ";"); ok {
		return strings.TrimSpace(v)
	}
	return strings.TrimSpace(s)
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 300 {
		return string(r[:300]) + "..."
	}
	return s
}

func (r *partReader) readReturnedHeader(text string) {
	if r := &r.letter.Returned; r.MessageID == "" && r.ReplyTo == nil {
		h, _, _ := splitHeader([]byte(text))
		*r = parseReturned(h)
	}
}

func parseReturned(h header) ReturnedLetter {
	replyTo, _ := parseAddressFields(nil, h, "Reply-To")
	return ReturnedLetter{MessageID: parseMessageID(h.get("Message-Id")), Subject: OneLine(decodeWords(h.get("Subject"))),
		ReplyTo: addressesOf(replyTo)}
}

// readReport reads delivery reports that are written for people, by qmail, Exim and older servers. These reports
// describe the failure in words of their own and append the returned letter as text.
func (r *partReader) readReport(h header) {
	l := r.letter
	failedRecipients := h.get("X-Failed-Recipients")
	if !r.isReport && failedRecipients == "" && len(l.Bounces) == 0 && (!isFromMailServer(h, l.From) || isAutomaticReply(h)) {
		l.Returned = ReturnedLetter{}
		return
	}
	r.markMachineMail("a delivery report")
	lines := strings.Split(l.Text, "\n")
	if l.Returned.MessageID == "" {
		l.Returned = findReturnedHeader(lines)
	}
	if len(l.Bounces) > 0 || r.isReport && !r.isDeliveryReport && failedRecipients == "" {
		return
	}
	b := Bounce{Action: "failed"}
	if latePattern.MatchString(l.Subject) {
		b.Action = "delayed"
	}
	if addresses, ok := parseMailboxes(failedRecipients); ok && len(addresses) > 0 {
		b.Recipient = OneLine(addresses[0].address)
	}
	remaining := maxReportText
	for i, line := range lines {
		line = strings.ToValidUTF8(line[:min(len(line), remaining)], "")
		if remaining -= len(line) + 1; remaining <= 0 {
			break
		}
		if headerLinePattern.MatchString(line) {
			break // The returned letter begins.
		}
		b.readLine(line, i+1 < len(lines))
	}
	if b.Reason == "" && b.Status == "" {
		return // The text mentions no failure.
	}
	l.Bounces = []Bounce{b}
}

// readLine finds recipient, status and reason in a line of a report for people. A reason that says that the address is
// dead replaces any other reason.
func (b *Bounce) readLine(line string, hasMore bool) {
	if latePattern.MatchString(line) {
		b.Action = "delayed"
	}
	b.Recipient = cmp.Or(b.Recipient, failedRecipient(line))
	code, isDead := statusCode(line), deadPattern.MatchString(line)
	b.Status = cmp.Or(b.Status, code)
	m := replyCodePattern.FindStringSubmatch(line)
	line = strings.TrimSpace(line)
	if m != nil && b.Status == "" {
		b.Status, b.Reason = m[1]+m[2]+".0.0", shorten(line)
	}
	if isDead || b.Reason == "" && (code != "" || hasMore && strings.HasPrefix(line, "<")) {
		b.Reason = shorten(line)
	}
}

// maxReportText is the number of bytes of a report that are searched for a reason: the reason comes first, and the
// patterns are slow.
const maxReportText = 8 << 10

// maxReportEvidence is the number of bytes of a report that are searched for the returned letter.
const maxReportEvidence = 1 << 20

// collectEvidence collects all text of a report into Returned.ReportText, because the ID of the returned letter may be
// anywhere: in the returned letter or its header, or only in the address to which the report was sent.
func (r *partReader) collectEvidence(h header) {
	l := r.letter
	if len(l.Bounces) == 0 {
		return
	}
	var b strings.Builder
	add := func(s string) {
		if b.Len()+len(s) < maxReportEvidence {
			b.WriteString(s + "\n")
		}
	}
	for _, f := range h {
		add(decodeWords(f.value))
	}
	add(decodeWords(l.Returned.Subject))
	for _, s := range r.decoded {
		add(s)
	}
	add(l.Text)
	l.Returned.ReportText = b.String()
}

// isFromMailServer reports whether the sender is a mail server. An empty Return-Path is not enough: out-of-office
// replies also have an empty one, and may contain numbers that look like status codes. People also write as postmaster,
// but with a Return-Path of their own.
func isFromMailServer(h header, from []string) bool {
	for _, a := range from {
		local, _, _ := strings.Cut(a, "@")
		if local == "postmaster" && h.has("Return-Path") && !hasEmptyReturnPath(h) {
			continue
		}
		if postmasterPattern.MatchString(local) {
			return true
		}
	}
	return false
}

// isAutomaticReply reports whether a program wrote the letter as an answer to another letter. Delivery reports may have
// the same fields; they are recognised by their MIME parts.
func isAutomaticReply(h header) bool {
	return h.has("In-Reply-To") && firstWord(h, "Auto-Submitted") == "auto-replied"
}

var postmasterPattern = lazyregexp.New(`^(mailer-?daemon|postmaster|mail-?daemon|microsoftexchange[0-9a-f]*)$`)

var recipientLinePattern = lazyregexp.New(`^\s*<?([^\s<>"(),;:@]+@[^\s<>"(),;:@]+)>?(?:\s*:|\s+on\s+\d.*)?\s*$`)

// failedRecipient parses the line above a reason: "<ann@x.org>:" or "ann@x.org on 1 May" gives "ann@x.org".
func failedRecipient(line string) string {
	if m := recipientLinePattern.FindStringSubmatch(line); m != nil {
		return cleanAddress(OneLine(m[1]))
	}
	return ""
}

var headerLinePattern = lazyregexp.New(`(?i)^[>\s]*(message-id|received|return-path|reply-to)\s*:`)

func findReturnedHeader(lines []string) ReturnedLetter {
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		if !strings.Contains(line, ":") || !headerLinePattern.MatchString(line) {
			continue
		}
		// The report may indent or quote the letter.
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
	return ReturnedLetter{}
}

// BounceForReason returns a bounce for a letter that the SMTP server refused at once, so that no report will come.
func BounceForReason(to, reason string) Bounce {
	return Bounce{Recipient: to, Action: "failed", Status: statusCode(reason), Reason: shorten(reason)}
}

var senderRefusalPattern = lazyregexp.New(`(?i)outboundspam|submissionquota|sending (limit|quota|rate)|(limit|quota) for sending|send(er|ing)?\b.{0,20}\bquota|daily .{0,20}(limit|quota)|too many (messages|mails|e-mails)\b.{0,30}\b(sent|today|per)\b|(your|sender'?s?) account (is|has been|was) (suspended|disabled|blocked|locked|restricted)|sender (address )?(is )?(blocked|suspended|not allowed|not owned)|not permitted to send|sendasdenied|not authenticated|must authenticate`)

// IsSenderRefusal reports whether a server's answer refuses our account, our sender address or our quota, e.g.
// "Daily sending limit exceeded".
func IsSenderRefusal(words string) bool { return senderRefusalPattern.MatchString(words) }
