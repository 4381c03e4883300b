//go:build race

package long

// Raced is set under the race detector, which makes a program many times slower and larger.
const Raced = true
