package site

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// manifestFile is the file that lists the files of the site.
const manifestFile = ".samizdat-club"

// WriteResult counts the files of a site (pages, data, feeds): all files, the changed files and the removed files.
type WriteResult struct{ Files, Changed, Removed int }

// Write writes the pages of a club and their data, or only the data, to a directory. It creates a missing directory. It
// does not write files that have not changed, nor files of other programs. It removes pages that the club no longer
// has.
func (c *Club) Write(dir string, dataOnly bool) (w WriteResult, err error) {
	pages, err := c.renderPages()
	if err != nil {
		return w, err
	}
	if dataOnly {
		pages = slices.DeleteFunc(pages, func(p siteFile) bool { return strings.HasSuffix(p.name, ".html") })
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return w, fmt.Errorf("create the directory of the club's pages: %w", err)
	}
	oldFiles, err := listOwnFiles(dir)
	if err != nil {
		return w, err
	}
	var names []string
	for _, p := range pages {
		names = append(names, p.name)
	}
	slices.Sort(names)
	// The manifest is written before the files, so that it contains all files of the site even after an error.
	allFiles := slices.Compact(slices.Sorted(slices.Values(slices.Concat(names, oldFiles))))
	if _, err := writeIfChanged(filepath.Join(dir, manifestFile), []byte(strings.Join(allFiles, "\n")+"\n")); err != nil {
		return w, err
	}
	for _, p := range pages {
		hasChanged, err := writeIfChanged(filepath.Join(dir, p.name), p.text)
		if err != nil {
			return w, err
		}
		if w.Files++; hasChanged {
			w.Changed++
		}
	}
	for _, name := range oldFiles {
		if _, ok := slices.BinarySearch(names, name); ok {
			continue
		}
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return w, fmt.Errorf("remove a page of the club: %w", err)
		}
		w.Removed++
	}
	_, err = writeIfChanged(filepath.Join(dir, manifestFile), []byte(strings.Join(names, "\n")+"\n"))
	return w, err
}

func listOwnFiles(dir string) ([]string, error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the manifest of the club's pages: %w", err)
	}
	var out []string
	for name := range strings.FieldsSeq(string(text)) {
		if name == filepath.Base(name) && !strings.HasPrefix(name, ".") {
			out = append(out, name)
		}
	}
	return out, nil
}

// writeIfChanged writes a file atomically, readable for all users, unless it already has this content.
func writeIfChanged(path string, text []byte) (hasChanged bool, err error) {
	current, err := os.ReadFile(path)
	if err == nil && bytes.Equal(current, text) {
		return false, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("read the current page: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".samizdat-draft-*")
	if err != nil {
		return false, fmt.Errorf("write a page of the club: %w", err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return false, errors.Join(fmt.Errorf("write a page of the club: %w", err), os.Remove(f.Name()))
	}
	return true, nil
}
