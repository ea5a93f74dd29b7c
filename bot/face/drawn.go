package face

import (
	"slices"
	"sync"
)

// Named is PNG for a picture whose name says all that it shows: the latest ones are
// drawn once, whoever asks for them.
func (e *Easel) Named(name string, p Picture) []byte {
	return e.drawn.file(name, func() []byte { return e.PNG(p) })
}

// mostDrawn is how many pictures are kept as they were drawn.
const mostDrawn = 32

// drawn are the latest pictures: a delivery that is tried again sends what was drawn
// for it, and comes in time however long that took.
type drawn struct {
	mu    sync.Mutex
	files map[string][]byte
	names []string // of files, the oldest first
}

// file is the picture of that name, which draw makes unless it is there.
func (d *drawn) file(name string, draw func() []byte) []byte {
	d.mu.Lock()
	data, ok := d.files[name]
	d.mu.Unlock()
	if ok {
		return data
	}
	data = draw()
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.files[name]; ok {
		return data // somebody else drew it meanwhile
	}
	if d.files == nil {
		d.files = map[string][]byte{}
	}
	d.files[name], d.names = data, append(d.names, name)
	if len(d.names) > mostDrawn {
		delete(d.files, d.names[0])
		d.names = slices.Delete(d.names, 0, 1)
	}
	return data
}
