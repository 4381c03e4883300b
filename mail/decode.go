package mail

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/emersion/go-message/charset"
	htmlcharset "golang.org/x/net/html/charset"
)

// decodeTransfer undoes a Content-Transfer-Encoding. What is damaged is left
// out or taken as it stands, and the rest is read: so do mail programs, and so
// nothing behind the damage is lost.
func decodeTransfer(body []byte, encoding string) (out []byte, whole, known bool) {
	switch strings.ToLower(encoding) {
	case "", "7bit", "8bit", "binary":
		return body, true, true
	case "base64":
		out, whole = decodeBase64(body)
		return out, whole, true
	case "quoted-printable":
		out, whole = decodeQuoted(body)
		return out, whole, true
	}
	return body, true, false
}

// decodeBase64 skips what is no base64. Padding ends the text: what lists and
// scanners put below it is not part of it.
func decodeBase64(body []byte) (out []byte, whole bool) {
	whole = true
	clean := make([]byte, 0, len(body))
	for i, c := range body {
		switch {
		case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/':
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

// decodeCharset gives UTF-8. A charset that is not known is told apart only
// where it matters: pure ASCII reads the same in all of them.
func decodeCharset(b []byte, name string) (text string, known bool) {
	name = strings.ToLower(strings.Trim(strings.TrimSpace(name), `"'`))
	switch name {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return toUTF8(b), true
	}
	r, err := charset.Reader(name, bytes.NewReader(b))
	if err != nil {
		return toUTF8(b), isASCII(b)
	}
	// The decoders replace what they cannot read.
	out, err := io.ReadAll(io.LimitReader(r, 4*maxTextBytes))
	if err != nil {
		return toUTF8(b), false
	}
	return toUTF8(out), true
}

// decodePage is decodeCharset for HTML, which may name its charset itself.
func decodePage(b []byte, name string) (text string, known bool) {
	if name != "" || utf8.Valid(b) {
		return decodeCharset(b, name)
	}
	_, found, _ := htmlcharset.DetermineEncoding(b, "")
	return decodeCharset(b, found)
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 {
			return false
		}
	}
	return true
}
