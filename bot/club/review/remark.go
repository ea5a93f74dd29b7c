package review

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"slices"
)

// remark is the analysis of one choice. The legal moves, and which of them was chosen,
// follow from the record.
type remark struct {
	Scores []int // for each legal move its expected score, in hundredths; empty: the remark was left out
	Cost   int   // how much lower the chosen move's score is than the best one
}

// remarks has, for each deal, one remark for each choice of a player. It is stored as
// bytes that flate compressed: for each deal the number of its remarks, and for each
// remark the number of its scores, the best one, what the others are lower, the cost, and
// a 0. Earlier versions wrote a reason in place of the 0: the number of its kind, and three
// numbers. All are variable-length integers.
type remarks [][]remark

// MarshalJSON returns the compressed remarks as a JSON string.
func (r remarks) MarshalJSON() ([]byte, error) {
	var all []byte
	for _, deal := range r {
		all = binary.AppendUvarint(all, uint64(len(deal)))
		for _, m := range deal {
			all = m.append(all)
		}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err == nil {
		_, err = w.Write(all)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(packed.Bytes())
}

// append appends the remark's bytes to b.
func (m remark) append(b []byte) []byte {
	b = binary.AppendUvarint(b, uint64(len(m.Scores)))
	if len(m.Scores) == 0 {
		return b
	}
	best := slices.Max(m.Scores)
	b = binary.AppendVarint(b, int64(best))
	for _, score := range m.Scores {
		b = binary.AppendUvarint(b, uint64(best-score))
	}
	b = binary.AppendUvarint(b, uint64(m.Cost))
	return binary.AppendUvarint(b, 0)
}

// Limits against damaged documents: no match has more remarks, and no choice more moves.
const (
	maxRemarks = 1 << 16
	maxMoves   = 64
)

// errRemarks reports that stored remarks are damaged.
var errRemarks = errors.New("the remarks are damaged")

// UnmarshalJSON reads what MarshalJSON returned.
func (r *remarks) UnmarshalJSON(text []byte) error {
	var packed []byte
	if err := json.Unmarshal(text, &packed); err != nil {
		return err
	}
	all, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxRemarks*maxMoves))
	if err != nil {
		return err
	}
	*r = nil
	for b := bytes.NewReader(all); b.Len() > 0; {
		n, err := binary.ReadUvarint(b)
		if err != nil || n > maxRemarks {
			return errRemarks
		}
		deal := make([]remark, 0, n)
		for range n {
			m, err := readRemark(b)
			if err != nil {
				return errRemarks
			}
			deal = append(deal, m)
		}
		*r = append(*r, deal)
	}
	return nil
}

// readRemark reads what remark.append appended.
func readRemark(b *bytes.Reader) (m remark, err error) {
	number := func() (n int) {
		x, failed := binary.ReadUvarint(b)
		if failed != nil || x > 1<<30 {
			err = errRemarks
			return 0
		}
		return int(x)
	}
	moves := number()
	if moves == 0 || moves > maxMoves || err != nil {
		return m, err
	}
	best, failed := binary.ReadVarint(b)
	if failed != nil {
		return m, errRemarks
	}
	for range moves {
		m.Scores = append(m.Scores, int(best)-number())
	}
	m.Cost = number()
	if number() > 0 {
		for range 3 {
			number()
		}
	}
	return m, err
}
