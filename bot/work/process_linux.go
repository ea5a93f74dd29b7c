package work

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
)

// thisProcess names this process and the machine on which its number holds, or is "" if the system doesn't tell.
var thisProcess = sync.OnceValue(func() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id") // unique to this machine and boot
	space, spaceErr := os.Readlink("/proc/self/ns/pid")         // processes elsewhere have other numbers
	if errors.Join(err, spaceErr) != nil {
		return ""
	}
	return fmt.Sprintf("%s %s %d", strings.TrimSpace(string(boot)), space, os.Getpid())
})

// dead reports whether a named process has certainly ended. It is false for every process of another machine or container.
func dead(named string) bool {
	here, there := strings.Fields(thisProcess()), strings.Fields(named)
	if len(here) != 3 || len(there) != 3 || here[0] != there[0] || here[1] != there[1] {
		return false
	}
	var pid int
	_, err := fmt.Sscan(there[2], &pid)
	return err == nil && pid > 0 && errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}
