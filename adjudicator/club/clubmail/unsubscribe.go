package clubmail

import (
	"context"
	"crypto/hmac"
	"errors"
	"strconv"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/exchange"
	"samizdat/adjudicator/match"
)

// Unsubscribe ends the digests of a member; token comes from the member's unsubscribe link. It reports whether the token
// is valid.
func (m *Mail) Unsubscribe(ctx context.Context, token string) (isValid bool, err error) {
	number, _, _ := strings.Cut(token, "-")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !hmac.Equal([]byte(token), []byte(m.replies.UnsubscribeToken(id))) {
		return false, nil
	}
	_, err = m.endDigests(ctx, id, nil)
	return true, err
}

// ReceiveComplaint implements adjudicator.Club.
func (m *Mail) ReceiveComplaint(ctx context.Context, incoming exchange.Letter) error {
	member, err := m.store.Member(ctx, incoming.Token.Member)
	if err != nil || member == nil || !incoming.HasToken(memberKey(m.replies, member)) {
		return err
	}
	var letters []exchange.OutgoingLetter
	if m.replies.Director != "" {
		outgoing := exchange.TextLetter("A letter was reported", m.replies.FormatNote("The mail provider of "+member.Name+" reports "+
			"a letter of the "+
			"club as unwanted. "+member.Name+" gets no more news of the club. Letters of matches go on."))
		outgoing.To = m.replies.Director
		if err := m.replies.RenderLetter(&outgoing, false); err != nil {
			return err
		}
		letters = []exchange.OutgoingLetter{outgoing}
	}
	ended, err := m.endDigests(ctx, member.ID, letters)
	if ended {
		m.replies.Log.WarnContext(ctx, "a letter of the club was reported as unwanted; the member gets no more news", "member", member.ID)
	}
	return err
}

// endDigests ends the digests of a member, and sends letters if the member got digests until now.
func (m *Mail) endDigests(ctx context.Context, id int64, letters []exchange.OutgoingLetter) (ended bool, err error) {
	const tries = 5
	for range tries {
		member, err := m.store.Member(ctx, id)
		if err != nil || member == nil || member.Settings.Digest == "" {
			return false, err
		}
		member.Settings.Digest, member.DigestDue = "", time.Time{}
		err = m.replies.Store.Apply(ctx, exchange.Change{Club: &club.Change{Members: []*club.Member{member}}, Letters: letters})
		if !errors.Is(err, match.ErrConflict) {
			return err == nil, err
		}
	}
	return false, match.ErrConflict
}
