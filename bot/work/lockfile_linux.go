package work

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Commands of fcntl for locks that belong to an open file, not to a process. They end
// when the file is closed; the kernel does that if the process is killed.
const (
	ofdGetLock = 36
	ofdSetLock = 37
)

// lockByte locks a byte of an open file.
func lockByte(f *os.File, at int64) error {
	return control(f, ofdSetLock, &syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: at, Len: 1})
}

// lockedElsewhere reports whether a byte is locked through another open file.
func lockedElsewhere(f *os.File, at int64) (bool, error) {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: at, Len: 1}
	err := control(f, ofdGetLock, &lock)
	return lock.Type != syscall.F_UNLCK, err
}

func control(f *os.File, command int, lock *syscall.Flock_t) error {
	raw, err := f.SyscallConn()
	if err != nil {
		return err
	}
	outcome := error(nil)
	err = raw.Control(func(fd uintptr) { outcome = syscall.FcntlFlock(fd, command, lock) })
	return errors.Join(err, outcome)
}

// noFollow is the flag that refuses to open a symbolic link.
const noFollow = syscall.O_NOFOLLOW

// identity returns the device and the inode number of an open file. It fails unless
// the file is a regular one of the user that this process runs as.
func identity(f *os.File) (device, number uint64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, 0, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || !info.Mode().IsRegular() || int(stat.Uid) != os.Getuid() {
		return 0, 0, errors.New("it is no file of this user")
	}
	return uint64(stat.Dev), uint64(stat.Ino), nil
}

// bootID returns the id of the running kernel. It is unique to this machine and boot.
func bootID() (string, error) {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return string(b), err
}
