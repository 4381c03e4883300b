package words

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"samizdat/rules/dawn1989/engine"
)

// textsCSV are the events in our own words, short enough for a letter. They name whose
// points are meant, in neutral cards by the card's player; "may" is what can be declined;
// VP above 0 are the Democrat's.
//
//go:embed data/texts.csv
var textsCSV string

// formerCSV are the texts of events that revision 1 of the rules ruled otherwise.
//
//go:embed data/texts-rules1.csv
var formerCSV string

// cardTexts are the texts by card, formerTexts those of earlier revisions of the rules, by
// revision. The files are part of the program: an error in them is an error in the build.
var (
	cardTexts   = readTexts(textsCSV)
	formerTexts = map[int][engine.Cards]string{1: readTexts(formerCSV)}
)

// cardText is the text of a card by the rules of the match.
func cardText(p *engine.Position, c engine.Card) string {
	if text := formerTexts[p.Revision()][c]; text != "" {
		return text
	}
	return cardTexts[c]
}

func readTexts(text string) (out [engine.Cards]string) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("the texts of the cards: %v", err))
	}
	for _, row := range rows[1:] {
		n, err := strconv.Atoi(row[0])
		if err != nil {
			panic(fmt.Sprintf("the texts of the cards: %v", err))
		}
		out[n] = row[1]
	}
	return out
}
