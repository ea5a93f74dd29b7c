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

// lockFile is a file that shows the candidates on one machine which of them are alive.
// Each of them locks one byte of it before it becomes the leader. The lock lasts until the
// candidate stops or its process ends, including by a kill.
//
// Two lock files have the same name only if they are the same file, opened under
// the same kernel. So a leader is certainly dead if its document names the reader's
// own lock file and its byte is not locked.
type lockFile struct {
	name string
	file *os.File
}

// openLock opens the lock file in the first directory where that works, and locks the
// candidate's byte. It creates the file if it doesn't exist.
func openLock(name string, dirs ...string) (*lockFile, error) {
	wrong := errors.New("no directory for the lock file")
	for _, dir := range dirs {
		p, err := openLockIn(dir, name)
		if err == nil {
			return p, nil
		}
		wrong = err
	}
	return nil, wrong
}

func openLockIn(dir, name string) (p *lockFile, err error) {
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
	if err := lockByte(f, byteOf(name)); err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return p, p.prove(path, name)
}

// openOrMake opens a file. If it doesn't exist, openOrMake creates it with a random text.
func openOrMake(path string) (*os.File, error) {
	open := func() (*os.File, error) { return os.OpenFile(path, os.O_RDWR|noFollow, 0) }
	f, err := open()
	if !errors.Is(err, os.ErrNotExist) {
		return f, err
	}
	// Link makes the file appear with its text at once, even if several processes create it at the same time.
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

// prove returns an error unless the lock is visible through another open file.
func (p *lockFile) prove(path, name string) error {
	f, err := os.OpenFile(path, os.O_RDWR|noFollow, 0)
	if err != nil {
		return fmt.Errorf("open the lock file again: %w", err)
	}
	defer f.Close()
	locked, err := lockedElsewhere(f, byteOf(name))
	if err == nil && !locked {
		err = errors.New("it locks nobody out")
	}
	if err != nil {
		return fmt.Errorf("the lock file %s: %w", path, err)
	}
	return nil
}

// byteOf returns the byte that a candidate locks.
func byteOf(name string) int64 {
	sum := sha256.Sum256([]byte(name))
	return int64(binary.BigEndian.Uint64(sum[:]) >> 2)
}

// dead reports whether a leader has certainly stopped or ended.
func (p *lockFile) dead(d leaderDoc) bool {
	if p == nil || d.Lock != p.name {
		return false
	}
	locked, err := lockedElsewhere(p.file, byteOf(d.Name))
	return err == nil && !locked
}

// close closes the file, which releases the lock.
func (p *lockFile) close() {
	if p != nil {
		p.file.Close()
	}
}
