package clubmail

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"samizdat/adjudicator/club"
	"samizdat/adjudicator/letter"
	"samizdat/adjudicator/match"
)

const (
	// minHookInterval is the minimum time between two new hooks of a member. It limits the requests that a member can
	// make the club send to other servers.
	minHookInterval  = 10 * time.Minute
	hookCodeLifetime = 24 * time.Hour
	hookCodeLength   = 12
)

// changeHook shows, sets, confirms or deletes the writer's web hook (NOTIFY). The club first sends a code to a new
// hook. The hook gets notices only after the member has mailed this code to the club.
func (s *accountService) changeHook(ctx context.Context, ans *answer, line letter.Line) error {
	o := line.Command.Hook
	h, err := s.store.Hook(ctx, ans.member.ID)
	if err != nil {
		return err
	}
	if len(ans.change.Hooks) > 0 {
		return ans.refuseLine(line, "Write only one NOTIFY in a letter.")
	}
	now := s.replies.Now()
	switch {
	case o.URL != "" && h != nil && now.Before(h.AskedAt.Add(minHookInterval)):
		return ans.refuseLine(line, "You have just named another address. Please wait ten minutes.")
	case o.URL != "":
		return s.sendHookCode(ans, line, now)
	case h == nil && (o.Off || o.Code != ""), o.Code != "" && h.State == club.HookConfirmed:
		return ans.refuseLine(line, "No web hook is set or waiting for a code. To set one, write NOTIFY and its address.")
	case !o.Off && o.Code == "":
		return ans.informLine(line, describeHook(h))
	case o.Off:
		// The hook stays stored, without kinds of notices, because minHookInterval is counted from its AskedAt.
		h.State, h.Kinds, h.Code = club.HookCodeSent, nil, ""
		ans.change.Hooks = []club.Hook{*h}
		return ans.confirmLine(line, "No more notices are sent to "+h.Host()+".")
	case h.Code == "" || strings.ReplaceAll(o.Code, "-", "") != h.Code || now.After(h.AskedAt.Add(hookCodeLifetime)):
		return ans.refuseLine(line, "The code is wrong or older than a day. To get a new one, write NOTIFY and the address.")
	}
	h.State, h.Code = club.HookConfirmed, ""
	ans.change.Hooks = []club.Hook{*h}
	return ans.confirmLine(line, "Notices go to "+h.Host()+" from now on. They show nothing that is hidden in a match. NOTIFY OFF ends "+
		"them.")
}

func describeHook(h *club.Hook) string {
	switch {
	case h == nil:
		return "No notices are sent. To get them, write NOTIFY and the address of a web hook."
	case h.State == club.HookConfirmed:
		return "Notices go to " + h.Host() + ". NOTIFY OFF ends that."
	case h.Code == "":
		return "No notices are sent."
	}
	return "We have sent a code to " + h.Host() + ". To confirm it, write NOTIFY CODE and the code."
}

func (s *accountService) sendHookCode(ans *answer, line letter.Line, now time.Time) error {
	o := line.Command.Hook
	h, err := club.NewHook(o.URL, o.Format, o.On, s.club.PrivateHooks)
	if err != nil {
		return ans.refuseLine(line, match.ErrorSentence(err))
	}
	h.ID, h.State, h.AskedAt, h.Code = ans.member.ID, club.HookCodeDue, now.UTC(), rand.Text()[:hookCodeLength]
	ans.change.Hooks = []club.Hook{h}
	return ans.confirmLine(line, fmt.Sprintf("We will send a code to %s as %s. To confirm the hook, answer NOTIFY CODE and the code.",
		h.Host(), h.Format))
}
