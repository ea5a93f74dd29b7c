package upkeep

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"sedmabot/bot/doc"
	"sedmabot/store"
)

// A backup consists of lines of JSON: a head, a line for each document, and a tail. If
// the tail is missing, the backup is truncated. The tail has a checksum of all lines
// before it, except in backups of earlier versions. Board rows and due marks are left out,
// because a restore makes them from the documents. A restore also computes expiry times
// again. Holds and recent event ids are left out, because only running processes need them.
type (
	// BackupHead is the first line of a backup.
	BackupHead struct {
		Backup int `json:"sedmabot_backup"` // version of the file's format; BackupFormat is the newest
		Schema int `json:"schema"`          // schema of the program that wrote the backup
		// At is when the backup was begun. Earlier versions didn't store it.
		At time.Time `json:"at,omitzero"`
	}
	// BackupLine is a document, or the tail, which has only Documents and Sum.
	BackupLine struct {
		Partition int             `json:"p"`
		Name      string          `json:"name,omitempty"`
		Doc       json.RawMessage `json:"doc,omitempty"`
		Documents *int            `json:"documents,omitempty"` // number of documents; only in the tail
		Sum       string          `json:"sum,omitempty"`       // SHA-256 of all lines before the tail
	}
)

// BackupFormat is the version of the line format. The content of a document has its
// own schema version.
const BackupFormat = 1

// passes is the maximum number of reads of a partition that keeps changing.
const passes = 20

// RestoreBatch is how many documents a restore writes in one commit.
const RestoreBatch = 64

// maxLine is the maximum length of a backup's line, in bytes.
const maxLine = 64 << 20

// Backup is the summary of a backup or a restore.
type Backup struct {
	Documents int
	Tables    int
	// Torn is how many partitions kept changing while they were read. Each of their
	// documents is intact, but together they aren't a consistent snapshot.
	Torn int
	// Skipped is the number of unreadable documents of each kind that were left out.
	Skipped map[string]int `json:",omitempty"`
	// At is when the backup was begun, or zero if it doesn't say.
	At time.Time `json:"-"`
}

// scanner reads documents from a store or another source.
type scanner interface {
	Scan(ctx context.Context, partition int, prefix, cursor string) ([]store.Doc, string, error)
}

// WriteBackup writes all documents of s to w. The bot may be running. If a partition
// doesn't change between two reads, the backup has a snapshot of it. Documents that
// can't be read, or couldn't be restored, are left out. now is stored as the backup's
// time.
func WriteBackup(ctx context.Context, s scanner, kinds map[string]doc.Kind, w io.Writer, now time.Time) (Backup, error) {
	b := Backup{Skipped: map[string]int{}}
	out, sum := bufio.NewWriterSize(w, 1<<16), sha256.New()
	lines := json.NewEncoder(io.MultiWriter(out, sum))
	lines.SetEscapeHTML(false) // keep documents unchanged, byte for byte
	if err := lines.Encode(BackupHead{BackupFormat, doc.Schema, now.UTC()}); err != nil {
		return b, err
	}
	for p := range store.Partitions {
		docs, bad, consistent, err := still(ctx, s, p)
		if err != nil {
			return b, fmt.Errorf("read the store: %w", err)
		}
		if !consistent {
			b.Torn++
		}
		for _, key := range bad {
			b.Skipped[key.Kind()]++
		}
		for _, stored := range docs {
			if !storable(stored, kinds) {
				b.Skipped[stored.Key.Kind()]++
				continue
			}
			if err := lines.Encode(BackupLine{Partition: p, Name: stored.Key.Name, Doc: stored.Data}); err != nil {
				return b, err
			}
			b.count(stored.Key.Name)
		}
	}
	if err := lines.Encode(BackupLine{Documents: &b.Documents, Sum: hex.EncodeToString(sum.Sum(nil))}); err != nil {
		return b, err
	}
	return b, out.Flush()
}

// Unreadable returns the numbers of documents, by kind, that can't be read or that a restore would refuse.
func Unreadable(ctx context.Context, s scanner, kinds map[string]doc.Kind) (map[string]int, error) {
	bad := map[string]int{}
	for p := range store.Partitions {
		docs, err := ScanAll(ctx, s, p)
		if d := (*store.Damaged)(nil); errors.As(err, &d) {
			for _, key := range d.Keys {
				bad[key.Kind()]++
			}
		} else if err != nil {
			return nil, fmt.Errorf("read the store: %w", err)
		}
		for _, stored := range docs {
			if !storable(stored, kinds) {
				bad[stored.Key.Kind()]++
			}
		}
	}
	return bad, nil
}

// storable reports whether a backup can contain a document, and a restore accepts it.
func storable(stored store.Doc, kinds map[string]doc.Kind) bool {
	if !utf8.ValidString(stored.Key.Name) || !json.Valid(stored.Data) {
		return false
	}
	_, err := restored(stored, time.Unix(1, 0), &survey{kinds: kinds}) // any time works for the check
	return err == nil || errors.Is(err, doc.ErrNewer)
}

func (b *Backup) count(name string) {
	b.Documents++
	if doc.KindOf(name) == "table" {
		b.Tables++
	}
}

// still reads a partition until two reads in a row are equal, so that the documents
// are a snapshot. complete is false if that never happened. bad has the keys of damaged
// documents.
func still(ctx context.Context, s scanner, partition int) (docs []store.Doc, bad []store.Key, complete bool, err error) {
	for pass := range passes {
		before := docs
		var d *store.Damaged
		if docs, err = ScanAll(ctx, s, partition); errors.As(err, &d) {
			bad = d.Keys
		} else if bad = nil; err != nil {
			return nil, nil, false, err
		}
		if pass > 0 && same(before, docs) {
			return docs, bad, true, nil
		}
	}
	return docs, bad, false, nil
}

// ScanAll returns all documents of a partition, except holds and recent event ids. If some
// are damaged, it returns the others and a store.Damaged with the keys of the damaged ones.
func ScanAll(ctx context.Context, s scanner, partition int) (all []store.Doc, damaged error) {
	var bad *store.Damaged // error of the first page with damaged documents; collects all keys
	for cursor := ""; ; {
		docs, next, err := s.Scan(ctx, partition, "", cursor)
		var d *store.Damaged
		switch {
		case errors.As(err, &d) && bad == nil:
			bad, damaged = d, err
		case d != nil:
			bad.Keys = append(bad.Keys, d.Keys...)
		case err != nil:
			return nil, err
		}
		for _, stored := range docs {
			if kind := doc.KindOf(stored.Key.Name); kind != "hold" && kind != "seen" {
				all = append(all, stored)
			}
		}
		if cursor = next; cursor == "" {
			return all, damaged
		}
	}
}

// same reports whether two reads returned the same versions of the same documents.
func same(a, b []store.Doc) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Key != b[i].Key || a[i].Version != b[i].Version {
			return false
		}
	}
	return true
}

// errNotEmpty reports that the store for a restore already contains documents.
var errNotEmpty = errors.New("the store is not empty: restore into a new one, so that nothing is lost or mixed")

// Restore fills the empty store s from a backup. It checks the whole backup first, so
// an invalid one writes nothing. That takes two or three reads of r. Tables continue
// from the time now.
func Restore(ctx context.Context, s store.Store, kinds map[string]doc.Kind, r io.ReadSeeker, now time.Time) (Backup, error) {
	for p := range store.Partitions {
		docs, err := ScanAll(ctx, s, p)
		if err != nil {
			return Backup{}, fmt.Errorf("read the store: %w", err)
		}
		if len(docs) > 0 {
			return Backup{}, errNotEmpty
		}
	}
	v := survey{kinds: kinds}
	if _, err := ReadBackup(r, func(stored store.Doc) error { return v.first(stored, now) }); err != nil {
		return Backup{}, err
	}
	again := func() error {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return fmt.Errorf("read the backup again: %w", err)
		}
		return nil
	}
	if v.incomplete() {
		if err := again(); err != nil {
			return Backup{}, err
		}
		if _, err := ReadBackup(r, v.second); err != nil {
			return Backup{}, err
		}
	}
	if err := again(); err != nil {
		return Backup{}, err
	}
	change := store.Change{Now: now}
	commit := func() error {
		if len(change.Writes) == 0 {
			return nil
		}
		err := s.Commit(ctx, change)
		if errors.Is(err, store.ErrConflict) {
			err = errNotEmpty
		}
		change = store.Change{Now: now}
		return err
	}
	b, err := ReadBackup(r, func(stored store.Doc) error {
		if stored.Key.Partition != change.Partition || len(change.Writes) == RestoreBatch {
			if err := commit(); err != nil {
				return err
			}
			change.Partition = stored.Key.Partition
		}
		one, err := restored(stored, now, &v)
		change.Writes, change.Rows, change.Due = append(change.Writes, one.Writes...), append(change.Rows, one.Rows...), append(change.Due, one.Due...)
		return err
	})
	if err == nil {
		err = commit()
	}
	if err != nil {
		return b, fmt.Errorf("restore (what was restored before stays: empty the store before the next attempt): %w", err)
	}
	return b, nil
}

// ErrNoBackup reports that a file isn't a backup of this program.
var ErrNoBackup = errors.New("this is no backup of sedmabot")

// headOf parses the first line of a backup.
func headOf(line []byte) (head BackupHead, err error) {
	if err := json.Unmarshal(line, &head); err != nil || head.Backup == 0 {
		return head, ErrNoBackup
	}
	return head, nil
}

// IsBackup reports whether a file begins like a backup.
func IsBackup(r io.Reader) bool {
	lines := bufio.NewScanner(r)
	lines.Scan()
	_, err := headOf(lines.Bytes())
	return err == nil
}

// ReadBackup calls f with each document of a backup. Its errors contain the number of
// the invalid line.
func ReadBackup(r io.Reader, f func(store.Doc) error) (Backup, error) {
	var b Backup
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	ended, n, sum := false, 1, sha256.New()
	for ; lines.Scan(); n++ {
		var line BackupLine
		var head BackupHead
		err := error(nil)
		switch {
		case ended:
			err = errors.New("something follows the end")
		case n == 1:
			head, err = headOf(lines.Bytes())
			if err == nil && (head.Backup > BackupFormat || head.Schema > doc.Schema) {
				err = errors.New("a newer sedmabot wrote this backup: restore it with that one")
			}
			b.At = head.At
		default:
			if err = json.Unmarshal(lines.Bytes(), &line); err != nil {
				break
			}
			if line.Documents != nil {
				if ended = true; *line.Documents != b.Documents {
					err = fmt.Errorf("%d documents stand before the end, %d should", b.Documents, *line.Documents)
				} else if line.Sum != "" && line.Sum != hex.EncodeToString(sum.Sum(nil)) {
					err = errors.New("the backup isn't as it was written: its checksum is another")
				}
				break
			}
			if line.Partition < 0 || line.Partition >= store.Partitions {
				err = fmt.Errorf("no partition %d", line.Partition)
				break
			}
			stored := store.Doc{Key: store.Key{Partition: line.Partition, Name: line.Name}, Version: 1, Data: line.Doc}
			b.count(line.Name)
			err = f(stored)
		}
		if errors.Is(err, ErrNoBackup) {
			return b, err
		}
		if err != nil {
			return b, fmt.Errorf("line %d: %w", n, err)
		}
		sum.Write(lines.Bytes())
		sum.Write([]byte{'\n'})
	}
	if n == 1 && (lines.Err() == nil || errors.Is(lines.Err(), bufio.ErrTooLong)) {
		return b, ErrNoBackup
	}
	if err := lines.Err(); err != nil {
		return b, fmt.Errorf("read the backup: %w", err)
	}
	if !ended {
		return b, errors.New("the backup is cut off: its last line is missing")
	}
	return b, nil
}

// restored returns the change that restores a document. The change includes everything
// derived from the document: board rows, due marks and its expiry time.
func restored(stored store.Doc, now time.Time, v *survey) (c store.Change, err error) {
	c = store.Change{Partition: stored.Key.Partition, Now: now}
	var e doc.Envelope
	if err := json.Unmarshal(stored.Data, &e); err != nil || e.V < 1 || e.D == nil {
		return c, fmt.Errorf("%w: %s", doc.ErrUnreadable, doc.KindOf(stored.Key.Name))
	}
	if doc.Newer(e.V) {
		return c, fmt.Errorf("a newer sedmabot wrote this document: restore it with that one: %w", doc.ErrNewer)
	}
	w := store.Write{Name: stored.Key.Name, Data: stored.Data}
	kind := v.kinds[doc.KindOf(stored.Key.Name)]
	if kind.Name == "seen" { // backups of earlier versions contain these; skip them
		return c, nil
	}
	if kind.Owner != nil {
		if err := kind.Check(stored); err != nil {
			return c, err
		}
	}
	if kind.New != nil {
		d := kind.New()
		if _, expires := d.(doc.Expiring); expires {
			if err := doc.Decode(stored, d); err != nil {
				return c, err
			}
			keep := false
			if w.Expires, keep = d.(doc.Expiring).Expiry(now); !keep {
				return c, nil // an earlier version left an empty document
			}
		}
	}
	if kind.Restore != nil {
		until := func(key store.Key) time.Time { return v.until(key, now) }
		if err := kind.Restore(&doc.Restored{Change: &c, Write: &w, Now: now, Until: until}, stored); err != nil {
			return c, err
		}
	}
	c.Writes = append(c.Writes, w)
	return c, c.Check()
}
