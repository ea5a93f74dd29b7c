package redisstore

import (
	"fmt"

	"sedmabot/store"
)

// space holds the key prefix of each partition. The prefix contains the partition as its hash tag, so that a change stays
// in one slot of a Redis Cluster.
type space [store.Partitions]string

func newSpace(prefix string) *space {
	var s space
	for p := range s {
		s[p] = fmt.Sprintf("%s:{p%02d}:", prefix, p)
	}
	return &s
}

// document returns the key of a document, a string: see commit.lua.
func (s *space) document(p int, name string) string { return s[p] + "doc:" + name }

// names returns the key of a sorted set: the names of all documents, each with score 0, in the order of Scan.
func (s *space) names(p int) string { return s[p] + "names" }

// expires returns the key of a sorted set: the names of the documents that expire, by expiry.
func (s *space) expires(p int) string { return s[p] + "expires" }

// sequence returns the key of the counter for first versions.
func (s *space) sequence(p int) string { return s[p] + "sequence" }

// due returns the key of a sorted set: the parked jobs, by the time they are due.
func (s *space) due(p int) string { return s[p] + "due" }

// lease returns the key of a sorted set: the held jobs, by the time their lease expires.
func (s *space) lease(p int) string { return s[p] + "lease" }

// held returns the key of a hash: the holder's token of each held job.
func (s *space) held(p int) string { return s[p] + "held" }

// wake returns the key of a hash: when each held job that was marked meanwhile is due again.
func (s *space) wake(p int) string { return s[p] + "wake" }

// set returns the key of a sorted set: the parked jobs, by the time at which their due time was set. Jobs that an earlier
// program parked may be missing, and jobs that aren't parked may be left.
func (s *space) set(p int) string { return s[p] + "set" }

// ranking returns the key of a sorted set: a board's members by negated score.
func (s *space) ranking(p int, board string) string { return s[p] + "ranking:" + board }

// rows returns the key of a hash: the data of each member of a board.
func (s *space) rows(p int, board string) string { return s[p] + "rows:" + board }
