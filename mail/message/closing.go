package message

import (
	"slices"
	"strings"

	"samizdat/internal/lazyregexp"
)

// sentFrom is how the line mostly begins that a telephone or a mail service puts below
// what its owner wrote. Within a few words one of devices follows. It is compiled for the
// first letter: that takes as long as the start of all the rest.
var (
	sentFrom = lazyregexp.New(`(?i)^\s*[\[(*_]*` +
		`(sent|gesendet|verzonden|verstuurd|envoyé|enviado|inviato|wysłan[eoay]|odesláno|odoslané|skickat|sendt|lähetetty|trimis|poslano|отправлено|надіслано|küldve|elküldve)` +
		` (from|via|with|using|by|von|mit|aus|über|vanaf|vanuit|met|via|depuis|de|à partir de|avec|desde|con|do|da|dal|dalla|tramite|z|ze|za pomocą|przy użyciu|pomocí|från|fra|med|din|iz|с|из|з)\b`)
	fewWords = lazyregexp.New(`(?i)^.{0,10}?\s*(my|mein|mijn|mon|ma|mi|il mio|mio|moje|mojego|mého|min|meu|minha|моего|мого)?\S*\s*.{0,30}$`)
	devices  = lazyregexp.New(`(?i)(i\s?phon|i\s?pad|i\s?pod|android|galaxy|samsung|blackberry|huawei|xiaomi|nokia|pixel|oneplus|telefon|telefoon|téléphone|teléfono|telefono|handy|mobil|mobile|smartphone|tablet|phone|outlook|yahoo|gmail|mail\b|aol|gmx|web\.de|aquamail|k-9|fairemail|proton|tutanota|tuta\b|thunderbird|spark|blue\s?mail|nine|windows|fastmail|hey\b)`)
)

// closing is how other such lines begin, or read whole.
var closing = lazyregexp.New(`(?i)^\s*[\[(*_]*(` +
	`sent (from (my |mail for |outlook|yahoo|gmail|samsung|the all-new )|via |with \[?proton)` +
	`|get outlook for |(hol|holen sie sich|télécharger|obtenir|obtener|obtén|scarica|pobierz|stáhnout|získat) outlook ` +
	`|outlook für (android|ios)|von mein\S+ .{1,40} gesendet|gesendet (von|mit) (meine|mail|outlook|der )|von (meinem )?(samsung|xiaomi|huawei|iphone|ipad)\b.{0,40}(gesendet|verschickt)` +
	`|diese nachricht wurde von meinem .{1,60} gesendet|az .{1,40}(küldve|küldtem)|(elküldve|küldve) .{0,20}(galaxy|iphone|ipad|android|samsung)|(iphone|ipad|android)\S*\s(küldve|lähetetty)` +
	`|发自我的|從我的 .{1,20}傳送` +
	`)`)

// added are whole lines that programs and servers add, in languages and places
// that closing does not know.
var added = lazyregexp.New(`(?i)^\s*[\[(*_]*(?:` + strings.Join([]string{
	// What a telephone says of itself, with the verb before or behind it.
	`(?:отправлено|надіслано|изпратено|poslano|poslato|στάλθηκε|trimis|išsiųsta|enviat|saadetud|nosūtīts|lähetetty|נשלח|đã gửi|ส่งจาก|dikirim|أ\x{064f}?رسلت|发送自|تم الإرسال)` +
		`\s?[^\d]*(?:iphone|ipad|android|galaxy|samsung|huawei|xiaomi|outlook|gmail|mail\.ru|яндекс)[^\d]*`,
	`[^\d]*(?:iphone|ipad|android|galaxy|outlook)\S{0,8}\s?(?:から送信|에서 보냄|에서 전송|gönderildi)[^\d]*`,
	// Where to get the program.
	`(?:get|obtenez|obtener|descargar|descarga|ottieni|scarica|pobierz|uzyskaj|získejte|získať|stáhněte|download|hämta|hent|skaff deg|hanki|obter|baixar|получить|скачать|отримати|获取|取得|preuzmi|letöltés:)` +
		`\s[^\d<]*outlook[^\d<]*(?:<\S*>)?`,
	`(?:ios|android)?.{0,6}\s?outlook[^\d<]*\s?(?:letöltése|downloaden|を入手|edinin|herunterladen|다운로드)(?:<\S*>)?`,
	// What Streak, scanners and servers put around a letter.
	`ᐧ`, `virus-free\.?\s?(?:www\.\S+)?`, `<#[0-9a-f-]{20,}>`,
	`\s*external(?: e-?mail| sender)?\s*`,
}, "|") + `)[\])*_.!:]*\s*$`)

// banner is how a server begins what it puts above letters from elsewhere.
var banner = lazyregexp.New(`(?i)^[\s\[*]{0,4}caution[:!]?\]?\*?\s+(?:this (?:e-?mail|message) (?:originated|was sent|came) (?:from )?outside|external (?:e-?mail|message|sender))`)

// mayClose says that a line may be what a telephone or a server adds.
func mayClose(line string) bool {
	if len(line) > 320 {
		return false
	}
	first, _, _ := strings.Cut(strings.Trim(line, " \t[(*_"), " ")
	first = strings.ToLower(first[:min(len(first), longestClosing)])
	return closingWords[first] || slices.ContainsFunc(closingNames, func(n string) bool { return strings.HasPrefix(first, n) }) || addedWord(line)
}

// closes knows what a telephone adds.
func closes(line string) bool {
	if begin := sentFrom.FindStringIndex(line); begin != nil {
		rest := line[begin[1]:]
		if at := devices.FindStringIndex(rest); at != nil && fewWords.MatchString(rest[:at[0]]) {
			return true
		}
	}
	return closing.MatchString(line)
}

// isClosing drops the advertisement a telephone adds, and the banner of a server.
func isClosing(line string) bool {
	return banner.MatchString(line) || len(line) <= 160 && (closes(line) || added.MatchString(line))
}

// closingWords and closingNames say how such a line begins. They are asked first,
// since most lines do not, and the pattern takes long.
var (
	closingWords = wordSet("sent", "gesendet", "verzonden", "verstuurd", "envoyé", "enviado", "inviato", "wysłane", "wysłano", "wysłana", "wysłany",
		"odesláno", "odoslané", "skickat", "sendt", "lähetetty", "trimis", "poslano", "отправлено", "надіслано", "küldve", "elküldve",
		"get", "hol", "holen", "télécharger", "obtenir", "obtener", "obtén", "scarica", "pobierz", "stáhnout", "získat", "outlook",
		"von", "diese", "az")
	closingNames = []string{"iphone", "ipad", "android", "发自我的", "從我的"}
)

// longestClosing is more than the first word of such a line has.
const longestClosing = 40

// addedWord asks for a word that every added line has, before the pattern.
func addedWord(line string) bool {
	for i := range len(line) {
		for _, word := range addedWords[line[i]] {
			if len(line)-i >= len(word) && strings.EqualFold(line[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}

// addedWords are by their first bytes, so that a line is gone through once.
var addedWords = func() (by [256][]string) {
	for _, word := range []string{
		"iphone", "ipad", "android", "galaxy", "samsung", "huawei", "xiaomi", "outlook", "gmail", "mail.ru", "яндекс", "virus-free", "<#", "external", "caution", "ᐧ",
	} {
		by[word[0]] = append(by[word[0]], word)
		if upper := strings.ToUpper(word); upper[0] != word[0] {
			by[upper[0]] = append(by[upper[0]], word)
		}
	}
	return by
}()
