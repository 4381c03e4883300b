// Package words writes and reads the texts of 1989: the order language, sentences, questions, refusals, and texts on
// cards and rules. It makes texts only from views, so they cannot reveal hidden facts.
package words

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"samizdat/rules"
	"samizdat/rules/dawn1989/engine"
)

// Words implements those parts of rules.Game that write or read texts.
type Words struct{}

// This file formats the names that all texts share: sides, cards and lists.

var sideTitles = [...]string{"Democrat", "Communist", "neutral"}

// sideName returns a side in the middle of a sentence, e.g. "the Democrat".
func sideName(s engine.Side) string { return "the " + sideTitles[s] }

func capitalSideName(s engine.Side) string { return "The " + sideTitles[s] }

// fullTitle returns the number and the title of a card, for example "40 Hungarian Democratic Forum".
func fullTitle(c engine.Card) string { return fullNames()[c] }

var fullNames = sync.OnceValue(func() *[engine.Cards]string {
	var out [engine.Cards]string
	for c := range out {
		out[c] = fmt.Sprintf("%d %s", c, engine.Card(c))
	}
	return &out
})

// pluralize returns, for example, "1 point" or "3 points".
func pluralize(n int, noun string) string {
	if n == 1 || n == -1 {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func formatOps(n int) string { return pluralize(n, "Op") }

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// formatSigned returns a number with its sign, for example +3, 0 or -2.
func formatSigned(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// joinWords returns "a, b and c" if word is "and".
func joinWords(list []string, word string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " " + word + " " + list[len(list)-1]
}

func spaceList(set engine.SpaceSet) string {
	return joinComma(mapTexts(set.List(), engine.Space.String))
}

func cardList(set engine.CardSet) string { return joinComma(mapTexts(set.List(), fullTitle)) }

func handList(h engine.StruggleCards) string {
	var out []string
	for k, n := range h {
		switch {
		case n == 1:
			out = append(out, engine.StruggleCard(k).String())
		case n > 1:
			out = append(out, fmt.Sprintf("%v x%d", engine.StruggleCard(k), n))
		}
	}
	return strings.Join(out, ", ")
}

const lineWidth = 78

// Wrap breaks text into lines of at most lineWidth characters. Lines after the first begin with indent blanks.
func Wrap(text string, indent int) []string {
	n, singleSpaced := measureSingleSpaced(text)
	switch {
	case singleSpaced && n <= lineWidth:
		return []string{text}
	case n == 0:
		return nil
	case !singleSpaced:
		text = strings.Join(strings.Fields(text), " ")
	}
	out := make([]string, 0, n/lineWidth+2)
	from, to, width := 0, 0, 0 // the current line
	endLine := func() {
		line := text[from:to]
		if len(out) > 0 {
			line = strings.Repeat(" ", indent) + line
		}
		out = append(out, line)
	}
	for _, word := range joinNumbers(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case to == 0:
			width = n
		case width > indent && width+1+n > lineWidth:
			endLine()
			from, width = to+1, indent+n
			to++
		default:
			width += 1 + n
			to++
		}
		to += len(word)
	}
	endLine()
	return out
}

// measureSingleSpaced returns the number of characters of a text, or 0 if it has no word. ok reports whether the
// words are separated by single spaces, so that Wrap can leave the spaces as they are.
func measureSingleSpaced(text string) (n int, ok bool) {
	hasWord, ok, previous := false, true, ' '
	for _, r := range text {
		n++
		if !unicode.IsSpace(r) {
			hasWord = true
		} else if r != ' ' || previous == ' ' {
			ok = false
		}
		previous = r
	}
	if !hasWord {
		return 0, false
	}
	return n, ok && previous != ' '
}

// joinNumbers splits a text into words. A number and the word that it belongs to stay together, so that Wrap does not
// separate "40" from the card title after it, or "(2)" from the name before it.
func joinNumbers(text string) []string {
	words := strings.Split(text, " ")
	out, next := words[:0], 0
	for i := 0; i < len(words); i++ {
		w := words[i]
		start, previous := next, ""
		if len(out) > 0 {
			previous = out[len(out)-1]
		}
		next += len(w) + 1
		switch {
		case previous != "" && len(w) > 1 && w[0] == '(' && '0' <= w[1] && w[1] <= '9',
			previous != "" && strings.ContainsAny(w[:1], numberStart) && !strings.ContainsAny(previous[len(previous)-1:], ",:;.)") &&
				strings.ContainsAny(w, ",/;"):
			out[len(out)-1] = text[start-1-len(previous) : start+len(w)]
		case strings.ContainsAny(w[:1], numberStart) && i+1 < len(words) && !strings.ContainsAny(w, ",;:."):
			i++
			next += len(words[i]) + 1
			out = append(out, text[start:next-1])
		default:
			out = append(out, w)
		}
	}
	return out
}

const numberStart = "+-0123456789"

// formatItem returns the lines of "title: text", or of "title: none" if text is empty.
func formatItem(title, text string) []string {
	if text == "" {
		text = "none"
	}
	return Wrap(title+": "+text, 2)
}

func joinComma(list []string) string { return strings.Join(list, ", ") }

func mapTexts[T any](list []T, text func(T) string) []string {
	var out []string
	for _, e := range list {
		out = append(out, text(e))
	}
	return out
}

// Reason implements rules.LetterTexts.
func (Words) Reason(r rules.Reason) string {
	kind, arg := int(r>>8), int(r&0xff)
	switch kind {
	case engine.ReasonDeal:
		return "deal"
	case engine.ReasonCheck:
		return fmt.Sprintf("support check in %v", engine.Space(arg))
	case engine.ReasonAttempt:
		return "Tiananmen attempt"
	case engine.ReasonEvent:
		return engine.Card(arg).String()
	case engine.ReasonCounter:
		return "counterattack"
	case engine.ReasonLoss:
		return "support loss"
	case engine.ReasonVictory:
		return "victory points"
	case engine.ReasonStrike:
		return engine.GeneralStrike.String()
	case engine.ReasonStruggleDeal:
		return "power struggle deal"
	case engine.ReasonBid:
		return "equal bids"
	case engine.ReasonContest:
		return fmt.Sprintf("%v: %v", engine.WallMustGo, engine.Side(arg))
	case engine.ReasonDraw:
		return "replacement"
	case engine.ReasonBox3:
		return "box 3"
	case engine.ReasonStruggleCard:
		return engine.StruggleCard(arg).String()
	}
	return ""
}
