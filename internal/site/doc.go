// Package site writes the pages of a club: its ladder, its players, what runs and what is over,
// its tournaments, how to join, and a feed of results. They are static and need nothing beside
// themselves; they show what everybody may know, and no addresses but the club's own.
//
// The same club gives the same bytes. A page is written only when it has changed, so that one
// result touches the pages that name it and no others.
package site
