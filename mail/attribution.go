package mail

import (
	"regexp"
	"strings"
)

// Words by which mail programs introduce the letter that is answered. A person
// who writes orders in any of these languages gets the same treatment.
var (
	// wrote is the verb of "On ... wrote:".
	wrote = regexp.MustCompile(`(?i)(^|[\s,;>)\]])(wrote|writes|schrieb|schreibt|a écrit|escribió|escribio|ha scritto|scrisse|schreef|geschreven|napisana|pisze|napisał|napisała|napisał\(a\)|napsal|napsala|napsal\(a\)|napísal|napísal\(a\)|skrev|escreveu|пишет|написал|написала|пише|написав|写道|寫道|írta|kirjoitti|yazdı|a scris|napisao|napisala|je napisal|έγραψε)\s*(\S.{0,120})?[:：]$`)
	// lead is how such a line begins. A line of orders above a folded
	// attribution must not be swallowed, so only these may begin a fold.
	lead = regexp.MustCompile(`(?i)^\s*(wiadomość napisana przez|on|am|le|el|il|op|w dniu|dnia|dne|dňa|den|em|pe|på|в|у|a\(z\)|στις|mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|\d{1,4}[-./年]|\d{1,2}\s|\S+@\S+|.{0,60}<\S+@\S+>)`)
	// dated is the form without a verb: "2026-11-21 10:00 GMT+01:00 Ann <a@x>:".
	dated = regexp.MustCompile(`^\s*\d{4}[-./]\d{1,2}[-./]\d{1,2}.{0,80}<\S+@\S+>:$`)
	// hasDetail is what an attribution always names: a date or an address.
	hasDetail = regexp.MustCompile(`\d|\S@\S`)

	divider   = regexp.MustCompile(`(?i)^\s*-{2,}\s*(original message|original appointment|forwarded message|ursprüngliche nachricht|originalnachricht|weitergeleitete nachricht|message d'origine|message original|message transféré|mensaje original|mensaje reenviado|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|doorgestuurd bericht|wiadomość oryginalna|oryginalna wiadomość|původní zpráva|pôvodná správa|mensagem original|исходное сообщение|ursprungligt meddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|eredeti üzenet)\s*-{2,}\s*$`)
	forwarded = regexp.MustCompile(`(?i)^\s*begin forwarded message:\s*$`)

	fromField  = regexp.MustCompile(`(?i)^[\s*]*(from|von|de|da|van|od|från|fra|lähettäjä|feladó|от|от кого)\s*[:：]\**\s*\S`)
	otherField = regexp.MustCompile(`(?i)^[\s*]*(sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|à|objet|para|enviado|enviado el|asunto|assunto|data|fecha|inviato|a|oggetto|aan|verzonden|onderwerp|wysłano|do|temat|odesláno|komu|předmět|odoslané|predmet|skickat|till|ämne|sendt|til|emne|кому|тема|дата|отправлено)\s*[:：]`)
)

// originalHeader says how many lines from i on introduce a copy of another
// letter; 0 when none does.
func originalHeader(lines []string, i int) int {
	line := lines[i]
	if strings.TrimSpace(line) == "" {
		return 0
	}
	if divider.MatchString(line) || forwarded.MatchString(line) {
		return 1 + headerBlock(lines, i+1, 1)
	}
	if n := attribution(lines, i); n > 0 {
		return n
	}
	// An order may begin with "DE:" or the like; three fields in a row are a header.
	if fromField.MatchString(line) {
		return headerBlock(lines, i, 3)
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
		if n == 1 && !lead.MatchString(joined) {
			return 0
		}
		if len(joined) > 500 {
			return 0
		}
		if !strings.HasSuffix(joined, ":") && !strings.HasSuffix(joined, "：") {
			continue
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
		case fromField.MatchString(line) || otherField.MatchString(line):
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
