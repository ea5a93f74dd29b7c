//go:build !unix

package redistest

// Pause skips the test: this system can't stop a process for a while.
func (r *Server) Pause() {
	r.t.Helper()
	r.t.Skip("this system can't stop a process for a while")
}

// Resume is for a process that was paused, so it is never called here.
func (r *Server) Resume() {}
