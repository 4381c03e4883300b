package pairing

import "slices"

// MinCostMatching pairs n vertices (n is even) with the smallest sum of costs. cost must be symmetric and not
// negative. The result holds the partner of each vertex; it depends only on the costs. The running time is O(n^3).
//
// The algorithm is Edmonds' blossom algorithm in its primal-dual form: Z. Galil, "Efficient
// algorithms for finding maximum matching in graphs", ACM Computing Surveys 18 (1986),
// https://doi.org/10.1145/6462.6502.
func MinCostMatching(n int, cost func(i, j int) int64) []int {
	if n == 0 {
		return nil
	}
	m := newMatching(n)
	var maximum int64
	for i := range n {
		for j := range i {
			maximum = max(maximum, cost(i, j))
		}
	}
	// The algorithm finds a matching of maximum weight. All pairs have a positive weight, so the
	// matching is complete.
	maximum++
	for i := range n {
		for j := range n {
			if i != j {
				m.edges[i+1][j+1].weight = maximum - cost(i, j)
			}
		}
	}
	m.solve()
	out := make([]int, n)
	for i := range out {
		out[i] = m.mate[i+1] - 1
	}
	return out
}

// edge is an edge between two vertices. For two blossoms it is the edge with the least slack between their vertices.
type edge struct {
	u, v   int
	weight int64
}

// label is the label of a vertex or blossom in the alternating trees of a phase.
type label int8

const (
	free  label = iota - 1 // in no tree
	outer                  // an even number of edges away from the root of the tree; each root is unmatched
	inner                  // an odd number of edges away from the root
)

// matching is the state of the algorithm. Vertices are 1 to n, blossoms n+1 to last; 0 means none. The indexes of
// the slices are vertices and blossoms.
type matching struct {
	n, last     int
	edges       [][]edge
	dual        []int64
	mate        []int   // the partner in the matching
	slackVertex []int   // the outer vertex whose edge to this vertex has the least slack
	top         []int   // the outermost blossom that contains the vertex
	parent      []int   // the parent in the alternating tree
	childWith   [][]int // childWith[b][v] is the child of blossom b that contains vertex v
	labels      []label
	visited     []int // the visitMark of the last visit (findCommonBase)
	visitMark   int
	children    [][]int // the children of a blossom, in the order of its cycle
	queue       []int   // the outer vertices whose edges growTrees must still scan
}

func newMatching(n int) *matching {
	size := 2*n + 1
	m := &matching{n: n, last: n, edges: make([][]edge, size), dual: make([]int64, size), mate: make([]int, size),
		slackVertex: make([]int, size), top: make([]int, size), parent: make([]int, size), childWith: make([][]int, size),
		labels: make([]label, size), visited: make([]int, size),
		children: make([][]int, size)}
	for u := range size {
		m.edges[u], m.childWith[u] = make([]edge, size), make([]int, n+1)
		if u <= n {
			m.top[u] = u
			m.childWith[u][u] = u
		}
		for v := range size {
			m.edges[u][v] = edge{u: u, v: v}
		}
	}
	return m
}

func (m *matching) solve() {
	var heaviest int64
	for u := 1; u <= m.n; u++ {
		for v := 1; v <= m.n; v++ {
			heaviest = max(heaviest, m.edges[u][v].weight)
		}
	}
	for u := 1; u <= m.n; u++ {
		m.dual[u] = heaviest
	}
	for m.phase() {
	}
}

// phase adds one pair to the matching. It returns false if no pair can be added.
func (m *matching) phase() bool {
	for x := range m.last + 1 {
		m.labels[x], m.slackVertex[x] = free, 0
	}
	m.queue = m.queue[:0]
	for x := 1; x <= m.last; x++ {
		if m.top[x] == x && m.mate[x] == 0 {
			m.parent[x], m.labels[x] = 0, outer
			m.enqueue(x)
		}
	}
	if len(m.queue) == 0 {
		return false
	}
	for {
		if m.growTrees() {
			return true
		}
		if !m.adjustDuals() {
			return false
		}
		m.queue = m.queue[:0]
		for x := 1; x <= m.last; x++ {
			if s := m.slackVertex[x]; m.top[x] == x && s != 0 && m.top[s] != x && m.slackOf(m.edges[s][x]) == 0 &&
				m.processTightEdge(m.edges[s][x]) {
				return true
			}
		}
		for b := m.n + 1; b <= m.last; b++ {
			if m.top[b] == b && m.labels[b] == inner && m.dual[b] == 0 {
				m.expand(b)
			}
		}
	}
}

// growTrees grows the alternating trees along edges without slack, and reports whether two trees met.
func (m *matching) growTrees() bool {
	for len(m.queue) > 0 {
		u := m.queue[0]
		m.queue = m.queue[1:]
		if m.labels[m.top[u]] == inner {
			continue
		}
		for v := 1; v <= m.n; v++ {
			e := m.edges[u][v]
			if e.weight <= 0 || m.top[u] == m.top[v] {
				continue
			}
			if m.slackOf(e) != 0 {
				m.updateSlack(u, m.top[v])
			} else if m.processTightEdge(e) {
				return true
			}
		}
	}
	return false
}

// adjustDuals changes the dual variables as far as possible. It returns false if no further pair is possible.
func (m *matching) adjustDuals() bool {
	delta := m.dualStep()
	for u := 1; u <= m.n; u++ {
		switch m.labels[m.top[u]] {
		case outer:
			if m.dual[u] <= delta {
				return false
			}
			m.dual[u] -= delta
		case inner:
			m.dual[u] += delta
		}
	}
	for b := m.n + 1; b <= m.last; b++ {
		if m.top[b] != b {
			continue
		}
		switch m.labels[b] {
		case outer:
			m.dual[b] += 2 * delta
		case inner:
			m.dual[b] -= 2 * delta
		}
	}
	return true
}

func (m *matching) dualStep() int64 {
	delta := int64(1) << 62
	for b := m.n + 1; b <= m.last; b++ {
		if m.top[b] == b && m.labels[b] == inner {
			delta = min(delta, m.dual[b]/2)
		}
	}
	for x := 1; x <= m.last; x++ {
		if m.top[x] != x || m.slackVertex[x] == 0 {
			continue
		}
		switch d := m.slackOf(m.edges[m.slackVertex[x]][x]); m.labels[x] {
		case free:
			delta = min(delta, d)
		case outer:
			delta = min(delta, d/2)
		}
	}
	return delta
}

// processTightEdge processes an edge without slack from an outer vertex, and reports whether two trees met.
func (m *matching) processTightEdge(e edge) bool {
	u, v := m.top[e.u], m.top[e.v]
	switch m.labels[v] {
	case free:
		m.parent[v], m.labels[v] = e.u, inner
		next := m.top[m.mate[v]]
		m.slackVertex[v], m.slackVertex[next], m.labels[next] = 0, 0, outer
		m.enqueue(next)
	case outer:
		base := m.findCommonBase(u, v)
		if base == 0 {
			m.augment(u, v)
			m.augment(v, u)
			return true
		}
		m.shrink(u, base, v)
	}
	return false
}

func (m *matching) slackOf(e edge) int64 {
	return m.dual[e.u] + m.dual[e.v] - 2*m.edges[e.u][e.v].weight
}

func (m *matching) updateSlack(u, x int) {
	if s := m.slackVertex[x]; s == 0 || m.slackOf(m.edges[u][x]) < m.slackOf(m.edges[s][x]) {
		m.slackVertex[x] = u
	}
}

func (m *matching) recomputeSlack(x int) {
	m.slackVertex[x] = 0
	for u := 1; u <= m.n; u++ {
		if m.edges[u][x].weight > 0 && m.top[u] != x && m.labels[m.top[u]] == outer {
			m.updateSlack(u, x)
		}
	}
}

func (m *matching) enqueue(x int) {
	if x <= m.n {
		m.queue = append(m.queue, x)
		return
	}
	for _, c := range m.children[x] {
		m.enqueue(c)
	}
}

// setTop records that x and its vertices are in the outermost blossom b.
func (m *matching) setTop(x, b int) {
	m.top[x] = b
	if x > m.n {
		for _, c := range m.children[x] {
			m.setTop(c, b)
		}
	}
}

// orientCycle orients the cycle of a blossom so that the path from the base to a child has an even number of edges, and
// returns the index of the child.
func (m *matching) orientCycle(b, child int) int {
	c := m.children[b]
	at := slices.Index(c, child)
	if at%2 == 0 {
		return at
	}
	slices.Reverse(c[1:])
	return len(c) - at
}

// setMate matches u with v, and the vertices inside the blossom u accordingly.
func (m *matching) setMate(u, v int) {
	e := m.edges[u][v]
	m.mate[u] = e.v
	if u <= m.n {
		return
	}
	child := m.childWith[u][e.u]
	at := m.orientCycle(u, child)
	for i := range at {
		m.setMate(m.children[u][i], m.children[u][i^1])
	}
	m.setMate(child, v)
	m.children[u] = append(slices.Clone(m.children[u][at:]), m.children[u][:at]...)
}

// augment matches u with v and flips the path from u to the root of its tree.
func (m *matching) augment(u, v int) {
	for {
		next := m.top[m.mate[u]]
		m.setMate(u, v)
		if next == 0 {
			return
		}
		m.setMate(next, m.top[m.parent[next]])
		u, v = m.top[m.parent[next]], next
	}
}

// findCommonBase returns the vertex or blossom at which the paths from two outer vertices to their roots meet. It returns 0 if
// the vertices are in different trees.
func (m *matching) findCommonBase(u, v int) int {
	m.visitMark++
	for u != 0 || v != 0 {
		if u != 0 {
			if m.visited[u] == m.visitMark {
				return u
			}
			m.visited[u] = m.visitMark
			if u = m.top[m.mate[u]]; u != 0 {
				u = m.top[m.parent[u]]
			}
		}
		u, v = v, u
	}
	return 0
}

// shrink makes a blossom of the cycle that the edge from u to v closes. base is the vertex or blossom at which the paths from u and
// v to the root meet (findCommonBase).
func (m *matching) shrink(u, base, v int) {
	b := m.n + 1
	for b <= m.last && m.top[b] != 0 {
		b++
	}
	m.last = max(m.last, b)
	m.dual[b], m.labels[b], m.mate[b] = 0, outer, m.mate[base]
	m.children[b] = append(m.children[b][:0], base)
	addPath := func(x int) {
		for x != base {
			y := m.top[m.mate[x]]
			m.children[b] = append(m.children[b], x, y)
			m.enqueue(y)
			x = m.top[m.parent[y]]
		}
	}
	addPath(u)
	slices.Reverse(m.children[b][1:])
	addPath(v)
	m.setTop(b, b)
	for x := 1; x <= m.last; x++ {
		m.edges[b][x].weight, m.edges[x][b].weight = 0, 0
	}
	clear(m.childWith[b])
	for _, c := range m.children[b] {
		for x := 1; x <= m.last; x++ {
			if m.edges[b][x].weight == 0 || m.slackOf(m.edges[c][x]) < m.slackOf(m.edges[b][x]) {
				m.edges[b][x], m.edges[x][b] = m.edges[c][x], m.edges[x][c]
			}
		}
		for x := 1; x <= m.n; x++ {
			if m.childWith[c][x] != 0 {
				m.childWith[b][x] = c
			}
		}
	}
	m.recomputeSlack(b)
}

// expand dissolves a blossom into its children.
func (m *matching) expand(b int) {
	for _, c := range m.children[b] {
		m.setTop(c, c)
	}
	child := m.childWith[b][m.edges[b][m.parent[b]].u]
	at := m.orientCycle(b, child)
	for i := 0; i < at; i += 2 {
		c, next := m.children[b][i], m.children[b][i+1]
		m.parent[c] = m.edges[next][c].u
		m.labels[c], m.labels[next] = inner, outer
		m.slackVertex[c] = 0
		m.recomputeSlack(next)
		m.enqueue(next)
	}
	m.labels[child], m.parent[child] = inner, m.parent[b]
	for _, c := range m.children[b][at+1:] {
		m.labels[c] = free
		m.recomputeSlack(c)
	}
	m.top[b] = 0
}
