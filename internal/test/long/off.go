//go:build !long

package long

// Run is set in long runs.
const Run = false
