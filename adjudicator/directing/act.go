// Package directing reads what the director of matches wants done: in his letters, and
// on the command line. Both say it in the same words, of one small table.
//
// What a director does ends a match or changes it, for people who are not asked. So
// nothing is guessed here: an act is a row of its own that says all, with a reason. The
// rest of a letter is talk that is known to be harmless, or a doubt.
package directing

import "samizdat/adjudicator/match"

// The names of package match for what a director does.
type (
	Act  = match.DirectorAct
	Verb = match.DirectorVerb
)

// The verbs.
const (
	Pause   = match.DirectorPause
	Resume  = match.DirectorResume
	Extend  = match.DirectorExtend
	Replace = match.DirectorReplace
	Undo    = match.DirectorUndo
	Annul   = match.DirectorAnnul
	Rule    = match.DirectorRule
	Cancel  = match.DirectorCancel
	Tell    = match.DirectorTell
)
