package face

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"image/color"
)

// PNG is the picture as a PNG file with a palette.
func (e *Easel) PNG(p Picture) []byte {
	c := e.free.Get().(*canvas)
	defer e.free.Put(c)
	size := p.Size()
	c.size(e, size.X, size.Y)
	e.mu.Lock()
	p.Paint(c)
	e.mu.Unlock()
	return bytes.Clone(c.encode())
}

// encode is the canvas as a PNG file, until it is used again
// (https://www.w3.org/TR/png-3/).
func (c *canvas) encode() []byte {
	c.z.read(c.pix, c.stride)
	used := c.rename()
	out := append(c.file[:0], "\x89PNG\r\n\x1a\n"...)
	out = chunk(out, "IHDR", func(b []byte) []byte {
		b = binary.BigEndian.AppendUint32(b, uint32(c.w))
		b = binary.BigEndian.AppendUint32(b, uint32(c.h))
		return append(b, 8, 3, 0, 0, 0) // eight bits a pixel, a palette
	})
	colors := palette()
	out = chunk(out, "PLTE", func(b []byte) []byte {
		for _, i := range used {
			p := colors[i].(color.RGBA)
			b = append(b, p.R, p.G, p.B)
		}
		return b
	})
	out = chunk(out, "IDAT", func(b []byte) []byte {
		b = append(b, 0x78, 0x01) // RFC 1950, section 2.2
		b = c.z.write(b)
		return binary.BigEndian.AppendUint32(b, adler32.Checksum(c.pix))
	})
	c.file = chunk(out, "IEND", func(b []byte) []byte { return b })
	return c.file
}

// rename names the colours of the tokens anew, in their order, and returns those
// that are used: every colour stands as a literal before it stands in a match.
// 0 stays, since it is also the filter of each row.
func (c *canvas) rename() (used []uint8) {
	var is [256]bool
	is[0] = true
	for _, t := range c.z.tokens {
		if t>>16 == 0 {
			is[t] = true
		}
	}
	var name [256]uint8
	used = c.used[:0]
	for i, is := range is {
		if is {
			name[i] = uint8(len(used))
			used = append(used, uint8(i))
		}
	}
	for i, t := range c.z.tokens {
		if t>>16 == 0 {
			c.z.tokens[i] = uint32(name[t])
		}
	}
	for i, p := range c.pix {
		c.pix[i] = name[p]
	}
	c.used = used
	return used
}

// chunk appends a chunk of a PNG file.
func chunk(out []byte, kind string, body func([]byte) []byte) []byte {
	start := len(out)
	out = append(out, 0, 0, 0, 0)
	out = append(out, kind...)
	out = body(out)
	binary.BigEndian.PutUint32(out[start:], uint32(len(out)-start-8))
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[start+4:]))
}
