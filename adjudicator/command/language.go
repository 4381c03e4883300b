package command

import (
	"context"
	"strings"
)

// LanguageWord asks for letters in a language: there is but one.
const LanguageWord Word = "LANGUAGE"

var language = &Entry{
	Word: LanguageWord, Class: Setting,
	Line: row(`LANGUAGE\s*[:=]?\s*([\p{L}-]+)`, func(m []string) (Command, string) {
		return Command{Choice: strings.ToUpper(m[1])}, ""
	}),
	Do: func(_ context.Context, _ Host, c Command) (Outcome, error) {
		if c.Choice == "ENGLISH" || c.Choice == "EN" {
			return Done("Letters are written in English.")
		}
		return Declined("Letters are written in English only.")
	},
}
