package command

import "context"

// format says what letters are to be.
var format = &Entry{
	Word: "FORMAT", Class: Setting, Line: row(`FORMAT\s*[:=]?\s*(TEXT|HTML|PICTURES?|UTF-?8|ASCII)`, choice),
	Help: []Form{{Order: "FORMAT TEXT", Does: "sends text only; or FORMAT HTML, FORMAT PICTURE"}},
	Do: func(_ context.Context, h Host, c Command) (Outcome, error) {
		p, f := h.Preferences(), h.Facts()
		note := ""
		switch c.Choice {
		case "ASCII":
			p.Script = ""
			note = "Your letters write names without accents from now on."
		case "UTF8", "UTF-8":
			p.Script = ScriptUTF8
			note = "Your letters write names as they are printed from now on. Orders may leave accents out."
		case "TEXT":
			p.be(FormatText)
			note = "Your letters are text only from now on."
		case "HTML":
			p.be(FormatHTML)
			note = "Your letters have a page beside the text from now on, without pictures."
			if !f.Pages {
				note = "This referee sends no pages; your letters stay text."
			}
		default:
			p.be(FormatPicture)
			note = "Your letters have a picture of the map from now on."
			if !f.Pictures {
				note = "This referee sends no pictures."
			}
		}
		h.Prefer(p)
		return Done(note)
	},
}

// be chooses a format, which ends plain letters.
func (p *Preferences) be(f Format) {
	if p.Format = f; p.Script == ScriptPlain {
		p.Script = ""
	}
}

// plain makes them ASCII alone.
var plain = &Entry{
	Word: "PLAIN", Class: Setting, Line: row(`PLAIN`, nil),
	Help: []Form{{Order: "FORMAT UTF8", Does: "writes names as they are printed; PLAIN: ASCII only"}},
	Do: func(_ context.Context, h Host, _ Command) (Outcome, error) {
		p := h.Preferences()
		p.Format, p.Script = FormatText, ScriptPlain
		h.Prefer(p)
		return Done("Your letters are text in plain ASCII from now on.")
	},
}
