package order

import (
	_ "embed" // the words of tongues
	"slices"
	"strings"
	"sync"
)

//go:embed tongues.txt
var tonguesText string

// sense is what a word may do in an aside.
type sense int

const (
	unknown sense = iota
	// called words are names of no game.
	called
	common
	life
	// person words are for those who may have written what somebody else did not mean.
	person
	// soft words doubt what stands beside them where their sentence is not plainly about
	// something else.
	soft
	// mild words doubt too, unless it is something of daily life that they touch.
	mild
	doubt
)

// tongue is a language: what its words may do, and the beginnings of words.
type tongue struct {
	words, stems map[string]sense
	// longest is the length of the longest stem.
	longest int
}

// languages are what asides are read in, and idioms.
var languages = sync.OnceValues(func() ([]*tongue, map[string][][]string) { return readTongues(tonguesText) })

// tongues are the languages that asides are read in, English first.
func tongues() []*tongue {
	all, _ := languages()
	return all
}

// idioms doubt what stands beside them, though their words are of daily life, by their first
// words.
func idioms() map[string][][]string {
	_, all := languages()
	return all
}

var senses = map[string]sense{"common": common, "life": life, "persons": person, "soft": soft, "mild": mild, "doubt": doubt}

func readTongues(text string) (out []*tongue, idioms map[string][][]string) {
	out, idioms = []*tongue{english()}, map[string][][]string{}
	byName := map[string]*tongue{"english": out[0]}
	var in *tongue
	of, section := unknown, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case section == "idioms" && line[0] != '[':
			for phrase := range strings.SplitSeq(line, "|") {
				ws := strings.Fields(phrase)
				idioms[ws[0]] = append(idioms[ws[0]], ws)
			}
		case line[0] == '[':
			var name string
			name, section, _ = strings.Cut(strings.Trim(line, "[]"), " ")
			if in = byName[name]; in == nil {
				in = &tongue{words: map[string]sense{}, stems: map[string]sense{}}
				byName[name], out = in, append(out, in)
			}
			of = senses[section]
		default:
			for w := range strings.FieldsSeq(line) {
				in.add(w, of)
			}
		}
	}
	return out, idioms
}

// add gives a word a sense; the one that says most stays. A star stands for any ending.
func (t *tongue) add(w string, s sense) {
	in := t.words
	if stem, ok := strings.CutSuffix(w, "*"); ok {
		w, in = stem, t.stems
		t.longest = max(t.longest, len(stem))
	}
	if s == soft || s == mild || in[w] != soft && in[w] != mild && s > in[w] {
		in[w] = s
	}
}

// english has the words of remarks.
func english() *tongue {
	t := &tongue{words: map[string]sense{}, stems: map[string]sense{}}
	for of, list := range map[sense][]map[string]bool{
		common: {remarks().everyday, remarks().saying, remarks().turning},
		life:   {remarks().life},
		person: {remarks().persons},
		doubt:  {remarks().letters, remarks().against},
	} {
		for _, words := range list {
			for w := range words {
				t.add(w, of)
			}
		}
	}
	return t
}

// of is the sense of a word: its own, or that of its longest beginning.
func (t *tongue) of(w string) sense { return t.at(w, 2) }

// shortestStem is how long the beginning of a word has to be that is one of another language.
const shortestStem = 4

// at is of, with beginnings of so many letters at least.
func (t *tongue) at(w string, shortest int) sense {
	if s := t.words[w]; s != unknown {
		return s
	}
	for n := min(len(w), t.longest); n >= shortest; n-- {
		if s := t.stems[w[:n]]; s != unknown {
			return s
		}
	}
	return unknown
}

// doubtful reports whether a word that English does not know doubts in any language.
func (p *Parser) doubtful(w string) bool {
	doubts := func() bool {
		return slices.ContainsFunc(tongues(), func(t *tongue) bool { return t.at(w, shortestStem) == doubt })
	}
	if p.found == nil {
		return doubts()
	}
	return p.found.doubtful.get(w, doubts)
}
