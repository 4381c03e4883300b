package message

import "slices"

// onceOnly are the fields that a letter has once (RFC 5322, section 3.6, and RFC 2045):
// what a signature covers of them is the lowest, and what is read here the topmost.
var onceOnly = []string{
	"From", "To", "Cc", "Subject", "Date", "Message-Id", "Reply-To", "In-Reply-To", "References", "Sender", "MIME-Version", "Content-Type",
	"Content-Transfer-Encoding",
}

// hasDuplicateField reports whether a letter has such a field twice. A signature stays good when
// somebody puts a second one on top, with another token in To, or with another
// Content-Type, by which the text below reads otherwise than it was written.
func hasDuplicateField(raw []byte) bool {
	h, _, state := splitHeader(raw)
	return state == endless || slices.ContainsFunc(onceOnly, func(key string) bool { return len(h.all(key)) > 1 })
}
