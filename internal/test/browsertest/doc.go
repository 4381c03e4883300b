// Package browsertest is support for integration tests of pages: tabs of Debian's chromium in
// which a page must be silent, what axe-core finds in it, and pictures of it.
package browsertest
