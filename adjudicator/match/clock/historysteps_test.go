package clock_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"samizdat/adjudicator/match/clock"
)

// happenings are what may happen to a seat.
var happenings = []func(*history){
	(*history).asked, (*history).asked, (*history).accepted, (*history).accepted, (*history).accepted, (*history).bounced, (*history).bounced, (*history).wrote,
	(*history).answers, (*history).answers, (*history).seals, (*history).unseals, (*history).askedOther, (*history).goes, (*history).goes,
	(*history).returns, (*history).halts, (*history).outage, (*history).outage, (*history).forward, (*history).back, (*history).restores, (*history).gives,
}

// asked lets the seat be asked, if it is not.
func (h *history) asked() {
	if h.clock.ToMove {
		return
	}
	h.say("asked")
	h.clock.StartQuestion(h.tempo)
	h.log.Asked(h.now)
	h.waiting, h.taken = nil, nil
	h.letter()
	if rapid.IntRange(0, 3).Draw(h.t, "at once") > 0 {
		h.accepted()
	}
}

func (h *history) accepted() {
	if len(h.waiting) == 0 {
		return
	}
	n := h.waiting[0]
	h.say("letter %d is taken", n)
	h.clock.RecordAccepted(int64(n), h.at(h.now))
	h.log.Accepted(n, h.now)
	h.waiting, h.taken = h.waiting[1:], append(h.taken, n)
}

func (h *history) bounced() {
	all := slices.Concat(h.taken, h.waiting)
	if len(all) == 0 {
		return
	}
	n := rapid.SampledFrom(all).Draw(h.t, "letter")
	h.say("letter %d bounces", n)
	h.clock.RecordBounce(int64(n), h.at(h.now), h.stops())
	h.log.Bounced(n, h.now)
	h.waiting = slices.DeleteFunc(slices.Clone(h.waiting), func(w int) bool { return w == n })
}

func (h *history) wrote() {
	h.say("writes")
	h.clock.RecordPlayerLetter(h.clock.EffectiveArrival(h.at(h.now), h.at(h.now)))
	h.log.Wrote(h.now)
	h.letter()
}

// answers lets a letter come that leaves nothing unanswered, and is read some minutes later,
// at the next look.
func (h *history) answers() {
	came := h.now
	h.now += h.draw("unread", 0, 4)
	h.answered(came)
	h.looks(h.now, true)
}

// answered lets a letter be read that came at a time.
func (h *history) answered(came int) {
	if !h.clock.ToMove || h.log.HasSealed() {
		return
	}
	if began, ok := h.log.Began(); ok {
		came = max(came, began)
	} else {
		came = h.now
	}
	at := h.clock.EffectiveArrival(h.at(came), h.at(h.now))
	h.say("answers, with a letter of %d", came)
	if late := h.late(at); late != h.log.Late(came) {
		h.fail("a letter of %d is late: %v", came, late)
	} else if late {
		return
	}
	h.clock.FinishQuestions(at, h.stops())
	h.clock.AddIncrement(h.tempo)
	h.log.Answered(came)
}

func (h *history) late(at time.Time) bool {
	beyond := time.Duration(0)
	switch h.zero {
	case clock.Claim:
		return false
	case clock.Forfeit:
		beyond = clock.ForfeitGrace
	}
	end, comes := h.clock.TimeoutAt(beyond, h.stops())
	return comes && !at.Before(end)
}

func (h *history) seals() {
	if h.clock.ToMove && !h.log.HasSealed() {
		h.say("gives a sealed answer")
		h.clock.RecordAnswered(h.at(h.now))
		h.log.Sealed(h.now)
	}
}

func (h *history) unseals() {
	if h.log.HasSealed() && h.clock.ToMove {
		h.say("takes it back")
		h.clock.RecordReopened(h.at(h.now))
		h.log.Sealed(h.now)
		h.letter()
	}
}

func (h *history) askedOther() {
	if !h.clock.ToMove {
		return
	}
	h.say("is asked something else")
	h.clock.StartNextQuestion(h.tempo, h.at(h.now), h.stops())
	h.log.AskedOther(h.now, h.now)
	h.waiting, h.taken = nil, nil
	h.letter()
	h.accepted()
}

// goes plans a vacation.
func (h *history) goes() {
	location, err := time.LoadLocation(rapid.SampledFrom([]string{"UTC", "Europe/Warsaw", "America/New_York"}).Draw(h.t, "zone"))
	if err != nil {
		h.t.Fatal(err)
	}
	begin := rapid.IntRange(0, 9).Draw(h.t, "begin")
	day := func(n int) string { return h.at(h.now).In(location).AddDate(0, 0, n).Format(time.DateOnly) }
	first, last := day(begin), day(begin+rapid.IntRange(0, 6).Draw(h.t, "days"))
	next, _, err := h.away.Add(first, last, location, h.at(h.now), 28)
	h.say("away from %s until %s, %s: %v", first, last, location, err)
	if err == nil {
		h.away = next
		h.log.Times.Absent(h.now, first, last, location)
	}
}

func (h *history) returns() {
	if next, _, err := h.away.End("", time.UTC, h.at(h.now)); err == nil {
		h.say("is not away")
		h.away = next
		h.log.Times.Returns(h.now)
	}
}

func (h *history) halts() {
	length := h.draw("length", 2, 5000)
	h.say("a pause of %d", length)
	h.pauses = append(h.pauses, clock.Span{From: h.at(h.now), To: h.at(h.now + length)})
	h.log.Times.Paused(h.now, h.now+length)
}

// outage is a time in which nobody looks. A letter may have come in it.
func (h *history) outage() {
	h.misses(h.draw("minutes", 6, 3000))
}

// forward is a clock that jumps, which looks the same.
func (h *history) forward() { h.misses(h.draw("minutes", 6, 20000)) }

func (h *history) misses(minutes int) {
	from := h.now
	h.now += minutes
	h.deaf = append(h.deaf, clock.Span{From: h.at(from), To: h.at(h.now)})
	h.log.Times.Deaf(from, h.now)
	h.say("nobody looked since %d", from)
	if rapid.Bool().Draw(h.t, "answered meanwhile") {
		h.answered(from + h.draw("came", 0, minutes))
	}
	h.looks(h.now, true)
}

// back is a clock that is set back.
func (h *history) back() {
	h.now = max(0, h.now-h.draw("minutes", 2, 5000))
	h.say("the clock is set back")
	h.deaf = slices.DeleteFunc(h.deaf, func(s clock.Span) bool { return !s.From.Before(h.at(h.now)) })
	for i := range h.deaf {
		if h.deaf[i].To.After(h.at(h.now)) {
			h.deaf[i].To = h.at(h.now)
		}
	}
	h.clock.ClampTimes(h.at(h.now))
	h.log.SetBack(h.now)
}

// restores puts back a backup from before some steps. What came since is read again.
func (h *history) restores() {
	if h.backup == nil || rapid.IntRange(0, 2).Draw(h.t, "make") == 0 {
		own := *h
		own.log, own.clock.QuestionLetters, own.deaf = h.log.Clone(), slices.Clone(h.clock.QuestionLetters), slices.Clone(h.deaf)
		h.backup = &own
		h.say("backup")
		return
	}
	b, current, sentences := h.backup, h.now, h.said
	if b.now+6 > current {
		return
	}
	*h = *b
	h.backup, h.said = nil, sentences
	h.say("restored")
	h.misses(current - b.now)
}

// gives lets others give time to a seat that has none.
func (h *history) gives() {
	if h.clock.Flagged && h.zero == clock.Claim && !h.log.HasSealed() {
		by := h.draw("by", 2, 3000)
		h.say("is given %d", by)
		h.clock.Extend(time.Duration(by)*time.Minute, h.at(h.now), h.stops())
		h.log.Extended(by, h.now)
	}
}
