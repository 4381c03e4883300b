// Package club is what a club of players is, without mail, store or clock: its members and
// their names, and what they offer each other. Package letter reads their letters.
package club
