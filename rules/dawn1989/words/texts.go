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

// cardTexts are the texts by card. The file is part of the program: an error in it is
// an error in the build.
var cardTexts = readTexts(textsCSV)

func readTexts(text string) (out [engine.Cards]string) {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		panic(fmt.Sprintf("data/texts.csv: %v", err))
	}
	for _, row := range rows[1:] {
		n, err := strconv.Atoi(row[0])
		if err != nil {
			panic(fmt.Sprintf("data/texts.csv: %v", err))
		}
		out[n] = row[1]
	}
	return out
}
