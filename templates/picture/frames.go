package picture

import (
	"bufio"
	"io"
	"slices"
	"strconv"
)

// Frames is a series of pictures of equal size with small differences, for example a map move by move. SVG writes
// every item once: items that occur in the same frames form a group, and a frame is a list of groups.
type Frames struct {
	first *Picture
	items []*frameItem
	// byText is the items by their SVG text.
	byText   map[string][]*frameItem
	elements Elements
	words    []string
}

// frameItem is an item of some frames.
type frameItem struct {
	text string
	// index is the item's index among all items.
	index int
	// frames are the indexes of its frames, ascending.
	frames []int
}

// Add appends a frame. The first frame sets the size, title and background.
func (f *Frames) Add(p *Picture) {
	if f.first == nil {
		f.first = &Picture{Width: p.Width, Height: p.Height, Title: p.Title, Back: p.Back}
		f.byText = map[string][]*frameItem{}
	}
	n := len(f.words)
	f.words = append(f.words, p.Words)
	// The search for an existing item starts after the last found item, so that every frame keeps
	// its order. New items follow their predecessor.
	previous := -1
	added := map[int][]*frameItem{}
	for _, i := range p.Items {
		text := f.elements.item(i)
		if text == "" {
			continue // The item is invisible.
		}
		candidates := f.byText[text]
		k := slices.IndexFunc(candidates, func(item *frameItem) bool { return item.index > previous })
		if k < 0 {
			added[previous] = append(added[previous], &frameItem{text: text, frames: []int{n}})
			continue
		}
		previous = candidates[k].index
		candidates[k].frames = append(candidates[k].frames, n)
	}
	if len(added) > 0 {
		f.insert(added)
	}
}

// insert inserts new items after their predecessors.
func (f *Frames) insert(added map[int][]*frameItem) {
	all := slices.Clone(added[-1])
	for i, item := range f.items {
		all = append(append(all, item), added[i]...)
	}
	f.items = all
	for _, items := range added {
		for _, item := range items {
			f.byText[item.text] = append(f.byText[item.text], item)
		}
	}
	for i, item := range all {
		item.index = i
	}
}

// Words returns the description of each frame.
func (f *Frames) Words() []string { return f.words }

func (f *Frames) groups() (out [][]*frameItem) {
	for i, item := range f.items {
		if i > 0 && slices.Equal(item.frames, f.items[i-1].frames) {
			out[len(out)-1] = append(out[len(out)-1], item)
			continue
		}
		out = append(out, []*frameItem{item})
	}
	return out
}

// Changes returns for each frame the groups that differ from the frame before; for the first frame, its groups.
// Groups are numbered from 0 in the order of SVG.
func (f *Frames) Changes() [][]int {
	out := make([][]int, len(f.words))
	for g, items := range f.groups() {
		in := items[0].frames
		for k, n := range in {
			if k == 0 || in[k-1] != n-1 {
				out[n] = append(out[n], g)
			}
			if next := n + 1; next < len(out) && (k == len(in)-1 || in[k+1] != next) {
				out[next] = append(out[next], g)
			}
		}
	}
	return out
}

// SVG writes the frames for embedding in a page, with the last frame visible. The title and
// description have the ids id-title and id-words.
func (f *Frames) SVG(w io.Writer, id string) error {
	b := bufio.NewWriter(w)
	s := svg{b}
	last := len(f.words) - 1
	if last < 0 {
		return nil
	}
	s.put(`<svg xmlns="http://www.w3.org/2000/svg" id="`, id, `" role="img" aria-labelledby="`, id, "-title ", id, `-words" viewBox="0 0 `,
		strconv.Itoa(f.first.Width), " ", strconv.Itoa(f.first.Height), `" font-family="`, fonts, "\">\n")
	s.put(`<title id="`, id, `-title">`)
	s.escape(f.first.Title)
	s.put("</title>\n", `<desc id="`, id, `-words">`)
	s.escape(f.words[last])
	s.put("</desc>\n")
	s.writeBackground(f.first.Back)
	for _, items := range f.groups() {
		if in := items[0].frames; in[len(in)-1] == last {
			s.put("<g>")
		} else {
			s.put(`<g display="none">`)
		}
		for _, item := range items {
			s.put(item.text)
		}
		s.put("</g>\n")
	}
	s.put("</svg>\n")
	return b.Flush()
}
