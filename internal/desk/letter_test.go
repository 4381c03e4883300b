package desk_test

import (
	"os"
	"path/filepath"
	"testing"

	"samizdat/internal/desk"
)

// TestOpen: the link is found in a letter as text and as mail programs store it, and a record is known from a letter.
func TestOpen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ text, want string }{
		{"{\"game\":\"1989\"}\n", "#check.record"},
		{"Open on the board:\nhttps://club.example/desk/#2.1989.AbC-_9\n", "#2.1989.AbC-_9"},
		{"Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
			"https://club.example/desk/#2.1989.AbC=\r\ndEf\r\n", "#2.1989.AbCdEf"},
		{"https://club.example/desk/", ""},
	} {
		path := filepath.Join(t.TempDir(), "letter.eml")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, record, err := desk.Open(path); got != tt.want || (err == nil) != (tt.want != "") || record != nil && string(record) != tt.text {
			t.Errorf("in %q %q is found, want %q: %v", tt.text, got, tt.want, err)
		}
	}
}
