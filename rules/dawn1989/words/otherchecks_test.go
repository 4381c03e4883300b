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
		{1, 5, 6, 6, "6 in Dresden. 1 other space is not listed: it needs a 6."},
		{12, 5, 5, 6, "6 in Dresden. 12 other spaces are not listed: they need a 5 or 6."},
		{7, 0, 0, 4, "6 in Dresden. 7 other spaces are not listed: they need from 1 to 4."},
	} {
		if got := describeOtherChecks("6 in Dresden", c.others, c.last, c.least, c.most); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
