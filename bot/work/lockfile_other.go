//go:build !linux

package work

import (
	"errors"
	"os"
)

// noFollow is 0, because this system has no such flag.
const noFollow = 0

func lockByte(*os.File, int64) error                { return errors.ErrUnsupported }
func lockedElsewhere(*os.File, int64) (bool, error) { return true, errors.ErrUnsupported }
func identity(*os.File) (device, number uint64, err error) {
	return 0, 0, errors.ErrUnsupported
}
func bootID() (string, error) { return "", errors.ErrUnsupported }
