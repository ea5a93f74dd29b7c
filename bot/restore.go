package bot

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"sedmabot/store"
)

// survey is what a restore has to know of a whole backup before it writes. It
// remembers the names of documents only if they are out of order, which those of
// WriteBackup are not, and tables only if a home chose how long its records stay.
type survey struct {
	kinds  map[string]Kind
	last   store.Key                // the latest document
	mixed  bool                     // the documents are out of order
	chosen map[string]time.Duration // how long homes keep records that chose it

	seen    map[[16]byte]bool               // the names of all documents, if mixed
	keeps   map[string]time.Duration        // by table, if a home chose
	shorter [store.Partitions]time.Duration // the shortest choice of a home below keepRecord; 0: none
}

// first checks a document alone, and notes what the second reading needs.
func (v *survey) first(doc store.Doc, now time.Time) error {
	if _, err := restored(doc, now, v); err != nil {
		return err
	}
	key := doc.Key
	switch {
	case key == v.last:
		return twice(doc)
	case key.Partition < v.last.Partition, key.Partition == v.last.Partition && key.Name < v.last.Name:
		v.mixed = true
	}
	v.last = key
	if home, ok := strings.CutPrefix(key.Name, "home:"); ok {
		var d homeDoc
		if err := decode(doc, &d); err != nil {
			return err
		}
		if keep := d.keeps(); keep != keepRecord {
			if v.chosen == nil {
				v.chosen = map[string]time.Duration{}
			}
			v.chosen[home] = keep
			if least := v.shorter[key.Partition]; keep < keepRecord && (least == 0 || keep < least) {
				v.shorter[key.Partition] = keep
			}
		}
	}
	return nil
}

// incomplete reports whether a second reading is needed.
func (v *survey) incomplete() bool { return v.mixed || len(v.chosen) > 0 }

// second finds documents that appear twice, and how long each table's records stay.
func (v *survey) second(doc store.Doc) error {
	if v.mixed {
		var id [16]byte
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", doc.Key.Partition, doc.Key.Name))
		copy(id[:], sum[:])
		if v.seen == nil {
			v.seen = map[[16]byte]bool{}
		}
		if v.seen[id] {
			return twice(doc)
		}
		v.seen[id] = true
	}
	kind, rest := kindAndRest(doc.Key.Name)
	if len(v.chosen) == 0 || kind != "table" && kind != "match" {
		return nil
	}
	var d struct {
		Home string `json:"home"`
	}
	if err := decode(doc, &d); err != nil {
		return err
	}
	keep, ok := v.chosen[d.Home]
	if !ok {
		keep = keepRecord
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
	return keepRecord
}

func twice(doc store.Doc) error {
	return fmt.Errorf("a document appears twice: %s", kindOf(doc.Key.Name))
}

// errElsewhere says that nothing would find the table where the backup has it.
var errElsewhere = errors.New("the table has another id than its name and its part say")

// checkTable checks a table that is to be restored.
func checkTable(t loaded, key store.Key) error {
	if p, ok := tablePartition(t.ID); !ok || p != key.Partition || tableName(t.ID) != key.Name {
		return fmt.Errorf("%w: table: %w", errUnreadable, errElsewhere)
	}
	if err := t.Check(); err != nil {
		return fmt.Errorf("%w: table: %w", errUnreadable, err)
	}
	return nil
}
