package tournament

// matching returns the largest number of pairs that can be formed, with each member in at most one pair. free reports
// whether two may be a pair. The algorithm is Edmonds' blossoms (J. Edmonds, Paths, Trees, and Flowers, 1965).
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
	for v := range of { // most vertices find a partner at once
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
		for end >= 0 { // all pairs along the path swap partners
			before := m.from[end]
			next := m.mate[before]
			m.mate[end], m.mate[before] = before, end
			end = next
		}
	}
	return pairs
}

// matcher searches for augmenting paths: each adds one pair to the matching.
type matcher struct {
	edge [][]bool
	mate []int // partner of each vertex, or -1
	from []int // previous vertex on the path from the root, for vertices at an odd distance; -1 if not reached
	base []int // base of the blossom that each vertex is in
}

// path finds an augmenting path from root to another vertex without a partner. On it, every second edge is a pair. It
// returns the last vertex of the path, or -1.
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
				// The path closes an odd cycle. From now on the whole cycle counts as one vertex.
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

// meet returns the vertex where the paths from the root to a and b part.
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

// mark marks the blossoms on the path from v to base, and sets from along it.
func (m *matcher) mark(inside []bool, v, base, child int) {
	for m.base[v] != base {
		inside[m.base[v]], inside[m.base[m.mate[v]]] = true, true
		m.from[v] = child
		child = m.mate[v]
		v = m.from[m.mate[v]]
	}
}
