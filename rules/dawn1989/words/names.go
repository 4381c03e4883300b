package words

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"samizdat/rules/dawn1989/engine"
)

// The words that letters share: sides, cards and lists of things.

var sideTitles = [...]string{"Democrat", "Communist", "neutral"}

// the is a side in the middle of a sentence, capital at its beginning.
func the(s engine.Side) string { return "the " + sideTitles[s] }

func capital(s engine.Side) string { return "The " + sideTitles[s] }

// full is a card as "40 Hungarian Democratic Forum".
func full(c engine.Card) string { return fmt.Sprintf("%d %s", c, c) }

// count writes "1 point" or "3 points".
func count(n int, what string) string {
	if n == 1 || n == -1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// ordinal writes 1st, 2nd, 3rd, 4th.
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

// spaceList names the spaces of a set in the order of the map.
func spaceList(set engine.SpaceSet) string { return strings.Join(set.Names(), ", ") }

// cardList names the cards of a set by number and title.
func cardList(set engine.CardSet) string {
	var out []string
	for c := set.Next(); c != 0; c = set.Next() {
		out = append(out, full(c))
	}
	return strings.Join(out, ", ")
}

// handList names a pile of power struggle cards, with the number of equal ones.
func handList(h engine.Hand) string {
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

// columns is the width of letters.
const columns = 78

// Wrap breaks text into lines of letter width; lines after the first are
// indented.
func Wrap(text string, indent int) []string {
	if oneLine(text) {
		return []string{text}
	}
	var out []string
	line, width := "", 0
	for _, word := range glued(strings.Fields(text)) {
		n := len([]rune(word))
		if width > indent && width+1+n > columns {
			out = append(out, line)
			line, width = "", 0
		}
		switch {
		case line == "" && len(out) > 0:
			line, width = strings.Repeat(" ", indent)+word, indent+n
		case line == "":
			line, width = word, n
		default:
			line, width = line+" "+word, width+1+n
		}
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// oneLine reports whether a text is a line as it stands. Most are.
func oneLine(text string) bool {
	n, before := 0, ' '
	for _, r := range text {
		if n++; unicode.IsSpace(r) && (r != ' ' || before == ' ') {
			return false
		}
		before = r
	}
	return n <= columns && before != ' '
}

// glued joins numbers to the word that they belong to: a card's number to its
// title, a number behind a name, in parentheses or not, to the name.
func glued(words []string) []string {
	var out []string
	for i := 0; i < len(words); i++ {
		w := words[i]
		before := ""
		if len(out) > 0 {
			before = out[len(out)-1]
		}
		switch {
		case before != "" && len(w) > 1 && w[0] == '(' && '0' <= w[1] && w[1] <= '9':
			out[len(out)-1] = before + " " + w
		case !strings.ContainsAny(w[:1], "+-0123456789"):
			out = append(out, w)
		case before != "" && !strings.ContainsAny(before[len(before)-1:], ",:;.)") && strings.ContainsAny(w, ",/;"):
			out[len(out)-1] = before + " " + w
		case i+1 < len(words) && !strings.ContainsAny(w, ",;:."):
			i++
			out = append(out, w+" "+words[i])
		default:
			out = append(out, w)
		}
	}
	return out
}

// item is a line "title: text" of a letter, wrapped.
func item(title, text string) []string {
	if text == "" {
		text = "none"
	}
	return Wrap(title+": "+text, 2)
}

func joinComma(list []string) string { return strings.Join(list, ", ") }
