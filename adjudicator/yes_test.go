package adjudicator_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/conversation"
)

// TestConfirmed: YES carries out what the letter that it answers has asked about, and
// nothing else does.
func TestConfirmed(t *testing.T) {
	t.Parallel()
	const doubted, asked, done = "democrat: PLAY 40 EVENT\nnot sure yet", "Please confirm it: PLAY 40 EVENT YES carries it out; NO drops it. Until you answer, nothing is done. YES NO", "PLAY 40 EVENT: done"
	for _, tt := range []struct {
		name    string
		letters []string
		want    string
	}{
		{"YES", []string{doubted, "democrat: YES"}, done},
		{"thanks", []string{doubted, "democrat: Yes, please.\n\nThanks,\nAda"}, done},
		{"with a condition", []string{doubted, "democrat: YES\nbut only if that is legal"}, asked},
		{"then without", []string{doubted, "democrat: YES\nbut only if that is legal", "democrat: YES"}, done},
		{"as people say it", []string{doubted, "democrat: ok, do it"}, done},
		{"a thumb", []string{doubted, "democrat: 👍"}, done},
		{"in German", []string{doubted, "democrat: Ja, bitte. Danke!"}, done},
		{"to a later letter that asks for consent as well", []string{doubted, "communist: TAKEBACK", "democrat: YES"}, "Which of these orders do you mean? PLAY 40 EVENT TAKEBACK YES"},
		{"to a request to take back", []string{"communist: TAKEBACK", "democrat: yes please"}, "TAKEBACK YES: done"},
		{"no to a request to take back", []string{"communist: TAKEBACK", "democrat: no, thanks"}, "TAKEBACK NO: done"},
		{"to an offer of a draw", []string{"communist: DRAW", "democrat: I agree"}, "DRAW YES: done"},
		{"to a later letter", []string{doubted, "communist: MESSAGE\nGood evening!\nEND MESSAGE", "democrat: YES"}, done},
		{"no", []string{doubted, "democrat: No, drop it."}, "No, drop it.: dropped PLAY 40 EVENT was not carried out"},
		{"yes and no", []string{doubted, "democrat: YES\n\nNO"}, "You have not confirmed PLAY 40 EVENT yet. Do you want this order to be carried out? YES NO"},
		{"no and yes", []string{doubted, "democrat: no\n\nyes"}, "You have not confirmed PLAY 40 EVENT yet. Do you want this order to be carried out? YES NO"},
		{"yes after no", []string{doubted, "democrat: NO", "democrat: YES"}, "YES: refused"},
		{"of a doubter", []string{doubted, "democrat: yes, unless it is illegal"}, "not understood"},
		{"of an address", []string{doubted, "democrat: ADDRESS YES\nThanks, Ada"}, "ADDRESS YES: refused"},
		{"twice", []string{doubted, "democrat: YES", "democrat: YES"}, "YES: refused"},
		{"beside another order", []string{doubted, "democrat: YES\nPLAY 33 EVENT"}, "Please confirm it: PLAY 33 EVENT YES carries it out; NO drops it. Until you answer, nothing is done. YES NO"},
		{"beside an order, where nothing is asked", []string{"democrat: ok\nPLAY 33 EVENT"}, "PLAY 33 EVENT: done"},
		{"no beside an order, where nothing is asked", []string{"democrat: no\nPLAY 33 EVENT"}, "Please confirm it: PLAY 33 EVENT YES carries it out; NO drops it. Until you answer, nothing is done. YES NO"},
		{"after another order", []string{doubted, "democrat: PLAY 33 EVENT", "democrat: YES"}, "YES: refused"},
		{"of the other player", []string{doubted, "communist: YES"}, "YES: refused"},
		{"what is for later", []string{"democrat: PLAY 40 OPS PLACE Lodz 3\nTHEN PLAY 33 EVENT\nnot sure yet", "democrat: YES"},
			"PLAY 40 OPS PLACE Lodz 3: done"},
		{"an address", []string{"democrat: not sure yet\n\nADDRESS ada@new.test", "democrat: YES"}, "ADDRESS ada@new.test: done"},
		{"of a question", []string{"democrat: forum for event, ok?"}, `Nothing was done: your letter was not understood. YOUR LETTER ----------- - "forum for event, ok?": not understood`},
		{"of a question about what is for later", []string{"democrat: NEXT: PLAY 40 EVENT?"}, "not done yet"},
		{"a preview", []string{"democrat: PREVIEW\nPLAY 40 EVENT\nwould that do?"}, "PLAY 40 EVENT: preview"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c, _ := sampleAfter(t, 8)
			var answer string
			for _, l := range tt.letters {
				name, text, _ := strings.Cut(l, ": ")
				had := len(c.mailbox[address(name)])
				c.receive(c.letter(name, text))
				answer = c.mailbox[address(name)][had].Text
			}
			wants(t, answer, tt.want)
		})
	}
}

// never allows nothing.
type never struct{}

func (never) Allow(context.Context, string, string) time.Duration { return time.Hour }

// TestConfirmedUnasked: what nobody was asked about is not confirmed by a YES to the letter
// that has the number of the one that was left out.
func TestConfirmedUnasked(t *testing.T) {
	t.Parallel()
	c, _ := sampleAfter(t, 8)
	var limit conversation.Limiter = never{}
	c.adj.ReplyLimits = limit
	had := len(c.mailbox[address("democrat")])
	c.receive(c.letter("democrat", "PLAY 40 EVENT\nnot sure yet"))
	if len(c.mailbox[address("democrat")]) != had || len(c.notices[address("democrat")]) != 1 {
		t.Fatal("the letter was answered, or he is not told that it is not")
	}
	c.adj.ReplyLimits = nil
	c.sends("communist", "MESSAGE\nAnother match soon?\nEND MESSAGE")
	wants(t, c.sends("democrat", "YES").Text, "YES: refused")
}
