package words

import "testing"

// TestDescribeOtherChecks: a list of checks tells the dice needed in the spaces that it does not name.
func TestDescribeOtherChecks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		others, last, least, most int
		want                      string
	}{
		{5, 6, 6, 6, "6 in Dresden and 5 other spaces."},
		{1, 5, 6, 6, "6 in Dresden. 1 other space needs 6."},
		{12, 5, 5, 6, "6 in Dresden. 12 other spaces need 5+ or 6, depending on the space."},
		{7, 3, 4, 6, "6 in Dresden. 7 other spaces need from 4+ to 6, depending on the space."},
	} {
		if got := describeOtherChecks("6 in Dresden", c.others, c.last, c.least, c.most); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
