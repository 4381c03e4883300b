// Package match is the state of a match.
package match

// Confirm says which letters a player wants of those that ask him nothing and that his next
// letter repeats.
type Confirm string

// What there is to choose from: those that tell more than what he has ordered, all, none.
const (
	ConfirmNews Confirm = ""
	ConfirmAll  Confirm = "all"
	ConfirmNone Confirm = "none"
)

// Format is what a player wants letters to be. Empty is what the referee gives.
type Format string

// The formats.
const (
	FormatText    Format = "text"
	FormatHTML    Format = "html"
	FormatPicture Format = "picture"
)

// Script is how names and words are written. Empty is the game's ASCII names,
// and what players wrote as they wrote it.
type Script string

// The scripts.
const (
	// ScriptUTF8 writes names as they are printed on the board.
	ScriptUTF8 Script = "utf8"
	// ScriptPlain writes nothing but ASCII.
	ScriptPlain Script = "plain"
)
