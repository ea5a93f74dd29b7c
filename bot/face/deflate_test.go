package face

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"fmt"
	"hash/adler32"
	"io"
	"os"
	"slices"
	"strconv"
	"testing"

	klauspost "github.com/klauspost/compress/zlib"
	"pgregory.net/rapid"

	"sedmabot/game"
)

func inflate(t rapid.TB, packed []byte) []byte {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// All data are the same again after they were compressed: few or many colstandard, long and short repeats.
func TestDeflate(t *testing.T) {
	t.Parallel()
	var d deflater
	rapid.Check(t, func(t *rapid.T) {
		colors := rapid.IntRange(1, 256).Draw(t, "colors")
		var data []byte
		for range rapid.IntRange(0, 40).Draw(t, "pieces") {
			piece := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) byte { return byte(rapid.IntRange(0, colors-1).Draw(t, "color")) }), 1, 30).Draw(t, "piece")
			data = append(data, bytes.Repeat(piece, rapid.SampledFrom([]int{1, 1, 2, 9, 100, 2000}).Draw(t, "times"))...)
		}
		stride := rapid.IntRange(3, 1<<15).Draw(t, "stride")
		if !bytes.Equal(inflate(t, d.deflate(data, stride)), data) {
			t.Fatal("other data come out")
		}
	})
}

// The checksum is that of hash/adler32, also with the largest sums.
func TestAdler(t *testing.T) {
	t.Parallel()
	check := func(t rapid.TB, data []byte) {
		if got, want := adler(data), adler32.Checksum(data); got != want {
			t.Fatalf("%d bytes: %x, want %x", len(data), got, want)
		}
	}
	check(t, bytes.Repeat([]byte{255}, 100_000))
	rapid.Check(t, func(t *rapid.T) { check(t, rapid.SliceOf(rapid.Byte()).Draw(t, "data")) })
	rapid.Check(t, func(t *rapid.T) {
		check(t, bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 1, 300).Draw(t, "data"), 50))
	})
}

// The sizes make a code, and no code of its own would make the pictures a tenth smaller.
func TestSizes(t *testing.T) {
	t.Parallel()
	const file = "art/sizes.txt"
	var all [286]int
	e, c := NewEasel(), newCanvas()
	for _, p := range samples(t) {
		c.size(e, p.Size().X, p.Size().Y)
		p.Paint(c)
		for i, n := range symbols(c.pix, c.stride) {
			all[i] += n
		}
	}
	best := depths(all)
	if *update {
		var text []byte
		for _, size := range best {
			text = fmt.Appendf(text, "%x", size)
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	room, least, most := 0, 0, 0
	for i, n := range all {
		size, err := strconv.ParseUint(sizes[i:i+1], 16, 8)
		if err != nil || size == 0 {
			t.Fatalf("symbol %d has no code", i)
		}
		room += 1 << 15 >> size
		least, most = least+n*int(best[i]), most+n*int(size)
	}
	if room != 1<<15 || most > least*11/10 {
		t.Errorf("the codes fill %d of %d, and the pictures have %d bits instead of %d (-update writes better ones)", room, 1<<15, most, least)
	}
}

// symbols returns how often each symbol of sizes occurs in a picture.
func symbols(pix []byte, stride int) (used [286]int) {
	used[endOfBlock] = 1
	for i := 0; i < len(pix); {
		plain, _, length := next(pix, i, stride)
		for _, pixel := range pix[i : i+plain] {
			used[pixel]++
		}
		if length > 0 {
			at, _ := lengthClass(length)
			used[at]++
		}
		i += plain + length
	}
	return used
}

// depths returns the depth of each symbol in a Huffman tree that isn't deeper than 15.
func depths(used [286]int) []byte {
	type node struct{ n, parent, symbol int }
	var tree []node
	for i, n := range used {
		tree = append(tree, node{n: n + 1, symbol: i})
	}
	slices.SortFunc(tree, func(a, b node) int { return cmp.Compare(a.n, b.n) })
	leaf, inner := 0, len(used) // the next ones without a parent: inner nodes are sorted, too
	for range len(used) - 1 {
		sum := 0
		for range 2 {
			at := &inner
			if leaf < len(used) && (inner == len(tree) || tree[leaf].n <= tree[inner].n) {
				at = &leaf
			}
			sum += tree[*at].n
			tree[*at].parent = len(tree)
			*at++
		}
		tree = append(tree, node{n: sum})
	}
	out, depth := make([]byte, len(used)), make([]byte, len(tree))
	for i := len(tree) - 2; i >= 0; i-- {
		depth[i] = depth[tree[i].parent] + 1
		if i < len(used) {
			out[tree[i].symbol] = depth[i]
		}
	}
	if slices.Max(out) > 15 {
		for i, n := range used {
			used[i] = n / 2 // rare symbols become more like the others
		}
		return depths(used)
	}
	return out
}

// BenchmarkDeflate draws the pictures of a match, and compresses them with several coders.
func BenchmarkDeflate(b *testing.B) {
	e, c := NewEasel(), newCanvas()
	pictures := match(Czech, game.German32)
	for _, p := range pictures {
		e.PNG(p) // keeps the cards
	}
	var out bytes.Buffer
	standard, err := zlib.NewWriterLevel(&out, zlib.BestSpeed)
	fast, err2 := klauspost.NewWriterLevel(&out, klauspost.BestSpeed)
	if err != nil || err2 != nil {
		b.Fatal(err, err2)
	}
	for _, coder := range []struct {
		name   string
		encode func()
	}{
		{"none", func() {}},
		{"own", func() { out.Write(c.coder.deflate(c.pix, c.stride)) }},
		{"zlib", func() { standard.Reset(&out); _, _ = standard.Write(c.pix); standard.Close() }},
		{"klauspost", func() { fast.Reset(&out); _, _ = fast.Write(c.pix); fast.Close() }},
	} {
		b.Run(coder.name, func(b *testing.B) {
			n, bytes := 0, 0
			for b.Loop() {
				p := pictures[n%len(pictures)]
				out.Reset()
				c.size(e, p.Size().X, p.Size().Y)
				p.Paint(c)
				coder.encode()
				n, bytes = n+1, bytes+out.Len()
			}
			b.ReportMetric(float64(bytes)/float64(n), "B/file")
		})
	}
}
