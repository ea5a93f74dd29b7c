package work

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// lockFile is a file by which the holders on one machine see which of them live.
// Each locks a byte of it before it holds anything. The lock ends when the holder
// has stopped, or when its process is gone, also by a kill, and not before.
//
// Two lock files have the same name only if they are the same file, opened under
// the same kernel. So if a holder's document has the name of the reader's own lock
// file, and the holder's byte is not locked, that holder is dead.
type lockFile struct {
	name string
	file *os.File
}

// openLock opens the lock file in the first of the directories where that works,
// and locks the holder's byte. It makes the file if there is none.
func openLock(holder string, dirs ...string) (*lockFile, error) {
	wrong := errors.New("no directory for the lock file")
	for _, dir := range dirs {
		p, err := openLockIn(dir, holder)
		if err == nil {
			return p, nil
		}
		wrong = err
	}
	return nil, wrong
}

func openLockIn(dir, holder string) (p *lockFile, err error) {
	boot, err := bootID()
	if err != nil {
		return nil, fmt.Errorf("name the running system: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("sedmabot-%d.hold", os.Getuid()))
	f, err := openOrMake(path)
	if err != nil {
		return nil, fmt.Errorf("open the lock file: %w", err)
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	device, number, err := identity(f)
	if err != nil {
		return nil, fmt.Errorf("the lock file %s: %w", path, err)
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<10))
	if err != nil || len(text) < len(rand.Text()) {
		return nil, errors.Join(fmt.Errorf("the lock file %s is not this program's: delete it", path), err)
	}
	sum := sha256.Sum256(fmt.Appendf(text, "\n%s\n%d %d", boot, device, number))
	p = &lockFile{name: hex.EncodeToString(sum[:16]), file: f}
	if err := lockByte(f, byteOf(holder)); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return p, p.prove(path, holder)
}

// openOrMake opens a file, which is made with a random text if there is none.
func openOrMake(path string) (*os.File, error) {
	open := func() (*os.File, error) { return os.OpenFile(path, os.O_RDWR|noFollow, 0) }
	f, err := open()
	if !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	// The file appears with its text, however many make it at the same time.
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(part.Name())
	_, err = part.WriteString(rand.Text())
	if err := errors.Join(err, part.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(part.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	return open()
}

// prove returns an error if locks have no effect on that file.
func (p *lockFile) prove(path, holder string) error {
	f, err := os.OpenFile(path, os.O_RDWR|noFollow, 0)
	if err != nil {
		return fmt.Errorf("open the lock file again: %w", err)
	}
	defer f.Close()
	locked, err := lockedElsewhere(f, byteOf(holder))
	if err == nil && !locked {
		err = errors.New("it locks nobody out")
	}
	if err != nil {
		return fmt.Errorf("the lock file %s: %w", path, err)
	}
	return nil
}

// byteOf returns the byte that a holder locks.
func byteOf(holder string) int64 {
	sum := sha256.Sum256([]byte(holder))
	return int64(binary.BigEndian.Uint64(sum[:]) >> 2)
}

// dead reports whether it is certain that a holder's process has ended.
func (p *lockFile) dead(d holdDoc) bool {
	if p == nil || d.Lock != p.name {
		return false
	}
	locked, err := lockedElsewhere(p.file, byteOf(d.Holder))
	return err == nil && !locked
}

// close ends the lock.
func (p *lockFile) close() {
	if p != nil {
		p.file.Close()
	}
}
