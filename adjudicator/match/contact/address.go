package contact

import (
	"net/mail"
	"strings"
)

// maxLength is the maximum length of an address (RFC 5321, section 4.5.3.1.3).
const maxLength = 254

// SameAddress compares addresses and ignores the case of ASCII letters only. Unicode characters that fold
// to ASCII letters make a different address.
func SameAddress(a, b string) bool { return LowerASCII(a) == LowerASCII(b) }

// SameMailbox reports whether two addresses have the same mailbox, for example a@x.org and
// a+games@x.org.
func SameMailbox(a, b string) bool { return MailboxOf(a) == MailboxOf(b) }

// LowerASCII returns the address with ASCII letters in lower case.
func LowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// MaskAddress hides an address from a player with another address, for example as "d...@x....org".
// An address that differs only by a +detail is shown as it is.
func MaskAddress(address, from string) string {
	if SameMailbox(address, from) {
		return address
	}
	local, domain, _ := strings.Cut(address, "@")
	host, rest, _ := strings.Cut(domain, ".")
	if rest != "" {
		rest = "." + rest[strings.LastIndexByte(rest, '.')+1:]
	}
	return firstLetter(local) + "...@" + firstLetter(host) + "..." + rest
}

func firstLetter(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// MailboxOf returns the mailbox of an address: dan@x.org for dan+games@x.org, and dan@gmail.com for
// d.an@googlemail.com.
func MailboxOf(address string) string {
	address = LowerASCII(address)
	at := strings.LastIndexByte(address, '@')
	if at < 0 {
		return address
	}
	local, domain := address[:at], address[at:]
	if i := strings.IndexByte(local, '+'); i > 0 {
		local = local[:i]
	}
	if domain == "@gmail.com" || domain == "@googlemail.com" {
		local, domain = strings.ReplaceAll(local, ".", ""), "@gmail.com"
	}
	return local + domain
}

// ParseNamed splits an address of a From line: "Ben <ben@x.org>" is "Ben" and "ben@x.org".
func ParseNamed(text string) (name, address string) {
	if p, err := mail.ParseAddress(text); err == nil && p.Name != "" {
		return p.Name, p.Address
	}
	return "", text
}

// ParseAddress parses a deliverable address: ASCII without quotes, and not the referee's own.
func ParseAddress(text, referee string) (string, error) {
	p, err := mail.ParseAddress(text)
	if err != nil || p.Name != "" || len(p.Address) > maxLength || strings.ContainsFunc(p.Address, func(r rune) bool {
		return r <= ' ' || r > '~' || strings.ContainsRune(`"\<>()[]:;,`, r)
	}) {
		return "", ErrNoAddress
	}
	to := LowerASCII(p.Address)
	local, domain, _ := strings.Cut(to, "@")
	local, _, _ = strings.Cut(local, "+")
	if SameAddress(local+"@"+domain, referee) {
		return "", ErrOwnAddress
	}
	return to, nil
}
