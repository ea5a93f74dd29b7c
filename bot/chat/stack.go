package chat

// Deep makes the goroutine's stack large enough for a press or a job, of which functions with many tables by value need up to
// 100 kB. Otherwise the stack grows six times from 2 kB, and each time it is copied: that took a tenth of a press's CPU.
func Deep() { deep(nil) }

// deep has a large frame, which it doesn't touch for nil.
//
//go:noinline
func deep(to []byte) {
	if to != nil {
		var room [100 << 10]byte
		copy(room[:], to)
		copy(to, room[:])
	}
}

// Roomy does the same for a delivery, which needs less.
func Roomy() { roomy(nil) }

//go:noinline
func roomy(to []byte) {
	if to != nil {
		var room [12 << 10]byte
		copy(room[:], to)
		copy(to, room[:])
	}
}
