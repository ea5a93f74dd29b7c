package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// recorder counts the bot's calls by kind in a window, and keeps samples of them. From these, a peer learns which calls
// to make after a press.
type recorder struct {
	mu    sync.Mutex
	on    bool
	kinds map[string]*kind
}

// kind is all calls of one method to one place.
type kind struct {
	method, where string
	count, bytes  int
	samples       []sample
}

type sample struct {
	body json.RawMessage
	file int
}

// samples is the number of samples kept of a kind.
const samples = 101

// planned is what a peer does after a press: Mean calls of this kind, on average.
type planned struct {
	Method string          `json:"method"`
	Where  string          `json:"where"` // channel, own (the presser's private chat) or other (the other player's)
	Mean   float64         `json:"mean"`
	Body   json.RawMessage `json:"body"`
	File   int             `json:"file"` // bytes of the picture, or 0
}

func newRecorder() *recorder { return &recorder{kinds: map[string]*kind{}} }

// count starts or stops counting.
func (c *recorder) count(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = on
}

// wants reports whether the recorder keeps a sample of the next call.
func (c *recorder) wants(method, where string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.kinds[method+" "+where]
	return c.on && (k == nil || len(k.samples) < samples)
}

// note counts a call. body is nil if no sample is wanted.
func (c *recorder) note(method, where string, body json.RawMessage, file int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.on {
		return
	}
	k := c.kinds[method+" "+where]
	if k == nil {
		k = &kind{method: method, where: where}
		c.kinds[method+" "+where] = k
	}
	k.count++
	k.bytes += file
	if body != nil && len(k.samples) < samples {
		k.samples = append(k.samples, sample{body, file})
	}
}

// plan returns the calls per press. Each press has exactly one answer and at least one change of the channel.
func (c *recorder) plan(presses int) []planned {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []planned
	for _, k := range c.kinds {
		if len(k.samples) == 0 || presses == 0 {
			continue
		}
		slices.SortFunc(k.samples, func(a, b sample) int { return cmp.Compare(len(a.body), len(b.body)) })
		p := planned{Method: k.method, Where: k.where, Mean: float64(k.count) / float64(presses), Body: k.samples[len(k.samples)/2].body}
		if k.bytes > 0 {
			p.File = k.bytes / k.count
		}
		all = append(all, p)
	}
	// The people wait for one answer, which comes first, and for one change of the channel, which comes last.
	slices.SortFunc(all, func(a, b planned) int { return cmp.Compare(a.Mean, b.Mean) })
	answer, change := -1, -1
	for i, p := range all {
		if p.Where == "channel" {
			change = i
		} else if p.answers() {
			answer = i
		}
	}
	if answer < 0 || change < 0 {
		return nil
	}
	first, last := all[answer], all[change]
	first.Mean, last.Mean = 1, 1
	all = slices.DeleteFunc(all, func(p planned) bool { return p.answers() || p.Method == last.Method && p.Where == last.Where })
	return append(append([]planned{first}, all...), last)
}

// answers reports whether the call is the first answer to a press.
func (p planned) answers() bool { return strings.HasPrefix(p.Method, "answer") }

// describe returns a plan in words.
func describe(plan []planned) string {
	var parts []string
	for _, p := range plan {
		if p.Mean < 0.01 {
			continue
		}
		s := fmt.Sprintf("%.2f %s", p.Mean, p.Method)
		if p.Where != "" {
			s += " (" + p.Where + ")"
		}
		if p.File > 0 {
			s += fmt.Sprintf(" with %d kB", (p.File+500)/1000)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// pressID identifies a press.
func pressID(room, n int) string { return strconv.Itoa(room) + "-" + strconv.Itoa(n) }
