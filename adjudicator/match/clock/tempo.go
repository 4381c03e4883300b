package clock

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Tempo is the time control of a match. The zero Tempo is untimed.
type Tempo struct {
	// Bank is the time at the start, Increment the gain after each answer, and Cap the maximum.
	Bank, Increment, Cap time.Duration
	// Phase is the time for each question, instead of a bank.
	Phase time.Duration
}

const (
	minTime = time.Minute
	maxTime = 366 * 24 * time.Hour
)

var presets = []struct{ name, tempo string }{
	{"fast", "24h+4h<=72h"}, {"standard", "72h+12h<=120h"}, {"slow", "72h+36h<=240h"},
}

var (
	bankForm  = regexp.MustCompile(`^(\d+[dhm])\+(\d+[dhm])<=(\d+[dhm])$`)
	phaseForm = regexp.MustCompile(`^phase\s*(\d+[dhm])$`)
)

// ParseTempo parses a tempo: "none", a preset like "standard", "72h+12h<=120h" (bank, increment,
// cap), "5d+1d<=10d", or "phase 48h".
func ParseTempo(text string) (t Tempo, err error) {
	text = strings.ToLower(strings.TrimSpace(text))
	for _, p := range presets {
		if text == p.name {
			text = p.tempo
		}
	}
	if text == "" || text == "none" {
		return Tempo{}, nil
	}
	if m := phaseForm.FindStringSubmatch(text); m != nil {
		t.Phase, err = parseDuration(m[1])
	} else if m := bankForm.FindStringSubmatch(strings.ReplaceAll(text, " ", "")); m != nil {
		for i, d := range []*time.Duration{&t.Bank, &t.Increment, &t.Cap} {
			if *d, err = parseDuration(m[i+1]); err != nil {
				return Tempo{}, err
			}
		}
	} else {
		return Tempo{}, fmt.Errorf("%q is no tempo: write none, fast, standard, slow, one such as 72h+12h<=120h or 5d+1d<=10d, or a time a "+
			"phase, such as phase 48h", text)
	}
	switch {
	case err != nil:
		return Tempo{}, err
	case t.Phase == 0 && t.Bank < minTime, t.Phase != 0 && t.Phase < minTime:
		return Tempo{}, fmt.Errorf("%q: a player needs a minute at least", text)
	case t.Phase == 0 && t.Cap < t.Bank:
		return Tempo{}, fmt.Errorf("%q: the most that a player can have is less than what he begins with", text)
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
	switch {
	case t.IsUntimed():
		return "none"
	case t.Phase > 0:
		return "phase " + formatDuration(t.Phase)
	}
	return formatDuration(t.Bank) + "+" + formatDuration(t.Increment) + "<=" + formatDuration(t.Cap)
}

func formatDuration(d time.Duration) string {
	if d%time.Hour != 0 {
		return strconv.Itoa(int(d/time.Minute)) + "m"
	}
	return strconv.Itoa(int(d/time.Hour)) + "h"
}

// TimeoutPolicy is the effect of a time-out.
type TimeoutPolicy string

// The policies.
const (
	// Claim allows the others to claim the win or to give time.
	Claim TimeoutPolicy = "claim"
	// Forfeit ends the match after [ForfeitGrace].
	Forfeit TimeoutPolicy = "forfeit"
	// Silence lets the game answer for the seat. Decisions without a default answer are as with
	// Claim.
	Silence TimeoutPolicy = "silence"
)

// ForfeitGrace is the extra time between the time-out and the forfeit.
const ForfeitGrace = 12 * time.Hour

// ParseTimeoutPolicy parses "claim", "forfeit" or "silence"; empty is claim.
func ParseTimeoutPolicy(text string) (TimeoutPolicy, error) {
	switch z := TimeoutPolicy(strings.ToLower(strings.TrimSpace(text))); z {
	case "":
		return Claim, nil
	case Claim, Forfeit, Silence:
		return z, nil
	}
	return "", fmt.Errorf("%q is not what happens at zero: write claim, forfeit or silence", text)
}
