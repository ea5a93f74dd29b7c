package boltstore

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"sedmabot/store"
)

// Damage describes the damage of a data file. It holds no data, only numbers and kinds of documents.
type Damage struct {
	Empty     bool           // the file has no bytes
	Head      bool           // one of the file's two heads can't be read: the last change may be missing
	Pages     int            // pages that can't be read
	Lost      map[string]int // documents that can't be read or are missing, by kind
	Stale     []string       // kinds with some documents that are older than they should be
	Uncounted bool           // the file's sums can't be read, so more documents may be missing
	Rest      bool           // jobs, boards or indexes are damaged; a restore rebuilds them from the documents

	elsewhere bool // some lost documents are missing from the file, and not just damaged
}

// Any reports whether the file has any damage.
func (d Damage) Any() bool { return d.Empty || d.Head || d.Pages > 0 || d.Documents() || d.Rest }

// Documents reports whether documents are missing or outdated, or may be.
func (d Damage) Documents() bool { return len(d.Lost) > 0 || len(d.Stale) > 0 || d.Uncounted }

// Lacking returns an error unless the file at path certainly has all its documents.
func (d Damage) Lacking(path string) error {
	if d.Empty || d.Documents() {
		return damaged(path, fmt.Errorf("%w: %v", store.ErrDamaged, d))
	}
	return nil
}

// usable reports whether the bot can use the file. The last change may be missing, and single documents may be damaged if
// the file shows which. An empty file is usable, as somebody may have created it for the bot.
func (d Damage) usable() bool {
	return d.Pages == 0 && len(d.Stale) == 0 && !d.Uncounted && !d.Rest && !d.elsewhere
}

// String describes the damage in one line.
func (d Damage) String() string {
	var parts []string
	if d.Empty {
		parts = append(parts, "it is empty")
	}
	if len(d.Lost) > 0 {
		parts = append(parts, "documents that can't be read: "+store.Kinds(d.Lost))
	}
	if d.Uncounted {
		parts = append(parts, "more documents may be missing")
	}
	if len(d.Stale) > 0 {
		parts = append(parts, "older versions of documents: "+strings.Join(d.Stale, ", "))
	}
	if d.Pages > 0 {
		parts = append(parts, fmt.Sprintf("pages that can't be read: %d", d.Pages))
	}
	if d.Rest {
		parts = append(parts, "jobs or boards aren't what they should be")
	}
	if d.Head {
		parts = append(parts, "one of its two heads can't be read, so the last change may be missing")
	}
	return strings.Join(parts, "; ")
}

// Advice tells the user what to do about a damaged file.
const Advice = "stop the bot, then restore a backup, or save what can be read with `sedmabot backup --skip-damaged FILE` and restore that"

// damaged wraps err as the error of a damaged file, with the advice.
func damaged(path string, err error) error {
	return fmt.Errorf("the data file %s: %w: %s", path, err, Advice)
}

// guarded runs f, which uses bbolt. A panic of bbolt, or a fault while it reads the file through its memory map, becomes
// an error. The error shows where the panic happened, but not its message, which may quote the data.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("%w (%s)", store.ErrDamaged, panicked())
		}
	}()
	return f()
}

// panicked returns the source file and line of the panic that is being recovered.
func panicked() string {
	var callers [32]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for {
		frame, more := frames.Next()
		if !more || !strings.HasPrefix(frame.Function, "runtime.") {
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
	}
}
