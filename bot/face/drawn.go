package face

import "sedmabot/bot/cache"

// Named returns the picture as PNG, like [Easel.PNG], from a cache of the latest
// pictures. The name must identify the picture's content.
func (e *Easel) Named(name string, p Picture) []byte {
	return e.drawn.file(name, func() []byte { return e.PNG(p) })
}

// maxDrawn is the maximum number of cached pictures.
const maxDrawn = 32

// drawn is a cache of the latest pictures. A retried delivery finds its picture here,
// so it is in time even if drawing took long.
type drawn struct{ files cache.Cache[string, []byte] }

// file returns the picture with that name. If it is not cached, draw makes it.
func (d *drawn) file(name string, draw func() []byte) []byte {
	if data, ok := d.files.Get(name); ok {
		return data
	}
	data := draw()
	d.files.Put(name, data, maxDrawn) // another goroutine may have drawn the same picture meanwhile
	return data
}
