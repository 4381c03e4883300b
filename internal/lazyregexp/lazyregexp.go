// Package lazyregexp compiles regular expressions at their first use, because most commands of the program need none of
// the hundreds of patterns for reading letters. For example, "samizdat list" reads no letter.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regular expression that is compiled at its first use. Its methods are those of [regexp.Regexp] and
// safe for concurrent use.
type Regexp struct {
	compiled func() *regexp.Regexp
}

// New returns a Regexp for expr. An invalid expr panics at its first use, as with [regexp.MustCompile].
func New(expr string) *Regexp {
	return &Regexp{compiled: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// FindAllStringSubmatch returns as in [regexp.Regexp].
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// FindString returns as in [regexp.Regexp].
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex returns as in [regexp.Regexp].
func (r *Regexp) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch returns as in [regexp.Regexp].
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindAllString returns as in [regexp.Regexp].
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// Match is as in [regexp.Regexp].
func (r *Regexp) Match(b []byte) bool { return r.compiled().Match(b) }

// MatchString is as in [regexp.Regexp].
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// ReplaceAllString returns as in [regexp.Regexp].
func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.compiled().ReplaceAllString(src, repl)
}

// Split returns as in [regexp.Regexp].
func (r *Regexp) Split(s string, n int) []string { return r.compiled().Split(s, n) }
