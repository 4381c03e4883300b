// Package zone finds time zones by name or city, and formats times in them. The time zone database is embedded in the program, so the zones
// are the same on every machine.
package zone

import (
	_ "embed" // names.txt
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed names.txt
var namesList string

// cities are the zones that can be found by city. They come from zone.tab of the time zone database. No city occurs
// twice.
var cities = func() (out []cityZone) {
	for _, n := range strings.Fields(namesList) {
		key := foldName(n)
		out = append(out, cityZone{n, key, key[:strings.Index(key, "/")], key[strings.LastIndex(key, "/")+1:]})
	}
	return out
}()

// cityZone is a zone with its name in lower case and the two parts of that name, e.g. {"Europe/Warsaw",
// "europe/warsaw", "europe", "warsaw"}.
type cityZone struct{ name, key, area, city string }

// UTC is the default zone.
const UTC = "UTC"

var errOffset = errors.New("a number of hours takes no account of summer time. Write a city, such as TIMEZONE Europe/Warsaw, or UTC")

// ParseName returns the zone for an IANA name, in upper or lower case, or for its city: "warsaw" is Europe/Warsaw. The
// text is ASCII.
func ParseName(text string) (string, error) {
	key := foldName(text)
	switch {
	case slices.Contains([]string{"utc", "z", "gmt", "etc/utc", "etc/gmt"}, key):
		return UTC, nil
	case isOffset(key):
		return "", errOffset
	}
	var similar []string
	for _, c := range cities {
		switch {
		case key == c.key, key == c.city:
			return c.name, nil
		case len(key) > 2 && strings.HasPrefix(c.city, key), key == c.area, isOneLetterOff(key, c.city), isOneLetterOff(key, c.key):
			similar = append(similar, c.name)
		}
	}
	// Older IANA names are accepted only in full, e.g. US/Eastern, and not by their cities.
	if strings.Contains(text, "/") {
		if _, isKnown := zones()[text]; isKnown {
			return text, nil
		}
	}
	if isAbbreviation(text) {
		return "", fmt.Errorf("%s is used in only half of the year, or in several places. Write a city, such as TIMEZONE "+
			"Europe/Warsaw, or UTC",
			strings.ToUpper(text))
	}
	return "", newUnknownZoneError(text, similar)
}

const maxSuggestions = 4

func newUnknownZoneError(text string, similar []string) error {
	question := "Did you mean"
	switch {
	case len(similar) == 0:
		return fmt.Errorf("no time zone is called %q. Zones are named after the capital or the largest city of a country, such as "+
			"Europe/Warsaw or America/New_York; UTC is understood too", text)
	case len(similar) > maxSuggestions:
		question, similar = "Did you mean, for example,", similar[:maxSuggestions]
	}
	return fmt.Errorf("no time zone is called %q. %s %s?", text, question, strings.Join(similar, " or "))
}

// foldName returns a name in lower case without punctuation and spaces: "America/New_York" -> "america/newyork".
func foldName(s string) string { return punctuationRemover.Replace(strings.ToLower(s)) }

var punctuationRemover = strings.NewReplacer(" ", "", "_", "", "-", "", ".", "", "'", "")

func isOffset(key string) bool {
	for _, p := range []string{"etc/", "utc", "gmt"} {
		key = strings.TrimPrefix(key, p)
	}
	return key != "" && strings.Trim(key, "+:0123456789") == ""
}

// isAbbreviation reports whether a text looks like a zone abbreviation, e.g. CET.
func isAbbreviation(text string) bool {
	return len(text) >= 2 && len(text) <= 5 && strings.HasSuffix(strings.ToUpper(text), "T") && !strings.ContainsAny(text, "/ ")
}

// isOneLetterOff reports whether two names of at least four letters differ by at most one wrong, missing or extra
// letter.
func isOneLetterOff(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return a[min(i+1-(len(b)-len(a)), len(a)):] == b[min(i+1, len(b)):]
}

// Load returns the zone with a name from ParseName, or UTC if it is unknown.
func Load(name string) *time.Location {
	if l, ok := locationCache.Load(name); ok {
		return l.(*time.Location)
	}
	l, err := load(name)
	if err != nil {
		return time.UTC
	}
	locationCache.Store(name, l)
	return l
}

// locationCache caches zones, because loading a zone takes longer than writing a letter.
var locationCache sync.Map

// FormatTime writes a time in a zone with the zone's abbreviation, for example "4 June 1989, 11:40 CEST".
func FormatTime(at time.Time, name string) string {
	at = at.In(Load(name))
	short, seconds := at.Zone()
	if strings.ContainsAny(short, "+-") {
		short = "UTC" + at.Format("-07")
		if seconds%3600 != 0 {
			short = "UTC" + at.Format("-07:00")
		}
	}
	return at.Format("2 January 2006, 15:04 ") + short
}
