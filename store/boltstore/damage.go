package boltstore

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"go.etcd.io/bbolt"

	"sedmabot/store"
)

// deepest is the maximum size of a stack while Check runs. A damaged page may refer to itself.
const deepest = 64 << 20

// Check checks the file at path. It returns a store.ErrDamaged if the file is damaged, and another error if it can't be
// opened. It may also panic in any goroutine, or crash the process. So call it in a process that does nothing else.
func Check(path string) error {
	debug.SetMaxStack(deepest)
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
	if err != nil {
		return err
	}
	defer db.Close()
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return db.View(func(tx *bbolt.Tx) error {
		if info.Size() < tx.Size() {
			return damaged(path, fmt.Errorf("%w: it is cut short", store.ErrDamaged))
		}
		if _, bad := <-tx.Check(); bad { // its errors may quote keys
			return damaged(path, fmt.Errorf("%w: its pages", store.ErrDamaged))
		}
		sizes := map[string]int{string(documentsBucket): documentHead, string(jobsBucket): jobSize, string(rowsBucket): rowHead}
		var all []byte
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			return b.ForEach(func(_, value []byte) error {
				if all = append(all[:0], value...); len(all) < sizes[string(name)] { // reading all of it shows that it is there
					return damaged(path, fmt.Errorf("%w: its entries", store.ErrDamaged))
				}
				return nil
			})
		})
	})
}

// damaged wraps err as the error of a damaged file, with advice.
func damaged(path string, err error) error {
	return fmt.Errorf("the data file %s: %w: stop the bot, and restore a backup", path, err)
}

// transact runs f in a read-write transaction and commits it.
func transact(db *bbolt.DB, f func(*bbolt.Tx) error) error {
	return guarded(func() error {
		tx, err := db.Begin(true)
		if err != nil {
			return err
		}
		// After a commit this does nothing. Unlike bbolt's own cleanup after a panic, it doesn't read the file.
		defer func() { _ = tx.Rollback() }()
		if err := f(tx); err != nil {
			return err
		}
		return tx.Commit()
	})
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
