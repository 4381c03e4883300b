package mail

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/emersion/go-message"
)

// Limits on what one letter may contain; real mail stays far below.
const (
	maxDepth     = 20
	maxParts     = 200
	maxTextBytes = 4 << 20
)

// walker collects the readable text of a letter.
type walker struct {
	letter *Letter
	parts  int
}

// entity gives the text of one MIME part, with all below it.
func (w *walker) entity(e *message.Entity, err error, depth int) string {
	if w.parts++; w.parts > maxParts || depth > maxDepth {
		w.letter.problem("The letter has too many parts; some were not read.")
		return ""
	}
	switch {
	case message.IsUnknownCharset(err):
		w.letter.problem("The letter uses a character set that is not known here; some letters may be wrong.")
	case message.IsUnknownEncoding(err):
		w.letter.problem("The letter is encoded in a way that is not known here.")
	}
	kind, params, _ := e.Header.ContentType()
	kind = strings.ToLower(kind)
	if depth == 0 && kind == "multipart/report" && w.letter.Auto == "" {
		w.letter.Auto = "multipart/report"
	}
	if strings.HasPrefix(kind, "multipart/") {
		return w.multipart(e, kind, params["boundary"], depth)
	}
	disposition, dispParams, _ := e.Header.ContentDisposition()
	switch {
	case kind == "message/delivery-status":
		w.letter.Bounces = append(w.letter.Bounces, readStatus(e.Body)...)
		return ""
	case kind == "message/rfc822" || kind == "text/rfc822-headers":
		w.returned(e.Body)
		return ""
	case strings.EqualFold(disposition, "attachment"):
		w.attachment(kind, dispParams["filename"])
		return ""
	case kind == "" || kind == "text/plain":
		return w.plain(e, params)
	case kind == "text/html":
		return htmlText(w.read(e.Body))
	case strings.HasPrefix(kind, "text/") && depth == 0:
		return w.read(e.Body)
	}
	if depth == 0 {
		w.attachment(kind, dispParams["filename"])
	}
	return ""
}

func (w *walker) attachment(kind, name string) {
	name = tidyLine(decodeWords(name))
	// Pictures and signatures hang on many letters and nobody takes them for orders.
	if !strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "application/") || strings.Contains(kind, "signature") {
		return
	}
	if name == "" {
		name = "without a name"
	}
	w.letter.problem(fmt.Sprintf("An attachment (%s) was not read; orders belong into the letter itself.", name))
}

func (w *walker) plain(e *message.Entity, params map[string]string) string {
	text := w.read(e.Body)
	if strings.EqualFold(params["format"], "flowed") {
		text = unflow(text, strings.EqualFold(params["delsp"], "yes"))
	}
	return text
}

// read takes what can be decoded. A cut-off part still gives its beginning.
func (w *walker) read(r io.Reader) string {
	b, err := io.ReadAll(io.LimitReader(r, maxTextBytes+1))
	if len(b) > maxTextBytes {
		b = b[:maxTextBytes]
		w.letter.problem("The letter is too long; its end was not read.")
	}
	if err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			w.letter.problem("The letter breaks off; what came was read.")
		} else {
			w.letter.problem("A part of the letter is damaged; what could be decoded was read.")
		}
	}
	return toUTF8(b)
}

// multipart reads the children. Of alternatives the plain text is taken, as
// programs that make HTML from orders damage them.
func (w *walker) multipart(e *message.Entity, kind, boundary string, depth int) string {
	if boundary == "" {
		w.letter.problem("The parts of the letter are not separated; it was read as one text.")
		return w.read(e.Body)
	}
	mr := e.MultipartReader()
	type child struct {
		kind string
		text string
	}
	var children []child
	for {
		p, err := mr.NextPart()
		if p == nil {
			if err != nil && !errors.Is(err, io.EOF) {
				w.letter.problem("The letter breaks off; what came was read.")
			}
			break
		}
		k, _, _ := p.Header.ContentType()
		children = append(children, child{strings.ToLower(k), w.entity(p, err, depth+1)})
		if w.parts > maxParts {
			break
		}
	}
	switch kind {
	case "multipart/alternative":
		best := ""
		for _, c := range children {
			if strings.TrimSpace(c.text) == "" {
				continue
			}
			if c.kind == "text/plain" || c.kind == "" {
				return c.text
			}
			best = c.text
		}
		return best
	case "multipart/related", "multipart/signed", "multipart/report":
		// The first part is the letter, the rest belongs to it.
		if len(children) > 0 {
			return children[0].text
		}
		return ""
	}
	var texts []string
	for _, c := range children {
		if strings.TrimSpace(c.text) != "" {
			texts = append(texts, c.text)
		}
	}
	return strings.Join(texts, "\n")
}
