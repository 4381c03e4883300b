package message

import (
	"regexp"
	"slices"
	"strings"
)

// verbs are the verbs of "On ... wrote:".
const verbs = `wrote|writes|schrieb|schreibt|geschrieben|a écrit|escribió|escribio|ha scritto|scrisse|schreef|geschreven|napisana|pisze|napisał|napisała|napisał\(a\)|napsal|napsala|napsal\(a\)|napísal|napísal\(a\)|skrev|escreveu|пишет|написал|написала|пише|написав|写道|寫道|írta|irta|napísala|ecrit|kirjoitti|yazdı|a scris|napisao|napisala|je napisal|je napisao/la|έγραψε|のメール|쓴 글|작성|כתב|כתבה|rašė|parašė|написа|ha escrit|kirjutas|rakstīja|đã viết|เขียนว่า|كتب|menulis|je napísal|je napisala`

// Words by which mail programs introduce the letter that is answered. A person
// who writes orders in any of these languages gets the same treatment.
var (
	// wrote is how "On ... wrote:" ends.
	wrote = regexp.MustCompile(`(?i)(^|[\s,;>)\]])(` + verbs + `)\s*(\S.{0,120})?[:：]$`)
	// said are the verbs alone. They are looked for first, since wrote takes long.
	said = strings.Split(strings.ReplaceAll(verbs, `\`, ""), "|")
	// lead is how such a line begins. A line of orders above a folded
	// attribution must not be swallowed, so only these may begin a fold.
	lead = regexp.MustCompile(`(?i)^\s*(wiadomość napisana przez|(?:on|am|dana|на|the|le|el|il|op|w dniu|dnia|dne|dňa|den|em|pe|på|в|у|στις` +
		`|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)[\s,.]` +
		`|在|ב-|a\(z\)|\d{1,4}[-./年]|\d{1,2}\s|.{1,60} (?:kirjoitti|wrote on|schrieb am|a écrit le|napisał)(?:\s|$)|\S+@\S+|.{0,60}<\S+@\S+>)`)
	// whenPart is in the first line of an attribution that goes on: a time, a date, a
	// year; or it ends with a comma.
	whenPart = regexp.MustCompile(`\d[:：.]\d\d|\d{4}|,\s*$`)
	// dated is the form without a verb: "2026-11-21 10:00 GMT+01:00 Ann <a@x>:".
	dated = regexp.MustCompile(`^\s*\d{4}[-./]\d{1,2}[-./]\d{1,2}.{0,80}<\S+@\S+>:$`)
	// stamp and day say when a letter was written. Where they stand with an address
	// before a colon, or with each other above a quote, the language does not matter.
	stamp = regexp.MustCompile(`\d[:：]\d\d`)
	day   = regexp.MustCompile(`\d{1,4}\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d{2,4}`)
	email = regexp.MustCompile(`[^\s@]+@[^\s@]+\.[^\s@]+`)
	// quoting is how Horde begins.
	quoting = regexp.MustCompile(`(?i)^(quoting|zitat von|zitiere|citando( a)?|citation de|citát|cytat|cytowanie|citace|citeren|citerar|citerer) .*\S@\S`)
	// hasDetail is what an attribution always names: a date or an address.
	hasDetail = regexp.MustCompile(`\d|\S@\S`)

	divider = regexp.MustCompile(`(?i)^\s*[*_]*-{2,}\s*(` + strings.Join([]string{
		"original message", "original appointment", "original mail", "forwarded message", "reply message", "forwarded by .{1,80}",
		"ursprüngliche nachricht", "ursprüngliche mail", "originalnachricht", "original-nachricht", "weitergeleitete nachricht",
		"message d'origine", "message original", "mail original", "message transféré", "message initial", "courriel original",
		"mensaje original", "mensaje reenviado", "messaggio originale", "messaggio inoltrato", "forwarded from",
		"oorspronkelijk bericht", "doorgestuurd bericht", "wiadomość oryginalna", "oryginalna wiadomość", "pierwotna wiadomość",
		"treść przekazanej wiadomości", "przekazana wiadomość", "wiadomość przekazana", "wiadomość pierwotna",
		"původní zpráva", "původní e-?mail", "přeposlaná zpráva", "pôvodná správa", "pôvodný e-?mail", "preposlaná správa",
		"mensagem original", "mensagem encaminhada", "исходное сообщение", "пересылаемое сообщение", "ursprungligt meddelande",
		"oprindelig meddelelse", "opprinnelig melding", "alkuperäinen viesti", "eredeti üzenet", "továbbított üzenet", "mesaj original",
		"izvorna poruka", "izvirno sporočilo", "orijinal mesaj", "αρχικό μήνυμα", "原始邮件", "原始郵件", "元のメッセージ",
		"original", "original email", "原始邮件信息", "轉寄的郵件", "转发的邮件", "轉寄郵件", "转发邮件", "転送メッセージ", "원본 메시지", "원본 이메일", "전달된 메시지",
		"вихідне повідомлення", "оригінальне повідомлення", "переслане повідомлення", "переадресоване повідомлення", "оригинално съобщение",
		"препратено съобщение", "пересланное сообщение", "הודעה מקורית", "הודעה שהועברה", "رسالة أصلية", "الرسالة الأصلية", "originalus laiškas",
		"algne kiri", "sākotnējais ziņojums", "missatge original", "vidarebefordrat meddelande", "videresendt meddelelse", "videresendt melding",
		"edelleenlähetetty viesti", "välitetty viesti", "proslijeđena poruka", "posredovano sporočilo", "iletilen mesaj", "mesaj redirecționat",
	}, "|") + `)\s*-{2,}[*_]*\s*$|^\|-{3,}>\s*$`)
	// dashed is a divider in any language. A block of fields with an address has to
	// follow: people draw lines above their orders too.
	dashed    = regexp.MustCompile(`^\s*-{4,}\s?[^\s-][^-]{0,60}-{4,}\s*$`)
	forwarded = regexp.MustCompile(`(?i)^\s*(begin forwarded message|anfang der weitergeleiteten (nachricht|e-?mail)|début du message (réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|początek przekazywanej wiadomości|začátek přeposílané zprávy|továbbított üzenet kezdete|begin doorgestuurd bericht` +
		`|a továbbított levél kezdete|początek (przekazanej|przesłanej) wiadomości|początek wiadomości przekazanej|начало переадресованного сообщения|vidarebefordrat (mejl|brev)|videresendt (besked|melding|e-?mail)` +
		`|início da mensagem (reencaminhada|encaminhada)|转发的邮件|下面是被转发的邮件|下面是轉寄的郵件|転送されたメッセージ|전달된 메시지|välitetty viesti alkaa|iletilen (mesajın başlangıcı|ileti)|початок листа, що пересилається|začiatok preposlanej správy)\s*[:：]\s*$`)
)

// The fields of a copied header, as programs call them. A table is looked up:
// there are too many for a pattern that runs on each line.
var (
	fromFields = wordSet(
		"from", "von", "de", "da", "van", "od", "från", "fra", "lähettäjä", "feladó", "от", "от кого", "від", "expeditor", "από", "发件人",
		"寄件者", "差出人", "kimden", "pošiljatelj", "de la", "보낸 사람", "보낸사람", "발신", "nuo", "saatja", "מאת", "من", "จาก", "từ",
	)
	// otherFields stand with it, in no fixed order.
	otherFields = wordSet(
		"sent", "date", "to", "cc", "bcc", "subject", "reply-to", "importance", "attachments", "gesendet", "datum", "an", "kopie",
		"betreff", "wichtigkeit", "priorität", "anlagen", "antwort an", "envoyé", "envoyé le", "date d'envoi", "à", "objet",
		"répondre à", "pièces jointes", "enviado", "enviado el", "fecha", "para", "asunto", "importancia", "assunto", "data", "enviada",
		"enviada em", "enviado em", "inviato", "data invio", "a", "oggetto", "priorità", "aan", "verzonden", "onderwerp", "wysłano",
		"wysłane", "do", "dw", "udw", "kopia", "temat", "adresat", "odpowiedź do", "odesláno", "komu", "předmět", "odoslané",
		"odoslané dňa", "predmet", "dátum", "elküldve", "küldve", "küldés ideje", "címzett", "másolat", "másolatot kap", "tárgy",
		"skickat", "till", "ämne", "sendt", "til", "emne", "lähetetty", "vastaanottaja", "aihe", "trimis", "către", "subiect", "poslano",
		"za", "кому", "тема", "дата", "отправлено", "копия", "надіслано", "στάλθηκε", "προς", "θέμα", "gönderildi", "kime", "konu",
		"发送时间", "收件人", "主题", "寄件日期", "收件者", "主旨", "送信日時", "宛先", "件名", "抄送", "副本", "日期", "日付", "보낸 날짜", "받는 사람", "받는사람", "받은 사람", "날짜", "제목", "참조", "수신",
		"изпратено", "до", "относно", "prima", "zadeva", "išsiųsta", "kam", "saadetud", "adressaat", "teema", "nosūtīts", "tēma",
		"נשלח", "אל", "נושא", "תאריך", "تم الإرسال", "إلى", "الموضوع", "التاريخ", "ส่ง", "ถึง", "เรื่อง", "gửi", "đến", "tới", "chủ đề", "ngày",
		"enviat", "per a", "assumpte", "cco",
	)
)

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// headerField gives the name of a header field that a line of text holds, which a
// program may have made bold, and what stands behind it.
func headerField(line string) (name, value string) {
	if len(line) > 1000 {
		return "", ""
	}
	at := strings.IndexAny(line, ":：")
	if at < 0 || at > 60 {
		return "", ""
	}
	value = strings.TrimLeft(line[at:], ":：*_ \t")
	return strings.ToLower(strings.Trim(line[:at], "*_ \t")), value
}

// isFrom knows the field that names the writer.
func isFrom(line string) bool {
	name, value := headerField(line)
	return value != "" && fromFields[name]
}

func isField(line string) bool {
	name, _ := headerField(line)
	return fromFields[name] || otherFields[name]
}

// originalHeader says how many lines from i on introduce a copy of another
// letter; 0 when none does.
func originalHeader(lines []string, i int) int {
	line := strings.ReplaceAll(lines[i], "’", "'")
	if strings.TrimSpace(line) == "" {
		return 0
	}
	if len(line) < 200 && (strings.Contains(line, "--") && divider.MatchString(line) || endsWithColon(line) && forwarded.MatchString(line)) {
		return 1 + headerBlock(lines, i+1, 1)
	}
	if len(line) < 200 && strings.Contains(line, "----") && dashed.MatchString(line) {
		if n := labelBlock(lines, i+1, 2); n > 0 && email.MatchString(strings.Join(lines[i+1:i+1+n], " ")) {
			return 1 + n
		}
	}
	if n := attribution(lines, i); n > 0 {
		return n
	}
	// An order may begin with "DE:" or the like; three fields in a row, with the
	// writer among them, are a header.
	if isField(line) {
		n := headerBlock(lines, i, 3)
		if slices.ContainsFunc(lines[i:i+n], isFrom) {
			return n
		}
	}
	if n := labelBlock(lines, i, 3); n > 0 && namesLetter(lines[i:i+n]) {
		return n
	}
	return 0
}

// labelBlock counts the lines from i on, but for blank ones at the beginning, that
// have the form of a header field in any language; 0 when fewer than least have it.
func labelBlock(lines []string, i, least int) int {
	n, fields := 0, 0
	for ; i+n < len(lines) && n < 12; n++ {
		line := lines[i+n]
		if strings.TrimSpace(line) == "" && fields == 0 && n < 2 {
			continue
		}
		if len(line) > 1000 || !strings.ContainsAny(line, ":：") || !labelled.MatchString(line) {
			break
		}
		fields++
	}
	if fields < least {
		return 0
	}
	return n
}

// labelled is the form of a header field: a few words, a colon.
var labelled = regexp.MustCompile(`^\s*[*_]*\pL[\pL\pM '’./-]{0,30}[*_]*\s?[:：]`)

// namesLetter says that a block of fields tells whose letter follows and when it
// was written. No order has both.
func namesLetter(block []string) bool {
	first := strings.Join(block[:min(3, len(block))], " ")
	return strings.Contains(first, "@") && email.MatchString(first) && (stamp.MatchString(first) || day.MatchString(first))
}

func endsWithColon(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：")
}

// attribution recognises "On ... wrote:" on one line or folded over up to four. A line
// above one that is whole is no part of it: it may be an order.
func attribution(lines []string, i int) int {
	n := foldedAttribution(lines, i)
	if n > 1 && !whenPart.MatchString(lines[i]) {
		for k := 1; k < n; k++ {
			if foldedAttribution(lines, i+k) == n-k {
				return 0
			}
		}
	}
	return n
}

// foldedAttribution takes the line above an attribution for its beginning, where that
// could be one.
func foldedAttribution(lines []string, i int) int {
	joined, leads := "", false
	begin := strings.TrimLeft(lines[i], "- \t")
	for n := 1; n <= 4 && i+n <= len(lines); n++ {
		line := strings.TrimSpace(lines[i+n-1])
		if line == "" || isQuoted(line) {
			return 0
		}
		joined = strings.TrimSpace(joined + " " + line)
		if len(joined) > 500 {
			return 0
		}
		text := withoutDashes(joined)
		if !endsWithColon(text) || !strings.ContainsAny(text, "0123456789@") {
			continue // Nothing says whose letter it was, or when.
		}
		if quoting.MatchString(text) || n == 1 && isDated(text) && quoteFollows(lines, i+n) || n <= 2 && isSigned(begin, text) {
			return n
		}
		if !leads {
			if !lead.MatchString(begin) {
				return 0
			}
			leads = true
		}
		if dated.MatchString(text) || hasVerb(text) && wrote.MatchString(text) && hasDetail.MatchString(text) {
			return n
		}
	}
	return 0
}

// withoutDashes takes an attribution from between dashes, where Zoho and Notes put it.
func withoutDashes(text string) string {
	if strings.HasPrefix(text, "---") && strings.HasSuffix(text, "---") {
		return strings.TrimSuffix(strings.Trim(text, "- "), ":") + ":"
	}
	return text
}

func isDated(text string) bool { return day.MatchString(text) && stamp.MatchString(text) }

// isSigned knows an attribution of a date and an address without any word.
func isSigned(begin, text string) bool {
	return (stamp.MatchString(begin) || email.MatchString(begin)) && stamp.MatchString(text) && email.MatchString(text)
}

func hasVerb(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(said, func(verb string) bool { return strings.Contains(text, verb) })
}

// quoteFollows looks for a marked quote past blank lines.
func quoteFollows(lines []string, i int) bool {
	return quoteMarks{bar: true, initials: true}.quoted(firstText(lines, i))
}

// headerBlock counts the lines of a block of header fields that begins at i,
// folded lines included; 0 when fewer than least fields are there.
func headerBlock(lines []string, i, least int) int {
	n, fields := 0, 0
	for ; i+n < len(lines) && n < 15; n++ {
		line := lines[i+n]
		blank, folded := strings.TrimSpace(line) == "", strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		goesOn := blank && fields == 0 || !blank && folded && fields > 0
		if isField(line) {
			fields++
		} else if !goesOn {
			break
		}
	}
	if fields < least {
		return 0
	}
	return n
}
