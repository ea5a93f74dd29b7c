//go:build linux || darwin

package main

import "syscall"

// freeSpace returns how many bytes of a folder's disk this program may still use.
func freeSpace(folder string) (int64, error) {
	var disk syscall.Statfs_t
	err := syscall.Statfs(folder, &disk)
	return int64(disk.Bavail) * int64(disk.Bsize), err
}
