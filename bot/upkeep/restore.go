package upkeep

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// survey is what a restore has to know of a whole backup before it writes. It
// remembers the names of documents only if they are out of order, which those of
// WriteBackup are not, and tables only if a home chose how long its records stay.
type survey struct {
	kinds  map[string]doc.Kind
	last   store.Key                // the latest document
	mixed  bool                     // the documents are out of order
	chosen map[string]time.Duration // how long homes keep records that chose it

	seen    map[[16]byte]bool               // the names of all documents, if mixed
	keeps   map[string]time.Duration        // by table, if a home chose
	shorter [store.Partitions]time.Duration // the shortest choice of a home below doc.KeepRecord; 0: none
}

// first checks a document alone, and notes what the second reading needs.
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

// incomplete reports whether a second reading is needed.
func (v *survey) incomplete() bool { return v.mixed || len(v.chosen) > 0 }

// second finds documents that appear twice, and how long each table's records stay.
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

// keep returns how long a record of a table stays. If neither the table nor a
// finished match is there to tell its home, the shortest time of all homes of the
// partition counts: nothing stays for longer than its home chose.
func (v *survey) keep(partition int, table string) time.Duration {
	if keep, ok := v.keeps[table]; ok {
		return keep
	}
	if keep := v.shorter[partition]; keep > 0 {
		return keep
	}
	return doc.KeepRecord
}

func twice(stored store.Doc) error {
	return fmt.Errorf("a document appears twice: %s", doc.KindOf(stored.Key.Name))
}
