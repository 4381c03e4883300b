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

// SameMailbox reports whether letters to both addresses come to one mailbox, as with a@x.org and a+games@x.org.
func SameMailbox(a, b string) bool { return Mailbox(a) == Mailbox(b) }

// Lower is an address with its ASCII letters in lower case.
func Lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// Masked is an address as somebody with another is told of it: he knows it again if it is his, and otherwise learns
// little. One that differs in a +detail alone is shown as it is.
func Masked(address, from string) string {
	if SameMailbox(address, from) {
		return address
	}
	local, domain, _ := strings.Cut(address, "@")
	host, rest, _ := strings.Cut(domain, ".")
	if rest != "" {
		rest = "." + rest[strings.LastIndexByte(rest, '.')+1:]
	}
	return initial(local) + "...@" + initial(host) + "..." + rest
}

func initial(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// Mailbox is the mailbox of an address: letters to dan+games@x.org come where those to dan@x.org do, and those to
// d.an@googlemail.com where those to dan@gmail.com do.
func Mailbox(address string) string {
	address = Lower(address)
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
