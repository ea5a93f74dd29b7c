package upkeep

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// survey is what a restore must know about a whole backup before it writes anything.
// It stores document names only if they are out of order, which WriteBackup never
// produces. It stores tables only if a home chose how long to keep records.
type survey struct {
	kinds  map[string]doc.Kind
	last   store.Key                // key of the previous document
	mixed  bool                     // the documents are out of order
	chosen map[string]time.Duration // how long homes keep records, if they chose a time

	ended map[string][]span // by table: its finished matches

	seen    map[[16]byte]bool               // hashes of all document keys, if mixed
	keeps   map[string]time.Duration        // how long to keep each table's records, if any home chose a time
	shorter [store.Partitions]time.Duration // by partition: the shortest time a home chose, if below doc.KeepRecord; 0: none
}

// span is a finished match with its deals.
type span struct {
	no, first, last int
	at              time.Time
}

// first checks one document in the first read, and collects data for the second read.
func (v *survey) first(stored store.Doc, now time.Time) error {
	if _, err := restored(stored, now, v); err != nil {
		return err
	}
	key := stored.Key
	switch {
	case key == v.last:
		return twice(stored)
	case key.Partition < v.last.Partition, key.Partition == v.last.Partition && key.Name < v.last.Name:
		v.mixed = true
	}
	v.last = key
	if rest, ok := strings.CutPrefix(key.Name, "match:"); ok {
		var m doc.Match
		if err := doc.Decode(stored, &m); err != nil {
			return err
		}
		if v.ended == nil {
			v.ended = map[string][]span{}
		}
		id, no, _ := strings.Cut(strings.Clone(rest), ":")
		n, _ := strconv.Atoi(no)
		v.ended[id] = append(v.ended[id], span{no: n, first: m.First, last: m.First + len(m.Seeds) - 1, at: m.At})
	}
	if home, ok := strings.CutPrefix(key.Name, "home:"); ok {
		var d doc.Home
		if err := doc.Decode(stored, &d); err != nil {
			return err
		}
		if keep := d.Keeps(); keep != doc.KeepRecord {
			if v.chosen == nil {
				v.chosen = map[string]time.Duration{}
			}
			v.chosen[home] = keep
			if least := v.shorter[key.Partition]; keep < doc.KeepRecord && (least == 0 || keep < least) {
				v.shorter[key.Partition] = keep
			}
		}
	}
	return nil
}

// incomplete reports whether a second read is needed.
func (v *survey) incomplete() bool { return v.mixed || len(v.chosen) > 0 }

// second handles one document in the second read. It detects duplicates, and records how
// long to keep each table's records.
func (v *survey) second(stored store.Doc) error {
	if v.mixed {
		var id [16]byte
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", stored.Key.Partition, stored.Key.Name))
		copy(id[:], sum[:])
		if v.seen == nil {
			v.seen = map[[16]byte]bool{}
		}
		if v.seen[id] {
			return twice(stored)
		}
		v.seen[id] = true
	}
	kind, rest := doc.KindAndRest(stored.Key.Name)
	if len(v.chosen) == 0 || kind != "table" && kind != "match" {
		return nil
	}
	var d struct {
		Home string `json:"home"`
	}
	if err := doc.Decode(stored, &d); err != nil {
		return err
	}
	keep, ok := v.chosen[d.Home]
	if !ok {
		keep = doc.KeepRecord
	}
	if v.keeps == nil {
		v.keeps = map[string]time.Duration{}
	}
	id, _, _ := strings.Cut(rest, ":")
	v.keeps[strings.Clone(id)] = keep
	return nil
}

// keep returns how long to keep a table's records. If the backup has neither the table
// nor a finished match of it, the home is unknown. Then the shortest time of any home
// in the partition applies. So no record stays longer than its home chose.
func (v *survey) keep(partition int, table string) time.Duration {
	if keep, ok := v.keeps[table]; ok {
		return keep
	}
	if keep := v.shorter[partition]; keep > 0 {
		return keep
	}
	return doc.KeepRecord
}

// until returns when a document about a finished match expires. The time begins at the end of the match. If the backup
// lacks the match, the time begins now.
func (v *survey) until(key store.Key, now time.Time) time.Time {
	kind, rest := doc.KindAndRest(key.Name)
	id, number, _ := strings.Cut(rest, ":")
	number, _, _ = strings.Cut(number, "|")
	no, _ := strconv.Atoi(number)
	last := doc.Match{At: now}
	for _, m := range v.ended[id] {
		within := m.no == no
		if kind == "record" {
			within = m.first <= no && no <= m.last
		}
		if within && !m.at.IsZero() && m.at.Before(now) {
			last.At = m.at
		}
	}
	return last.Expires(v.keep(key.Partition, id))
}

func twice(stored store.Doc) error {
	return fmt.Errorf("a document appears twice: %s", doc.KindOf(stored.Key.Name))
}
