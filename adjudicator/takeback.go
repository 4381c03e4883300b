package adjudicator

import (
	"samizdat/adjudicator/match"
	"samizdat/rules"
	"samizdat/templates"
)

// takebackSection is the part of a letter that tells of a request to take back which its
// reader has nothing to answer to.
func takebackSection(c *match.Turn, seat rules.Seat) []rules.Section {
	t := c.Match.Takeback
	text := ""
	switch {
	case t == nil || seat == rules.Nobody:
		return nil
	case t.Seat == seat:
		text = "You ask to take back " + t.Orders + ", and what followed. It happens when all others agree."
	case t.Agreed.Has(seat):
		text = takebackAsked(c) + ". You have agreed; others have not answered yet."
	default:
		return nil
	}
	return []rules.Section{{Title: "A request", Lines: paragraphs(text)}}
}

// takebackPrompt asks a seat whether it agrees that something is taken back.
func takebackPrompt(c *match.Turn, seat rules.Seat) []templates.Prompt {
	t := c.Match.Takeback
	if t == nil || seat == rules.Nobody || (t.Agreed | c.Match.Acts.Resigned | rules.Only(t.Seat)).Has(seat) {
		return nil
	}
	return []templates.Prompt{{
		Question: takebackAsked(c) + ", and what followed. Do you agree?",
		Forms:    []string{"TAKEBACK YES", "TAKEBACK NO"},
		Notes:    []string{"Nothing was rolled, drawn or revealed since. An order of anybody that is carried out ends the request."},
	}}
}

// takebackAsked says who asks to take back what.
func takebackAsked(c *match.Turn) string {
	return match.Capital(c.Called(c.Match.Takeback.Seat)) + " asks to take back " + c.Match.Takeback.Orders
}
