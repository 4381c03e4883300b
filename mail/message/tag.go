package message

import (
	"slices"

	"samizdat/internal/lazyregexp"
)

// A mail server that does not deliver addresses with a +detail leaves the subject
// as the only place where a mail program carries something back unseen.

// tagPattern is a token in a subject. Programs may fold the line at its space.
var tagPattern = lazyregexp.New(`(?i)\[samizdat\s+([a-z0-9]+-[a-z0-9]+-[0-9]+-[a-z2-7]+)\]`)

// Tag is a token, as text, as it stands in a subject.
func Tag(token string) string { return "[samizdat " + token + "]" }

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
