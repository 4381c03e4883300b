package templates

import (
	_ "embed"
	"html"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"
)

//go:embed pagehead.html.tmpl
var headText string

// pageHead is the start of a page, before and after its title.
type pageHead struct{ before, after string }

// shortHead is for short letters (IsShort), linkHead for slips (IsSlip) that ask for a confirmation, and fullHead for all others.
var fullHead, shortHead, linkHead = newPageHead(false, false), newPageHead(true, false), newPageHead(true, true)

func newPageHead(isShort, hasLinks bool) pageHead {
	const title = "\x00"
	var b strings.Builder
	t := template.Must(template.New("head").Option("missingkey=error").Parse(headText))
	if err := t.Execute(&b, struct {
		Subject           string
		IsShort, HasLinks bool
	}{title, isShort, hasLinks}); err != nil {
		panic(err) // The input is constant.
	}
	before, after, _ := strings.Cut(b.String(), title)
	return pageHead{before, after}
}

// HTML returns the letter as an HTML page, with the same content as the plain text of Letter.Text.
func (l Letter) HTML() string {
	var w writer
	w.Grow(16 << 10)
	h := fullHead
	switch {
	case l.IsShort:
		h = shortHead
	case l.IsSlip && l.Ask != nil:
		h = linkHead
	}
	title := l.Subject
	if l.IsSlip {
		title = l.Match
	}
	w.writeTag(h.before, title, h.after)
	if !l.IsSlip { // A slip (a letter of limited size) starts with its question.
		w.writeRaw(formatPreheader(l.preheaderText()) + "\n")
	}
	if l.IsSlip {
		w.writeTag(`<p style="font-size:12px">`, l.MarkerLine, "</p>\n")
	} else {
		w.writeTag(`<p style="opacity:.75;font-size:12px;margin:0 0 14px">`, l.MarkerLine, "</p>\n")
	}
	w.writeSummary(l)
	if len(l.Events) > 0 {
		w.writeTitle("What happened")
		w.writeList(l.Events)
	}
	pictured := w.writeSections(l, l.Replies, l.Picture == nil && l.LetterWithPicture == 0)
	for _, p := range l.Prompts {
		w.writePrompt(l.Reply, p)
	}
	if len(l.Prompts) > 0 && l.Reply.To != "" {
		w.writeRaw(`<p class="s t" style="margin-top:8px">A tap on a link starts a reply that contains a whole order. ` +
			"You can change the order there before you send it.</p>\n")
	}
	if l.BoardLink != "" {
		w.writeTag(`<p style="margin:12px 0"><a class=o style="display:inline-block;padding:12px;text-indent:0;font-weight:bold" href="`,
			l.BoardLink, `">`)
		w.writeTag("", openBoard, "</a></p>\n")
	}
	if !w.writeSections(l, l.Sections, pictured) {
		w.writePicture(l)
	}
	w.writeChance(l)
	w.writeFoot(l)
	return w.String()
}

// writeSummary writes the first part of the page, up to the results of the reader's letter. If that letter must be
// confirmed, the question (Ask) comes first.
func (w *writer) writeSummary(l Letter) {
	firstTag, nextTag, reply := `<p style="font-size:21px;line-height:1.25;font-weight:bold;margin:0 0 4px">`,
		`<p style="margin:12px 0 4px">`, l.Reply
	if l.IsSlip { // A slip has short tags, because its size is limited.
		firstTag, nextTag, reply.Subject = `<p style="font:bold 21px sans-serif">`, "<p>", "Re: ["+l.Match+"]"
	}
	toMoveTag := firstTag
	if l.Ask != nil {
		toMoveTag = nextTag
		w.writeTag(firstTag, l.Ask.Question, "</p>\n")
		for _, o := range l.Ask.Orders {
			w.writeTag("<p><code>", o, "</code></p>\n")
		}
		w.writeOptional(`<p style="margin:0 0 4px">`, l.Ask.Note, "</p>\n")
		for _, o := range l.Ask.Answers {
			w.writeRaw(`<a class=o href="` + html.EscapeString(reply.link(o)) + `">`)
			w.writeTag("", o, "</a>\n")
		}
	}
	if l.IsSlip {
		w.writeResults(l)
	}
	w.writeTag(toMoveTag, l.ToMove, "</p>\n")
	w.writeOptional(`<p style="margin:0 0 4px">`, l.Time, "</p>\n")
	if !l.IsSlip {
		w.writeOptional("<p class=z>", l.Status, "</p>\n")
	}
	w.writeOptional("<p class=z>", l.WaitingSince, "</p>\n")
	if !l.IsSlip {
		w.writeResults(l)
	}
}

// writeTag writes a text between tags, as one line.
func (w *writer) writeTag(open, s, end string) {
	w.writeRaw(open)
	w.writeText(s)
	w.writeRaw(end)
}

// writeMultiline writes a text between tags, with its line breaks.
func (w *writer) writeMultiline(open, s, end string) {
	w.writeRaw(open)
	w.writeRaw(formatParagraph(s))
	w.writeRaw(end)
}

func (w *writer) writeTitle(s string) { w.writeTag("<h2>", s, "</h2>\n") }

func (w *writer) writeList(items []string) {
	w.writeRaw("<ul>")
	for _, s := range items {
		w.writeMultiline("<li>", s, "</li>\n")
	}
	w.writeRaw("</ul>\n")
}

func (w *writer) writeResults(l Letter) {
	if len(l.Lines) > 0 {
		w.writeTitle(l.resultsTitle())
		w.writeRaw("<ul>")
		for _, line := range l.Lines {
			w.writeResult(line)
		}
		w.writeRaw("</ul>\n")
	}
	if len(l.Problems) > 0 {
		w.writeList(l.Problems)
	}
}

func (w *writer) writeResult(line Line) {
	if line.Text == "" {
		w.writeMultiline("<li>", line.Remark, "</li>\n")
		return
	}
	w.writeTag("<li><code>", line.Text, "</code>: <b"+outcomeClass(line.Outcome)+">")
	w.writeTag("", line.Outcome, "</b>")
	if line.Remark != "" && line.Remark != line.Text {
		w.writeMultiline("<br>", line.Remark, "")
	}
	w.writeRaw("</li>\n")
}

// outcomeClass returns the class attribute for the colour of an outcome.
func outcomeClass(outcome string) string {
	switch outcome {
	case "done", "saved":
		return " class=g"
	case "refused", "lapsed", "not reached":
		return " class=b"
	}
	return ""
}

// writeChance writes the part on the dice: the commitment before the match, the secret after it.
func (w *writer) writeChance(l Letter) {
	const p, end = "<p>", "</p>\n"
	if l.HasFixedDice {
		w.writeTitle("The dice")
		w.writeRaw(p + fixedDice + end)
	}
	if l.Secret != "" {
		w.writeTitle("The dice")
		w.writeRaw(p + publishedSecret + end)
		w.writeTag("<pre>", l.Secret, "</pre>\n")
		w.writeRaw(p + l.describeCommitment() + end)
		w.writeTag("<pre>", l.Commitment, "</pre>\n")
		if l.Record == "" {
			w.writeRaw(p + recordByMail + end)
		} else {
			w.writeRaw(p + recordAttached + end)
			w.writeTag("<pre>", strings.Join(VerifyCommands(l.Record), "\n"), "\n</pre>\n")
		}
	}
	if len(l.Words) > 0 {
		w.writeTitle("The dice")
		w.writeRaw(p + mixedWords + end)
		w.writeRaw("<ul>")
		for _, words := range l.Words {
			w.writeTag("<li>", words.Seat+": "+words.Words, "</li>\n")
		}
		w.writeRaw("</ul>\n")
		if hasDigests(l.Words) {
			w.writeRaw(p + mixedDigests + end)
		}
		w.writeRaw(p + mixedSecret + end)
		w.writeTag("<pre>", l.Commitment, "</pre>\n")
	}
}

func (w *writer) writePrompt(r Reply, p Prompt) {
	w.writeTitle(p.title())
	w.writeRaw(`<div style="border-left:4px solid #c2188c;padding:2px 0 2px 12px">` + "\n")
	w.writeMultiline(`<p style="font-size:17px"><b>`, p.Question, "</b></p>\n")
	if p.FormsAreExamples {
		w.writeRaw("<p>For example:</p>\n")
	}
	for i, f := range p.Forms {
		number := ""
		if p.IsNumbered {
			number = strconv.Itoa(i+1) + ". "
		}
		w.writeOrder(r, number, f)
	}
	if p.IsNumbered {
		w.writeRaw("<p>" + numberAlone + "</p>\n")
	}
	w.writeRaw(`<div class=s style="margin-top:8px">`)
	for _, n := range joinWrapped(p.Hints) {
		w.writeMultiline("<p class=e>", n, "</p>\n")
	}
	w.writeRaw("</div></div>\n")
}

func (w *writer) writeFoot(l Letter) {
	closing := l.closingText()
	if closing == "" {
		closing = "You were only watching."
	}
	if l.IsSlip {
		w.writeTag(`<p style="overflow-wrap:anywhere">`, closing, "<br>\n")
	} else {
		w.writeTag("\n"+`<p class=s style="margin-top:26px;border-top:1px solid rgba(128,128,128,.35);padding-top:12px">`, closing, "<br>\n")
	}
	if !l.IsShort && !l.IsSlip {
		w.writeTag("", l.Credit, "<br>\n")
	}
	if text := l.contactSentence(); text != "" {
		w.writeTag("", text, "<br>\n")
	}
	w.writeText(l.Footer())
	switch {
	case l.HistoryHash == "":
	case l.IsSlip:
		w.writeTag("<br>\n", l.HistoryHash, "")
	default:
		w.writeTag("<br>\n"+`<span style="font-size:12px;overflow-wrap:anywhere;word-break:break-all">`, l.HistoryHash, "</span>")
	}
	w.writeRaw("</p>\n</div></body></html>\n")
}

// Mail programs show the first words of a message in lists (preheader). A page starts with hidden words for these lists.
const (
	// maxPreheader limits the events in the preheader, in characters; the question follows.
	maxPreheader = 90
	// hiddenSign is an invisible character. Some mail programs quote hidden text in a reply. Package message then
	// finds the start of the quoted letter by this character. Further signs, separated by spaces, keep the visible
	// text out of the preheader.
	hiddenSign     = "&#847;"
	maxListedChars = 140 // the maximum number of characters that these lists show
)

func formatPreheader(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	padding := max(4, (maxListedChars-utf8.RuneCountInString(text))/2)
	return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;opacity:0">` + hiddenSign + hiddenSign +
		html.EscapeString(text) + strings.Repeat(" "+hiddenSign, padding) + "</div>"
}

func (l Letter) preheaderText() string {
	var news []string
	for _, line := range l.Lines {
		if line.Outcome == "refused" {
			news = append(news, line.Remark)
		}
	}
	if news == nil {
		news = l.Events
	}
	question := l.ToMove
	if l.Ask != nil && len(l.Ask.Answers) > 0 {
		return strings.Join(append([]string{l.Ask.Question}, l.Ask.Orders...), " ")
	}
	if len(l.Prompts) > 0 {
		question = l.Prompts[0].Question
	}
	return shorten(strings.Join(news, " "), maxPreheader) + " " + question
}

// shorten cuts a text of more than maximum characters after a word, and adds " ...".
func shorten(text string, maximum int) string {
	words, n := strings.Fields(text), 0
	for i, w := range words {
		if n += 1 + utf8.RuneCountInString(w); n > maximum {
			return strings.Join(words[:i], " ") + " ..."
		}
	}
	return strings.Join(words, " ")
}
