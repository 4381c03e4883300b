package message

import (
	"cmp"
	"fmt"
	"mime"
	"slices"
	"strings"

	"samizdat/internal/lazyregexp"
)

// Limits on what one letter may contain; real mail stays far below.
const (
	maxDepth     = 20
	maxParts     = 200
	maxTextBytes = 4 << 20
)

// partReader collects the readable text of a letter.
type partReader struct {
	letter *Letter
	parts  int
	// isReport: the letter is a report of a machine; delivery: on a delivery.
	isReport, isDeliveryReport bool
	// hasText: a part before this one held text.
	hasText bool
	// wantHTML: of alternatives the page is wanted; paged: there were some.
	wantHTML, hasAlternatives bool
	// decoded is what the parts say, decoded, for who looks for something in a report.
	decoded []string
}

// mediaType reads a Content-Type or a Content-Disposition. Of a damaged one the
// beginning counts: it says what kind of part this is.
func mediaType(v string) (kind string, params map[string]string) {
	kind, params, err := mime.ParseMediaType(v)
	if err == nil {
		return kind, params
	}
	first, rest, _ := strings.Cut(v, ";")
	kind, params = strings.ToLower(strings.TrimSpace(first)), map[string]string{}
	for p := range strings.SplitSeq(rest, ";") {
		key, value, ok := strings.Cut(p, "=")
		key = strings.ToLower(strings.TrimSpace(key))
		if _, twice := params[key]; ok && !twice {
			params[key] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return kind, params
}

// readPart gives the text of one MIME part, with all below it.
func (w *partReader) readPart(h header, body []byte, depth int) string {
	if w.parts++; w.parts > maxParts || depth > maxDepth {
		w.letter.addProblem("The letter has too many parts; some were not read.")
		return ""
	}
	kind, params := mediaType(h.get("Content-Type"))
	if strings.HasPrefix(kind, "multipart/") {
		return w.readMultipart(kind, params, body, depth)
	}
	disposition, dispParams := mediaType(h.get("Content-Disposition"))
	name := cmp.Or(dispParams["filename"], params["name"])
	// A text with the name of a file that stands below another text is a file that
	// the writer's program shows in its place.
	attached := disposition == "attachment" || dispParams["filename"] != "" && w.hasText
	if !strings.Contains(kind, "/") || kind == "text/" {
		kind = "text/plain" // What is no type means nothing (RFC 2045, section 5.2).
	}
	switch {
	case w.readSpecialPart(kind, name, h, body, depth):
		return ""
	case attached:
		w.reportAttachment(kind, name)
		return ""
	case kind == "text/plain", kind == "text/markdown", kind == "text/x-markdown":
		return w.checkText(w.readPlainText(h, body, params))
	case kind == "text/html":
		text, known := decodePage([]byte(w.decodeBody(h, body)), params["charset"])
		w.reportCharset(known)
		return w.checkText(htmlText(text))
	case depth == 0 && unreadTypes[kind]:
		w.letter.addProblem("The letter is no plain text (" + kind + "), and was not read. Please send plain text.")
		return ""
	case depth == 0 && strings.HasPrefix(kind, "text/"):
		return w.checkText(w.readPlainText(h, body, params))
	}
	if depth == 0 || strings.HasPrefix(kind, "application/") && name != "" || strings.HasPrefix(kind, "text/") {
		w.reportAttachment(kind, name)
	}
	return ""
}

// readSpecialPart takes the parts that hold no words of the writer's, or none that can be read:
// reports, letters that came back, what is sealed.
func (w *partReader) readSpecialPart(kind, name string, h header, body []byte, depth int) bool {
	switch {
	case kind == "message/delivery-status":
		w.letter.Bounces = append(w.letter.Bounces, readStatus(w.decodeBody(h, body))...)
	case kind == "message/disposition-notification":
		if depth == 0 && w.letter.Auto == "" {
			w.letter.Auto = "a read receipt"
		}
		w.markMachineMail("a read receipt")
	case kind == "message/rfc822", kind == "message/global", kind == "text/rfc822-headers", kind == "message/global-headers":
		w.readReturnedHeader(w.decodeBody(h, body))
		if w.letter.Auto == "" {
			w.letter.addProblem(attachedLetterProblem)
		}
	case kind == "application/ms-tnef" || strings.EqualFold(name, "winmail.dat"):
		w.letter.addProblem("A part of the letter is in a format that only Outlook reads (winmail.dat), and was not read. Please send plain text.")
	case kind == "application/pgp-encrypted", strings.HasSuffix(kind, "pkcs7-mime"), strings.HasSuffix(strings.ToLower(name), ".p7m"):
		w.letter.addProblem(encryptedProblem)
	default:
		return false
	}
	return true
}

// What a player is told of letters that cannot be read.
const (
	encryptedProblem      = "The letter is encrypted or sealed in a way that is not read here. Please send plain text."
	attachedLetterProblem = "A letter that is attached to yours was not read; orders belong in the letter itself."
	confidentialProblem   = "The text of your letter stayed with your mail service (confidential mode). Please send it again as a plain letter."
)

// confidentialNotice is what Gmail sends in place of such a letter.
const confidentialNotice = "has sent you an email via Gmail confidential mode"

// checkText looks for what the writer has to be told about a text that was read.
func (w *partReader) checkText(s string) string {
	w.hasText = w.hasText || strings.TrimSpace(s) != ""
	switch {
	case strings.Contains(s, "-----BEGIN PGP MESSAGE-----"):
		if slices.ContainsFunc(strings.Split(s, "\n"), encryptedArmour.MatchString) {
			w.letter.addProblem(encryptedProblem)
		}
	case strings.Contains(s, confidentialNotice) && strings.Contains(OrderText(s, w.referee()), confidentialNotice):
		w.letter.addProblem(confidentialProblem)
		return ""
	}
	return s
}

// markMachineMail notes why this is a machine's letter, if nothing said so before. What hangs
// on a letter that bears a token proves nothing: its writer may show us what he got.
func (w *partReader) markMachineMail(why string) {
	if w.letter.Auto == "" && (w.isReport || !w.letter.hasTokenForm()) {
		w.letter.Auto = why
	}
}

func (w *partReader) reportAttachment(kind, name string) {
	name = OneLine(decodeWords(name))
	// Pictures, signatures and entries for calendars hang on many letters, and nobody takes
	// them for orders.
	if !strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "application/") || strings.Contains(kind, "signature") ||
		kind == "text/calendar" {
		return
	}
	name = cmp.Or(name, "without a name")
	if r := []rune(name); len(r) > 60 {
		name = string(r[:60]) + "..."
	}
	w.letter.addProblem(fmt.Sprintf("An attachment (%s) was not read; orders belong in the letter itself.", name))
}

func (w *partReader) readPlainText(h header, body []byte, params map[string]string) string {
	text, known := decodeCharset([]byte(w.decodeBody(h, body)), params["charset"])
	w.reportCharset(known)
	if strings.EqualFold(params["format"], "flowed") {
		text = unflow(text, strings.EqualFold(params["delsp"], "yes"))
	}
	return text
}

func (w *partReader) reportCharset(known bool) {
	if !known {
		w.letter.addProblem("The letter uses a character set that is not known here; some letters may be wrong.")
	}
}

// decodeBody undoes the transfer encoding of a part. A damaged part still gives what
// can be read of it.
func (w *partReader) decodeBody(h header, body []byte) string {
	if len(body) > maxTextBytes {
		body = body[:maxTextBytes]
		w.letter.addProblem("The letter is too long; its end was not read.")
	}
	encoding, _, _ := strings.Cut(h.get("Content-Transfer-Encoding"), ";")
	out, whole, known := decodeTransfer(body, strings.TrimSpace(encoding))
	if !whole {
		w.letter.addProblem("A part of the letter is damaged; what could be decoded was read.")
	}
	if !known {
		w.letter.addProblem("The letter is encoded in a way that is not known here.")
	}
	text := string(out)
	w.decoded = append(w.decoded, text)
	return text
}

// readMultipart reads the children.
func (w *partReader) readMultipart(kind string, params map[string]string, body []byte, depth int) string {
	if depth == 0 && kind == "multipart/report" {
		w.isReport = true
		about := params["report-type"]
		w.isDeliveryReport = about == "" || strings.EqualFold(about, "delivery-status")
		w.markMachineMail("multipart/report")
	}
	if kind == "multipart/encrypted" {
		w.letter.addProblem(encryptedProblem)
		return ""
	}
	parts := w.splitMultipart(body, params["boundary"])
	if parts == nil {
		w.letter.addProblem("The parts of the letter are not separated; it was read as one text.")
		text, _ := decodeCharset(body, "")
		return text
	}
	switch kind {
	case "multipart/signed":
		// The first part is the letter, the rest belongs to it.
		return w.readRawPart(parts[0], depth)
	case "multipart/related":
		return w.readRawPart(rootPart(parts, params["start"]), depth)
	case "multipart/digest":
		// Its parts are letters (RFC 2046, section 5.1.5).
		w.letter.addProblem(attachedLetterProblem)
		return ""
	case "multipart/alternative":
		return w.readAlternatives(parts, depth)
	}
	var texts []string
	for i, raw := range parts {
		text := w.readRawPart(raw, depth)
		if w.parts > maxParts {
			break
		}
		// What stands behind the words of a report is for machines.
		if strings.TrimSpace(text) != "" && (kind != "multipart/report" || i == 0) {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

// unreadTypes are the kinds of a whole letter of which nothing is read: in what they are
// written with, an order or a quote cannot be told from what stands around it.
var unreadTypes = map[string]bool{
	"text/calendar": true, "text/rtf": true, "text/enriched": true, "text/richtext": true, "message/partial": true, "message/external-body": true,
}

// rootPart finds what the other parts of a multipart/related belong to: the part
// that is named (RFC 2387), or the first that is a text.
func rootPart(parts [][]byte, start string) []byte {
	var first []byte
	for _, raw := range parts {
		h, _, _ := splitHeader(raw)
		if start != "" && strings.TrimSpace(h.get("Content-Id")) == strings.TrimSpace(start) {
			return raw
		}
		kind, _ := mediaType(h.get("Content-Type"))
		if first == nil && (strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "multipart/") || !h.has("Content-Type")) {
			first = raw
		}
	}
	if first != nil {
		return first
	}
	return parts[0]
}

// draftPart reads one child.
func (w *partReader) readRawPart(raw []byte, depth int) string {
	h, content, _ := splitHeader(raw)
	return w.readPart(h, content, depth+1)
}

// splitMultipart finds the parts, by the boundary that the header names or else by the
// one that the body uses. Nil means that there is none.
func (w *partReader) splitMultipart(body []byte, boundary string) [][]byte {
	var parts [][]byte
	var closed, cut bool
	if boundary != "" {
		parts, closed, cut = splitParts(body, boundary, maxParts)
	}
	if len(parts) == 0 {
		if guess := guessBoundary(body); guess != "" && guess != boundary {
			parts, closed, cut = splitParts(body, guess, maxParts)
			w.letter.addProblem("The parts of the letter are badly separated; what was found was read.")
		}
	}
	switch {
	case len(parts) == 0:
		return nil
	case cut:
		w.letter.addProblem("The letter has too many parts; some were not read.")
	case !closed:
		w.letter.addProblem("The letter breaks off; what came was read.")
	}
	return parts
}

// readAlternatives reads parts that say the same. The plain text is taken, as programs that
// make HTML from orders damage them; unless only a copy of the letter that is answered
// stands there.
func (w *partReader) readAlternatives(parts [][]byte, depth int) string {
	if w.wantHTML {
		w.hasAlternatives = true
		return w.readHTMLAlternative(parts, depth)
	}
	page, standIn, answered := "", "", ""
	for _, raw := range parts {
		h, content, _ := splitHeader(raw)
		kind, _ := mediaType(h.get("Content-Type"))
		if strings.HasPrefix(kind, "text/") && !readableTypes[kind] {
			continue // An invitation, or a page for another kind of reader.
		}
		text := w.readPart(h, content, depth+1)
		if w.parts > maxParts {
			break
		}
		switch {
		case strings.TrimSpace(text) == "":
		case kind != "text/plain" && kind != "":
			page = text
		case isPlaceholder(text):
			standIn = text
		case !hasOwnText(text, w.referee()):
			answered = text
		case slices.ContainsFunc(parts, w.hasStruckText):
			page = "" // The plain text does not show what its writer struck out.
			for _, raw := range parts {
				if w.hasStruckText(raw) {
					h, content, _ := splitHeader(raw)
					page += w.readPart(h, content, depth+1)
				}
			}
			return page
		default:
			return restoreLineBreaks(text, func() string { return w.readHTMLAlternative(parts, depth) })
		}
	}
	switch {
	case standIn != "" && (strings.TrimSpace(page) == "" || strings.Contains(foldSpaceAndCase(page), foldSpaceAndCase(standIn))):
		return standIn // Its writer wrote it himself.
	case answered != "" && !hasMoreOwnText(page, answered, w.referee()):
		return answered
	}
	return page
}

// referee is whom the letter answers: those to whom it goes.
func (w *partReader) referee() Referee {
	return Referee{Addresses: slices.Concat(w.letter.To, w.letter.Cc)}
}

// hasStruckText reports whether a part is a page in which something is struck out.
func (w *partReader) hasStruckText(raw []byte) bool {
	h, content, _ := splitHeader(raw)
	kind, _ := mediaType(h.get("Content-Type"))
	return kind == "text/html" && marksStruckText(strings.ToLower(w.decodeBody(h, content)))
}

// marksStruckText reports whether a page, in small letters, shows that its writer struck something out. It
// looks for each way alone: every letter with a page passes here, and an expression for all takes
// longer than the rest of reading it.
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

// readHTMLAlternative is the text of the last of some parts that is a page; empty where none is.
func (w *partReader) readHTMLAlternative(parts [][]byte, depth int) string {
	page := ""
	for _, raw := range parts {
		h, content, _ := splitHeader(raw)
		if kind, _ := mediaType(h.get("Content-Type")); kind == "text/html" {
			page = w.readPart(h, content, depth+1)
		}
	}
	return page
}

// readableTypes are the kinds of text of which alternatives are taken.
var readableTypes = map[string]bool{
	"text/plain": true, "text/html": true, "text/markdown": true, "text/x-markdown": true,
}

// hasMoreOwnText tells whether a page has lines of its writer, where the plain text has a
// copy of our letter only. A page in which no quote is marked may hold that same copy.
func hasMoreOwnText(page, plain string, us Referee) bool {
	own := OrderText(page, us)
	if own == "" {
		return false
	}
	if slices.ContainsFunc(strings.Split(page, "\n"), isQuoted) {
		return true
	}
	was, lines := foldSpaceAndCase(strings.ReplaceAll(plain, ">", " ")), 0
	for line := range strings.Lines(own) {
		if !strings.Contains(was, foldSpaceAndCase(line)) {
			return true
		}
		if lines++; lines == maxComparedLines {
			break
		}
	}
	return false
}

// maxComparedLines is how many lines are looked for in the other part: a copy shows in
// the first ones.
const maxComparedLines = 100

var placeholderWords = lazyregexp.New(`(?i)\bhtml\b`)

// isPlaceholder knows the few words that stand in the plain part for readers who
// cannot show the page with the letter.
func isPlaceholder(text string) bool {
	var few []string
	for word := range strings.FieldsSeq(text) {
		if few = append(few, word); len(few) > 200 || len(word) >= 400 {
			return false
		}
	}
	text = foldSpaceAndCase(strings.Join(few, " "))
	return len(text) < 400 && strings.Count(text, " ") >= 4 && placeholderWords.MatchString(text) && !strings.Contains(text, "format html")
}
