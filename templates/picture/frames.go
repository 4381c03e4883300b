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
	first        *Picture
	items        []*frameItem
	byText       map[string][]*frameItem
	elements     Elements
	descriptions []string
}

type frameItem struct {
	text string
	// index is the item's index in Frames.items.
	index int
	// frames are the indexes of the frames that show the item, ascending.
	frames []int
}

// Add appends a frame. The first frame sets the size, title and background.
func (f *Frames) Add(p *Picture) {
	if f.first == nil {
		f.first = &Picture{Width: p.Width, Height: p.Height, Title: p.Title, Back: p.Back}
		f.byText = map[string][]*frameItem{}
	}
	n := len(f.descriptions)
	f.descriptions = append(f.descriptions, p.Words)
	// The search for an existing item starts after the last found item, so that every frame keeps
	// its order. New items follow their predecessor.
	previous := -1
	added := map[int][]*frameItem{}
	for _, i := range p.Items {
		text := f.elements.element(i)
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

// insert inserts new items. added maps the index of an item to the new items after it; -1 stands for the start.
func (f *Frames) insert(added map[int][]*frameItem) {
	items := slices.Clone(added[-1])
	for i, item := range f.items {
		items = append(append(items, item), added[i]...)
	}
	f.items = items
	for _, items := range added {
		for _, item := range items {
			f.byText[item.text] = append(f.byText[item.text], item)
		}
	}
	for i, item := range items {
		item.index = i
	}
}

// Descriptions returns the description of each frame.
func (f *Frames) Descriptions() []string { return f.descriptions }

// groups returns the groups of the SVG: neighbouring items that occur in the same frames.
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

// Changes returns for each frame the groups that appear or disappear compared with the previous frame; for the first
// frame it returns all groups of the frame. Groups are numbered from 0 in the order in which SVG writes them.
func (f *Frames) Changes() [][]int {
	out := make([][]int, len(f.descriptions))
	for g, items := range f.groups() {
		frames := items[0].frames
		for k, n := range frames {
			if k == 0 || frames[k-1] != n-1 {
				out[n] = append(out[n], g)
			}
			if next := n + 1; next < len(out) && (k == len(frames)-1 || frames[k+1] != next) {
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
	last := len(f.descriptions) - 1
	if last < 0 {
		return nil
	}
	s.writeParts(`<svg xmlns="http://www.w3.org/2000/svg" id="`, id, `" role="img" aria-labelledby="`, id, "-title ", id,
		`-words" viewBox="0 0 `,
		strconv.Itoa(f.first.Width), " ", strconv.Itoa(f.first.Height), `" font-family="`, fonts, "\">\n")
	s.writeParts(`<title id="`, id, `-title">`)
	s.writeEscaped(f.first.Title)
	s.writeParts("</title>\n", `<desc id="`, id, `-words">`)
	s.writeEscaped(f.descriptions[last])
	s.writeParts("</desc>\n")
	s.writeBackground(f.first.Back)
	for _, items := range f.groups() {
		if frames := items[0].frames; frames[len(frames)-1] == last {
			s.writeParts("<g>")
		} else {
			s.writeParts(`<g display="none">`)
		}
		for _, item := range items {
			s.writeParts(item.text)
		}
		s.writeParts("</g>\n")
	}
	s.writeParts("</svg>\n")
	return b.Flush()
}
