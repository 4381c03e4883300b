package templates

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"samizdat/rules"
)

// Picture is the picture of a page. The image itself is another part of the message.
type Picture struct {
	// ID is the content ID (RFC 2392).
	ID string
	// Title is the caption. AltText describes the picture for readers who cannot see it.
	Title, AltText string
	Width, Height  int
}

func formatParagraph(s string) string {
	return foldLine(strings.ReplaceAll(addNoBreakSpaces(html.EscapeString(s)), "\n", "<br>"))
}

// maxRowBytes is the maximum length of an HTML line. Mail servers break longer lines with quoted-printable (RFC
// 2045), where each equals sign takes three bytes.
const maxRowBytes = 800

func foldLine(s string) string {
	if len(s) <= maxRowBytes {
		return s
	}
	var b strings.Builder
	for len(s) > maxRowBytes {
		at := strings.LastIndexByte(s[:maxRowBytes], ' ')
		if at < 0 {
			break
		}
		b.WriteString(s[:at])
		b.WriteByte('\n')
		s = s[at+1:]
	}
	b.WriteString(s)
	return b.String()
}

// addNoBreakSpaces puts a no-break space between a number and a capitalized word ("40 Hungarian"), and before a signed
// number.
func addNoBreakSpaces(s string) string {
	isDigit := func(i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }
	var b strings.Builder
	from := 0
	for i := 1; i+1 < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		if isDigit(i-1) && s[i+1] >= 'A' && s[i+1] <= 'Z' || (s[i+1] == '+' || s[i+1] == '-') && isDigit(i+2) {
			b.WriteString(s[from:i])
			b.WriteString("&nbsp;")
			from = i + 1
		}
	}
	if from == 0 {
		return s
	}
	b.WriteString(s[from:])
	return b.String()
}

// joinWrapped joins a line to the line above if the line above ends with a comma or had no room for the first word of
// the line. A line with a colon is joined only after a comma.
func joinWrapped(lines []string) []string {
	var out []string
	for i, l := range lines {
		words := strings.Fields(l)
		if i == 0 || len(words) == 0 {
			out = append(out, l)
			continue
		}
		// A number belongs to the word after it.
		firstWidth := utf8.RuneCountInString(words[0])
		if c := words[0][0]; len(words) > 1 && c >= '0' && c <= '9' {
			firstWidth += 1 + utf8.RuneCountInString(words[1])
		}
		above := lines[i-1]
		isFull := utf8.RuneCountInString(above)+1+firstWidth > Width && !strings.Contains(l+" ", ": ")
		if isFull || strings.HasSuffix(above, ",") {
			out[len(out)-1] += " " + strings.TrimSpace(l)
			continue
		}
		out = append(out, l)
	}
	return out
}

// darkModeMeta declares that the page supports dark mode: it sets no background, and softens text by opacity.
const darkModeMeta = `<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">`

// writer builds an HTML page. writeRaw writes HTML, and writeText escapes a text.
type writer struct{ strings.Builder }

func (w *writer) writeRaw(s string)  { w.WriteString(s) }
func (w *writer) writeText(s string) { w.WriteString(html.EscapeString(s)) }

func (w *writer) writeOptional(open, s, end string) {
	if s != "" {
		w.writeRaw(open)
		if strings.HasPrefix(open, "<pre") {
			w.writeText(s)
		} else {
			w.writeRaw(formatParagraph(s))
		}
		w.writeRaw(end)
	}
}

func (w *writer) writeOrder(r Reply, number, order string) {
	const style = `style="display:block;margin:0 0 7px;padding:12px 12px 12px 30px"`
	open, end := "<div class=o "+style+">", "</div>\n"
	if link := r.link(order); link != "" {
		open, end = "<a class=o "+style+` href="`+html.EscapeString(link)+`">`, "</a>\n"
	}
	w.writeRaw(open)
	w.writeText(number)
	w.writeOptional("<code>", order, "</code>")
	w.writeRaw(end)
}

// writeSections writes the picture before the first table, unless it is shown already, and returns the new isShown.
func (w *writer) writeSections(l Letter, sections []rules.Section, isShown bool) bool {
	for _, section := range sections {
		w.writeOptional("<h2>", section.Title, "</h2>\n")
		if !isShown && slices.ContainsFunc(section.Blocks, func(b rules.Block) bool { return len(b.Rows) > 0 }) {
			w.writePicture(l)
			isShown = true
		}
		if section.Blocks == nil {
			w.writeOptional("<pre class=x>", strings.Join(section.Lines, "\n"), "</pre>\n")
		}
		for _, b := range section.Blocks {
			w.writeBlock(b, l.itemLink(b.Label))
		}
	}
	return isShown
}

func (w *writer) writePicture(l Letter) {
	p := l.Picture
	if p == nil {
		fmt.Fprintf(w, `<p class="s t">The map has not changed since the picture in your letter %d. MAP sends it again.</p>`+"\n",
			l.LetterWithPicture)
		return
	}
	w.writeRaw(`<p style="margin:8px 0 14px"><img src="cid:`)
	w.writeText(p.ID)
	w.writeRaw(`" alt="`)
	w.writeText(p.Title + ". " + p.AltText)
	fmt.Fprintf(w, `" width="%d" height="%d" style="display:block;width:100%%;max-width:%dpx;`+
		`height:auto;border:0;border-radius:6px;background:#fbfaf6;color:#22252b"></p>`+"\n", p.Width, p.Height, p.Width)
}

func (l Letter) itemLink(label string) string {
	i := slices.IndexFunc(l.ItemOrders, func(o rules.ItemOrder) bool { return label != "" && o.Label == label })
	if i < 0 {
		return ""
	}
	return l.Reply.link(l.ItemOrders[i].Order)
}

// writeBlock writes a block. link starts a reply with the order for the block, or is "".
func (w *writer) writeBlock(b rules.Block, link string) {
	switch {
	case b.Heading != "":
		w.writeOptional("<h3>", b.Heading, "")
		w.writeOptional(" <span class=s>", b.Aside, "</span>")
		w.writeRaw("</h3>\n")
		w.writeOptional("<p class=s>", b.Text, "</p>\n")
	case b.Label != "":
		w.writeRaw("<p class=h>")
		w.writeOptional("<span class=k>", b.Label, "</span> ")
		open, end := "<b>", "</b>"
		if link != "" {
			open, end = `<a class=l href="`+html.EscapeString(link)+`">`, "</a>"
		}
		w.writeOptional(open, b.Lead, end)
		w.writeOptional(" <span class=s>", b.Aside, "</span>")
		w.writeOptional("<br>", b.Text, "")
		w.writeRaw("</p>\n")
	default:
		w.writeRaw("<p class=f>")
		w.writeOptional("<b>", b.Lead, "</b> ")
		w.writeOptional("", b.Text, "")
		w.writeRaw("</p>\n")
	}
	w.writeTable(b.Rows)
}

// The second cell takes the remaining width. Optional tags and most classes are
// omitted, because a letter has many rows.
func (w *writer) writeTable(rows []rules.Row) {
	if len(rows) == 0 {
		return
	}
	w.writeRaw("<table cellspacing=0>" + "\n")
	for n, r := range rows {
		w.writeRaw(rowTag(r))
		for i, c := range r.Cells {
			// The first row sets the widths of all rows.
			width := func(s string) string {
				if n > 0 {
					return ""
				}
				return " width=" + s
			}
			switch {
			case i == 0:
				w.writeRaw("<td class=k" + width("28") + ">")
			case i == 1 && r.Strong:
				w.writeRaw("<td class=m>")
			case i == 1:
				w.writeRaw("<td class=w>")
			case i == len(r.Cells)-1:
				w.writeRaw("<td" + width(`"34%"`) + ">")
			case c == "" || c == ".":
				w.writeRaw("<td" + width("16") + ">")
			default:
				w.writeRaw(cellTag(cellSide(r, i)) + width("16") + ">")
			}
			w.writeText(c)
		}
		w.writeRaw("\n")
	}
	w.writeRaw("</table>\n")
}

// sideColours are the colours of the third and further sides, readable on light and dark backgrounds. The style sheet
// of the page has the colours of the first two sides.
var sideColours = [...]string{"50,132,83", "192,70,150", "138,116,0", "106,108,197", "205,70,70", "17,129,143", "154,107,68",
	"93,128,34", "146,92,197", "105,119,132"}

func sideColour(side int) string { return sideColours[(side-3)%len(sideColours)] }

func rowTag(r rules.Row) string {
	if r.Side <= 2 {
		return rowTags[max(r.Side, 0)][r.Changed]
	}
	changed := ""
	if r.Changed {
		changed = " class=c"
	}
	return "<tr" + changed + ` style="background:rgba(` + sideColour(r.Side) + `,.09)">`
}

var rowTags = [...]map[bool]string{
	{false: "<tr>", true: "<tr class=c>"},
	{false: "<tr class=r1>", true: `<tr class="r1 c">`},
	{false: "<tr class=r2>", true: `<tr class="r2 c">`},
}

// cellTag returns the tag of a middle cell with the colour of a side. Side 0 has no colour.
func cellTag(side int) string {
	if side > 2 {
		return `<td class=n style="font-weight:bold;color:rgb(` + sideColour(side) + `)"`
	}
	return [...]string{"<td class=n", "<td class=d1", "<td class=d2"}[side]
}

// cellSide returns the side that colours middle cell i of a row. With two sides, cells 2 and 3 are the columns of sides
// 1 and 2. A later cell has the colour of the row's side.
func cellSide(r rules.Row, i int) int {
	sides := r.Sides
	if sides == 0 {
		sides = 2
	}
	side := i - 1
	switch {
	case side > sides:
		return max(r.Side, 0)
	case r.Cells[i] == ".":
		return 0
	}
	return side
}

var linkPattern = regexp.MustCompile(`^https?://\S+$`)

var itemNumber = regexp.MustCompile(`^ ?\d{1,2}\. `)

// listItems returns "Reply." and "Write" for " 1. Reply.\n 2. Write", and nil for a paragraph without numbers.
func listItems(paragraph string) (out []string) {
	for line := range strings.SplitSeq(paragraph, "\n") {
		switch number := itemNumber.FindString(line); {
		case number != "":
			out = append(out, strings.TrimPrefix(line, number))
		case out == nil:
			return nil
		default:
			out[len(out)-1] += " " + strings.TrimSpace(line)
		}
	}
	return out
}

// splitHeading finds a heading with an underline: "THE DICE\n--------" has the heading "THE DICE".
func splitHeading(paragraph string) (title, remaining string) {
	title, remaining, _ = strings.Cut(paragraph, "\n")
	line, remaining, _ := strings.Cut(remaining, "\n")
	if line == "" || strings.Trim(line, "-") != "" || len(line) != utf8.RuneCountInString(title) {
		return "", paragraph
	}
	return title, remaining
}

// Page formats a plain text that starts with a marker line as an HTML page. It recognises headings, paragraphs,
// numbered lists and links. Indented lines stay unchanged, or become links that start a reply if they are in offers.
// Page is for letters that are only text, such as invitations; a Letter has sections.
func Page(subject, text string, r Reply, offers ...string) string {
	var w writer
	w.writeRaw(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
` + darkModeMeta + `<title>`)
	w.writeText(subject)
	w.writeRaw(`</title>
<style>a{color:#1b5fa8}.o{border:1px solid rgba(128,128,128,.5);border-radius:8px;background:rgba(128,128,128,.1);text-indent:-18px}</style>
<style>@media (prefers-color-scheme:dark){a{color:#8ab8f2}}</style></head>
<body style="margin:0;padding:0">
<div style="max-width:640px;margin:0 auto;padding:12px 14px 24px;` +
		`font:16px/1.45 -apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif">
`)
	paragraphs := strings.Split(strings.Trim(text, "\n"), "\n\n")
	if len(paragraphs) > 1 {
		w.writeRaw(formatPreheader(shorten(paragraphs[1], maxListedChars)) + "\n")
	}
	for i, p := range paragraphs {
		title, p := splitHeading(p)
		w.writeOptional(`<h2 style="font-size:13px;letter-spacing:.06em;margin:26px 0 8px;`+
			`border-bottom:1px solid rgba(128,128,128,.35);padding-bottom:4px">`, title, "</h2>\n")
		switch list := listItems(p); {
		case p == "":
		case list != nil:
			w.writeRaw(`<ol style="margin:0 0 12px;padding-left:28px">`)
			for _, item := range list {
				w.writeOptional("<li>", item, "</li>\n")
			}
			w.writeRaw("</ol>\n")
		case i == 0:
			w.writeOptional(`<p style="opacity:.75;font-size:12px;margin:0 0 14px">`, p, "</p>\n")
		case slices.Contains(offers, strings.TrimSpace(p)):
			w.writeOrder(r, "", strings.TrimSpace(p))
		case linkPattern.MatchString(p):
			w.writeRaw(`<p style="margin:0 0 12px;overflow-wrap:anywhere"><a href="` + html.EscapeString(p) + `">`)
			w.writeText(p)
			w.writeRaw("</a></p>\n")
		case strings.HasPrefix(p, " "):
			w.writeRaw(`<pre style="font:14px/1.5 Menlo,Consolas,'DejaVu Sans Mono',monospace;margin:0 0 12px;` +
				`padding:9px 12px;background:rgba(128,128,128,.12);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere">`)
			w.writeText(strings.TrimSpace(p))
			w.writeRaw("</pre>\n")
		default:
			w.writeRaw(`<p style="margin:0 0 12px">`)
			w.writeText(p)
			w.writeRaw("</p>\n")
		}
	}
	w.writeRaw("</div></body></html>\n")
	return w.String()
}
