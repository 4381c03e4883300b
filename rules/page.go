package rules

// Typesetter is a game that gives the standing parts of a letter unlaid, for
// pages that break lines themselves. It is optional: without it Sections are
// shown as they stand. A Page says what Sections say, word for word and in the
// same order.
type Typesetter interface {
	// Page are the parts that Sections lays out in columns.
	Page(v View) []Part
}

// Marker is a game that marks in the standing parts of a letter what events have
// changed. It is optional: without it nothing is marked.
type Marker interface {
	// Marked are Sections and, of a Typesetter, Page, with what the events changed
	// marked. The view's seat is an audience of them all. Without events both are
	// what Sections and Page give.
	Marked(v View, since []Event) ([]Section, []Part)
}

// Part is a titled part of a page.
type Part struct {
	Title  string
	Blocks []Block
}

// Block is a piece of a part: a paragraph, an entry of a list, or a table. What
// is empty is left out, and what there is stands in the order of the fields.
type Block struct {
	// Heading stands above the block.
	Heading string
	// Lead begins the first line of an entry or a paragraph: what the rest is
	// about. Label is a mark before it, such as a number, Aside a short remark
	// behind it.
	Label, Lead, Aside string
	// Text is a paragraph.
	Text string
	// Rows are the lines of a table.
	Rows []Row
}

// Row is a line of a table.
type Row struct {
	// Cells are the columns; all rows of a table have equally many. The first two
	// say what the row is about. Then comes a column for each side: as many as Sides
	// says, two where it is 0.
	Cells []string
	Sides int
	// Side numbers, from 1, the side that the row belongs to; 0 is nobody.
	Side int
	// Strong rows matter more than others, Changed ones show something new.
	Strong, Changed bool
}

// Headliner is a game that says in the subject of a letter where the match
// stands. It is optional.
type Headliner interface {
	// Headline says it in a few words, such as "turn 3 round 5", for the eyes of
	// the view's seat and of everybody who sees a list of letters.
	Headline(v View) string
	// Role is who the view's seat is in the match, such as "the Democrat". It tells
	// what everybody knows.
	Role(v View) string
}
