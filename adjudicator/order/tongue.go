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

// lexicon is what stands in tongues.txt.
type lexicon struct {
	// tongues are the languages that asides are read in, English first.
	tongues []*tongue
	// Phrases are by their first words. Idioms doubt what stands beside them, though their words are
	// of daily life; those that set an order aside do so in its own sentence only.
	idioms, setAside map[string][][]string
	// marvelling phrases, surprises and praises begin banter. What is done so is what a keyword says.
	marvelling, surprises, praises, doneSo map[string][][]string
}

// languages are what letters are read in.
var languages = sync.OnceValue(func() *lexicon { return readTongues(tonguesText) })

// tongues are the languages that asides are read in, English first.
func tongues() []*tongue { return languages().tongues }

var senses = map[string]sense{"common": common, "life": life, "persons": person, "soft": soft, "mild": mild, "doubt": doubt}

func readTongues(text string) *lexicon {
	l := &lexicon{tongues: []*tongue{english()}, idioms: map[string][][]string{}, setAside: map[string][][]string{},
		marvelling: map[string][][]string{}, surprises: map[string][][]string{}, praises: map[string][][]string{}, doneSo: map[string][][]string{}}
	lists := map[string]map[string][][]string{"idioms": l.idioms, "set aside": l.setAside, "marvelling": l.marvelling, "surprises": l.surprises, "praises": l.praises, "done so": l.doneSo}
	byName := map[string]*tongue{"english": l.tongues[0]}
	var in *tongue
	of, list := unknown, lists[""]
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name, section, _ := strings.Cut(strings.Trim(line, "[]"), " ")
			if in = byName[name]; in == nil {
				in = &tongue{words: map[string]sense{}, stems: map[string]sense{}}
				byName[name], l.tongues = in, append(l.tongues, in)
			}
			if of, list = senses[section], lists[section]; of == unknown && list == nil {
				panic("tongues.txt: no section is called " + section)
			}
		case list != nil:
			for phrase := range strings.SplitSeq(line, "|") {
				ws := strings.Fields(phrase)
				list[ws[0]] = append(list[ws[0]], ws)
			}
		default:
			for w := range strings.FieldsSeq(line) {
				in.add(w, of)
			}
		}
	}
	return l
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
