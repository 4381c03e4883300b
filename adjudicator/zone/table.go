package zone

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"sync"
	"time"
)

// zoneArchive holds the rules of all zones: Go's copy of the time zone database. Package time would use it
// only on machines without their own.
//
//go:generate sh -c "cp $(go env GOROOT)/lib/time/zoneinfo.zip ."
//go:embed zoneinfo.zip
var zoneArchive string

// zones are the files of the table by zone name.
var zones = sync.OnceValue(func() map[string]*zip.File {
	r, err := zip.NewReader(bytes.NewReader([]byte(zoneArchive)), int64(len(zoneArchive)))
	if err != nil {
		panic(fmt.Sprintf("the table of time zones in this program: %v", err)) // TestEveryZone checks it
	}
	out := map[string]*zip.File{}
	for _, f := range r.File {
		if !f.FileInfo().IsDir() {
			out[f.Name] = f
		}
	}
	return out
})

func load(name string) (*time.Location, error) {
	f, isKnown := zones()[name]
	if !isKnown {
		return nil, fmt.Errorf("no time zone is called %q", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", name, err)
	}
	defer func() { _ = r.Close() }() // it reads from memory
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", name, err)
	}
	return time.LoadLocationFromTZData(name, data)
}
