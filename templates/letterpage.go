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

// head is how a page begins, before its title and behind it.
type head struct{ before, behind string }

// whole and short are the heads of letters, made once: they are half of a short one.
var whole, short = makeHead(false), makeHead(true)

func makeHead(short bool) head {
	const title = "\x00"
	var b strings.Builder
	t := template.Must(template.New("head").Option("missingkey=error").Parse(headText))
	if err := t.Execute(&b, struct {
		Subject string
		Short   bool
	}{title, short}); err != nil {
		panic(err) // It has no other input.
	}
	before, behind, _ := strings.Cut(b.String(), title)
	return head{before, behind}
}

// HTML lays the letter out as a page. It says what Text says, in the same order.
func (l Letter) HTML() string {
	var w writer
	w.Grow(16 << 10)
	h := whole
	if l.Short || l.Slip {
		h = short
	}
	w.tag(h.before)
	w.text(l.Subject)
	w.tag(h.behind)
	w.tag(preheader(l.summary()) + "\n")
	w.say(`<p style="opacity:.75;font-size:12px;margin:0 0 14px">`, l.Mark, "</p>\n")
	w.answerAndWhose(l)
	w.chance(l)
	if len(l.Happened) > 0 {
		w.title("What happened")
		w.list(l.Happened)
	}
	for _, p := range l.Prompts {
		w.prompt(l.Reply, p)
	}
	if len(l.Prompts) > 0 && l.Reply.To != "" {
		w.tag(`<p class="s t" style="margin-top:8px">A tap on a link writes a whole order into an answer to this letter, ` +
			"to be changed there before you send it.</p>\n")
	}
	if l.Board != "" {
		w.say(`<p style="margin:12px 0"><a class=o style="display:inline-block;padding:12px;text-indent:0;font-weight:bold" href="`, l.Board, `">`)
		w.say("", openBoard, "</a></p>\n")
	}
	w.sections(l)
	w.foot(l)
	return w.String()
}

// answerAndWhose says what became of the reader's letter and whose move it is. Of a letter that was not
// carried out, what is asked about it comes first.
func (w *writer) answerAndWhose(l Letter) {
	const first, next = `<p style="font-size:21px;line-height:1.25;font-weight:bold;margin:0 0 4px">`, `<p style="margin:12px 0 4px">`
	whose := first
	if l.Ask != nil {
		whose = next
		w.say(first, l.Ask.Question, "</p>\n")
		for _, o := range l.Ask.Orders {
			w.say(`<p style="margin:0 0 4px"><code>`, o, "</code></p>\n")
		}
		for _, o := range l.Ask.Taps {
			w.order(l.Reply, "", o)
		}
	}
	if l.Slip {
		w.answer(l)
	}
	w.say(whose, l.Whose, "</p>\n")
	w.in(`<p style="margin:0 0 4px">`, l.Time, "</p>\n")
	if !l.Slip {
		w.in("<p class=z>", l.Status, "</p>\n")
	}
	w.in("<p class=z>", l.Clock, "</p>\n")
	if !l.Slip {
		w.answer(l)
	}
}

// say writes a text of one line between tags.
func (w *writer) say(open, s, end string) {
	w.tag(open)
	w.text(s)
	w.tag(end)
}

// lines writes a text between tags, and keeps its lines apart.
func (w *writer) lines(open, s, end string) {
	w.tag(open)
	w.tag(paragraph(s))
	w.tag(end)
}

func (w *writer) title(s string) { w.say("<h2>", s, "</h2>\n") }

func (w *writer) list(items []string) {
	w.tag("<ul>")
	for _, s := range items {
		w.lines("<li>", s, "</li>\n")
	}
	w.tag("</ul>\n")
}

// answer says what became of the reader's letter.
func (w *writer) answer(l Letter) {
	if len(l.Lines) > 0 {
		w.title("Your " + l.orders())
		w.tag("<ul>")
		for _, x := range l.Lines {
			w.line(x)
		}
		w.tag("</ul>\n")
	}
	if len(l.Problems) > 0 {
		w.list(l.Problems)
	}
}

// line says what became of one line.
func (w *writer) line(x Line) {
	if x.Text == "" {
		w.lines("<li>", x.Note, "</li>\n")
		return
	}
	w.say("<li><code>", x.Text, "</code>: <b"+outcomeClass(x.Outcome)+">")
	w.say("", x.Outcome, "</b>")
	if x.Note != "" && x.Note != x.Text {
		w.lines("<br>", x.Note, "")
	}
	w.tag("</li>\n")
}

// outcomeClass tells good from bad at a glance; the word says it too.
func outcomeClass(outcome string) string {
	switch outcome {
	case "done", "kept":
		return " class=g"
	case "refused", "lapsed", "not reached":
		return " class=b"
	}
	return ""
}

// chance says where the dice come from.
func (w *writer) chance(l Letter) {
	const p, end = "<p>", "</p>\n"
	if l.Given {
		w.title("The dice")
		w.tag(p + given + end)
	}
	if l.Secret != "" {
		w.title("The dice")
		w.tag(p + published + end)
		w.say("<pre>", l.Secret, "</pre>\n")
		w.tag(p + l.bound() + end)
		w.say("<pre>", l.Commitment, "</pre>\n")
		if l.Record == "" {
			w.tag(p + recordByMail + end)
		} else {
			w.tag(p + recordAttached + end)
			w.say("<pre>", strings.Join(Checking(l.Record), "\n"), "\n</pre>\n")
		}
	}
	if len(l.Words) > 0 {
		w.title("The dice")
		w.tag(p + mixed + end)
		w.tag("<ul>")
		for _, x := range l.Words {
			w.say("<li>", x.Seat+": "+x.Words, "</li>\n")
		}
		w.tag("</ul>\n")
		w.tag(p + boundBy + end)
		w.say("<pre>", l.Commitment, "</pre>\n")
	}
}

// prompt asks a question.
func (w *writer) prompt(r Reply, p Prompt) {
	w.title("Your decision")
	w.tag(`<div style="border-left:4px solid #c2188c;padding:2px 0 2px 12px">` + "\n")
	w.lines(`<p style="font-size:17px"><b>`, p.Question, "</b></p>\n")
	for i, f := range p.Forms {
		nth := ""
		if p.Numbered {
			nth = strconv.Itoa(i+1) + ". "
		}
		w.order(r, nth, f)
	}
	if p.Numbered {
		w.tag("<p>" + numberAlone + "</p>\n")
	}
	w.tag(`<div class=s style="margin-top:8px">`)
	for _, n := range join(p.Notes) {
		w.lines("<p class=e>", n, "</p>\n")
	}
	w.tag("</div></div>\n")
}

// foot says how to answer, and names the letter.
func (w *writer) foot(l Letter) {
	closing := l.closing()
	if closing == "" {
		closing = "You only watched."
	}
	w.say("\n"+`<p class=s style="margin-top:26px;border-top:1px solid rgba(128,128,128,.35);padding-top:12px">`, closing, "<br>\n")
	if !l.Short && !l.Slip {
		w.say("", l.Credit, "<br>\n")
	}
	if text := l.questions(); text != "" {
		w.say("", text, "<br>\n")
	}
	w.text(l.Foot())
	if l.Head != "" {
		w.say("<br>\n"+`<span style="font-size:12px;overflow-wrap:anywhere;word-break:break-all">`, l.Head, "</span>")
	}
	w.tag("</p>\n</div></body></html>\n")
}

// A list of letters shows the first words of each beside its subject. A page begins with
// words for it that nobody sees who has opened the letter.
const (
	// mostHappened is how long what happened may be there: what is asked follows it.
	mostHappened = 90
	// A letter's page is copied into the answer to it, and some mail programs copy what
	// is hidden too. These signs, which are nothing to see, tell package message that a
	// copy begins; the spaces between more of them keep what follows out of the list.
	hiddenSign = "&#847;"
	// shown is how many of the first characters a list shows at most.
	shown = 140
)

// preheader hides a text at the beginning of a page.
func preheader(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	padding := max(4, (shown-utf8.RuneCountInString(text))/2)
	return `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;opacity:0">` + hiddenSign + hiddenSign +
		html.EscapeString(text) + strings.Repeat(" "+hiddenSign, padding) + "</div>"
}

// summary says what happened and what is asked.
func (l Letter) summary() string {
	var refused []string
	for _, line := range l.Lines {
		if line.Outcome == "refused" {
			refused = append(refused, line.Note)
		}
	}
	if refused == nil {
		refused = l.Happened
	}
	asked := l.Whose
	if l.Ask != nil && len(l.Ask.Taps) > 0 {
		return strings.Join(append([]string{l.Ask.Question}, l.Ask.Orders...), " ")
	}
	if len(l.Prompts) > 0 {
		asked = l.Prompts[0].Question
	}
	return shorten(strings.Join(refused, " "), mostHappened) + " " + asked
}

// shorten cuts a text behind a word.
func shorten(text string, most int) string {
	words, n := strings.Fields(text), 0
	for i, w := range words {
		if n += 1 + utf8.RuneCountInString(w); n > most {
			return strings.Join(words[:i], " ") + " ..."
		}
	}
	return strings.Join(words, " ")
}
