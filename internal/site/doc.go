// Package site writes the pages of a club: ladder, players, matches, results and tournaments, the data of each page as
// a JSON file, and feeds. The pages are static and refer to no other site. They show the mail address of the club, but
// no addresses of players.
//
// The files depend only on the data of the club. A file is written only if its content changes.
package site
