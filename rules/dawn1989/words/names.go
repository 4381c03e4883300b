// Package words writes and reads the texts of 1989: the order language, sentences, questions, refusals, and
// texts on cards and rules. Texts are made from views, so they cannot reveal hidden facts.
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

// Words implements the parts of rules.Game with texts.
type Words struct{}

// This file formats the names that all texts share: sides, cards and lists.

var sideTitles = [...]string{"Democrat", "Communist", "neutral"}

// sideName returns a side in the middle of a sentence, e.g. "the Democrat"; capitalSideName returns it at the
// beginning of one.
func sideName(s engine.Side) string { return "the " + sideTitles[s] }

func capitalSideName(s engine.Side) string { return "The " + sideTitles[s] }

// fullTitle returns the number and title of a card, e.g. "40 Hungarian Democratic Forum".
func fullTitle(c engine.Card) string { return fullNames()[c] }

var fullNames = sync.OnceValue(func() *[engine.Cards]string {
	var out [engine.Cards]string
	for c := range out {
		out[c] = fmt.Sprintf("%d %s", c, engine.Card(c))
	}
	return &out
})

// pluralize writes "1 point" or "3 points".
func pluralize(n int, what string) string {
	if n == 1 || n == -1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

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

// signed writes +3, 0 and -2.
func signed(n int) string {
	if n > 0 {
		return "+" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// join writes "a, b and c", or with another word before the last.
func join(list []string, word string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " " + word + " " + list[len(list)-1]
}

func spaceList(set engine.SpaceSet) string { return joinComma(each(set.List(), engine.Space.String)) }

// cardList names the cards of a set by number and title.
func cardList(set engine.CardSet) string { return joinComma(each(set.List(), fullTitle)) }

func handList(h engine.StruggleCards) string {
	var out []string
	for k, n := range h {
		switch {
		case n == 1:
			out = append(out, engine.StruggleCard(k).String())
		case n > 1:
			out = append(out, fmt.Sprintf("%v (%d)", engine.StruggleCard(k), n))
		}
	}
	return strings.Join(out, ", ")
}

const columns = 78

// Wrap breaks text into lines of letter width; lines after the first are indented.
func Wrap(text string, indent int) []string {
	n, flat := measureFlat(text)
	switch {
	case flat && n <= columns:
		return []string{text}
	case n == 0:
		return nil
	case !flat:
		text = strings.Join(strings.Fields(text), " ")
	}
	out := make([]string, 0, n/columns+2)
	from, to, width := 0, 0, 0 // the line under way
	end := func() {
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
		case width > indent && width+1+n > columns:
			end()
			from, width = to+1, indent+n
			to++
		default:
			width += 1 + n
			to++
		}
		to += len(word)
	}
	end()
	return out
}

// measureFlat returns the length of a text in characters, and whether exactly one space separates its
// words. Most texts are flat and need less work in Wrap.
func measureFlat(text string) (n int, ok bool) {
	words, ok, before := false, true, ' '
	for _, r := range text {
		n++
		if !unicode.IsSpace(r) {
			words = true
		} else if r != ' ' || before == ' ' {
			ok = false
		}
		before = r
	}
	if !words {
		return 0, false
	}
	return n, ok && before != ' '
}

// joinNumbers returns the words of a flat text with numbers joined to the word that they belong to, so
// that Wrap does not separate "40" from its title or "(2)" from its name.
func joinNumbers(text string) []string {
	words := strings.Split(text, " ")
	out, at := words[:0], 0
	for i := 0; i < len(words); i++ {
		w := words[i]
		begin, before := at, ""
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		at += len(w) + 1
		switch {
		case before != "" && len(w) > 1 && w[0] == '(' && '0' <= w[1] && w[1] <= '9',
			before != "" && strings.ContainsAny(w[:1], numeric) && !strings.ContainsAny(before[len(before)-1:], ",:;.)") &&
				strings.ContainsAny(w, ",/;"):
			out[len(out)-1] = text[begin-1-len(before) : begin+len(w)]
		case strings.ContainsAny(w[:1], numeric) && i+1 < len(words) && !strings.ContainsAny(w, ",;:."):
			i++
			at += len(words[i]) + 1
			out = append(out, text[begin:at-1])
		default:
			out = append(out, w)
		}
	}
	return out
}

const numeric = "+-0123456789"

// formatItem returns a wrapped line "title: text".
func formatItem(title, text string) []string {
	if text == "" {
		text = "none"
	}
	return Wrap(title+": "+text, 2)
}

func joinComma(list []string) string { return strings.Join(list, ", ") }

// each lists the texts of the elements of a list.
func each[T any](list []T, text func(T) string) []string {
	var out []string
	for _, e := range list {
		out = append(out, text(e))
	}
	return out
}

// Reason implements rules.LetterTexts.
func (Words) Reason(r rules.Reason) string {
	what, arg := int(r>>8), int(r&0xff)
	switch what {
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
