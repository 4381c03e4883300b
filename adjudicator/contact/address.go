package contact

import (
	"net/mail"
	"strings"
)

// longest is what a mail server takes (RFC 5321, section 4.5.3.1.3).
const longest = 254

// Same compares addresses without regard to the case of ASCII letters. Other signs count
// as they are: Unicode has signs that fold to ASCII letters, and an address with one of
// them is another address.
func Same(a, b string) bool { return Lower(a) == Lower(b) }

// Lower is an address with its ASCII letters in lower case.
func Lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// Named reads an address with or without a name, as in a From line: "Ben <ben@x.org>".
func Named(text string) (name, address string) {
	if p, err := mail.ParseAddress(text); err == nil && p.Name != "" {
		return p.Name, p.Address
	}
	return "", text
}

// Parse reads an address that letters can be sent to: ASCII without quotes, and not
// the referee's own.
func Parse(text, referee string) (string, error) {
	p, err := mail.ParseAddress(text)
	if err != nil || p.Name != "" || len(p.Address) > longest || strings.ContainsFunc(p.Address, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"\<>()[]:;,`, r)
	}) {
		return "", ErrNoAddress
	}
	to := Lower(p.Address)
	local, domain, _ := strings.Cut(to, "@")
	local, _, _ = strings.Cut(local, "+")
	if Same(local+"@"+domain, referee) {
		return "", ErrOwn
	}
	return to, nil
}
