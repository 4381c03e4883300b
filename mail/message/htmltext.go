package message

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"samizdat/internal/lazyregexp"
)

const maxOpenElements = 2000

// htmlText converts HTML to the plain text that its writer saw: "<p>PASS<blockquote>old</blockquote>" gives "PASS\n>
// old\n". Blocks become lines, and quotes get "> " marks, so that OrderText handles plain text and HTML alike. It
// reads tokens, because the parser of x/net/html fails at 512 open elements.
func htmlText(src string) string {
	z := html.NewTokenizer(strings.NewReader(src))
	w := &htmlWriter{openCount: map[atom.Atom]int{}}
	for {
		switch t := z.Next(); t {
		case html.ErrorToken:
			w.flush()
			return w.out.String()
		case html.TextToken:
			w.writeText(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, hasAttributes := z.TagName()
			w.startElement(readElement(z, atom.Lookup(name), hasAttributes), t == html.SelfClosingTagToken)
		case html.EndTagToken:
			name, _ := z.TagName()
			w.endElement(atom.Lookup(name))
		}
	}
}

// openElement is an element without an end tag so far.
type openElement struct {
	tag                atom.Atom
	isQuote, isSkipped bool
	// isAttribution marks Gmail's attribution line. isQuoteContainer marks Gmail's element around attribution and quote.
	isAttribution, isQuoteContainer bool
}

type htmlWriter struct {
	out              strings.Builder
	line             strings.Builder
	stack            []openElement
	quoteDepth       int
	skipDepth        int
	preDepth         int
	openCount        map[atom.Atom]int
	openAttributions int
	// inOriginal is set after Outlook's separator; the rest is an unmarked copy of another letter.
	inOriginal    bool
	pendingSpace  bool
	lastLineBlank bool
}

func (w *htmlWriter) writeText(s string) {
	if w.skipDepth > 0 {
		return
	}
	for s != "" { // The tokenizer has unescaped s.
		if word := leadingWord(s); word != "" {
			w.writeWord(word)
			s = s[len(word):]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		s = s[size:]
		r = normalizeHTMLRune(r)
		switch {
		case r < 0:
		case w.preDepth > 0 && r == '\n':
			w.writeLine()
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if w.preDepth > 0 && r != '\r' {
				w.line.WriteByte(' ')
			} else {
				w.pendingSpace = true
			}
		default:
			w.writeWord(string(r))
		}
	}
}

// leadingWord returns the text of s before the first blank, control or non-ASCII character. It needs no normalizing.
func leadingWord(s string) string {
	n := 0
	for n < len(s) && s[n] > ' ' && s[n] < 0x7f {
		n++
	}
	return s[:n]
}

// writeWord writes visible characters, after the space that separates them from the text before.
func (w *htmlWriter) writeWord(word string) {
	if w.pendingSpace && w.line.Len() > 0 {
		w.line.WriteByte(' ')
	}
	w.pendingSpace = false
	w.line.WriteString(word)
}

// normalizeHTMLRune is normalizeRune for HTML. It also turns typographic dashes into a hyphen: "Strike–6" becomes "Strike-6".
func normalizeHTMLRune(r rune) rune {
	switch r {
	case '\n', '\r', '\t':
		return r
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
		return '-'
	}
	return normalizeRune(r)
}

func (w *htmlWriter) startElement(e element, selfCloses bool) {
	if w.writeEmptyElement(e.tag) {
		return
	}
	switch e.tag {
	case atom.Td, atom.Th:
		w.pendingSpace = true
	case atom.Pre:
		w.preDepth++
	}
	if n := len(w.stack); n > 0 && w.stack[n-1].tag == atom.Head && endsHead(e.tag) {
		w.endElement(atom.Head) // The end tag of head is optional.
	}
	o := openElement{tag: e.tag, isAttribution: slices.Contains(e.classes, "gmail_attr"),
		isQuoteContainer: slices.Contains(e.classes, "gmail_quote")}
	switch {
	case e.tag == atom.Blockquote, slices.ContainsFunc(e.classes, isQuoteClass), e.isQuote():
		o.isQuote = true
	case e.startsOriginal():
		w.flush()
		w.inOriginal = true
	}
	o.isSkipped = isSkippedElement(e.tag) || e.isHidden() || e.isSignatureBlock()
	if isBlock(e.tag) {
		w.flush()
		if n := len(w.stack); n > 0 && w.stack[n-1].tag == atom.P {
			w.endElement(atom.P) // The end tag of a paragraph is optional.
		}
	}
	if selfCloses && !isBlock(e.tag) || len(w.stack) >= maxOpenElements {
		return
	}
	w.pushElement(o)
}

// writeEmptyElement writes an element without content, e.g. <br>; it returns false for any other element.
func (w *htmlWriter) writeEmptyElement(a atom.Atom) bool {
	switch a {
	case atom.Br:
		w.writeLine()
	case atom.Hr:
		w.flush()
	case atom.Img, atom.Meta, atom.Link, atom.Input, atom.Wbr, atom.Col, atom.Base:
	default:
		return false
	}
	return true
}

// isSkippedElement reports whether the text of an element is invisible or struck out.
func isSkippedElement(a atom.Atom) bool {
	switch a {
	case atom.Style, atom.Script, atom.Head, atom.Title, atom.Template, atom.Iframe, atom.Object, atom.Select, atom.Audio, atom.Video,
		atom.S, atom.Strike, atom.Del:
		return true
	}
	return false
}

func (w *htmlWriter) pushElement(o openElement) {
	if o.isQuote {
		w.flush()
		w.quoteDepth++
	}
	if o.isSkipped {
		w.skipDepth++
	}
	if o.isAttribution {
		w.openAttributions++
	}
	w.stack = append(w.stack, o)
	w.openCount[o.tag]++
}

func (w *htmlWriter) endElement(tag atom.Atom) {
	if isBlock(tag) || tag == atom.P {
		w.flush()
	}
	if tag == atom.P {
		w.writeBlankLine()
	}
	if tag == atom.Pre && w.preDepth > 0 {
		w.preDepth--
	}
	if w.openCount[tag] == 0 {
		return
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		if w.stack[i].tag != tag {
			continue
		}
		for _, o := range w.stack[i:] {
			w.openCount[o.tag]--
			if o.isQuote {
				w.flush()
				w.quoteDepth--
			}
			if o.isSkipped {
				w.skipDepth--
			}
			if o.isAttribution {
				w.openAttributions--
			}
		}
		w.stack = w.stack[:i]
		return
	}
}

func (w *htmlWriter) flush() {
	if strings.TrimSpace(w.line.String()) == "" {
		w.line.Reset()
		w.pendingSpace = false
		return
	}
	w.writeLine()
}

func (w *htmlWriter) writeLine() {
	text := strings.TrimRight(w.line.String(), " ")
	w.line.Reset()
	if w.openAttributions > 0 && strings.HasPrefix(text, "-----") {
		w.quoteForwarded()
	}
	w.pendingSpace = false
	depth := w.quoteDepth
	if w.inOriginal {
		depth++
	}
	if depth > 0 {
		w.out.WriteString(strings.Repeat(">", min(depth, 5)) + " ")
	}
	w.out.WriteString(text + "\n")
	w.lastLineBlank = text == ""
}

// maxContainerDistance is the maximum number of elements between Gmail's attribution and its container.
const maxContainerDistance = 20

// quoteForwarded marks the rest of a letter forwarded by Gmail as a quote. Gmail marks only the header, which
// begins with "---------- Forwarded message".
func (w *htmlWriter) quoteForwarded() {
	inAttribution := false
	for i := len(w.stack) - 1; i >= max(0, len(w.stack)-maxContainerDistance); i-- {
		o := &w.stack[i]
		inAttribution = inAttribution || o.isAttribution
		if !inAttribution || !o.isQuoteContainer {
			continue
		}
		if !o.isQuote {
			o.isQuote = true
			w.quoteDepth++
		}
		return
	}
}

func (w *htmlWriter) writeBlankLine() {
	if !w.lastLineBlank && w.out.Len() > 0 && w.skipDepth == 0 {
		w.writeLine()
	}
}

func isBlock(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.Tr, atom.Table, atom.Li, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Blockquote, atom.Pre, atom.Section,
		atom.Article, atom.Header, atom.Footer, atom.Address, atom.Center, atom.Form, atom.Fieldset, atom.Body:
		return true
	}
	return false
}

// element is a start tag with the attributes that mark quotes, signatures and hidden text.
type element struct {
	tag              atom.Atom
	id, style        string
	classes          []string
	name, dataMarker string
	hidden           bool
}

func readElement(z *html.Tokenizer, tag atom.Atom, hasAttributes bool) element {
	e := element{tag: tag}
	for hasAttributes {
		var key, value []byte
		key, value, hasAttributes = z.TagAttr()
		switch string(key) {
		case "id":
			e.id = strings.ToLower(string(value))
		case "class":
			e.classes = strings.Fields(strings.ToLower(string(value)))
		case "style":
			e.style = strings.ToLower(string(value))
		case "name":
			e.name = string(value)
		case "data-marker":
			e.dataMarker = string(value)
		case "hidden":
			e.hidden = true
		}
	}
	return e
}

var quoteClasses = wordSet("gmail_attr", "moz-cite-prefix", "protonmail_quote", "tutanota_quote")

// isQuoteClass reports whether a class marks an attribution or a quote of Gmail, Thunderbird, Proton, Tutanota or Yahoo.
// Both become quotes. Yahoo adds a random prefix to its class names.
func isQuoteClass(class string) bool {
	return quoteClasses[class] || strings.HasSuffix(class, "yahoo_quoted")
}

// isQuote reports whether Thunderbird, GMX or Zimbra use the element for a quoted letter.
func (e element) isQuote() bool {
	return slices.Contains(e.classes, "moz-forward-container") || slices.Contains(e.classes, "moz-email-headers-table") ||
		e.tag == atom.Div && (e.name == "quote" || e.name == "quoted-content") ||
		e.dataMarker == "__QUOTED_TEXT__" || e.dataMarker == "__HEADERS__"
}

func endsHead(a atom.Atom) bool {
	switch a {
	case atom.Span, atom.Font, atom.A, atom.B, atom.I, atom.U, atom.Em, atom.Strong, atom.Code, atom.Tt:
		return true
	}
	return isBlock(a)
}

var signatureClasses = wordSet("gmail_signature", "gmail_signature_prefix", "moz-signature", "protonmail_signature_block",
	"mozaik-signature")

func (e element) isSignatureBlock() bool {
	return e.id == "ms-outlook-mobile-signature" || slices.ContainsFunc(e.classes, func(c string) bool { return signatureClasses[c] })
}

var hiddenStylePattern = lazyregexp.New(`(^|;)(display:none|visibility:(hidden|collapse)|mso-hide:all|text-decoration(-line)?:[a-z#0-9.(),%]*line-through|(font-size|opacity|max-height):0+(\.0+)?(px|pt|em|rem|%)?(!important)?(;|$))`)

// compactStyle removes comments and blanks from a CSS style: "display: none" becomes "display:none".
func compactStyle(style string) string {
	var b strings.Builder
	for style != "" {
		before, remaining, found := strings.Cut(style, "/*")
		b.WriteString(strings.Join(strings.Fields(before), ""))
		if !found {
			break
		}
		_, style, _ = strings.Cut(remaining, "*/")
	}
	return b.String()
}

// isHidden reports whether an element is invisible or struck out by its attributes.
func (e element) isHidden() bool {
	return e.hidden || e.style != "" && hiddenStylePattern.MatchString(compactStyle(e.style))
}

// startsOriginal reports whether an element is Outlook's separator above the quoted letter.
func (e element) startsOriginal() bool {
	return strings.HasSuffix(e.id, "divrplyfwdmsg") || strings.HasSuffix(e.id, "appendonsend") ||
		slices.ContainsFunc(e.classes, func(c string) bool { return strings.Contains(c, "outlookmessageheader") }) ||
		e.id == "mail-editor-reference-message-container"
}
