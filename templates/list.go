package templates

import "strings"

// List writes names as a sentence does: "A, B and C".
func List(names []string) string {
	if n := len(names); n > 2 {
		names = []string{strings.Join(names[:n-1], ", "), names[n-1]}
	}
	return strings.Join(names, " and ")
}

// Or writes names of which one is enough: "A, B or C".
func Or(names []string) string {
	if n := len(names); n > 2 {
		names = []string{strings.Join(names[:n-1], ", "), names[n-1]}
	}
	return strings.Join(names, " or ")
}
