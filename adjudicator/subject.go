package adjudicator

import (
	"regexp"
	"strings"
)

// subjectTag is how the subjects of our letters name their match: at the end, or, in
// letters from before, with a word of its own.
var subjectTag = regexp.MustCompile(`(?i)\[samizdat ([a-z0-9]+)\]|\[(m[a-z2-7]{7})\]\s*$`)

// otherMatch returns the match that a subject names, if it is not this one.
func (j *adjudication) otherMatch() string {
	other := ""
	for _, tag := range subjectTag.FindAllStringSubmatch(j.letter.Subject, -1) {
		if other = strings.ToLower(tag[1] + tag[2]); other == j.turn.Match.ID {
			return ""
		}
	}
	return other
}
