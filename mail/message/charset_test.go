package message

import "testing"

func TestCharsets(t *testing.T) {
	t.Parallel()
	const lodz = "PLACE Łódź 2, Gdańsk\n"
	tests := []struct {
		name, charset, raw, want string
		known                    bool
	}{
		{"UTF-8 called Latin-1", "iso-8859-1", lodz, lodz, true},
		{"UTF-8 called Latin-2", "ISO-8859-2", lodz, lodz, true},
		{"UTF-8 called Windows-1252", "windows-1252", lodz, lodz, true},
		{"UTF-8 called ASCII", "us-ascii", lodz, lodz, true},
		{"UTF-8 called what nobody knows", "unknown-8bit", lodz, lodz, true},
		{"quotes of Windows called Latin-1", "iso-8859-1", "\x93now\x94 \x96 K\xf6ln", "“now” – Köln", true},
		{"a name with a comment", "utf-8 (Unicode)", lodz, lodz, true},
		{"one broken byte in UTF-8", "utf-8", lodz + "\xc5", lodz + "Å", true},
		{"a blank of Latin-1 in UTF-8", "utf-8", lodz + "Lodz\xa01", lodz + "Lodz\u00a01", true},
		{"Latin-1 called UTF-8", "utf-8", "K\xf6ln 2\n", "Köln 2\n", true},
		{"Windows-1250", "windows-1250", "PLACE \xa3\xf3d\x9f 2, Gda\xf1sk\n", lodz, true},
		{"Latin-2 by the name of its code page", "cp1250", "PLACE \xa3\xf3d\x9f 2, Gda\xf1sk\n", lodz, true},
		{"DOS", "cp852", "PLACE \x9d\xa2d\xab 2, Gda\xe4sk\n", lodz, true},
		{"two Russian letters are no UTF-8", "windows-1251", "\xd1\xbb", "С»", true},
		{"UTF-16 without its mark", "utf-16", "P\x00A\x00S\x00S\x00", "PASS", true},
		{"UTF-16 without its mark, the other way", "utf-16", "\x00P\x00A\x00S\x00S", "PASS", true},
		{"UTF-16 called UTF-8", "utf-8", "\xff\xfeP\x00A\x00S\x00S\x00", "PASS", true},
		{"UTF-16 called nothing", "", "\xfe\xff\x00P\x00A\x00S\x00S", "PASS", true},
		{"Korean of old", "iso-2022-kr", "PASS\n\x1b$)C\x0e0(;g\x0f", "PASS\n\x1b$)C\x0e0(;g\x0f", false},
		{"nobody knows", "x-odd", "\xc5\x28", "Å(", false},
		{"nobody knows, but ASCII", "x-odd", "PASS", "PASS", true},
	}
	for _, tt := range tests {
		text, known := decodeCharset([]byte(tt.raw), tt.charset)
		if text != tt.want || known != tt.known {
			t.Errorf("%s: got %q %v, want %q %v", tt.name, text, known, tt.want, tt.known)
		}
	}
}

func TestTransferEncodings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, encoding, raw, want string
		whole, known              bool
	}{
		{"plain text called base64", "base64", "PLAY 14 EVENT\nPASS\n", "PLAY 14 EVENT\nPASS\n", false, true},
		{"base64 in one line", "base64", "UExBWSAxNCBFVkVOVA==", "PLAY 14 EVENT", true, true},
		{"base64 with a blank within", "base64", "UExBWSAxNCBFVkVOVApQTEFZ IDE0IEVWRU5U", "PLAY 14 EVENT\nPLAY 14 EVENT", true, true},
		{"quoted", `"7bit"`, "PASS", "PASS", true, true},
		{"misspelt", "quoted/printable", "PLACE =C5=81=C3=B3d=C5=BA", "PLACE Łódź", true, true},
		{"eight", "8-bit", "PASS", "PASS", true, true},
		{"no uuencode", "x-uuencode", "PASS", "PASS", true, false},
		{"unknown", "x-gzip64", "PASS", "PASS", true, false},
	}
	for _, tt := range tests {
		got, whole, known := decodeTransfer([]byte(tt.raw), tt.encoding)
		// A byte more may come of the filling of the last line.
		if s := string(got); s != tt.want && s != tt.want+"\x00" || whole != tt.whole || known != tt.known {
			t.Errorf("%s: got %q %v %v, want %q %v %v", tt.name, got, whole, known, tt.want, tt.whole, tt.known)
		}
	}
}
