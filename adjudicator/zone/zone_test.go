package zone_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"samizdat/adjudicator/zone"
)

// TestEveryZone: each zone of the list is found by its name in any case, and by its city
// alone, and the program knows its times.
func TestEveryZone(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("names.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(file)) {
		city := name[strings.LastIndex(name, "/")+1:]
		for _, text := range []string{name, strings.ToLower(name), city, strings.ReplaceAll(strings.ToUpper(city), "_", " ")} {
			if got, err := zone.ParseName(text); got != name || err != nil {
				t.Errorf("%q is %q, %v", text, got, err)
			}
		}
		if l := zone.Load(name); l.String() != name {
			t.Errorf("the rules of %s are those of %s", name, l)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"UTC": "UTC", "gmt": "UTC", "Etc/UTC": "UTC", "Asia/Calcutta": "Asia/Calcutta", "port au prince": "America/Port-au-Prince",
		"new york": "America/New_York", "America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires",
	} {
		if got, err := zone.ParseName(text); got != want || err != nil {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for text, reason := range map[string]string{
		"+2": "takes no account of summer time", "UTC+1": "takes no account of summer time", "GMT-5": "takes no account of summer time", "Etc/GMT+1": "takes no account of summer time", "0100": "takes no account of summer time",
		"CET": "half of the year", "est": "EST is used in only half of the year", "PST": "half of the year",
		"Warsw": "Did you mean Europe/Warsaw?", "Warszaw": "Did you mean", "Europe/Varsaw": "Did you mean Europe/Warsaw?", "War": "Did you mean Europe/Warsaw?",
		"Europe": "Did you mean, for example, Europe/Amsterdam or ", "Krakow": "largest city", "Local": "largest city", "../../etc/passwd": "largest city", "": "largest city", "x": "largest city",
	} {
		if got, err := zone.ParseName(text); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
}

// TestWrite: times are those of the place, in summer and in winter, and the hour that
// comes twice is told apart.
func TestWrite(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ zone, at, want string }{
		{"UTC", "2026-07-01T10:00:00Z", "1 July 2026, 10:00 UTC"},
		{"", "2026-07-01T10:00:00Z", "1 July 2026, 10:00 UTC"},
		{"Nowhere/City", "2026-07-01T10:00:00Z", "1 July 2026, 10:00 UTC"},
		{"Europe/Warsaw", "2026-07-01T10:00:00Z", "1 July 2026, 12:00 CEST"},
		{"Europe/Warsaw", "2026-12-01T10:00:00Z", "1 December 2026, 11:00 CET"},
		{"Europe/Warsaw", "2026-10-25T00:30:00Z", "25 October 2026, 02:30 CEST"},
		{"Europe/Warsaw", "2026-10-25T01:30:00Z", "25 October 2026, 02:30 CET"},
		{"America/Sao_Paulo", "2026-07-01T10:00:00Z", "1 July 2026, 07:00 UTC-03"},
		{"Asia/Kathmandu", "2026-07-01T23:00:00Z", "2 July 2026, 04:45 UTC+05:45"},
	} {
		at, err := time.Parse(time.RFC3339, tt.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := zone.FormatTime(at, tt.zone); got != tt.want {
			t.Errorf("%s in %s: %q, want %q", tt.at, tt.zone, got, tt.want)
		}
	}
}

// TestOwnTable: what names a zone on some machines and not on others, or a file of the machine,
// is no zone.
func TestOwnTable(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"posix/Europe/Warsaw", "right/Europe/Warsaw", "posix/UTC", "right/UTC", "Local", "local", "localtime", "posixrules", "Factory",
		"leapseconds", "/etc/localtime", "../etc/localtime", "Europe/../Europe/Warsaw", "Europe/", "/Europe/Warsaw", "./Europe/Warsaw", "SystemV/PST8PDT"} {
		if got, err := zone.ParseName(name); err == nil {
			t.Errorf("%q is %q", name, got)
		}
		if l := zone.Load(name); l != time.UTC && name != "Factory" {
			t.Errorf("the rules of %q are those of %s", name, l)
		}
	}
}

// TestMachineHasNoSay: the rules are those of the program, also where the machine has a file of
// that name with others.
func TestMachineHasNoSay(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "Africa"), 0o755); err != nil {
		t.Fatal(err)
	}
	// One zone, 9 hours ahead, and no transitions.
	rules := "TZif" + strings.Repeat("\x00", 16+4*4) + "\x00\x00\x00\x01\x00\x00\x00\x04" + "\x00\x00\x7e\x90\x00\x00" + "JST\x00"
	if err := os.WriteFile(filepath.Join(dir, "Africa", "Algiers"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ZONEINFO", dir)
	at := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	if _, is := at.In(zone.Load("Africa/Algiers")).Zone(); is != 3600 {
		t.Errorf("Algiers is %d seconds ahead", is)
	}
	if l, err := time.LoadLocation("Africa/Algiers"); err != nil || at.In(l).Format("MST") != "JST" {
		t.Errorf("the machine's file is not read, so this tests nothing: %v, %v", at.In(l), err)
	}
}
