package letter

import (
	"context"
	"samizdat/adjudicator/match"
	"strings"
)

// format says what letters are to be.
var format = &Entry{
	Word: FormatWord, Class: Setting, Line: row(`FORMAT\s*[:=]?\s*(TEXT|HTML|PICTURES?|UTF-?8|ASCII|QUIET|NORMAL|LOUD|CALENDAR(?:\s+(?:OFF|NONE))?|NO\s+CALENDAR)`, choice),
	Help: []Form{
		{Order: "FORMAT TEXT", Does: "sends text only; or FORMAT HTML, FORMAT PICTURE"},
		{Order: "FORMAT QUIET", Does: "sends no letters that ask nothing"},
		{Order: "FORMAT LOUD", Does: "sends one for every order; FORMAT NORMAL ends both"},
		{Order: "FORMAT ...", Does: "FORMAT CALENDAR: adds your deadlines to your calendar"},
	},
	Do: func(_ context.Context, h Host, c Command) (Outcome, error) {
		p, f := h.Preferences(), h.Facts()
		note := ""
		switch c.Choice {
		case "ASCII":
			p.Script = ""
			note = "Your letters write names without accents from now on."
		case "UTF8", "UTF-8":
			p.Script = match.ScriptUTF8
			note = "Your letters write names as they are printed from now on. Orders may leave accents out."
		case "QUIET":
			p.Confirm = match.ConfirmNone
			note = "You get no letter from now on that only says what was done or what the others have done. The next letter that asks " +
				"you something tells all of that. Refusals, answers, messages and the end of the match always come. FORMAT NORMAL ends this."
		case "LOUD":
			p.Confirm = match.ConfirmAll
			note = "You get a short letter from now on whenever your orders were carried out, and whenever others have played."
		case "NORMAL":
			p.Confirm = match.ConfirmNews
			note = "You get a short letter from now on when your orders have led to more than they say, such as a roll of the dice, and when " +
				"others have played whose turn is over. FORMAT LOUD sends one for every order."
		case "CALENDAR":
			p.Calendar = true
			note = "Letters that ask you something in a match with clocks have an entry for your calendar from now on, at the end of your time. FORMAT CALENDAR OFF ends this."
		case "TEXT":
			p.be(match.FormatText)
			note = "Your letters are text only from now on."
		case "HTML":
			p.be(match.FormatHTML)
			note = "Your letters have a page beside the text from now on, without pictures."
			if !f.Pages {
				note = "This referee sends no pages; your letters stay text."
			}
		case "PICTURE", "PICTURES":
			p.be(match.FormatPicture)
			note = "Your letters have a picture of the map from now on."
			if !f.Pictures {
				note = "This referee sends no pictures."
			}
		default:
			p.Calendar = false
			note = "Your letters have no entry for a calendar from now on."
		}
		h.Prefer(p)
		return Done(note)
	},
}

// be chooses a format, which ends plain letters.
func (p *Preferences) be(f match.Format) {
	if p.Format = f; p.Script == match.ScriptPlain {
		p.Script = ""
	}
}

// plain makes them ASCII alone.
var plain = &Entry{
	Word: "PLAIN", Class: Setting, Line: row(`PLAIN`, nil),
	Help: []Form{{Order: "FORMAT UTF8", Does: "writes names as they are printed; PLAIN: ASCII only"}},
	Do: func(_ context.Context, h Host, _ Command) (Outcome, error) {
		p := h.Preferences()
		p.Format, p.Script = match.FormatText, match.ScriptPlain
		h.Prefer(p)
		return Done("Your letters are text in plain ASCII from now on.")
	},
}

// language asks for letters in a language: there is but one.
var language = &Entry{
	Word: "LANGUAGE", Class: Setting, Line: row(`LANGUAGE\s*[:=]?\s*([\p{L}-]+)`, choice),
	Do: func(_ context.Context, _ Host, c Command) (Outcome, error) {
		if c.Choice == "ENGLISH" || c.Choice == "EN" {
			return Done("Letters are written in English.")
		}
		return Declined("Letters are written in English only.")
	},
}

// newToken changes the address that a player answers to, if he fears that somebody has
// read his letters.
var newToken = &Entry{
	Word: "NEW TOKEN", Class: Setting, Line: row(`NEW\s+TOKEN`, nil),
	Help: []Form{{Order: "NEW TOKEN", Does: "gives you another address to answer to; older ones end"}},
	Do: func(ctx context.Context, h Host, _ Command) (Outcome, error) {
		if err := h.Renew(ctx); err != nil {
			return Declined("Samizdat failed over it. Please try again.")
		}
		return Done("The address that you answer to has changed: reply to this letter, older ones no longer count.")
	},
}

// Address reads a line about where letters go, where no match is written of; false for a line that
// says nothing of it.
func Address(line string) (c Command, ok bool) {
	c, _, ok = address.Line(nil, said{text: line})
	return c, ok
}

// address says or changes where a player's letters go. Its choice is KEEP, YES, or none,
// with or without an address; ALSO lets orders count from an address too, and ONLY ends that.
var address = &Entry{
	Word: "ADDRESS", Class: Setting, Alone: true,
	// The word stands apart from what is behind it: a line may begin with an address.
	Line: row(`ADDRESS(?:\s*[:=]\s*|\s+|$)(?:(KEEP|ONLY|YES)|(?:(ALSO|SECOND)\s+)?(\S+@\S+?))?`, func(m []string) (Command, string) {
		return Command{Choice: strings.ToUpper(m[1] + m[2]), Text: m[3]}, ""
	}),
	Help: []Form{{Order: "ADDRESS ...", Does: "sends your letters to that address"}},
	Do:   func(ctx context.Context, h Host, c Command) (Outcome, error) { return h.Address(ctx, c) },
}
