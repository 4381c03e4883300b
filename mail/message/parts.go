package message

import (
	"cmp"
	"fmt"
	"mime"
	"slices"
	"strings"

	"samizdat/internal/lazyregexp"
)

// Limits of a letter, far above those of real letters.
const (
	maxDepth     = 20
	maxParts     = 200
	maxTextBytes = 4 << 20
)

type partReader struct {
	letter    *Letter
	partCount int
	// isReport is set if the letter is a multipart/report (RFC 6522). isDeliveryReport is set if its report-type is
	// delivery-status or missing.
	isReport, isDeliveryReport bool
	// hasText reports whether an earlier part contained text.
	hasText bool
	// wantsBoth is set if the caller wants both alternatives of the letter. page is the text of the HTML alternative.
	wantsBoth bool
	page      string
	// decoded is the decoded text of every part. collectEvidence searches it for the returned letter.
	decoded []string
}

// parseMediaType parses a Content-Type or Content-Disposition: "text/plain; charset=utf-8" gives "text/plain" and
// {charset: utf-8}. For a damaged field it returns the parameters that could be parsed.
func parseMediaType(v string) (kind string, params map[string]string) {
	kind, params, err := mime.ParseMediaType(v)
	if err == nil {
		return kind, params
	}
	first, remaining, _ := strings.Cut(v, ";")
	kind, params = strings.ToLower(strings.TrimSpace(first)), map[string]string{}
	for p := range strings.SplitSeq(remaining, ";") {
		key, value, ok := strings.Cut(p, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		if _, isDoubled := params[key]; ok && !isDoubled {
			params[key] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return kind, params
}

func (r *partReader) readPart(h header, body []byte, depth int) string {
	if r.partCount++; r.partCount > maxParts || depth > maxDepth {
		r.letter.addProblem("The letter has too many parts; some were not read.")
		return ""
	}
	kind, params := parseMediaType(h.get("Content-Type"))
	if strings.HasPrefix(kind, "multipart/") {
		return r.readMultipart(kind, params, body, depth)
	}
	disposition, dispParams := parseMediaType(h.get("Content-Disposition"))
	name := cmp.Or(dispParams["filename"], params["name"])
	// A part that has a filename and follows a text counts as an attachment, e.g. notes.txt, although mail programs
	// display it.
	isAttached := disposition == "attachment" || dispParams["filename"] != "" && r.hasText
	if !strings.Contains(kind, "/") || kind == "text/" {
		kind = "text/plain" // A value without a slash counts as text/plain (RFC 2045, section 5.2).
	}
	switch {
	case r.readSpecialPart(kind, name, h, body, depth):
		return ""
	case isAttached:
		r.reportAttachment(kind, name)
		return ""
	case kind == "text/plain", kind == "text/markdown", kind == "text/x-markdown":
		return r.checkText(r.readPlainText(h, body, params))
	case kind == "text/html":
		text, isKnown := decodePage([]byte(r.decodeBody(h, body)), params["charset"])
		r.reportCharset(isKnown)
		return r.checkText(htmlText(text))
	case depth == 0 && unreadTypes[kind]:
		r.letter.addProblem("The letter is no plain text (" + kind + "), and was not read. Please send plain text.")
		return ""
	case depth == 0 && strings.HasPrefix(kind, "text/"):
		return r.checkText(r.readPlainText(h, body, params))
	}
	if depth == 0 || strings.HasPrefix(kind, "application/") && name != "" || strings.HasPrefix(kind, "text/") {
		r.reportAttachment(kind, name)
	}
	return ""
}

// readSpecialPart reads a part that has no text of the writer: a delivery report, an attached letter, an encrypted
// part. It returns false for any other part.
func (r *partReader) readSpecialPart(kind, name string, h header, body []byte, depth int) bool {
	switch {
	case kind == "message/delivery-status":
		r.letter.Bounces = append(r.letter.Bounces, parseDeliveryStatus(r.decodeBody(h, body))...)
	case kind == "message/feedback-report":
		r.letter.Bounces = append(r.letter.Bounces, parseComplaint(r.decodeBody(h, body))...)
	case kind == "message/disposition-notification":
		if depth == 0 && r.letter.AutoReason == "" {
			r.letter.AutoReason = "a read receipt"
		}
		r.markMachineMail("a read receipt")
	case kind == "message/rfc822", kind == "message/global", kind == "text/rfc822-headers", kind == "message/global-headers":
		r.readReturnedHeader(r.decodeBody(h, body))
		if r.letter.AutoReason == "" {
			r.letter.addProblem(attachedLetterProblem)
		}
	case kind == "application/ms-tnef" || strings.EqualFold(name, "winmail.dat"):
		r.letter.addProblem("A part of the letter is in a format that only Outlook reads (winmail.dat), and was not read. Please " +
			"send plain text.")
	case kind == "application/pgp-encrypted", strings.HasSuffix(kind, "pkcs7-mime"), strings.HasSuffix(strings.ToLower(name), ".p7m"):
		r.letter.addProblem(encryptedProblem)
	default:
		return false
	}
	return true
}

// Problems that players read.
const (
	encryptedProblem      = "The letter is encrypted or sealed in a way that is not read here. Please send plain text."
	attachedLetterProblem = "A letter that is attached to yours was not read; orders belong in the letter itself."
	confidentialProblem   = "The text of your letter stayed with your mail service (confidential mode). Please send it again as a " +
		"plain letter."
)

// confidentialNotice is the text that Gmail sends instead of a letter in confidential mode.
const confidentialNotice = "has sent you an email via Gmail confidential mode"

// checkText adds a problem if a text is encrypted with PGP or is the notice of Gmail's confidential mode. It returns
// the text, or "" for confidentialNotice.
func (r *partReader) checkText(s string) string {
	r.hasText = r.hasText || strings.TrimSpace(s) != ""
	switch {
	case strings.Contains(s, "-----BEGIN PGP MESSAGE-----"):
		if slices.ContainsFunc(strings.Split(s, "\n"), encryptedPattern.MatchString) {
			r.letter.addProblem(encryptedProblem)
		}
	case strings.Contains(s, confidentialNotice) && strings.Contains(OrderText(s, r.referee()), confidentialNotice):
		r.letter.addProblem(confidentialProblem)
		return ""
	}
	return s
}

// markMachineMail records why a letter is machine mail, unless a reason is already recorded. If the letter has a token,
// only a multipart/report counts: a player may attach or forward a delivery report.
func (r *partReader) markMachineMail(reason string) {
	if r.letter.AutoReason == "" && (r.isReport || !r.letter.hasTokenForm()) {
		r.letter.AutoReason = reason
	}
}

func (r *partReader) reportAttachment(kind, name string) {
	name = OneLine(decodeWords(name))
	// Pictures, signatures and calendar entries are common, and players do not take them for orders.
	if !strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "application/") || strings.Contains(kind, "signature") ||
		kind == "text/calendar" {
		return
	}
	name = cmp.Or(name, "without a name")
	if r := []rune(name); len(r) > 60 {
		name = string(r[:60]) + "..."
	}
	r.letter.addProblem(fmt.Sprintf("An attachment (%s) was not read; orders belong in the letter itself.", name))
}

func (r *partReader) readPlainText(h header, body []byte, params map[string]string) string {
	text, isKnown := decodeCharset([]byte(r.decodeBody(h, body)), params["charset"])
	r.reportCharset(isKnown)
	if strings.EqualFold(params["format"], "flowed") {
		text = unflow(text, strings.EqualFold(params["delsp"], "yes"))
	}
	return text
}

func (r *partReader) reportCharset(isKnown bool) {
	if !isKnown {
		r.letter.addProblem("The letter uses a character set that is not known here; some letters may be wrong.")
	}
}

func (r *partReader) decodeBody(h header, body []byte) string {
	if len(body) > maxTextBytes {
		body = body[:maxTextBytes]
		r.letter.addProblem("The letter is too long; its end was not read.")
	}
	encoding, _, _ := strings.Cut(h.get("Content-Transfer-Encoding"), ";")
	out, isIntact, isKnown := decodeTransfer(body, strings.TrimSpace(encoding))
	if !isIntact {
		r.letter.addProblem("A part of the letter is damaged; what could be decoded was read.")
	}
	if !isKnown {
		r.letter.addProblem("The letter is encoded in a way that is not known here.")
	}
	text := string(out)
	r.decoded = append(r.decoded, text)
	return text
}

func (r *partReader) readMultipart(kind string, params map[string]string, body []byte, depth int) string {
	if depth == 0 && kind == "multipart/report" {
		r.isReport = true
		reportType := params["report-type"]
		r.isDeliveryReport = reportType == "" || strings.EqualFold(reportType, "delivery-status")
		r.markMachineMail("multipart/report")
	}
	if kind == "multipart/encrypted" {
		r.letter.addProblem(encryptedProblem)
		return ""
	}
	parts := r.splitMultipart(body, params["boundary"])
	if parts == nil {
		r.letter.addProblem("The parts of the letter are not separated; it was read as one text.")
		text, _ := decodeCharset(body, "")
		return text
	}
	switch kind {
	case "multipart/signed":
		// parts[0] is the signed letter, parts[1] the signature (RFC 1847).
		return r.readRawPart(parts[0], depth)
	case "multipart/related":
		return r.readRawPart(rootPart(parts, params["start"]), depth)
	case "multipart/digest":
		// The parts are attached letters (RFC 2046, section 5.1.5).
		r.letter.addProblem(attachedLetterProblem)
		return ""
	case "multipart/alternative":
		return r.readAlternatives(parts, depth)
	}
	var texts []string
	for i, raw := range parts {
		text := r.readRawPart(raw, depth)
		if r.partCount > maxParts {
			break
		}
		// Only the first part of a report is text for people (RFC 6522).
		if strings.TrimSpace(text) != "" && (kind != "multipart/report" || i == 0) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// unreadTypes are refused as the type of a whole letter, because orders and quotes cannot be told apart in them.
var unreadTypes = map[string]bool{
	"text/calendar": true, "text/rtf": true, "text/enriched": true, "text/richtext": true, "message/partial": true,
	"message/external-body": true,
}

// rootPart returns the main part of a multipart/related: the part whose Content-ID is start (RFC 2387), or otherwise
// the first text.
func rootPart(parts [][]byte, start string) []byte {
	var first []byte
	for _, raw := range parts {
		h, _, _ := splitHeader(raw)
		if start != "" && strings.TrimSpace(h.get("Content-Id")) == strings.TrimSpace(start) {
			return raw
		}
		kind, _ := parseMediaType(h.get("Content-Type"))
		if first == nil && (strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "multipart/") || !h.has("Content-Type")) {
			first = raw
		}
	}
	if first != nil {
		return first
	}
	return parts[0]
}

func (r *partReader) readRawPart(raw []byte, depth int) string {
	h, content, _ := splitHeader(raw)
	return r.readPart(h, content, depth+1)
}

// splitMultipart splits a body at the boundary of its header, or at the boundary that the body really uses. It
// returns nil if there is no boundary.
func (r *partReader) splitMultipart(body []byte, boundary string) [][]byte {
	var parts [][]byte
	var isClosed, isCut bool
	if boundary != "" {
		parts, isClosed, isCut = splitParts(body, boundary, maxParts)
	}
	if len(parts) == 0 {
		if guess := guessBoundary(body); guess != "" && guess != boundary {
			parts, isClosed, isCut = splitParts(body, guess, maxParts)
			r.letter.addProblem("The parts of the letter are badly separated; what was found was read.")
		}
	}
	switch {
	case len(parts) == 0:
		return nil
	case isCut:
		r.letter.addProblem("The letter has too many parts; some were not read.")
	case !isClosed:
		r.letter.addProblem("The letter breaks off; what came was read.")
	}
	return parts
}

// readAlternatives returns the text of a multipart/alternative. The plain text is preferred, because converting HTML
// damages orders. The HTML is read if the plain text is only a copy of our letter, a placeholder like "This letter
// needs HTML", or text that the HTML shows as struck out.
func (r *partReader) readAlternatives(parts [][]byte, depth int) string {
	if r.wantsBoth {
		r.page = r.readAlternative(parts, "text/html", depth)
		return cmp.Or(r.readAlternative(parts, "text/plain", depth), r.page)
	}
	page, placeholder, copyOnly := "", "", ""
	for _, raw := range parts {
		h, content, _ := splitHeader(raw)
		kind, _ := parseMediaType(h.get("Content-Type"))
		if strings.HasPrefix(kind, "text/") && !readableTypes[kind] {
			continue // Calendar invitations and other formats.
		}
		text := r.readPart(h, content, depth+1)
		if r.partCount > maxParts {
			break
		}
		switch {
		case strings.TrimSpace(text) == "":
		case kind != "text/plain" && kind != "":
			page = text
		case isPlaceholder(text):
			placeholder = text
		case !hasOwnText(text, r.referee()):
			copyOnly = text
		case slices.ContainsFunc(parts, r.hasStruckText):
			page = "" // The plain text does not show which words were struck out.
			for _, raw := range parts {
				if r.hasStruckText(raw) {
					h, content, _ := splitHeader(raw)
					page += r.readPart(h, content, depth+1)
				}
			}
			return page
		default:
			return restoreLineBreaks(text, func() string { return r.readAlternative(parts, "text/html", depth) })
		}
	}
	switch {
	case placeholder != "" && (strings.TrimSpace(page) == "" || strings.Contains(foldSpaceAndCase(page), foldSpaceAndCase(placeholder))):
		return placeholder // The player wrote the placeholder text himself.
	case copyOnly != "" && !hasMoreOwnText(page, copyOnly, r.referee()):
		return copyOnly
	}
	return page
}

func (r *partReader) referee() Referee {
	return Referee{Addresses: slices.Concat(r.letter.To, r.letter.Cc)}
}

func (r *partReader) hasStruckText(raw []byte) bool {
	h, content, _ := splitHeader(raw)
	kind, _ := parseMediaType(h.get("Content-Type"))
	return kind == "text/html" && marksStruckText(strings.ToLower(r.decodeBody(h, content)))
}

// marksStruckText reports whether lower-case HTML strikes text out, e.g. "<del>PASS</del>". It uses plain searches
// because every HTML letter is checked, and a regular expression would take longer than the rest of parsing.
func marksStruckText(page string) bool {
	for _, tag := range []string{"<s", "<strike", "<del"} {
		for _, end := range []string{">", " ", "\t", "\r", "\n", "\f"} {
			if strings.Contains(page, tag+end) {
				return true
			}
		}
	}
	return strings.Contains(page, "line-through")
}

// readAlternative returns the text of the last part of a type, e.g. "text/html", or an empty string.
func (r *partReader) readAlternative(parts [][]byte, wanted string, depth int) string {
	text := ""
	for _, raw := range parts {
		h, content, _ := splitHeader(raw)
		if kind, _ := parseMediaType(h.get("Content-Type")); kind == wanted {
			text = r.readPart(h, content, depth+1)
		}
	}
	return text
}

var readableTypes = map[string]bool{
	"text/plain": true, "text/html": true, "text/markdown": true, "text/x-markdown": true,
}

// hasMoreOwnText reports whether the HTML has lines of the writer although the plain text is only a copy of our
// letter. HTML without quote marks may contain the same copy, so its lines are compared with the plain text.
func hasMoreOwnText(page, plain string, referee Referee) bool {
	ownText := OrderText(page, referee)
	if ownText == "" {
		return false
	}
	if slices.ContainsFunc(strings.Split(page, "\n"), isQuoted) {
		return true
	}
	plainText, lines := foldSpaceAndCase(strings.ReplaceAll(plain, ">", " ")), 0
	for line := range strings.Lines(ownText) {
		if !strings.Contains(plainText, foldSpaceAndCase(line)) {
			return true
		}
		if lines++; lines == maxComparedLines {
			break
		}
	}
	return false
}

const maxComparedLines = 100

var placeholderPattern = lazyregexp.New(`(?i)\bhtml\b`)

// isPlaceholder reports whether a text is a short plain part for mail programs without HTML, e.g. "Your mail program
// does not display HTML letters."
func isPlaceholder(text string) bool {
	var words []string
	for word := range strings.FieldsSeq(text) {
		if words = append(words, word); len(words) > 200 || len(word) >= 400 {
			return false
		}
	}
	text = foldSpaceAndCase(strings.Join(words, " "))
	return len(text) < 400 && strings.Count(text, " ") >= 4 && placeholderPattern.MatchString(text) && !strings.Contains(text, "format html")
}
