// Package browsertest helps to test pages in Debian's chromium: tabs that fail the test on console
// output, accessibility checks by axe-core, and screenshots.
package browsertest
