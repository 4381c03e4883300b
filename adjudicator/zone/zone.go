// Package zone finds time zones by the names that people give them, and writes times in
// them. The names and the rules of all zones are in the program, so that they are the same on
// every machine: zones that the machine has (such as posix/Europe/Warsaw, Local) are none here.
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
var list string

// places are the zones that are found by their cities, those of the table zone.tab of the
// time zone database. No two have a city of the same name.
var places = func() (out []place) {
	for _, n := range strings.Fields(list) {
		key := fold(n)
		out = append(out, place{n, key, key[:strings.Index(key, "/")], key[strings.LastIndex(key, "/")+1:]})
	}
	return out
}()

// place is a zone with what is compared.
type place struct{ name, key, area, city string }

// UTC is the zone of whoever has said none.
const UTC = "UTC"

// errOffset refuses what names no place.
var errOffset = errors.New("a number of hours knows no summer time. Write a city, such as TIMEZONE Europe/Warsaw, or UTC")

// ParseName is the zone that is meant by an IANA name, in any case, or by its city alone. The
// text is ASCII.
func ParseName(text string) (string, error) {
	key := fold(text)
	switch {
	case slices.Contains([]string{"utc", "z", "gmt", "etc/utc", "etc/gmt"}, key):
		return UTC, nil
	case offset(key):
		return "", errOffset
	}
	var like []string
	for _, p := range places {
		switch {
		case key == p.key, key == p.city:
			return p.name, nil
		case len(key) > 2 && strings.HasPrefix(p.city, key), key == p.area, slipped(key, p.city), slipped(key, p.key):
			like = append(like, p.name)
		}
	}
	// There are older names of zones; no city is looked for among them.
	if strings.Contains(text, "/") {
		if _, known := zones()[text]; known {
			return text, nil
		}
	}
	if letters(text) {
		return "", fmt.Errorf("%s is the time of half a year only, or of several places. Write a city, such as TIMEZONE Europe/Warsaw, or UTC",
			strings.ToUpper(text))
	}
	return "", unknown(text, like)
}

// mostNamed is how many zones a refusal names.
const mostNamed = 4

func unknown(text string, like []string) error {
	switch {
	case len(like) == 0:
		return fmt.Errorf("no time zone is called %q. Zones are called after the capital or the largest city of a country, such as "+
			"Europe/Warsaw or America/New_York; UTC is understood too", text)
	case len(like) > mostNamed:
		like = append(like[:mostNamed:mostNamed], "another")
	}
	return fmt.Errorf("no time zone is called %q. Did you mean %s?", text, strings.Join(like, " or "))
}

// fold makes one of the ways in which a name is written.
func fold(s string) string { return marks.Replace(strings.ToLower(s)) }

var marks = strings.NewReplacer(" ", "", "_", "", "-", "", ".", "", "'", "")

// offset reports whether a text is a number of hours from UTC.
func offset(key string) bool {
	for _, p := range []string{"etc/", "utc", "gmt"} {
		key = strings.TrimPrefix(key, p)
	}
	return key != "" && strings.Trim(key, "+:0123456789") == ""
}

// letters reports whether a text is short for the time of a part of the world.
func letters(text string) bool {
	return len(text) >= 2 && len(text) <= 5 && strings.HasSuffix(strings.ToUpper(text), "T") && !strings.ContainsAny(text, "/ ")
}

// slipped reports whether one letter is wrong, missing or too many in a longer name.
func slipped(a, b string) bool {
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

// Load is a zone by the name that Find gave; UTC where this program does not know it.
func Load(name string) *time.Location {
	if l, ok := loaded.Load(name); ok {
		return l.(*time.Location)
	}
	l, err := load(name)
	if err != nil {
		return time.UTC
	}
	loaded.Store(name, l)
	return l
}

// loaded are zones by their names. To read one takes longer than to write a letter without it,
// and there are a few hundred.
var loaded sync.Map

// FormatTime writes a time as it is in a zone, with the zone's short name.
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
