package message

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/internal/lazyregexp"
)

var (
	// Parts of the date of an attribution: "10:02", "21/11/2026", "2026".
	timePattern  = lazyregexp.New(`\d[:：.]\d\d`)
	datePattern  = lazyregexp.New(`\d{1,4}\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d{2,4}`)
	yearPattern  = lazyregexp.New(`\b(?:19|20)\d\d`)
	emailPattern = lazyregexp.New(`[^\s@]+@[^\s@]+\.[^\s@]+`)

	// forwardedPattern matches the line that Apple Mail writes above a forwarded letter.
	forwardedPattern = lazyregexp.New(`(?i)^\s*(begin forwarded message|anfang der weitergeleiteten (nachricht|e-?mail)|début du message (réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|początek przekazywanej wiadomości|začátek přeposílané zprávy|továbbított üzenet kezdete|begin doorgestuurd bericht` +
		`|a továbbított levél kezdete|początek (przekazanej|przesłanej) wiadomości|początek wiadomości przekazanej|начало переадресованного сообщения|vidarebefordrat (mejl|brev)|videresendt (besked|melding|e-?mail)` +
		`|início da mensagem (reencaminhada|encaminhada)|转发的邮件|下面是被转发的邮件|下面是轉寄的郵件|転送されたメッセージ|전달된 메시지|välitetty viesti alkaa|iletilen (mesajın başlangıcı|ileti)|початок листа, що пересилається|začiatok preposlanej správy)\s*[:：]\s*$`)
)

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// letterLines holds the lines of a letter, and its attributions by the index of their first line.
type letterLines struct {
	lines        []string
	properties   []lineProperties
	referee      Referee
	attributions map[int]attribution
	costlyChecks int
	ownLines     int
}

// lineProperties are the properties of a line. They are computed when they are first needed.
type lineProperties struct {
	isComputed, isHeaderField   bool
	endsWithColon, namesReferee bool
}

// maxCostlyChecks limits the cost of the slow pattern matches in a letter. A line that may introduce another letter or
// advertise a phone needs a slow match; a letter of a person has few of these lines.
const maxCostlyChecks = 100

// maxOwnLines limits the lines that the writer of a letter has written.
const maxOwnLines = 2000

func newLetterLines(lines []string, referee Referee) *letterLines {
	l := &letterLines{lines: lines, properties: make([]lineProperties, len(lines)), referee: referee.normalized()}
	l.findAttributions()
	return l
}

// countCostlyCheck adds the cost of a slow match. It returns false if maxCostlyChecks or maxOwnLines is exceeded.
func (l *letterLines) countCostlyCheck(cost int) bool {
	l.costlyChecks += cost
	return !l.isTooLong()
}

func (l *letterLines) isTooLong() bool {
	return l.costlyChecks > maxCostlyChecks || l.ownLines > maxOwnLines
}

func (l *letterLines) propertiesOf(i int) *lineProperties {
	f := &l.properties[i]
	if !f.isComputed {
		f.isComputed, f.isHeaderField = true, hasHeaderFieldForm(l.lines[i])
		f.endsWithColon, f.namesReferee = endsWithColon(l.lines[i]), l.referee.isNamedIn(l.lines[i])
	}
	return f
}

// attributionAt returns the number of lines that introduce a copy of another letter, beginning with line i, or 0. head
// is text of the writer at the start of line i.
func (l *letterLines) attributionAt(i int) (n int, head string) {
	line := l.lines[i]
	if found, ok := l.attributions[i]; ok {
		return found.lines, found.precedingText
	}
	if len(line) < 200 && endsWithColon(line) && l.countCostlyCheck(1) &&
		forwardedPattern.MatchString(strings.ReplaceAll(line, "’", "'")) {
		return 1 + l.countHeaderFields(i+1, 1), ""
	}
	if len(line) < 200 && isCertainDivider(line) {
		return 1 + l.countHeaderFields(i+1, 1), ""
	}
	if len(line) < 200 && isDivider(line) {
		if n := l.countHeaderFields(i+1, 2); n > 0 && l.countCostlyCheck(1) &&
			(l.namesReferee(i+1, i+1+n) || emailPattern.MatchString(strings.Join(l.lines[i+1:i+1+n], " "))) {
			return 1 + n, ""
		}
	}
	if n := l.countHeaderFields(i, 3); n > 0 && l.isLetterHeader(i, n) {
		return n, ""
	}
	return 0, ""
}

// countHeaderFields counts the lines, beginning with line i, that look like a block of header fields in any language,
// with folded lines and leading blank lines. It returns 0 if fewer than minimum lines are fields.
func (l *letterLines) countHeaderFields(i, minimum int) int {
	n, fields := 0, 0
	for ; i+n < len(l.lines) && n < 15; n++ {
		line := l.lines[i+n]
		isBlank, isFolded := strings.TrimSpace(line) == "", strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch {
		case l.propertiesOf(i + n).isHeaderField:
			fields++
			continue
		case isBlank && fields == 0 && n < 2, !isBlank && isFolded && fields > 0:
			continue
		}
		break
	}
	if fields < minimum {
		return 0
	}
	return n
}

// hasHeaderFieldForm reports whether a line has the form of a header field: a few words and a colon, "Gesendet:
// ...".
func hasHeaderFieldForm(line string) bool {
	remaining := strings.TrimLeft(strings.TrimLeft(line, " \t"), "*_")
	runes := 0
	for i, r := range remaining {
		if runes == 31 || !unicode.IsLetter(r) && (runes == 0 || !unicode.IsMark(r) && !strings.ContainsRune(" '’./-", r)) {
			remaining = remaining[i:]
			break
		}
		runes++
	}
	remaining = strings.TrimLeft(remaining, "*_")
	if remaining != "" && (remaining[0] == ' ' || remaining[0] == '\t') {
		remaining = remaining[1:]
	}
	return runes > 0 && len(line) <= 1000 && (strings.HasPrefix(remaining, ":") || strings.HasPrefix(remaining, "："))
}

// isLetterHeader reports whether n lines that look like header fields, from line i, are the header of a letter: they
// contain an address of the referee, or a date and also the referee's name or another address. No order contains an
// address of the referee, or a date and a name.
func (l *letterLines) isLetterHeader(i, n int) bool {
	if first := l.lines[i]; !l.referee.isNamedIn(first) && !strings.Contains(first, "@") && !hasTimeOrDate(first) {
		return false // The first line may be an order of the player, e.g. "IF Gdansk MINE: EVENT 24".
	}
	block := strings.Join(l.lines[i:i+n], " ")
	return l.referee.hasAddressIn(block) || hasTimeOrDate(block) &&
		(l.referee.nameIndex(block) >= 0 || strings.Contains(block, "@") && l.countCostlyCheck(1) && emailPattern.MatchString(block))
}

func endsWithColon(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：")
}

func hasTimeOrDate(line string) bool {
	return strings.ContainsAny(line, "0123456789") &&
		(timePattern.MatchString(line) || datePattern.MatchString(line) || yearPattern.MatchString(line))
}

func hasTimeAndDate(text string) bool {
	return timePattern.MatchString(text) && (datePattern.MatchString(text) || yearPattern.MatchString(text))
}

// isDivider reports whether a line looks like a divider that mail programs draw above a copy of a letter, in any
// language: "---------- Forwarded message ---------". The caller must check that header fields or a copy follow, because
// people also draw lines.
func isDivider(line string) bool {
	trimmed := strings.Trim(strings.TrimSpace(line), "*_")
	text := strings.TrimSpace(strings.Trim(trimmed, "-"))
	return strings.HasPrefix(trimmed, "---") && strings.HasSuffix(trimmed, "---") && wordPattern.MatchString(text) &&
		!strings.Contains(text, "--") &&
		utf8.RuneCountInString(text) <= 160
}

// isCertainDivider reports whether a line is a divider that only programs draw: Outlook's "-----Original
// Message-----" and Notes' "|------------>".
func isCertainDivider(line string) bool {
	trimmed := strings.Trim(strings.TrimSpace(line), "*_")
	if inner, isNotes := strings.CutPrefix(trimmed, "|-"); isNotes {
		return len(inner) >= 3 && strings.Trim(inner[:len(inner)-1], "-") == "" && strings.HasSuffix(inner, ">")
	}
	text := strings.Trim(trimmed, "-")
	return strings.TrimSpace(text) == text && wordPattern.MatchString(text) && trimmed == "-----"+text+"-----" &&
		!strings.ContainsAny(text, "-0123456789:")
}

// sentFromPattern matches the beginning of a line that phones and mail services add below a letter: "Sent from
// my". The name of a device follows within a few words.
var (
	sentFromPattern = lazyregexp.New(`(?i)^\s*[\[(*_]*` +
		`(sent|gesendet|verzonden|verstuurd|envoyé|enviado|inviato|wysłan[eoay]|odesláno|odoslané|skickat|sendt|lähetetty|trimis|poslano|отправлено|надіслано|küldve|elküldve)` +
		` (from|via|with|using|by|von|mit|aus|über|vanaf|vanuit|met|via|depuis|de|à partir de|avec|desde|con|do|da|dal|dalla|tramite|z|ze|za pomocą|przy użyciu|pomocí|från|fra|med|din|iz|с|из|з)\b`)
	fewWordsPattern = lazyregexp.New(`(?i)^.{0,10}?\s*(my|mein|mijn|mon|ma|mi|il mio|mio|moje|mojego|mého|min|meu|minha|моего|мого)?\S*\s*.{0,30}$`)
	devicePattern   = lazyregexp.New(`(?i)(i\s?phon|i\s?pad|i\s?pod|android|galaxy|samsung|blackberry|huawei|xiaomi|nokia|pixel|oneplus|telefon|telefoon|téléphone|teléfono|telefono|handy|mobil|mobile|smartphone|tablet|phone|outlook|yahoo|gmail|mail\b|aol|gmx|web\.de|aquamail|k-9|fairemail|proton|tutanota|tuta\b|thunderbird|spark|blue\s?mail|nine|windows|fastmail|hey\b)`)
)

// closingPattern matches further lines that phones and mail services add, e.g. "Get Outlook for iOS".
var closingPattern = lazyregexp.New(`(?i)^\s*[\[(*_]*(` +
	`sent (from (my |mail for |outlook|yahoo|gmail|samsung|the all-new )|via |with \[?proton)` +
	`|get outlook for |(hol|holen sie sich|télécharger|obtenir|obtener|obtén|scarica|pobierz|stáhnout|získat) outlook ` +
	`|outlook für (android|ios)|von mein\S+ .{1,40} gesendet|gesendet (von|mit) (meine|mail|outlook|der )|von (meinem )?(samsung|xiaomi|huawei|iphone|ipad)\b.{0,40}(gesendet|verschickt)` +
	`|diese nachricht wurde von meinem .{1,60} gesendet|az .{1,40}(küldve|küldtem)|(elküldve|küldve) .{0,20}(galaxy|iphone|ipad|android|samsung)|(iphone|ipad|android)\S*\s(küldve|lähetetty)` +
	`|发自我的|從我的 .{1,20}傳送` +
	`)`)

// addedLinePattern matches whole lines that programs and servers add.
var addedLinePattern = lazyregexp.New(`(?i)^\s*[\[(*_]*(?:` + strings.Join([]string{
	// advertisements of phones, with the verb first or last
	`(?:отправлено|надіслано|изпратено|poslano|poslato|στάλθηκε|trimis|išsiųsta|enviat|saadetud|nosūtīts|lähetetty|נשלח|đã gửi|ส่งจาก|dikirim|أ\x{064f}?رسلت|发送自|تم الإرسال)` +
		`\s?[^\d]*(?:iphone|ipad|android|galaxy|samsung|huawei|xiaomi|outlook|gmail|mail\.ru|яндекс)[^\d]*`,
	`[^\d]*(?:iphone|ipad|android|galaxy|outlook)\S{0,8}\s?(?:から送信|에서 보냄|에서 전송|gönderildi)[^\d]*`,
	// download links
	`(?:get|obtenez|obtener|descargar|descarga|ottieni|scarica|pobierz|uzyskaj|získejte|získať|stáhněte|download|hämta|hent|skaff deg|hanki|obter|baixar|получить|скачать|отримати|获取|取得|preuzmi|letöltés:)` +
		`\s[^\d<]*outlook[^\d<]*(?:<\S*>)?`,
	`(?:ios|android)?.{0,6}\s?outlook[^\d<]*\s?(?:letöltése|downloaden|を入手|edinin|herunterladen|다운로드)(?:<\S*>)?`,
	// Streak, virus scanners and servers
	`ᐧ`, `virus-free\.?\s?(?:www\.\S+)?`, `<#[0-9a-f-]{20,}>`,
	`\s*external(?: e-?mail| sender)?\s*`,
}, "|") + `)[\])*_.!:]*\s*$`)

// bannerPattern matches the banner that servers add to external mail: "CAUTION: This email originated outside".
var bannerPattern = lazyregexp.New(`(?i)^[\s\[*]{0,4}caution[:!]?\]?\*?\s+(?:this (?:e-?mail|message) (?:originated|was sent|came) (?:from )?outside|external (?:e-?mail|message|sender))`)

// mayBeClosing reports whether isClosingOrBanner may match a line. It is fast, and isClosingOrBanner is slow.
func mayBeClosing(line string) bool {
	if len(line) > 320 {
		return false
	}
	first, _, _ := strings.Cut(strings.Trim(line, " \t[(*_"), " ")
	first = strings.ToLower(first[:min(len(first), maxClosingWord)])
	return closingWords[first] || slices.ContainsFunc(closingNames, func(n string) bool { return strings.HasPrefix(first, n) }) ||
		hasAddedWord(line)
}

// isDeviceClosing reports whether a phone has added the line: "Sent from my iPhone".
func isDeviceClosing(line string) bool {
	if match := sentFromPattern.FindStringIndex(line); match != nil {
		remaining := line[match[1]:]
		if at := devicePattern.FindStringIndex(remaining); at != nil && fewWordsPattern.MatchString(remaining[:at[0]]) {
			return true
		}
	}
	return closingPattern.MatchString(line)
}

func isClosingOrBanner(line string) bool {
	return bannerPattern.MatchString(line) || len(line) <= 160 && (isDeviceClosing(line) || addedLinePattern.MatchString(line))
}

// closingWords and closingNames are the first words of lines that isClosingOrBanner may match. Most lines have none of
// these words and need no slow pattern.
var (
	closingWords = wordSet("sent", "gesendet", "verzonden", "verstuurd", "envoyé", "enviado", "inviato", "wysłane", "wysłano", "wysłana",
		"wysłany",
		"odesláno", "odoslané", "skickat", "sendt", "lähetetty", "trimis", "poslano", "отправлено", "надіслано", "küldve", "elküldve",
		"get", "hol", "holen", "télécharger", "obtenir", "obtener", "obtén", "scarica", "pobierz", "stáhnout", "získat", "outlook",
		"von", "diese", "az")
	closingNames = []string{"iphone", "ipad", "android", "发自我的", "從我的"}
)

// maxClosingWord is greater than the length in bytes of every word in closingWords and closingNames.
const maxClosingWord = 40

// hasAddedWord reports whether a line contains a word of addedLinePattern.
func hasAddedWord(line string) bool {
	for i := range len(line) {
		for _, word := range addedWords[line[i]] {
			if len(line)-i >= len(word) && strings.EqualFold(line[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}

// addedWords is indexed by the first byte of a word, so that each line is read once.
var addedWords = func() (by [256][]string) {
	for _, word := range []string{
		"iphone", "ipad", "android", "galaxy", "samsung", "huawei", "xiaomi", "outlook", "gmail", "mail.ru", "яндекс", "virus-free", "<#",
		"external", "caution", "ᐧ",
	} {
		by[word[0]] = append(by[word[0]], word)
		if upper := strings.ToUpper(word); upper[0] != word[0] {
			by[upper[0]] = append(by[upper[0]], word)
		}
	}
	return by
}()
