package clock

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Tempo is the time control of a match. The zero Tempo is untimed.
type Tempo struct {
	// Bank is the time of a seat at the start. Increment is the time that it gains when it has answered all its open decisions. The
	// increment does not raise the remaining time above Cap.
	Bank, Increment, Cap time.Duration
	// Phase is the time for each question, instead of a bank.
	Phase time.Duration
	// Free is the free time of each week, for example weekends.
	Free FreeTime
}

const (
	minTime = time.Minute
	maxTime = 366 * 24 * time.Hour
)

var presets = []struct{ name, tempo string }{
	{"fast", "24h+4h<=72h"}, {"standard", "72h+12h<=120h"}, {"slow", "72h+36h<=240h"},
}

var (
	bankPattern  = regexp.MustCompile(`^(\d+[dhm])\+(\d+[dhm])<=(\d+[dhm])$`)
	phasePattern = regexp.MustCompile(`^phase\s*(\d+[dhm])$`)
)

// ParseTempo parses a tempo: "none", a preset like "standard", "72h+12h<=120h" (bank, increment,
// cap), "5d+1d<=10d", or "phase 48h". Free time may follow: "72h+12h<=120h free Sat Sun in Europe/Warsaw".
func ParseTempo(text string) (t Tempo, err error) {
	text, free, hasFree := strings.Cut(strings.ToLower(strings.Join(strings.Fields(text), " ")), " free ")
	if hasFree {
		if t.Free, err = parseFreeTime(free); err != nil {
			return Tempo{}, err
		}
	}
	for _, p := range presets {
		if text == p.name {
			text = p.tempo
		}
	}
	if text == "" || text == "none" {
		if hasFree {
			return Tempo{}, errors.New("a match without a time limit has no free time: write a tempo before the word free")
		}
		return Tempo{}, nil
	}
	if groups := phasePattern.FindStringSubmatch(text); groups != nil {
		t.Phase, err = parseDuration(groups[1])
	} else if groups := bankPattern.FindStringSubmatch(strings.ReplaceAll(text, " ", "")); groups != nil {
		for i, d := range []*time.Duration{&t.Bank, &t.Increment, &t.Cap} {
			if *d, err = parseDuration(groups[i+1]); err != nil {
				return Tempo{}, err
			}
		}
	} else {
		return Tempo{}, fmt.Errorf("%q is not a tempo: write none, fast, standard, slow, one such as 72h+12h<=120h or 5d+1d<=10d, or a time "+
			"for each phase, such as phase 48h. Free days may follow, as in slow free Sat Sun", text)
	}
	switch {
	case err != nil:
		return Tempo{}, err
	case t.Phase == 0 && t.Bank < minTime, t.Phase != 0 && t.Phase < minTime:
		return Tempo{}, fmt.Errorf("%q: a player must have at least one minute", text)
	case t.Phase == 0 && t.Cap < t.Bank:
		return Tempo{}, fmt.Errorf("%q: the cap, the most time that a player can have, is less than the time at the start", text)
	}
	return t, nil
}

func parseDuration(text string) (time.Duration, error) {
	unit := map[byte]time.Duration{'d': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute}[text[len(text)-1]]
	n, err := strconv.ParseInt(text[:len(text)-1], 10, 32)
	if err != nil || n > int64(maxTime/unit) {
		return 0, fmt.Errorf("%s is more than a year", text)
	}
	return time.Duration(n) * unit, nil
}

// IsUntimed reports whether no clock runs.
func (t Tempo) IsUntimed() bool { return t == Tempo{} }

// String writes the tempo in the form that ParseTempo reads.
func (t Tempo) String() string {
	free := ""
	if !t.Free.IsEmpty() {
		free = " free " + t.Free.String()
	}
	switch {
	case t.IsUntimed():
		return "none"
	case t.Phase > 0:
		return "phase " + formatDuration(t.Phase) + free
	}
	return formatDuration(t.Bank) + "+" + formatDuration(t.Increment) + "<=" + formatDuration(t.Cap) + free
}

func formatDuration(d time.Duration) string {
	if d%time.Hour != 0 {
		return strconv.Itoa(int(d/time.Minute)) + "m"
	}
	return strconv.Itoa(int(d/time.Hour)) + "h"
}

// TimeoutPolicy is the effect of a time-out.
type TimeoutPolicy string

const (
	// Claim allows the others to claim the win or to give time.
	Claim TimeoutPolicy = "claim"
	// Forfeit makes the seat lose after [ForfeitGrace]. In a game of many, the others may play on.
	Forfeit TimeoutPolicy = "forfeit"
	// Silence lets the referee give the default answer of the game. A decision without a default is handled as under Claim.
	Silence TimeoutPolicy = "silence"
)

// ForfeitGrace is the extra time between the time-out and the forfeit.
const ForfeitGrace = 12 * time.Hour

// ParseTimeoutPolicy parses "claim", "forfeit" or "silence"; empty is claim.
func ParseTimeoutPolicy(text string) (TimeoutPolicy, error) {
	switch policy := TimeoutPolicy(strings.ToLower(strings.TrimSpace(text))); policy {
	case "":
		return Claim, nil
	case Claim, Forfeit, Silence:
		return policy, nil
	}
	return "", fmt.Errorf("%q is not a time-out policy: write claim, forfeit or silence", text)
}

// Span is the time from From until before To. A zero To is an open end.
type Span struct {
	From time.Time `json:"from"`
	To   time.Time `json:"to,omitzero"`
}

func (s Span) hasEnded(at time.Time) bool { return !s.To.IsZero() && !s.To.After(at) }

func (s Span) isEmpty() bool { return s.hasEnded(s.From) }

// Pauses are the times in which the clock does not run: Spans, sorted and separate, and the free time of each week.
type Pauses struct {
	Spans []Span
	Free  FreeTime
}

// MergeSpans returns the pauses for spans in any order, which may overlap.
func MergeSpans(sets ...[]Span) Pauses {
	all := slices.DeleteFunc(slices.Concat(sets...), Span.isEmpty)
	slices.SortFunc(all, func(a, b Span) int { return a.From.Compare(b.From) })
	var out []Span
	for _, s := range all {
		if n := len(out); n > 0 && (out[n-1].To.IsZero() || !s.From.After(out[n-1].To)) {
			if last := &out[n-1]; !last.To.IsZero() && !s.hasEnded(last.To) {
				last.To = s.To
			}
			continue
		}
		out = append(out, s)
	}
	return Pauses{Spans: out}
}

// RunningTime returns how long the clock runs between two moments.
func (p Pauses) RunningTime(from, to time.Time) time.Duration {
	if !to.After(from) {
		return 0
	}
	running := to.Sub(from)
	for pause := range p.spansFrom(from) {
		if !pause.From.Before(to) {
			break
		}
		begin, end := later(pause.From, from), pause.To
		if end.IsZero() || end.After(to) {
			end = to
		}
		if end.After(begin) {
			running -= end.Sub(begin)
		}
	}
	return running
}

// TimeAfter returns the moment at which a clock that starts at the time from has used the remaining time. It returns
// false if a pause without an end comes first.
func (p Pauses) TimeAfter(from time.Time, remaining time.Duration) (time.Time, bool) {
	at := from
	for pause := range p.spansFrom(from) {
		switch {
		case remaining <= 0:
			return at, true
		case pause.hasEnded(at):
			continue
		}
		if run := max(0, pause.From.Sub(at)); run >= remaining {
			break
		} else {
			remaining -= run
		}
		if pause.To.IsZero() {
			return time.Time{}, false
		}
		at = pause.To
	}
	return at.Add(max(0, remaining)), true
}

// Contains reports whether the clock is paused at a moment.
func (p Pauses) Contains(at time.Time) bool {
	for pause := range p.spansFrom(at) {
		if pause.From.After(at) {
			break
		}
		if !pause.hasEnded(at) {
			return true
		}
	}
	return false
}

const (
	// minReminderGap is the minimum time between a question or reminder and the next reminder.
	minReminderGap = time.Hour
	// scanTolerance is the longest delay between the due time of an action and the scan that carries it out.
	scanTolerance = 5 * time.Minute
)

// reminderThresholds returns the remaining times at which a seat is reminded, the longest first: a day, six hours, and half
// of the time that the seat had at the start of the question. For example, 36, 24 and 6 hours if the seat had 72 hours.
func (c *Clock) reminderThresholds() []time.Duration {
	thresholds := []time.Duration{c.TimeLeft / 2, 24 * time.Hour, 6 * time.Hour}
	slices.SortFunc(thresholds, func(a, b time.Duration) int { return cmp.Compare(b, a) })
	return thresholds
}

// NextReminder returns the time of the next reminder; false for none. Reminders are never sent during or just before a pause.
func (c *Clock) NextReminder(pauses Pauses) (time.Time, bool) {
	if c.Flagged {
		return time.Time{}, false
	}
	at, ok := c.thresholdReminder(pauses)
	if end, isKnown := c.TimeoutAt(0, pauses); c.IsNudged() && isKnown {
		if nudge, isPossible := pauses.nextRunningTime(later(c.NudgedAt, c.LastReminder.Add(minReminderGap))); isPossible && nudge.Before(end) &&
			(!ok || nudge.Before(at)) {
			return nudge, true
		}
	}
	return at, ok
}

// IsNudged reports whether another player has asked for a reminder since the last reminder.
func (c *Clock) IsNudged() bool { return c.NudgedAt.After(c.LastReminder) }

// WasNudged reports whether another player has asked for a reminder of the current question.
func (c *Clock) WasNudged() bool { return c.ToMove && !c.NudgedAt.IsZero() }

// Nudge records that another player asks for a reminder now. It returns false if this is not allowed. It is allowed once for each
// question before the time-out is announced, when the question has used at least half of the bank on the clock that others see.
func (c *Clock) Nudge(t Tempo, now time.Time, pauses Pauses) bool {
	if !c.ToMove || c.Flagged || !c.NudgedAt.IsZero() || c.TimeLeft-c.PublicTimeLeft(now, pauses) < (t.Bank+t.Phase)/2 {
		return false
	}
	c.NudgedAt = roundTime(now)
	return true
}

func (c *Clock) thresholdReminder(pauses Pauses) (time.Time, bool) {
	limit := c.TimeLeft
	if c.LastReminderLeft > 0 {
		limit = c.LastReminderLeft
	}
	for _, remaining := range c.reminderThresholds() {
		if remaining >= limit || c.TimeLeft-remaining < minReminderGap {
			continue
		}
		at, ok := c.TimeoutAt(-remaining, pauses)
		if !ok {
			return time.Time{}, false
		}
		if !c.LastReminder.IsZero() && at.Before(c.LastReminder.Add(minReminderGap)) {
			continue
		}
		return pauses.nextRunningTime(at)
	}
	return time.Time{}, false
}

// nextRunningTime returns the first time, not before t, that is neither in a pause nor just before a pause; false if there is none.
func (p Pauses) nextRunningTime(t time.Time) (time.Time, bool) {
	for pause := range p.spansFrom(t) {
		if pause.From.Add(-scanTolerance).After(t) {
			break
		}
		if pause.hasEnded(t) {
			continue
		}
		if pause.To.IsZero() {
			return time.Time{}, false
		}
		t = pause.To
	}
	return t, true
}

// RecordReminder records a reminder.
func (c *Clock) RecordReminder(at time.Time, pauses Pauses) {
	c.LastReminder, c.LastReminderLeft = roundTime(at), c.TimeLeftAt(at, pauses)
}
