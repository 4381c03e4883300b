package storage

import (
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestSqueeze: what is compressed comes back to the byte, and what was not compressed here
// is an error.
func TestSqueeze(t *testing.T) {
	t.Parallel()
	z, err := zstd.NewWriter(nil)
	must(t, err)
	a := strings.Repeat("0123456789abcdef", 4)
	for _, text := range []string{"", "{}", a, `{"hash":"` + a + `","prev":"` + a + `"}`, a + a + a[:63], strings.ToUpper(a), a[:63], "\n" + a + "\nä"} {
		small := squeeze(z, []byte(text))
		if got, err := unsqueeze(small); err != nil || string(got) != text {
			t.Errorf("%q comes back as %q, %v", text, got, err)
		}
		for _, other := range [][]byte{small[:len(small)-1], append(small[:len(small):len(small)], 0), nil} {
			if got, err := unsqueeze(other); err == nil {
				t.Errorf("%q of %q is taken for %q", other, small, got)
			}
		}
	}
}
