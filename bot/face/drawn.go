package face

import "sedmabot/bot/cache"

// Named is PNG for a picture whose name says all that it shows: the latest ones are
// drawn once, whoever asks for them.
func (e *Easel) Named(name string, p Picture) []byte {
	return e.drawn.file(name, func() []byte { return e.PNG(p) })
}

// mostDrawn is how many pictures are kept as they were drawn.
const mostDrawn = 32

// drawn are the latest pictures: a delivery that is tried again sends what was drawn
// for it, and comes in time however long that took.
type drawn struct{ files cache.Cache[string, []byte] }

// file is the picture of that name, which draw makes unless it is there.
func (d *drawn) file(name string, draw func() []byte) []byte {
	if data, ok := d.files.Get(name); ok {
		return data
	}
	data := draw()
	d.files.Put(name, data, mostDrawn) // somebody else may have drawn the same meanwhile
	return data
}
