package message

import (
	"regexp"
	"slices"
	"strings"
)

// A mail server that does not deliver addresses with a +detail leaves the subject
// as the only place where a mail program carries something back unseen.

// tagPattern is a token in a subject. Programs may fold the line at its space.
var tagPattern = regexp.MustCompile(`(?i)\[samizdat\s+([a-z0-9]+-[a-z0-9]+-[0-9]+-[a-z2-7]+)\]`)

// Tag gives a token's address under base as it stands in a subject; empty when
// the address carries nothing.
func Tag(address, base string) string {
	local, _, ok := SplitAddress(base)
	if !ok {
		return ""
	}
	al, _, _ := SplitAddress(address)
	detail, ok := strings.CutPrefix(al, local+"+")
	if !ok || detail == "" {
		return ""
	}
	return "[samizdat " + detail + "]"
}

// Untag adds the addresses whose tokens the subject carries to those that the
// letter was sent to.
func Untag(l Letter, base string) Letter {
	local, domain, ok := SplitAddress(base)
	if !ok {
		return l
	}
	l.To = slices.Clone(l.To)
	for _, m := range tagPattern.FindAllStringSubmatch(l.Subject, 20) {
		l.To = append(l.To, local+"+"+lowerASCII(m[1])+"@"+domain)
	}
	return l
}
