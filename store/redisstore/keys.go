package redisstore

import "fmt"

// space is the prefix of all keys. Every key of a partition carries the partition as its hash tag, so that a change
// stays in one slot of a Redis Cluster.
type space string

func (s space) partition(p int) string { return fmt.Sprintf("%s:{p%02d}:", s, p) }

// document is a string: see commit.lua.
func (s space) document(p int, name string) string { return s.partition(p) + "doc:" + name }

// names is a sorted set of the names of all documents, each with score 0: the order of Scan.
func (s space) names(p int) string { return s.partition(p) + "names" }

// expires is a sorted set of the names of the documents that expire, by when.
func (s space) expires(p int) string { return s.partition(p) + "expires" }

// sequence is the counter that gives versions and tokens.
func (s space) sequence(p int) string { return s.partition(p) + "sequence" }

// due is a sorted set of parked jobs, by when they are due.
func (s space) due(p int) string { return s.partition(p) + "due" }

// lease is a sorted set of held jobs, by when their lease ends.
func (s space) lease(p int) string { return s.partition(p) + "lease" }

// held is a hash of held jobs: the token of their holder.
func (s space) held(p int) string { return s.partition(p) + "held" }

// wake is a hash of held jobs that were marked meanwhile: when they are due again.
func (s space) wake(p int) string { return s.partition(p) + "wake" }

// ranking is a sorted set of a board's members by negated score.
func (s space) ranking(p int, board string) string { return s.partition(p) + "ranking:" + board }

// rows is a hash of a board's members: their data.
func (s space) rows(p int, board string) string { return s.partition(p) + "rows:" + board }
