package tournament

// matching is how many pairs can be made at most of these, each of whom may be
// in one, where free says who may be together: a largest matching, by Edmonds'
// blossoms (J. Edmonds, Paths, Trees, and Flowers, 1965).
func matching(of []int, free func(a, b int) bool) int {
	m := matcher{mate: make([]int, len(of)), edge: make([][]bool, len(of))}
	for i := range of {
		m.mate[i] = -1
		m.edge[i] = make([]bool, len(of))
		for j := range of {
			m.edge[i][j] = i != j && free(of[i], of[j])
		}
	}
	pairs := 0
	for v := range of { // most find somebody at once
		for to := v + 1; to < len(of) && m.mate[v] < 0; to++ {
			if m.edge[v][to] && m.mate[to] < 0 {
				m.mate[v], m.mate[to] = to, v
				pairs++
			}
		}
	}
	for v := range of {
		if m.mate[v] >= 0 {
			continue
		}
		end := m.path(v)
		if end < 0 {
			continue
		}
		pairs++
		for end >= 0 { // what was paired along the path changes partners
			before := m.from[end]
			next := m.mate[before]
			m.mate[end], m.mate[before] = before, end
			end = next
		}
	}
	return pairs
}

// matcher is a search for paths along which one pair more can be made.
type matcher struct {
	edge [][]bool
	mate []int // -1: none
	from []int // the one before on the way from the root, of those at an odd distance; -1: not reached
	base []int // of the blossom that each lies in
}

// path finds a way from root to another one without a mate, on which every other
// edge is a pair, and returns its end, or -1.
func (m *matcher) path(root int) int {
	n := len(m.mate)
	seen := make([]bool, n)
	m.from, m.base = make([]int, n), make([]int, n)
	for i := range n {
		m.from[i], m.base[i] = -1, i
	}
	seen[root] = true
	queue := []int{root}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for to := range n {
			switch {
			case !m.edge[v][to] || m.base[v] == m.base[to] || m.mate[v] == to:
			case to == root || m.mate[to] >= 0 && m.from[m.mate[to]] >= 0:
				// The way comes back to itself at an even distance: all of the circle is one from now on.
				base := m.meet(v, to)
				inside := make([]bool, n)
				m.mark(inside, v, base, to)
				m.mark(inside, to, base, v)
				for i := range n {
					if !inside[m.base[i]] {
						continue
					}
					m.base[i] = base
					if !seen[i] {
						seen[i] = true
						queue = append(queue, i)
					}
				}
			case m.from[to] < 0:
				m.from[to] = v
				if m.mate[to] < 0 {
					return to
				}
				seen[m.mate[to]] = true
				queue = append(queue, m.mate[to])
			}
		}
	}
	return -1
}

// meet is where the ways of two from the root part.
func (m *matcher) meet(a, b int) int {
	on := make([]bool, len(m.mate))
	for {
		a = m.base[a]
		on[a] = true
		if m.mate[a] < 0 {
			break
		}
		a = m.from[m.mate[a]]
	}
	for {
		b = m.base[b]
		if on[b] {
			return b
		}
		b = m.from[m.mate[b]]
	}
}

// mark notes the blossoms on the way from v to base, and the way on from v.
func (m *matcher) mark(inside []bool, v, base, child int) {
	for m.base[v] != base {
		inside[m.base[v]], inside[m.base[m.mate[v]]] = true, true
		m.from[v] = child
		child = m.mate[v]
		v = m.from[m.mate[v]]
	}
}
