package conversation_test

import (
	"bytes"
	"testing"
	"time"

	"samizdat/adjudicator/conversation"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match/contact"
)

// keyed is a store that is only asked for its secret.
type keyed struct{ exchange.Store }

func (keyed) ObserverKey() []byte { return []byte("secret") }

var asked = time.Date(1989, 6, 4, 9, 40, 0, 0, time.UTC)

func at(now time.Time) conversation.Replies {
	return conversation.Replies{ReplyConfig: &conversation.ReplyConfig{Store: keyed{}, Now: func() time.Time { return now }, Director: "dora@example.org"}}
}

// answer is a letter that brings the token of a question back.
func answer(q conversation.Question, number int64) exchange.Letter {
	token := q.Token
	token.Number = number
	return exchange.Letter{Sender: exchange.Sender{Token: &token, SignedBy: func(key []byte) bool { return bytes.Equal(key, q.Key) }}}
}

// TestIsAnswer: a letter answers a question whose token it brings back, the newest of its kind, and a daily one for a week.
func TestIsAnswer(t *testing.T) {
	t.Parallel()
	request := &contact.Request{To: "new@example.org", Serial: 3}
	for name, q := range map[string]conversation.Question{
		"an observer": at(asked).ObservingQuestion("Ada@example.org", "struggle-400"), "an applicant": at(asked).JoiningQuestion("ada@example.org"),
		"a new address": at(asked).NewAddressQuestion(request), "an old address": at(asked).OldAddressQuestion(request, "ada@example.org"),
		"the director": at(asked).DirectorQuestion("struggle-400", 7),
	} {
		n := q.Token.Number
		other := at(asked).ObservingQuestion("ben@example.org", "struggle-400")
		for _, tt := range []struct {
			of     string
			letter exchange.Letter
			now    time.Time
			want   bool
		}{
			{"at once", answer(q, n), asked, true},
			{"after a week", answer(q, n), asked.AddDate(0, 0, conversation.QuestionDays), true},
			{"after eight days", answer(q, n), asked.AddDate(0, 0, conversation.QuestionDays+1), !q.IsDaily},
			{"before the clock was set back", answer(q, n), asked.AddDate(0, 0, -1), true},
			{"of an older letter", answer(q, n-1), asked, q.IsDaily},
			{"to another question", answer(other, n), asked, false},
			{"without a token", exchange.Letter{}, asked, false},
		} {
			if got := at(tt.now).IsAnswer(tt.letter, q); got != tt.want {
				t.Errorf("%s, a letter %s: it is an answer: %t", name, tt.of, got)
			}
		}
	}
}

// TestIsOpen: a question is open for a week from the time when it was asked, and not before that time.
func TestIsOpen(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]bool{-time.Second: false, 0: true, conversation.QuestionDays * 24 * time.Hour: true, conversation.QuestionDays*24*time.Hour + 1: false} {
		if got := conversation.IsQuestionOpen(asked, asked.Add(after)); got != want {
			t.Errorf("after %s it is open: %t", after, got)
		}
	}
}

// TestKeys: no two readers and no two questions have the same key.
func TestKeys(t *testing.T) {
	t.Parallel()
	r, request := at(asked), &contact.Request{To: "ada@example.org", Serial: 3}
	again := *request
	again.Serial++
	keys := [][]byte{r.ObserverKey("ada@example.org"), r.ObserverKey("ben@example.org"), r.DirectorKey(), r.JoiningQuestion("ada@example.org").Key,
		r.MemberKey(1, "ada@example.org", 0), r.MemberKey(1, "ada@example.org", 1), r.MemberKey(2, "ada@example.org", 0),
		r.NewAddressQuestion(request).Key, r.NewAddressQuestion(&again).Key, r.OldAddressQuestion(request, "old@example.org").Key}
	seen := map[string]int{}
	for i, key := range keys {
		if j, known := seen[string(key)]; known {
			t.Errorf("keys %d and %d are the same", j, i)
		}
		seen[string(key)] = i
	}
}
