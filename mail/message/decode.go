package message

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// decodeTransfer undoes a Content-Transfer-Encoding. What is damaged is left
// out or taken as it stands, and the rest is read: so do mail programs, and so
// nothing behind the damage is lost.
func decodeTransfer(body []byte, encoding string) (out []byte, whole, known bool) {
	encoding = strings.Trim(strings.ToLower(encoding), `"' `)
	switch encoding {
	case "", "7bit", "8bit", "binary", "7-bit", "8-bit", "7bits", "8bits":
		return body, true, true
	case "base64":
		if isPlainDespite(body) {
			return body, false, true
		}
		out, whole = decodeBase64(body)
		return out, whole, true
	}
	if strings.HasPrefix(encoding, "quoted") {
		out, whole = decodeQuoted(body)
		return out, whole, true
	}
	return body, true, false
}

// isPlainDespite knows a text that is called base64 and is none: a program on
// the way decoded it and left its field. Words stand apart in its first line, and
// in most; and it does not end as base64 may.
func isPlainDespite(body []byte) bool {
	lines, words := 0, 0
	for line := range bytes.Lines(body) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		if lines++; lines > 100 {
			break
		}
		if bytes.IndexByte(line, ' ') > 0 && utf8.Valid(line) && !hasLongWord(line) {
			words++
		} else if lines == 1 {
			return false
		}
	}
	return words > 0 && words*2 >= lines
}

// hasLongWord knows what a line of base64 consists of, where blanks came into it.
func hasLongWord(line []byte) bool {
	n := 0
	for _, c := range line {
		if n++; !isBase64(c) {
			n = 0
		} else if n == 20 {
			return true
		}
	}
	return false
}

// decodeBase64 skips what is no base64. Padding ends the text: what lists and
// scanners put below it is not part of it.
func decodeBase64(body []byte) (out []byte, whole bool) {
	whole = true
	clean := make([]byte, 0, len(body))
	for i, c := range body {
		switch {
		case isBase64(c):
			clean = append(clean, c)
		case c == '=':
			whole = whole && len(bytes.Trim(body[i:], "= \t\r\n")) == 0
			return decodeClean(clean, whole)
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			whole = false
		}
	}
	return decodeClean(clean, whole)
}

func decodeClean(clean []byte, whole bool) ([]byte, bool) {
	if len(clean)%4 == 1 {
		// A single character holds no byte.
		clean, whole = clean[:len(clean)-1], false
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(clean)))
	n, err := base64.RawStdEncoding.Decode(out, clean)
	return out[:n], whole && err == nil
}

// decodeQuoted takes an equals sign that encodes nothing for an equals sign.
func decodeQuoted(body []byte) (out []byte, whole bool) {
	whole = true
	out = make([]byte, 0, len(body))
	for line := range bytes.Lines(body) {
		text := bytes.TrimRight(line, " \t\r\n")
		broken := len(line) > 0 && line[len(line)-1] == '\n'
		soft := false
		for i := 0; i < len(text); i++ {
			if text[i] != '=' {
				out = append(out, text[i])
				continue
			}
			if i == len(text)-1 {
				soft = true
				break
			}
			if i+2 < len(text) {
				hi, lo := unhex(text[i+1]), unhex(text[i+2])
				if hi >= 0 && lo >= 0 {
					out = append(out, byte(hi<<4|lo))
					i += 2
					continue
				}
			}
			whole = false
			out = append(out, '=')
		}
		if broken && !soft {
			out = append(out, '\r', '\n')
		}
	}
	return out, whole
}

func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
