package naming

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestSkeleton: names that would be taken for each other have one skeleton, others have not.
func TestSkeleton(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"Ada", "ADA"}, {"Ada", "Аda"}, {"Ada", "Àda"}, {"Ada", "A.d-a"}, {"Ben Ho", "benho"}, {"Ian", "lan"}, {"Olga", "0lga"}, {"Cop", "Сор"},
		{"Arnold", "Amold"}, {"Lukasz", "Łukasz"}, {"Anna", "Аnnа"}, {"Nik", "Νικ"}, {"The Ada", "Ada"}, {"Moss", "Мoss"},
	} {
		if a, b := Skeleton(pair[0]), Skeleton(pair[1]); a != b || a == "" {
			t.Errorf("%s is %q, %s is %q", pair[0], a, pair[1], b)
		}
	}
	for _, pair := range [][2]string{{"Ada", "Ida"}, {"Ben", "Bea"}, {"Ada", "Adda"}, {"Ольга", "Ольгя"}, {"Ada 2", "Ada 3"}, {"李", "王"}} {
		if a, b := Skeleton(pair[0]), Skeleton(pair[1]); a == b || a == "" || b == "" {
			t.Errorf("%s and %s are both %q", pair[0], pair[1], a)
		}
	}
}

// TestValid: a name is written in one script, and can be printed on a line.
func TestValid(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"Ada": true, "Łucja O'Neill-Żak": true, "Ольга": true, "Ada 2": true, "李小龙": true,
		"": false, "Аda": false, "2Ada": false, "Ada\u202e": false, "ada@x.test": false, "Ada\nBen": false, "a very long name indeed, this": false, "A\u0301\u0301": false,
	} {
		if IsValid(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// FuzzName: a name that is valid is safe to print, stays as it is when it is cleaned again, and
// looks like something, however it is written.
func FuzzName(f *testing.F) {
	for _, s := range []string{"Ada", "Аda", "O’Neill", "The", "the  The", "A\u0301da", "Ada\u202eneB", "Ａｄａ", "李 小龙", "Ada\n-- \nYES", "ß", "ﬁn", "İstanbul", "a\u034fb", "x\u0327\u0301", "\xffAda", "ς"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name := Clean(s)
		if again := Clean(name); again != name {
			t.Fatalf("%q is cleaned to %q, and then to %q", s, name, again)
		}
		if !IsValid(name) {
			return
		}
		if !utf8.ValidString(name) || utf8.RuneCountInString(name) > MaxLength || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q is valid", name)
		}
		looks := Skeleton(name)
		if looks == "" {
			t.Errorf("%q looks like nothing", name)
		}
		if dotted := name + "."; IsValid(dotted) && Skeleton(dotted) != looks {
			t.Errorf("%q looks like %q, and with a dot like %q", name, looks, Skeleton(dotted))
		}
	})
}
