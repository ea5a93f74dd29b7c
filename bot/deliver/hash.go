package deliver

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"

	"sedmabot/bot/screen"
)

// screenHash returns a hash of everything that a screen shows. Notify is left out, because an edit notifies nobody.
// The encoding is written by hand for speed, since every move computes hashes. Hashes are stored in Shown,
// so a change to the encoding causes one more edit of every message.
func screenHash(s screen.Screen) string { return newHasher().screen(s) }

// hasher computes screenHash of many screens with the same buffers.
type hasher struct {
	spelled // not hashed yet
	sum     hash.Hash
	json    bytes.Buffer
}

func newHasher() *hasher { return &hasher{spelled: make(spelled, 0, 1024), sum: sha256.New()} }

// flush hashes the spelled bytes.
func (w *hasher) flush() {
	w.sum.Write(w.spelled)
	w.spelled = w.spelled[:0]
}

func (w *hasher) screen(s screen.Screen) string {
	w.sum.Reset()
	w.text(string(s.Face))
	w.number(len(s.Blocks))
	for _, b := range s.Blocks {
		w.number(int(b.Look))
		w.number(len(b.Spans))
		for _, span := range b.Spans {
			w.number(int(span.Kind))
			w.text(span.Text)
			w.text(span.Person.ID)
			w.text(span.Person.Name)
			w.number(int(span.Card))
			w.flag(span.Strong)
			w.number(int(span.At))
		}
		w.flush()
	}
	w.number(len(s.Menus))
	for _, m := range s.Menus {
		w.text(m.Label)
		w.number(m.Chosen)
		w.buttons(m.Options)
		if m.Part != nil {
			w.text("part") // other menus keep the hash that they had before there were parts
			w.buttons(m.Part)
		}
	}
	for _, rows := range [][][]screen.Button{s.Rows, s.Places} {
		w.number(len(rows))
		for _, row := range rows {
			w.buttons(row)
		}
	}
	if s.About {
		w.text("about") // other screens keep the hash that they had before somebody could be shown
	}
	w.rare(s.Picture, s.Picture == nil)
	w.rare(s.File, s.File == nil)
	w.flush()
	sum := w.sum.Sum(w.spelled)
	name := hex.AppendEncode(sum, sum[:8])[len(sum):]
	return string(name)
}

// spelled is an unambiguous encoding: only the same texts and numbers in the same order give the same bytes.
type spelled []byte

func (w *spelled) number(n int) { *w = binary.AppendVarint(*w, int64(n)) }

func (w *spelled) text(s string) {
	w.number(len(s))
	*w = append(*w, s...)
}

// rare adds a picture or a file, which holds only strings and numbers, as JSON.
func (w *hasher) rare(v any, missing bool) {
	if missing {
		w.text("null")
		return
	}
	w.json.Reset()
	if err := json.NewEncoder(&w.json).Encode(v); err != nil {
		panic(err) // can't happen
	}
	data := bytes.TrimSuffix(w.json.Bytes(), []byte{'\n'})
	w.number(len(data))
	w.flush()
	w.sum.Write(data)
}

func (w *spelled) flag(b bool) {
	if b {
		w.number(1)
	} else {
		w.number(0)
	}
}

func (w *spelled) buttons(row []screen.Button) {
	w.number(len(row))
	for _, b := range row {
		w.text(b.Label)
		w.number(int(b.Card))
		w.text(b.Press)
		w.text(b.Private)
		w.number(int(b.Tone))
		w.flag(b.Off)
		if b.Copy != "" {
			w.number(1)
			w.text(b.Copy)
		}
		if b.Link != "" {
			w.text(b.Link) // other buttons keep the hash that they had before there were links
		}
		if b.Share != "" {
			w.text("share")
			w.text(b.Share)
		}
		if b.Page != "" {
			w.text("page")
			w.text(b.Page)
		}
	}
}
