package message

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"samizdat/internal/lazyregexp"
)

// maxOpenElements caps the elements kept track of. Deeper ones are read all the same.
const maxOpenElements = 2000

// htmlText turns an HTML letter into the plain text its writer saw. Blocks
// become lines, table cells are kept apart, and quoted text gets "> " marks, so
// that the same stripper serves plain text and HTML. It walks the tokens: the
// tree builder gives up at 512 open elements.
func htmlText(src string) string {
	z := html.NewTokenizer(strings.NewReader(src))
	w := &htmlWriter{opened: map[atom.Atom]int{}}
	for {
		switch z.Next() {
		case html.ErrorToken:
			w.flush()
			return w.out.String()
		case html.TextToken:
			w.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			w.start(z.Token())
		case html.EndTagToken:
			name, _ := z.TagName()
			w.end(atom.Lookup(name))
		}
	}
}

// openElement is an element that changes how its content is read.
type openElement struct {
	tag             atom.Atom
	quoted, skipped bool
	// attribution is where Gmail says whose letter follows, and answer what
	// holds both.
	attribution, isQuoteContainer bool
}

type htmlWriter struct {
	out     strings.Builder
	line    strings.Builder
	stack   []openElement
	quoted  int
	skipped int
	pre     int
	// opened is how many elements of a tag are open.
	opened map[atom.Atom]int
	// openAttributions is how many elements that name a writer are open.
	openAttributions int
	// inOriginal is set where a mail program says that all below is the letter
	// that is answered, without marking it.
	inOriginal bool
	space      bool
	blank      bool
}

func (w *htmlWriter) text(s string) {
	if w.skipped > 0 {
		return
	}
	for _, r := range html.UnescapeString(s) {
		r = tidyHTMLRune(r)
		switch {
		case r < 0:
		case w.pre > 0 && r == '\n':
			w.newline()
		case r == ' ' || r == '\t' || r == '\n' || r == '\r':
			if w.pre > 0 && r != '\r' {
				w.line.WriteByte(' ')
			} else {
				w.space = true
			}
		default:
			if w.space && w.line.Len() > 0 {
				w.line.WriteByte(' ')
			}
			w.space = false
			w.line.WriteRune(r)
		}
	}
}

// tidyHTMLRune also undoes what editors make of a typed hyphen.
func tidyHTMLRune(r rune) rune {
	switch r {
	case '\n', '\r', '\t':
		return r
	case '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2212':
		return '-'
	}
	return tidyRune(r)
}

func (w *htmlWriter) start(t html.Token) {
	if w.writeEmptyElement(t.DataAtom) {
		return
	}
	switch t.DataAtom {
	case atom.Td, atom.Th:
		w.space = true
	case atom.Pre:
		w.pre++
	}
	if n := len(w.stack); n > 0 && w.stack[n-1].tag == atom.Head && endsHead(t.DataAtom) {
		w.end(atom.Head) // Its end may be left out.
	}
	id, class, style := attributes(t)
	o := openElement{tag: t.DataAtom, attribution: hasClass(class, "gmail_attr"), isQuoteContainer: hasClass(class, "gmail_quote")}
	switch {
	case t.DataAtom == atom.Blockquote, isAttribution(class), isQuotedElement(t):
		o.quoted = true
	case startsOriginal(id, class):
		w.flush()
		w.inOriginal = true
	}
	o.skipped = isSkippedElement(t.DataAtom) || isHidden(t, style) || isSignatureBlock(id, class)
	if isBlock(t.DataAtom) {
		w.flush()
		if n := len(w.stack); n > 0 && w.stack[n-1].tag == atom.P {
			w.end(atom.P) // The end of a paragraph may be left out.
		}
	}
	if t.Type == html.SelfClosingTagToken && !isBlock(t.DataAtom) || len(w.stack) >= maxOpenElements {
		return
	}
	w.open(o)
}

// writeEmptyElement takes an element that has nothing in it.
func (w *htmlWriter) writeEmptyElement(a atom.Atom) bool {
	switch a {
	case atom.Br:
		w.newline()
	case atom.Hr:
		w.flush()
	case atom.Img, atom.Meta, atom.Link, atom.Input, atom.Wbr, atom.Col, atom.Base:
	default:
		return false
	}
	return true
}

// isSkippedElement knows the elements whose text nobody is shown. What a writer struck out is
// not what he orders.
func isSkippedElement(a atom.Atom) bool {
	switch a {
	case atom.Style, atom.Script, atom.Head, atom.Title, atom.Template, atom.Iframe, atom.Object, atom.Select, atom.Audio, atom.Video,
		atom.S, atom.Strike, atom.Del:
		return true
	}
	return false
}

func (w *htmlWriter) open(o openElement) {
	if o.quoted {
		w.flush()
		w.quoted++
	}
	if o.skipped {
		w.skipped++
	}
	if o.attribution {
		w.openAttributions++
	}
	w.stack = append(w.stack, o)
	w.opened[o.tag]++
}

func (w *htmlWriter) end(tag atom.Atom) {
	if isBlock(tag) || tag == atom.P {
		w.flush()
	}
	if tag == atom.P {
		w.blankLine()
	}
	if tag == atom.Pre && w.pre > 0 {
		w.pre--
	}
	if w.opened[tag] == 0 {
		return
	}
	for i := len(w.stack) - 1; i >= 0; i-- {
		if w.stack[i].tag != tag {
			continue
		}
		for _, o := range w.stack[i:] {
			w.opened[o.tag]--
			if o.quoted {
				w.flush()
				w.quoted--
			}
			if o.skipped {
				w.skipped--
			}
			if o.attribution {
				w.openAttributions--
			}
		}
		w.stack = w.stack[:i]
		return
	}
}

// flush ends the line if there is anything on it.
func (w *htmlWriter) flush() {
	if strings.TrimSpace(w.line.String()) == "" {
		w.line.Reset()
		w.space = false
		return
	}
	w.newline()
}

func (w *htmlWriter) newline() {
	text := strings.TrimRight(w.line.String(), " ")
	w.line.Reset()
	if w.openAttributions > 0 && strings.HasPrefix(text, "-----") {
		w.quoteForwarded()
	}
	w.space = false
	depth := w.quoted
	if w.inOriginal {
		depth++
	}
	if depth > 0 {
		w.out.WriteString(strings.Repeat(">", min(depth, 5)) + " ")
	}
	w.out.WriteString(text + "\n")
	w.blank = text == ""
}

// maxContainerDistance is how far out Gmail's element may be.
const maxContainerDistance = 20

// quoteForwarded quotes the rest of what Gmail forwards: it marks only the lines of
// the header, and those begin with a line between dashes.
func (w *htmlWriter) quoteForwarded() {
	inAttribution := false
	for i := len(w.stack) - 1; i >= max(0, len(w.stack)-maxContainerDistance); i-- {
		o := &w.stack[i]
		inAttribution = inAttribution || o.attribution
		if !inAttribution || !o.isQuoteContainer {
			continue
		}
		if !o.quoted {
			o.quoted = true
			w.quoted++
		}
		return
	}
}

func (w *htmlWriter) blankLine() {
	if !w.blank && w.out.Len() > 0 && w.skipped == 0 {
		w.newline()
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

func attributes(t html.Token) (id, class, style string) {
	for _, a := range t.Attr {
		switch a.Key {
		case "id":
			id = strings.ToLower(a.Val)
		case "class":
			class = strings.ToLower(a.Val)
		case "style":
			style = strings.ToLower(a.Val)
		}
	}
	return id, class, style
}

var attributionClasses = wordSet("gmail_attr", "moz-cite-prefix", "protonmail_quote", "tutanota_quote")

// isAttribution knows the elements in which Gmail, Thunderbird and Yahoo write
// "On ... wrote:", in whatever language.
func isAttribution(class string) bool {
	return slices.ContainsFunc(strings.Fields(class), func(c string) bool {
		// Yahoo puts some signs of its own before its names.
		return attributionClasses[c] || strings.HasSuffix(c, "yahoo_quoted")
	})
}

// isQuotedElement knows the elements in which programs put a letter that is answered or
// forwarded: Thunderbird, GMX and Zimbra.
func isQuotedElement(t html.Token) bool {
	for _, a := range t.Attr {
		switch {
		case a.Key == "class" && (hasClass(a.Val, "moz-forward-container") || hasClass(a.Val, "moz-email-headers-table")),
			a.Key == "name" && t.DataAtom == atom.Div && (a.Val == "quote" || a.Val == "quoted-content"),
			a.Key == "data-marker" && (a.Val == "__QUOTED_TEXT__" || a.Val == "__HEADERS__"):
			return true
		}
	}
	return false
}

func hasClass(class, name string) bool {
	return slices.Contains(strings.Fields(class), name)
}

// endsHead knows what stands in the body of a page only.
func endsHead(a atom.Atom) bool {
	switch a {
	case atom.Span, atom.Font, atom.A, atom.B, atom.I, atom.U, atom.Em, atom.Strong, atom.Code, atom.Tt:
		return true
	}
	return isBlock(a)
}

var signatureClasses = wordSet("gmail_signature", "gmail_signature_prefix", "moz-signature", "protonmail_signature_block", "mozaik-signature")

// isSignatureBlock knows where programs put a signature.
func isSignatureBlock(id, class string) bool {
	return id == "ms-outlook-mobile-signature" ||
		slices.ContainsFunc(strings.Fields(class), func(c string) bool { return signatureClasses[c] })
}

var hiddenCSS = lazyregexp.New(`(^|;)(display:none|visibility:(hidden|collapse)|mso-hide:all|text-decoration(-line)?:[a-z#0-9.(),%]*line-through|(font-size|opacity|max-height):0+(\.0+)?(px|pt|em|rem|%)?(!important)?(;|$))`)

// compactStyle takes comments and blanks out of a style.
func compactStyle(style string) string {
	var b strings.Builder
	for style != "" {
		before, rest, found := strings.Cut(style, "/*")
		b.WriteString(strings.Join(strings.Fields(before), ""))
		if !found {
			break
		}
		_, style, _ = strings.Cut(rest, "*/")
	}
	return b.String()
}

// isHidden knows what its writer did not see, or did not want others to see: what
// is struck out is such. Whoever forwards or answers such a letter orders nothing by it.
func isHidden(t html.Token, style string) bool {
	return slices.ContainsFunc(t.Attr, func(a html.Attribute) bool { return a.Key == "hidden" }) || hiddenCSS.MatchString(compactStyle(style))
}

// startsOriginal knows where Outlook begins the letter that is answered.
func startsOriginal(id, class string) bool {
	return strings.HasSuffix(id, "divrplyfwdmsg") || strings.HasSuffix(id, "appendonsend") ||
		strings.Contains(class, "outlookmessageheader") || id == "mail-editor-reference-message-container"
}
