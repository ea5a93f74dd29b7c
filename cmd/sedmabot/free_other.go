//go:build !linux && !darwin

package main

import "errors"

// freeSpace isn't known on this system.
func freeSpace(string) (int64, error) { return 0, errors.ErrUnsupported }
