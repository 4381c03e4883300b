package words

import (
	_ "embed"

	"samizdat/rules"
)

// topicsText holds the texts on the rules, in the form of rules.ReadTopics.
//
//go:embed data/topics.txt
var topicsText string

// topics are the texts of topicsText.
var topics = rules.ReadTopics(topicsText)

// Topics is rules.Game.Topics.
func (Words) Topics() []rules.Topic { return topics }
