package adjudicator

import (
	"context"
	"fmt"
)

// SetAside tells the reader of the letter of ours which a letter answers that the program failed over his. Nothing of it
// was done. He is told three times a day at most.
func (a *Adjudicator) SetAside(ctx context.Context, l Letter) error {
	h, err := a.holder(ctx, l)
	if err != nil || h.address == "" {
		return err
	}
	t := *l.Token
	t.Number = 0
	d := textLetter("Your letter could not be carried out", setAsideText(a.Post.Mark(), h))
	d.InReplyTo = l.MessageID
	_, err = a.Replies.Limited(ctx, l, h.address, MostFixed, []string{"set aside", fmt.Sprint(t)}, d)
	return err
}

func setAsideText(mark string, h holder) string {
	return note(mark,
		"A letter came in answer to one of ours "+h.about+". The program failed over it, which is no fault of yours. Nothing in the letter was done.",
		"The letter is kept. When the program is mended it may be put back and carried out, if what it answers is still asked then.",
		"You need not wait for that: write your orders again in a new reply, if you can in other words.")
}
