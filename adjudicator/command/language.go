package command

import "context"

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
