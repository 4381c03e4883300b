//go:build !race

package climb

// raced is set under the race detector, which makes a program many times slower.
const raced = false
