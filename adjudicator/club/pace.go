package club

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// A player's pace is computed from the newest answers: at most MaxAnswerTimes, and at least minAnswerTimes.
	MaxAnswerTimes, minAnswerTimes = 20, 5
	// maxPace is the maximum time after WITHIN.
	maxPace = 30 * 24 * time.Hour
)

// Pace returns the median time of a player's answers; false if there are too few answers.
func Pace(answers []time.Duration) (time.Duration, bool) {
	if len(answers) < minAnswerTimes {
		return 0, false
	}
	sorted := slices.Sorted(slices.Values(answers))
	return sorted[len(sorted)/2], true
}

// DescribePace describes the pace of a player, e.g. "Answers within 5 hours (median of the last 20 answers).".
func DescribePace(answers []time.Duration) string {
	pace, ok := Pace(answers)
	if !ok {
		return fmt.Sprintf("Has given fewer than %d answers so far.", minAnswerTimes)
	}
	hours := int((pace + time.Hour - 1) / time.Hour)
	within := time.Duration(max(1, hours)) * time.Hour
	return fmt.Sprintf("Answers within %s (median of the last %d answers).", formatWithin(within), len(answers))
}

func formatWithin(d time.Duration) string {
	switch hours := int(d / time.Hour); {
	case hours == 1:
		return "an hour"
	case hours >= 48:
		return fmt.Sprintf("%d days", (hours+23)/24)
	default:
		return fmt.Sprintf("%d hours", hours)
	}
}

// readWithin reads the time after WITHIN in PAIR ME, e.g. "A DAY" or "12 HOURS".
func (r *MatchRequest) readWithin(w *fieldReader) error {
	number, unit := strings.ToUpper(w.next()), ""
	if n := strings.TrimLeft(number, "0123456789"); n != number && n != "" {
		number, unit = strings.TrimSuffix(number, n), n // "24h"
	} else {
		unit = strings.ToUpper(w.next())
	}
	n, err := strconv.Atoi(number)
	if number == "A" || number == "AN" {
		n, err = 1, nil
	}
	switch strings.TrimSuffix(strings.Trim(unit, ".,!"), "S") {
	case "H", "HOUR":
		r.Terms.Within = time.Duration(n) * time.Hour
	case "D", "DAY":
		r.Terms.Within = time.Duration(n) * 24 * time.Hour
	}
	if err != nil || r.Terms.Within < time.Hour || r.Terms.Within > maxPace || n > 1000 {
		return errors.New("after WITHIN write, in hours or days, how soon opponents usually answer, such as WITHIN 12 HOURS or " +
			"WITHIN 14 DAYS, 30 days at most")
	}
	return nil
}
