// Package site writes the pages of a club: ladder, players, matches, results and tournaments, with the data of each page as
// JSON beside it, and feeds. The pages are static, refer to no other site, and show no addresses but that of the club.
//
// The same club gives the same bytes. A page is written only if it changes.
package site
