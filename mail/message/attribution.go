package message

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"samizdat/internal/lazyregexp"
)

// verbs are the verbs of "On ... wrote:"; said are they, one by one.
const verbs = `wrote|writes|schrieb|schreibt|geschrieben|a écrit|escribió|escribio|ha scritto|scrisse|schreef|geschreven|napisana|pisze|napisał|napisała|napisał(a)|napsal|napsala|napsal(a)|napísal|napísal(a)|skrev|escreveu|пишет|написал|написала|пише|написав|写道|寫道|írta|irta|napísala|ecrit|kirjoitti|yazdı|a scris|napisao|napisala|je napisal|je napisao/la|έγραψε|のメール|쓴 글|작성|כתב|כתבה|rašė|parašė|написа|ha escrit|kirjutas|rakstīja|đã viết|เขียนว่า|كتب|menulis|je napísal|je napisala`

// Words by which mail programs introduce the letter that is answered. A person
// who writes orders in any of these languages gets the same treatment.
var (
	said = strings.Split(verbs, "|")
	// lead is how such a line begins. A line of orders above a folded
	// attribution must not be swallowed, so only these may begin a fold.
	lead = lazyregexp.New(`(?i)^\s*(wiadomość napisana przez|(?:on|am|dana|на|the|le|el|il|op|w dniu|dnia|dne|dňa|den|em|pe|på|в|у|στις` +
		`|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day|mo|di|mi|do|fr|sa|so|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)[\s,.]` +
		`|在|ב-|a\(z\)|\d{1,4}[-./年]|\d{1,2}\s|.{1,60} (?:kirjoitti|wrote on|schrieb am|a écrit le|napisał)(?:\s|$)|\S+@\S+|.{0,60}<\S+@\S+>)`)
	// whenPart is in the first line of an attribution that goes on: a time, a date, a
	// year; or it ends with a comma.
	whenPart = lazyregexp.New(`\d[:：.]\d\d|\d{4}|,\s*$`)
	// dated is the form without a verb: "2026-11-21 10:00 GMT+01:00 Ann <a@x>:".
	dated = lazyregexp.New(`^\s*\d{4}[-./]\d{1,2}[-./]\d{1,2}.{0,80}<\S+@\S+>:$`)
	// stamp and day say when a letter was written. Where they stand with an address
	// before a colon, or with each other above a quote, the language does not matter.
	stamp = lazyregexp.New(`\d[:：]\d\d`)
	day   = lazyregexp.New(`\d{1,4}\s?[-./年]\s?\d{1,2}\s?[-./月]\s?\d{2,4}`)
	email = lazyregexp.New(`[^\s@]+@[^\s@]+\.[^\s@]+`)
	// quoting is how Horde begins.
	quoting = lazyregexp.New(`(?i)^(quoting|zitat von|zitiere|citando( a)?|citation de|citát|cytat|cytowanie|citace|citeren|citerar|citerer) .*\S@\S`)
	// hasDetail is what an attribution always names: a date or an address.
	hasDetail = lazyregexp.New(`\d|\S@\S`)

	// forwarded is compiled for the first letter, as sentFrom is.
	forwarded = lazyregexp.New(`(?i)^\s*(begin forwarded message|anfang der weitergeleiteten (nachricht|e-?mail)|début du message (réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|początek przekazywanej wiadomości|začátek přeposílané zprávy|továbbított üzenet kezdete|begin doorgestuurd bericht` +
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

// dividers stand between dashes above a letter that is answered.
var dividers = wordSet(
	"original message", "original appointment", "original mail", "forwarded message", "reply message",
	"ursprüngliche nachricht", "ursprüngliche mail", "originalnachricht", "original-nachricht", "weitergeleitete nachricht",
	"message d'origine", "message original", "mail original", "message transféré", "message initial", "courriel original",
	"mensaje original", "mensaje reenviado", "messaggio originale", "messaggio inoltrato", "forwarded from",
	"oorspronkelijk bericht", "doorgestuurd bericht", "wiadomość oryginalna", "oryginalna wiadomość", "pierwotna wiadomość",
	"treść przekazanej wiadomości", "przekazana wiadomość", "wiadomość przekazana", "wiadomość pierwotna",
	"původní zpráva", "původní email", "původní e-mail", "přeposlaná zpráva", "pôvodná správa", "pôvodný email", "pôvodný e-mail", "preposlaná správa",
	"mensagem original", "mensagem encaminhada", "исходное сообщение", "пересылаемое сообщение", "ursprungligt meddelande",
	"oprindelig meddelelse", "opprinnelig melding", "alkuperäinen viesti", "eredeti üzenet", "továbbított üzenet", "mesaj original",
	"izvorna poruka", "izvirno sporočilo", "orijinal mesaj", "αρχικό μήνυμα", "原始邮件", "原始郵件", "元のメッセージ",
	"original", "original email", "原始邮件信息", "轉寄的郵件", "转发的邮件", "轉寄郵件", "转发邮件", "転送メッセージ", "원본 메시지", "원본 이메일", "전달된 메시지",
	"вихідне повідомлення", "оригінальне повідомлення", "переслане повідомлення", "переадресоване повідомлення", "оригинално съобщение",
	"препратено съобщение", "пересланное сообщение", "הודעה מקורית", "הודעה שהועברה", "رسالة أصلية", "الرسالة الأصلية", "originalus laiškas",
	"algne kiri", "sākotnējais ziņojums", "missatge original", "vidarebefordrat meddelande", "videresendt meddelelse", "videresendt melding",
	"edelleenlähetetty viesti", "välitetty viesti", "proslijeđena poruka", "posredovano sporočilo", "iletilen mesaj", "mesaj redirecționat",
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

// isDivider knows a line that programs draw above a copy of a letter.
func isDivider(line string) bool {
	t := strings.TrimSpace(line)
	if inner, notes := strings.CutPrefix(t, "|-"); notes {
		return len(inner) >= 3 && strings.Trim(inner[:len(inner)-1], "-") == "" && strings.HasSuffix(inner, ">")
	}
	t = strings.Trim(t, "*_")
	words := strings.ToLower(strings.TrimSpace(strings.Trim(t, "-")))
	by, is := strings.CutPrefix(words, "forwarded by ")
	return strings.HasPrefix(t, "--") && strings.HasSuffix(t, "--") && (dividers[words] || is && by != "" && len(by) <= 160)
}

// isDashed knows a divider in any language. A block of fields with an address has to
// follow: people draw lines above their orders too.
func isDashed(line string) bool {
	t := strings.TrimSpace(line)
	words := strings.Trim(t, "-")
	text := strings.TrimSpace(words)
	return strings.HasPrefix(t, "----") && strings.HasSuffix(t, "----") && text != "" && len(words)-len(strings.TrimLeft(words, " \t")) <= 1 &&
		!strings.Contains(text, "-") && utf8.RuneCountInString(words) <= 62
}

// page is the lines of a letter, with what is asked of each of them more than once.
type page struct {
	lines []string
	facts []facts
	// looked is on how many lines patterns were tried that take long.
	looked int
	// written is how many lines were taken for the writer's own.
	written int
}

// facts are what was found out about a line; known says that they were.
type facts struct {
	known, field, from, label bool
	// ends: an attribution may end with it.
	ends bool
	// folded is one more than how many lines from here on are an attribution.
	folded int
}

// mostLooked is how many lines of a letter may look as if another letter were
// introduced, or as if a telephone had added them. Those of a person have a few.
const mostLooked = 100

// mostWritten is how many lines a person writes himself at most.
const mostWritten = 2000

func newPage(lines []string) *page { return &page{lines: lines, facts: make([]facts, len(lines))} }

// look counts a line on which patterns are tried, by how long they take; false when there
// were too many.
func (p *page) look(long int) bool {
	p.looked += long
	return !p.tooMuch()
}

func (p *page) tooMuch() bool { return p.looked > mostLooked || p.written > mostWritten }

// at gives what is known of a line.
func (p *page) at(i int) *facts {
	f := &p.facts[i]
	if !f.known {
		name, value := headerField(p.lines[i])
		f.known, f.from = true, value != "" && fromFields[name]
		f.field, f.label = fromFields[name] || otherFields[name], isLabelled(p.lines[i])
		f.ends = endsWithColon(p.lines[i]) || strings.HasSuffix(strings.TrimSpace(p.lines[i]), "---")
	}
	return f
}

// originalHeader says how many lines from i on introduce a copy of another
// letter; 0 when none does.
func (p *page) originalHeader(i int) int {
	line := strings.ReplaceAll(p.lines[i], "’", "'")
	if strings.TrimSpace(line) == "" {
		return 0
	}
	if len(line) < 200 && (strings.Contains(line, "--") && isDivider(line) || endsWithColon(line) && p.look(1) && forwarded.MatchString(line)) {
		return 1 + p.headerBlock(i+1, 1)
	}
	if len(line) < 200 && strings.Contains(line, "----") && isDashed(line) {
		if n := p.labelBlock(i+1, 2); n > 0 && p.look(1) && email.MatchString(strings.Join(p.lines[i+1:i+1+n], " ")) {
			return 1 + n
		}
	}
	if n := p.attribution(i); n > 0 {
		return n
	}
	// An order may begin with "DE:" or the like; three fields in a row, with the
	// writer among them, are a header.
	if p.at(i).field {
		n := p.headerBlock(i, 3)
		for k := i; k < i+n; k++ {
			if p.at(k).from {
				return n
			}
		}
	}
	if n := p.labelBlock(i, 3); n > 0 && p.namesLetter(p.lines[i:i+n]) {
		return n
	}
	return 0
}

// labelBlock counts the lines from i on, but for blank ones at the beginning, that
// have the form of a header field in any language; 0 when fewer than least have it.
func (p *page) labelBlock(i, least int) int {
	n, fields := 0, 0
	for ; i+n < len(p.lines) && n < 12; n++ {
		if fields == 0 && n < 2 && strings.TrimSpace(p.lines[i+n]) == "" {
			continue
		}
		if !p.at(i + n).label {
			break
		}
		fields++
	}
	if fields < least {
		return 0
	}
	return n
}

// isLabelled knows the form of a header field: a few words, a colon.
func isLabelled(line string) bool {
	t := strings.TrimLeft(strings.TrimLeft(line, " \t"), "*_")
	runes := 0
	for i, r := range t {
		if runes == 31 || !unicode.IsLetter(r) && (runes == 0 || !unicode.IsMark(r) && !strings.ContainsRune(" '’./-", r)) {
			t = t[i:]
			break
		}
		runes++
	}
	t = strings.TrimLeft(t, "*_")
	if t != "" && (t[0] == ' ' || t[0] == '\t') {
		t = t[1:]
	}
	return runes > 0 && len(line) <= 1000 && (strings.HasPrefix(t, ":") || strings.HasPrefix(t, "："))
}

// namesLetter says that a block of fields tells whose letter follows and when it
// was written. No order has both.
func (p *page) namesLetter(block []string) bool {
	first := strings.Join(block[:min(3, len(block))], " ")
	return strings.Contains(first, "@") && p.look(1) && email.MatchString(first) && (stamp.MatchString(first) || day.MatchString(first))
}

func endsWithColon(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasSuffix(line, ":") || strings.HasSuffix(line, "：")
}

// attribution recognises "On ... wrote:" on one line or folded over up to four. A line
// above one that is whole is no part of it: it may be an order.
func (p *page) attribution(i int) int {
	n := p.folded(i)
	if n > 1 && !whenPart.MatchString(p.lines[i]) {
		for k := 1; k < n; k++ {
			if p.folded(i+k) == n-k {
				return 0
			}
		}
	}
	return n
}

// folded is foldedAttribution, found out once for each line.
func (p *page) folded(i int) int {
	f := &p.facts[i]
	if f.folded == 0 {
		f.folded = 1
		for k := i; k < min(i+4, len(p.lines)); k++ {
			if p.at(k).ends {
				f.folded = 1 + p.foldedAttribution(i)
				break
			}
		}
	}
	return f.folded - 1
}

// foldedAttribution takes the line above an attribution for its beginning, where that
// could be one.
func (p *page) foldedAttribution(i int) int {
	joined, leads := "", false
	begin := strings.TrimLeft(p.lines[i], "- \t")
	for n := 1; n <= 4 && i+n <= len(p.lines); n++ {
		line := strings.TrimSpace(p.lines[i+n-1])
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
		if !p.look(1) {
			return 0
		}
		if quoting.MatchString(text) || n == 1 && isDated(text) && quoteFollows(p.lines, i+n) || n <= 2 && isSigned(begin, text) {
			return n
		}
		if !leads {
			if !lead.MatchString(begin) {
				return 0
			}
			leads = true
		}
		if dated.MatchString(text) || endsWrote(text) && hasDetail.MatchString(text) {
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

// endsWrote knows the end of "On ... wrote:", where a few words may stand before the colon.
func endsWrote(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(said, func(verb string) bool {
		for from := 0; ; {
			at := strings.Index(text[from:], verb)
			if at < 0 {
				return false
			}
			at += from
			from = at + len(verb)
			rest := strings.TrimLeft(text[from:], " \t")
			if (at == 0 || strings.ContainsRune(" \t,;>)]", rune(text[at-1]))) && utf8.RuneCountInString(rest) <= 122 {
				return true
			}
		}
	})
}

// quoteFollows looks for a marked quote past blank lines.
func quoteFollows(lines []string, i int) bool {
	return quoteMarks{bar: true, initials: true}.quoted(firstText(lines, i))
}

// headerBlock counts the lines of a block of header fields that begins at i,
// folded lines included; 0 when fewer than least fields are there.
func (p *page) headerBlock(i, least int) int {
	n, fields := 0, 0
	for ; i+n < len(p.lines) && n < 15; n++ {
		if p.at(i + n).field {
			fields++
			continue
		}
		line := p.lines[i+n]
		blank, folded := strings.TrimSpace(line) == "", strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		if goesOn := blank && fields == 0 || !blank && folded && fields > 0; !goesOn {
			break
		}
	}
	if fields < least {
		return 0
	}
	return n
}
