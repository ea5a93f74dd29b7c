//go:build unix

package redistest

import (
	"os"
	"syscall"
)

// Pause stops the process with SIGSTOP. Connections stay open, but nothing is answered.
func (r *Server) Pause() { r.signal(syscall.SIGSTOP) }

// Resume ends Pause.
func (r *Server) Resume() { r.signal(syscall.SIGCONT) }

func (r *Server) signal(s os.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(s); err != nil {
		r.t.Fatal(err)
	}
}
