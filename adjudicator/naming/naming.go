// Package naming checks the names of players and members, and finds names that look alike.
package naming

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/secure/precis"
	"golang.org/x/text/unicode/norm"

	"samizdat/adjudicator/order"
)

// MaxLength is the maximum number of characters of a name.
const MaxLength = 24

// ErrInvalidName is the error for a name that IsValid refuses.
var ErrInvalidName = fmt.Errorf("a name has up to %d letters of one script, digits, spaces, apostrophes, hyphens and dots, and begins "+
	"with a letter", MaxLength)

// reservedWords are words that names must not contain, because letters of the referee use them.
var reservedWords = map[string]bool{"samizdat": true, "referee": true, "operator": true, "director": true, "you": true, "your": true,
	"nobody": true, "everybody": true, "all": true, "chance": true, "spectator": true, "observer": true, "player": true, "me": true,
	"robot": true, "member": true,
	"former": true, "club": true}

// Clean normalises a name: Unicode NFKC, straight apostrophes, single spaces.
func Clean(name string) string {
	return strings.Join(strings.Fields(norm.NFKC.String(strings.ReplaceAll(name, "’", "'"))), " ")
}

// IsReserved reports whether a name contains a reserved word.
func IsReserved(name string) bool {
	for _, w := range order.Words(name) {
		if reservedWords[w] {
			return true
		}
	}
	return false
}

// IsValid reports whether a clean name is allowed. For example, "Ada L." is allowed, and "<ada>" is not.
func IsValid(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	if !unicode.IsLetter(first) || utf8.RuneCountInString(name) > MaxLength {
		return false
	}
	script, marks := "", 0
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Mn, r):
			if marks++; marks > 1 {
				return false
			}
			continue
		case unicode.IsLetter(r):
			letterScript := scriptOf(r)
			if script != "" && letterScript != script {
				return false // Letters of different scripts can look alike, e.g. the Latin and the Cyrillic a.
			}
			script = letterScript
		case !unicode.IsDigit(r) && !strings.ContainsRune(" '-.", r):
			return false
		}
		marks = 0
	}
	return true
}

// scriptOf returns the script of a letter, e.g. "Latin". It returns "another" for all scripts with letters that do not look like letters
// of other scripts.
func scriptOf(r rune) string {
	for _, s := range []string{"Latin", "Cyrillic", "Greek", "Armenian", "Cherokee", "Lisu"} {
		if unicode.Is(unicode.Scripts[s], r) {
			return s
		}
	}
	return "another"
}

// SpokenForm returns the same text for names that differ only in case, accents, punctuation or spaces: "Zoë" and "ZOE" -> "zoe".
func SpokenForm(name string) string {
	return strings.TrimPrefix(strings.Join(order.Words(name), ""), "the")
}

// Skeleton returns the same text for names that look alike in print, also across scripts (Unicode Technical Standard 39). It is stored
// beside the name, and not shown.
func Skeleton(name string) string {
	key, err := precis.Nickname.CompareKey(name)
	if err != nil {
		key = strings.ToLower(name)
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(key) {
		switch ascii, ok := lookalikes[r]; {
		case ok:
			b.WriteString(ascii)
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		}
	}
	skeleton := b.String()
	if rest := strings.TrimPrefix(skeleton, "the"); rest != "" {
		skeleton = rest
	}
	return strings.NewReplacer("rn", "m", "vv", "w").Replace(skeleton)
}

// lookalikes maps letters and digits in lower case to the ASCII letters that they look like in lower or upper case. It has the letters of
// Unicode's table of confusables from scripts that names may use.
var lookalikes = invertLookalikes(map[string]string{
	"a": "а α ɑ ⲁ", "b": "в β Ь ь ʙ Ꮟ", "c": "с ϲ ç", "d": "ԁ ɗ đ ꮷ", "e": "е є ε ҽ ℮", "g": "ɡ ց", "h": "һ н η հ Ꮒ",
	"i": "і ι ı ӏ l 1 j ј ł ⲓ",
	"k": "к κ ĸ", "m": "м μ ᴍ", "n": "п ν ո ռ", "o": "о ο σ ς օ 0 ø ⲟ ѳ", "p": "р ρ þ ⲣ", "q": "ԛ գ", "r": "г я ʀ", "s": "ѕ ꜱ 5 Տ տ",
	"t": "т τ ŧ", "u": "ս ц", "v": "ѵ",
	"w": "ԝ ω ѡ ա", "x": "х χ", "y": "у γ υ ү ყ", "z": "ᴢ ζ",
})

func invertLookalikes(rows map[string]string) map[rune]string {
	out := map[rune]string{}
	for ascii, row := range rows {
		for _, lookalikeLetters := range strings.Fields(row) {
			for _, r := range norm.NFD.String(strings.ToLower(lookalikeLetters)) {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					out[r] = ascii
				}
			}
		}
	}
	delete(out, 'c') // It is here because NFD splits "ç" into c and a cedilla.
	return out
}
