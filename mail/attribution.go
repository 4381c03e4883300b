package mail

import (
	"regexp"
	"strings"
)

// Words by which mail programs introduce the letter that is answered. A person
// who writes orders in any of these languages gets the same treatment.
var (
	// wrote is the verb of "On ... wrote:".
	wrote = regexp.MustCompile(`(?i)(^|[\s,;>)\]])(wrote|writes|schrieb|schreibt|geschrieben|a écrit|escribió|escribio|ha scritto|scrisse|schreef|geschreven|napisana|pisze|napisał|napisała|napisał\(a\)|napsal|napsala|napsal\(a\)|napísal|napísal\(a\)|skrev|escreveu|пишет|написал|написала|пише|написав|写道|寫道|írta|irta|napísala|ecrit|kirjoitti|yazdı|a scris|napisao|napisala|je napisal|έγραψε)\s*(\S.{0,120})?[:：]$`)
	// lead is how such a line begins. A line of orders above a folded
	// attribution must not be swallowed, so only these may begin a fold.
	lead = regexp.MustCompile(`(?i)^\s*(wiadomość napisana przez|on|am|le|el|il|op|w dniu|dnia|dne|dňa|den|em|pe|på|в|у|a\(z\)|στις|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|\d{1,4}[-./年]|\d{1,2}\s|\S+@\S+|.{0,60}<\S+@\S+>)`)
	// dated is the form without a verb: "2026-11-21 10:00 GMT+01:00 Ann <a@x>:".
	dated = regexp.MustCompile(`^\s*\d{4}[-./]\d{1,2}[-./]\d{1,2}.{0,80}<\S+@\S+>:$`)
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
	}, "|") + `)\s*-{2,}[*_]*\s*$`)
	forwarded = regexp.MustCompile(`(?i)^\s*(begin forwarded message|anfang der weitergeleiteten (nachricht|e-?mail)|début du message (réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato|początek przekazywanej wiadomości|začátek přeposílané zprávy|továbbított üzenet kezdete|begin doorgestuurd bericht)\s*:\s*$`)
)

// The fields of a copied header, as programs call them. A table is looked up:
// there are too many for a pattern that runs on each line.
var (
	fromFields = wordSet(
		"from", "von", "de", "da", "van", "od", "från", "fra", "lähettäjä", "feladó", "от", "от кого", "від", "expeditor", "από", "发件人",
		"寄件者", "差出人", "kimden", "pošiljatelj",
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
		"发送时间", "收件人", "主题", "寄件日期", "收件者", "主旨", "送信日時", "宛先", "件名",
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
	line := lines[i]
	if strings.TrimSpace(line) == "" {
		return 0
	}
	if len(line) < 200 && (strings.Contains(line, "--") && divider.MatchString(line) || strings.HasSuffix(strings.TrimSpace(line), ":") && forwarded.MatchString(line)) {
		return 1 + headerBlock(lines, i+1, 1)
	}
	if n := attribution(lines, i); n > 0 {
		return n
	}
	// An order may begin with "DE:" or the like; three fields in a row, with the
	// writer among them, are a header.
	if isField(line) {
		n := headerBlock(lines, i, 3)
		for _, l := range lines[i : i+n] {
			if isFrom(l) {
				return n
			}
		}
	}
	return 0
}

// attribution recognises "On ... wrote:" on one line or folded over up to four.
func attribution(lines []string, i int) int {
	joined := ""
	for n := 1; n <= 4 && i+n <= len(lines); n++ {
		line := strings.TrimSpace(lines[i+n-1])
		if line == "" || isQuoted(line) {
			return 0
		}
		joined = strings.TrimSpace(joined + " " + line)
		if len(joined) > 500 {
			return 0
		}
		if !strings.HasSuffix(joined, ":") && !strings.HasSuffix(joined, "：") {
			continue
		}
		if !lead.MatchString(strings.TrimSpace(lines[i])) {
			return 0
		}
		if dated.MatchString(joined) || wrote.MatchString(joined) && hasDetail.MatchString(joined) {
			return n
		}
	}
	return 0
}

// headerBlock counts the lines of a block of header fields that begins at i,
// folded lines included; 0 when fewer than least fields are there.
func headerBlock(lines []string, i, least int) int {
	n, fields, blank := 0, 0, 0
	for ; i+n < len(lines) && n < 15; n++ {
		line := lines[i+n]
		switch {
		case isField(line):
			fields++
			blank = 0
		case strings.TrimSpace(line) == "" && fields == 0:
			blank++
		case fields > 0 && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) && strings.TrimSpace(line) != "":
		default:
			if fields < least {
				return 0
			}
			return n
		}
	}
	if fields < least {
		return 0
	}
	return n
}
