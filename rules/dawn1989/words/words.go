// Package words is what players of 1989 read and write: the order language, the
// sentences of letters, questions and refusals, the texts on cards and rules. It is made
// from views, so that nothing hidden can be told.
package words

// Words are the part of a rules.Game that speaks to players.
type Words struct{}
