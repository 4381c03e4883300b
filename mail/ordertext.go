package mail

import (
	"regexp"
	"strings"
)

// OrderText gives what a person wrote in a letter or a reply: without quotes,
// attributions, signatures and copies of the letter that is answered. What
// stands above, between and below marked quotes is kept.
func OrderText(text string) string {
	orders, _ := ReadOrders(text)
	return orders
}

// ReadOrders is [OrderText] that also gives the lines it left out although a
// person may have typed them, so that the answer can name them: a line wedged
// between quoted lines that looks like the broken end of the one above.
//
// The rules, in the order in which they win:
//
//   - An unquoted [Mark] ends the text: below it stands an unmarked copy of
//     our letter. A quoted Mark is a quote like any other.
//   - A line that begins with > is quoted and dropped.
//   - A signature ("-- ") ends the text.
//   - "On ... wrote:" and "-----Original Message-----" and a block of From:,
//     Sent:, To: are dropped. When marked quotes follow, what stands between
//     and below them is kept; else an unmarked copy follows, and the text ends.
func ReadOrders(text string) (orders string, doubtful []string) {
	lines := strings.Split(tidyText(text), "\n")
	if len(lines) > maxLines {
		return tidyBlank(lines), nil
	}
	var out []string
	armoured := false
	for i := 0; i < len(lines); {
		line := lines[i]
		if armoured {
			line = strings.TrimPrefix(line, "- ") // RFC 4880, section 7.1
		}
		switch {
		case isQuoted(line):
			i++
			if i < len(lines) && isBrokenTail(lines, i) {
				doubtful = append(doubtful, strings.TrimSpace(lines[i]))
				i++
			}
			// A quote ends a line of orders; nothing is joined across it.
			out = append(out, "")
		case isMark(lines, i), isSignature(line):
			return tidyBlank(out), doubtful
		case isArmour(line):
			// The rest of what a seal puts above the text are its fields.
			armoured = true
			for i++; i < len(lines) && armourField.MatchString(lines[i]); i++ {
			}
		default:
			n := originalHeader(lines, i)
			if n == 0 {
				if !isClosing(line) {
					out = append(out, strings.TrimRight(line, " \t"))
				}
				i++
				continue
			}
			i += n
			if !quoteFollows(lines, i) {
				return tidyBlank(out), doubtful
			}
		}
	}
	return tidyBlank(out), doubtful
}

// maxLines is how many lines are looked at. What has more is no letter that a
// person wrote; it is given as it is, for whoever refuses long letters.
const maxLines = 20_000

// isQuoted knows a quote mark behind a few spaces, which some programs add.
func isQuoted(line string) bool {
	t := strings.TrimLeft(line, " \t")
	return strings.HasPrefix(t, ">") && len(line)-len(t) <= 3
}

// markText is Mark without its decoration: a program that makes bold of "==="
// or changes the case must not hide it.
var markText = strings.ToLower(strings.Trim(Mark, "= "))

// isMark also finds a mark that was folded over two lines.
func isMark(lines []string, i int) bool {
	joined := lines[i]
	if i+1 < len(lines) && !isQuoted(lines[i+1]) {
		if strings.Contains(squash(lines[i+1]), markText) {
			// The mark stands whole on the next line; this one still counts.
			return strings.Contains(squash(joined), markText)
		}
		joined += " " + lines[i+1]
	}
	return strings.Contains(squash(joined), markText)
}

func squash(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// isSignature accepts the delimiter without its space, which many programs and
// servers trim, and the long underlines of Outlook and mailing lists.
func isSignature(line string) bool {
	if strings.HasPrefix(line, "--") && strings.TrimRight(line, " \t") == "--" {
		return true
	}
	t := strings.TrimSpace(line)
	return len(t) >= 20 && strings.Trim(t, "_") == "" || armourEnd.MatchString(line)
}

// closing is how the line begins, or reads whole, that a telephone or a mail
// service puts below what its owner wrote.
var closing = regexp.MustCompile(`(?i)^\s*[\[(*_]*(` +
	`(sent|gesendet|verzonden|verstuurd|envoyé|enviado|inviato|wysłan[eoay]|odesláno|odoslané|skickat|sendt|lähetetty|trimis|poslano|отправлено|надіслано|küldve|elküldve)` +
	` (from|via|with|using|by|von|mit|aus|über|vanaf|met|via|depuis|de|à partir de|avec|desde|con|do|da|dal|dalla|tramite|z|ze|za pomocą|przy użyciu|pomocí|från|fra|med|din|iz|с|из|з)\b` +
	`.{0,10}?\s*(my|mein|mijn|mon|ma|mi|il mio|mio|moje|mojego|mého|min|meu|minha|моего|мого)?\S*\s*` +
	`.{0,30}(i\s?phon|i\s?pad|i\s?pod|android|galaxy|samsung|blackberry|huawei|xiaomi|nokia|pixel|oneplus|telefon|telefoon|téléphone|teléfono|telefono|handy|mobil|mobile|smartphone|tablet|phone|outlook|yahoo|gmail|mail\b|aol|gmx|web\.de|aquamail|k-9|fairemail|proton|tutanota|tuta\b|thunderbird|spark|blue\s?mail|nine|windows|fastmail|hey\b)` +
	`|sent (from (my |mail for |outlook|yahoo|gmail|samsung|the )|via |with \[?proton)` +
	`|get outlook for |(hol|holen sie sich|télécharger|obtenir|obtener|obtén|scarica|pobierz|stáhnout|získat) outlook ` +
	`|outlook für (android|ios)|von mein\S+ .{1,40} gesendet|gesendet (von|mit) (meine|mail|outlook|der )|von (meinem )?(samsung|xiaomi|huawei|iphone|ipad)\b.{0,40}(gesendet|verschickt)` +
	`|diese nachricht wurde von meinem .{1,60} gesendet|az .{1,40}(küldve|küldtem)|(elküldve|küldve) .{0,20}(galaxy|iphone|ipad|android|samsung)|(iphone|ipad|android)\S*\s(küldve|lähetetty)` +
	`|发自我的|從我的 .{1,20}傳送` +
	`)`)

var (
	armour      = regexp.MustCompile(`^-----BEGIN PGP SIGNED MESSAGE-----\s*$`)
	armourField = regexp.MustCompile(`^(Hash|NotDashEscaped|Charset|Comment|Version):|^\s*$`)
	armourEnd   = regexp.MustCompile(`^-----BEGIN PGP (SIGNATURE|PUBLIC KEY BLOCK)-----\s*$`)
)

// isArmour knows the line above a text that is signed within itself.
func isArmour(line string) bool { return armour.MatchString(line) }

// isClosing drops the advertisement a telephone adds.
func isClosing(line string) bool {
	if len(line) > 160 {
		return false
	}
	first, _, _ := strings.Cut(strings.Trim(line, " \t[(*_"), " ")
	first = strings.ToLower(first)
	if !closingWords[first] && !closingName.MatchString(first) {
		return false
	}
	return closing.MatchString(line)
}

// closingWords and closingName say how such a line begins. They are asked first,
// since most lines do not, and the pattern takes long.
var (
	closingWords = wordSet("sent", "gesendet", "verzonden", "verstuurd", "envoyé", "enviado", "inviato", "wysłane", "wysłano", "wysłana", "wysłany",
		"odesláno", "odoslané", "skickat", "sendt", "lähetetty", "trimis", "poslano", "отправлено", "надіслано", "küldve", "elküldve",
		"get", "hol", "holen", "télécharger", "obtenir", "obtener", "obtén", "scarica", "pobierz", "stáhnout", "získat", "outlook",
		"von", "diese", "az")
	closingName = regexp.MustCompile(`^(iphone|ipad|android|发自我的|從我的)`)
)

// quoteFollows looks past blank lines.
func quoteFollows(lines []string, i int) bool {
	for ; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) != "" {
			return isQuoted(lines[i])
		}
	}
	return true // nothing follows at all
}

// isBrokenTail guesses that line i is the end of the quoted line above it,
// broken off by a program that wraps quotes without marking the rest. It must
// be wedged in: a person leaves a blank line, or writes below a short line. To
// take such a line for an order would carry out our own example.
func isBrokenTail(lines []string, i int) bool {
	line := strings.TrimRight(lines[i], " \t")
	if line == "" || isQuoted(line) || strings.HasPrefix(line, " ") || i+1 >= len(lines) || !isQuoted(lines[i+1]) {
		return false
	}
	// Programs wrap at 72 columns or later: the first word did not fit.
	first, _, _ := strings.Cut(line, " ")
	above := len([]rune(strings.TrimRight(lines[i-1], " \t")))
	return above >= 60 && above+1+len([]rune(first)) > 72
}

// tidyBlank joins the lines, without runs of blank ones.
func tidyBlank(lines []string) string {
	var b strings.Builder
	blank := true
	for _, l := range lines {
		if strings.TrimSpace(l) == "" {
			if !blank {
				b.WriteByte('\n')
			}
			blank = true
			continue
		}
		b.WriteString(l + "\n")
		blank = false
	}
	if s := strings.TrimRight(b.String(), "\n"); s != "" {
		return s + "\n"
	}
	return ""
}
