package contact

import (
	"net/mail"
	"strings"
)

// maxLength is what a mail server takes (RFC 5321, section 4.5.3.1.3).
const maxLength = 254

// Same compares addresses without regard to the case of ASCII letters. Other signs count
// as they are: Unicode has signs that fold to ASCII letters, and an address with one of
// them is another address.
func Same(a, b string) bool { return LowerASCII(a) == LowerASCII(b) }

// SameMailbox reports whether letters to both addresses come to one mailbox, as with a@x.org and a+games@x.org.
func SameMailbox(a, b string) bool { return MailboxOf(a) == MailboxOf(b) }

// LowerASCII is an address with its ASCII letters in lower case.
func LowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// MaskAddress is an address as somebody with another is told of it: he knows it again if it is his, and otherwise learns
// little. One that differs in a +detail alone is shown as it is.
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

// MailboxOf is the mailbox of an address: letters to dan+games@x.org come where those to dan@x.org do, and those to
// d.an@googlemail.com where those to dan@gmail.com do.
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

// ParseNamed reads an address with or without a name, as in a From line: "Ben <ben@x.org>".
func ParseNamed(text string) (name, address string) {
	if p, err := mail.ParseAddress(text); err == nil && p.Name != "" {
		return p.Name, p.Address
	}
	return "", text
}

// ParseAddress reads an address that letters can be sent to: ASCII without quotes, and not
// the referee's own.
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
	if Same(local+"@"+domain, referee) {
		return "", ErrOwn
	}
	return to, nil
}
