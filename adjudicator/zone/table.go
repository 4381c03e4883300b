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

// zoneArchive is Go's copy of the time zone database. Package time would use the database of the machine instead.
//
//go:generate sh -c "cp $(go env GOROOT)/lib/time/zoneinfo.zip ."
//go:embed zoneinfo.zip
var zoneArchive string

// zones maps the name of each zone to its file in zoneArchive.
var zones = sync.OnceValue(func() map[string]*zip.File {
	r, err := zip.NewReader(bytes.NewReader([]byte(zoneArchive)), int64(len(zoneArchive)))
	if err != nil {
		panic(fmt.Sprintf("read the embedded time zone database: %v", err)) // This cannot happen: TestEveryZone reads the database.
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
	defer func() { _ = r.Close() }() // The file is in memory.
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", name, err)
	}
	return time.LoadLocationFromTZData(name, data)
}
