package face

import "image/color"

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

// The colours of cards and tables. Nothing is told by colour alone.
var (
	paper  = rgb(0xFBF8F1) // of a card
	edge   = rgb(0xA9A294) // around it
	ink    = rgb(0x23272B)
	red    = rgb(0xB4292B)
	wine   = rgb(0x7E1C24)
	green  = rgb(0x3C7A38)
	forest = rgb(0x24552A)
	gold   = rgb(0xE0A92E)
	bronze = rgb(0x9A6B17)
	brown  = rgb(0x8C5A2C)
	bark   = rgb(0x59361A)
	blue   = rgb(0x2F5D92)
	navy   = rgb(0x1E3D63)
	skin   = rgb(0xF2D3B0)
	hair   = rgb(0x6A4526)
	silver = rgb(0xB9BDC2)
)
