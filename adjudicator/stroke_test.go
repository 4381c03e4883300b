package adjudicator_test

import (
	"strings"
	"testing"
)

// TestStrokeOfName: the stroke of a space's name is no AND or OR between two spaces.
func TestStrokeOfName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		line   string
		doubts bool
	}{
		{"PLAY 9 OPS CHECK Leipzig, Harghita/Covasna", false},
		{"PLAY 9 OPS CHECK Leipzig/Berlin", true},
	} {
		c, _ := sampleAfter(t, 6)
		if text := c.sends("democrat", tt.line).Text; strings.Contains(text, "The slash may mean AND or OR") != tt.doubts {
			t.Errorf("%s:\n%s", tt.line, text)
		}
	}
}
