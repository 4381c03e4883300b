package message

import "testing"

func TestTag(t *testing.T) {
	t.Parallel()
	const base = "judge@demo.example"
	tok, other := NewToken(seatKey, Name{"m7k2", Seat, 1, 431}), NewToken(seatKey, Name{"m7k3", Seat, 1, 431})
	tag := Tag(tok.String())
	if tag != "[samizdat m7k2-1-431-cwfkxf34u247ph3d]" {
		t.Errorf("the tag is %s", tag)
	}
	old := NewToken(seatKey, Name{"m7k2", Seat, 1, 9})
	for _, tt := range []struct {
		name, subject string
		want          *Token
	}{
		{"reply", "Re: " + tag + " 1989: your move", &tok},
		{"folded", "AW: [samizdat\r\n m7k2-1-431-cwfkxf34u247ph3d] x", &tok},
		{"upper case", "RE: [SAMIZDAT M7K2-1-431-CWFKXF34U247PH3D]", &tok},
		{"twice", tag + " " + tag, &tok},
		{"with the match's own tag", "[samizdat m7k2] " + tag, &tok},
		{"two letters of a seat", Tag(old.String()) + tag, &tok},
		{"two matches", tag + Tag(other.String()), nil},
		{"the match's own tag alone", "[samizdat m7k2] 1989", nil},
		{"one sign less", "[samizdat m7k2-1-431-cwfkxf34u247ph3]", nil},
		{"leading zero", "[samizdat m7k2-01-431-cwfkxf34u247ph3d]", nil},
		{"none", "Hello", nil},
	} {
		got, ok := Newest(FindTokens(Untag(Read([]byte("Subject: "+tt.subject+"\r\n\r\n")), base), base, Seat))
		if ok != (tt.want != nil) || ok && got != *tt.want {
			t.Errorf("%s: got %v %v", tt.name, got, ok)
		}
	}
}
