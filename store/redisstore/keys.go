package redisstore

import (
	"fmt"

	"sedmabot/store"
)

// space is what the keys of each partition begin with. Every key of a partition carries the partition as its hash tag, so
// that a change stays in one slot of a Redis Cluster.
type space [store.Partitions]string

func newSpace(prefix string) *space {
	var s space
	for p := range s {
		s[p] = fmt.Sprintf("%s:{p%02d}:", prefix, p)
	}
	return &s
}

// document is a string: see commit.lua.
func (s *space) document(p int, name string) string { return s[p] + "doc:" + name }

// names is a sorted set of the names of all documents, each with score 0: the order of Scan.
func (s *space) names(p int) string { return s[p] + "names" }

// expires is a sorted set of the names of the documents that expire, by when.
func (s *space) expires(p int) string { return s[p] + "expires" }

// sequence is the counter that gives first versions and tokens.
func (s *space) sequence(p int) string { return s[p] + "sequence" }

// due is a sorted set of parked jobs, by when they are due.
func (s *space) due(p int) string { return s[p] + "due" }

// lease is a sorted set of held jobs, by when their lease ends.
func (s *space) lease(p int) string { return s[p] + "lease" }

// held is a hash of held jobs: the token of their holder.
func (s *space) held(p int) string { return s[p] + "held" }

// wake is a hash of held jobs that were marked meanwhile: when they are due again.
func (s *space) wake(p int) string { return s[p] + "wake" }

// ranking is a sorted set of a board's members by negated score.
func (s *space) ranking(p int, board string) string { return s[p] + "ranking:" + board }

// rows is a hash of a board's members: their data.
func (s *space) rows(p int, board string) string { return s[p] + "rows:" + board }
