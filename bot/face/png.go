package face

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
)

// PNG returns the picture as a PNG file with a palette.
func (e *Easel) PNG(p Picture) []byte {
	c := e.free.Get().(*canvas)
	defer e.free.Put(c)
	size := p.Size()
	c.size(e, size.X, size.Y)
	p.Paint(c)
	return bytes.Clone(c.encode())
}

// encode returns the canvas as a PNG file, valid until the canvas is used again
// (https://www.w3.org/TR/png-3/).
func (c *canvas) encode() []byte {
	colors := palette()
	plte := make([]byte, 0, 3*len(colors))
	for _, p := range colors {
		p := p.(color.RGBA)
		plte = append(plte, p.R, p.G, p.B)
	}
	ihdr := binary.BigEndian.AppendUint32(nil, uint32(c.w))
	ihdr = binary.BigEndian.AppendUint32(ihdr, uint32(c.h))
	ihdr = append(ihdr, 8, 3, 0, 0, 0) // eight bits per pixel, with a palette
	out := append(c.file[:0], "\x89PNG\r\n\x1a\n"...)
	out = chunk(out, "IHDR", ihdr)
	out = chunk(out, "PLTE", plte)
	out = chunk(out, "IDAT", c.coder.deflate(c.pix, c.stride))
	c.file = chunk(out, "IEND", nil)
	return c.file
}

// chunk appends a chunk of a PNG file.
func chunk(out []byte, kind string, body []byte) []byte {
	start := len(out) + 4
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start:]))
}
