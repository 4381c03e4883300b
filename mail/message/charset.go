package message

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"io"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/emersion/go-message/charset"
	htmlcharset "golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/charmap"
)

// decodeCharset converts text to UTF-8. isKnown is false if the text needs a charset that this program does not know.
// For ASCII and valid UTF-8 isKnown is always true.
func decodeCharset(b []byte, name string) (text string, isKnown bool) {
	// Some programs write a comment after the name of the charset.
	name = strings.Trim(strings.TrimSpace(name), `"'`)
	if i := strings.IndexAny(name, " (;,"); i > 0 {
		name = name[:i]
	}
	name = strings.ToLower(name)
	if order := byteOrderMark(b); order != nil && !strings.HasPrefix(name, "utf-32") {
		return utf16Text(b[2:], order), true
	}
	switch name {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "unicode-1-1-utf-8":
		return toUTF8(b), true
	case "utf-16", "utf16", "unicode", "iso-10646-ucs-2", "ucs-2":
		return utf16Text(b, guessByteOrder(b)), true
	case "utf-7", "utf7", "unicode-1-1-utf-7":
		// Modern programs do not write UTF-7; its ASCII part is readable.
		return toUTF8(b), !bytes.ContainsRune(b, '+')
	case "iso-2022-kr", "iso-2022-cn", "iso-2022-cn-ext", "hz-gb-2312":
		// Browsers refuse these charsets; their ASCII part is readable.
		return toUTF8(b), isASCII(b) && !bytes.ContainsAny(b, "\x0e\x1b~")
	case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "l1":
		// Windows programs label windows-1252 as latin1.
		name = "windows-1252"
	}
	if isMislabelledUTF8(b, name) {
		return toUTF8(b), true
	}
	r, err := charset.Reader(name, bytes.NewReader(b))
	if err != nil {
		return toUTF8(b), isASCII(b) || utf8.Valid(b)
	}
	// The decoders replace invalid bytes.
	out, err := io.ReadAll(io.LimitReader(r, 4*maxTextBytes))
	if err != nil {
		return toUTF8(b), false
	}
	return toUTF8(out), true
}

// decodePage converts HTML to UTF-8 like decodeCharset. Without a name it takes the charset from a meta element in the
// HTML.
func decodePage(b []byte, name string) (text string, isKnown bool) {
	if name != "" || utf8.Valid(b) || byteOrderMark(b) != nil {
		return decodeCharset(b, name)
	}
	_, found, _ := htmlcharset.DetermineEncoding(b, "")
	return decodeCharset(b, found)
}

// isMislabelledUTF8 reports whether text labelled as iso-8859-* or windows-125* is UTF-8: "Å\u0081Ã³dÅº" for "Łódź" is
// not a word in any of these charsets.
func isMislabelledUTF8(b []byte, name string) bool {
	isEightBit := strings.HasPrefix(name, "iso-8859-") || strings.HasPrefix(name, "windows-125") || strings.HasPrefix(name, "cp125")
	if !isEightBit || isASCII(b) || !utf8.Valid(b) {
		return false
	}
	switch name[len(name)-2:] {
	case "-5", "-6", "-7", "-8", "51", "53", "55", "56": // not Latin
		return utf8.RuneCount(b) < len(b)-4 // A few characters may be valid UTF-8 by chance.
	}
	return true
}

// byteOrderMark returns the byte order of UTF-16 text with a byte order mark, or nil.
func byteOrderMark(b []byte) binary.ByteOrder {
	switch {
	case len(b) < 4:
		return nil
	case b[0] == 0xff && b[1] == 0xfe:
		return binary.LittleEndian
	case b[0] == 0xfe && b[1] == 0xff:
		return binary.BigEndian
	}
	return nil
}

// guessByteOrder finds the byte order of UTF-16 by the zero bytes of ASCII characters.
func guessByteOrder(b []byte) binary.ByteOrder {
	even, odd := 0, 0
	for i, c := range b {
		switch {
		case c != 0:
		case i%2 == 0:
			even++
		default:
			odd++
		}
	}
	if odd > even {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

func utf16Text(b []byte, order binary.ByteOrder) string {
	units := make([]uint16, 0, len(b)/2)
	for ; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	return string(utf16.Decode(units))
}

func isASCII(b []byte) bool {
	return !slices.ContainsFunc(b, func(c byte) bool { return c >= utf8.RuneSelf })
}

// toUTF8 returns valid UTF-8 unchanged, and decodes other text as windows-1252, the usual charset of unlabelled mail.
// In text that is mostly UTF-8, only the invalid bytes are decoded as windows-1252, e.g. the last byte of a letter that
// was cut inside a character.
func toUTF8(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	out := make([]byte, 0, len(b)+len(b)/4)
	validCount, invalidCount := 0, 0
	for remaining := b; len(remaining) > 0; {
		r, n := utf8.DecodeRune(remaining)
		switch {
		case r == utf8.RuneError && n == 1:
			invalidCount++
			r = charmap.Windows1252.DecodeByte(remaining[0])
		case n > 1:
			validCount++
		}
		out = utf8.AppendRune(out, r)
		remaining = remaining[n:]
	}
	if validCount >= invalidCount {
		return string(out)
	}
	s, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "?")
	}
	return string(s)
}

// decodeTransfer decodes a Content-Transfer-Encoding (RFC 2045). Damaged bytes are skipped or kept, as mail programs
// do. isIntact is false if a byte was damaged; isKnown is false if the encoding is unknown.
func decodeTransfer(body []byte, encoding string) (out []byte, isIntact, isKnown bool) {
	encoding = strings.Trim(strings.ToLower(encoding), `"' `)
	switch encoding {
	case "", "7bit", "8bit", "binary", "7-bit", "8-bit", "7bits", "8bits":
		return body, true, true
	case "base64":
		if isPlainText(body) {
			return body, false, true
		}
		out, isIntact = decodeBase64(body)
		return out, isIntact, true
	}
	if strings.HasPrefix(encoding, "quoted") {
		out, isIntact = decodeQuoted(body)
		return out, isIntact, true
	}
	return body, true, false
}

// isPlainText reports whether a program on the way has already decoded text that is labelled as base64: the first line
// and at least half of the lines consist of short words.
func isPlainText(body []byte) bool {
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

// hasLongWord reports whether a line has 20 base64 characters without a space.
func hasLongWord(line []byte) bool {
	n := 0
	for _, c := range line {
		if n++; !isBase64Digit(c) {
			n = 0
		} else if n == 20 {
			return true
		}
	}
	return false
}

// decodeBase64 decodes base64 and skips invalid characters. It stops at the padding, because mailing lists and
// scanners append lines.
func decodeBase64(body []byte) (out []byte, isIntact bool) {
	isIntact = true
	clean := make([]byte, 0, len(body))
	for i, c := range body {
		switch {
		case isBase64Digit(c):
			clean = append(clean, c)
		case c == '=':
			isIntact = isIntact && len(bytes.Trim(body[i:], "= \t\r\n")) == 0
			return decodeBase64Digits(clean, isIntact)
		case c != ' ' && c != '\t' && c != '\r' && c != '\n':
			isIntact = false
		}
	}
	return decodeBase64Digits(clean, isIntact)
}

func decodeBase64Digits(clean []byte, isIntact bool) ([]byte, bool) {
	if len(clean)%4 == 1 {
		// One character encodes less than a byte.
		clean, isIntact = clean[:len(clean)-1], false
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(clean)))
	n, err := base64.RawStdEncoding.Decode(out, clean)
	return out[:n], isIntact && err == nil
}

// decodeQuoted decodes quoted-printable. An equals sign that encodes nothing is kept.
func decodeQuoted(body []byte) (out []byte, isIntact bool) {
	isIntact = true
	out = make([]byte, 0, len(body))
	for line := range bytes.Lines(body) {
		text := bytes.TrimRight(line, " \t\r\n")
		hasLineBreak := len(line) > 0 && line[len(line)-1] == '\n'
		isSoftBreak := false
		for i := 0; i < len(text); i++ {
			if text[i] != '=' {
				out = append(out, text[i])
				continue
			}
			if i == len(text)-1 {
				isSoftBreak = true
				break
			}
			if i+2 < len(text) {
				if decoded, err := hex.AppendDecode(out, text[i+1:i+3]); err == nil {
					out = decoded
					i += 2
					continue
				}
			}
			isIntact = false
			out = append(out, '=')
		}
		if hasLineBreak && !isSoftBreak {
			out = append(out, '\r', '\n')
		}
	}
	return out, isIntact
}

func isBase64Digit(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}
