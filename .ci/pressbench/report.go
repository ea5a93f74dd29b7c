package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// results has the results of all rounds, by contest and program.
type results map[string][]*result

func key(contest, program string) string { return contest + " " + program }

// median returns the median of a figure over the rounds.
func (all results) median(contest, program string, of func(*result) float64) float64 {
	var list []float64
	for _, r := range all[key(contest, program)] {
		if r != nil {
			list = append(list, of(r))
		}
	}
	return middle(list)
}

// ratio returns the median of a bot's figure over a peer's in the same round.
func (all results) ratio(contest, bot, peer string, of func(*result) float64) float64 {
	var list []float64
	theirs := all[key(contest, peer)]
	for i, r := range all[key(contest, bot)] {
		if r != nil && i < len(theirs) && theirs[i] != nil {
			list = append(list, of(r)/of(theirs[i]))
		}
	}
	return middle(list)
}

// middle returns the median, or 0 for none.
func middle(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[len(list)/2]
}

func rate(r *result) float64   { return r.rate }
func cpu(r *result) float64    { return float64(r.cpu) }
func memory(r *result) float64 { return float64(r.memory) }

// report writes the tables.
func (b *bench) report(w io.Writer, bots []bot, chosen []contest, all results) {
	fmt.Fprintf(w, "\n%s, %d tables, %s, medians of %d rounds of %v\n\n", time.Now().Format("2 January 2006"), b.tables, b.store, b.rounds, b.window)
	header := []string{"rate / CPU against", "then"}
	for _, bot := range bots {
		header = append(header, bot.name)
	}
	row(w, append(header, "to reach")...)
	row(w, slices.Repeat([]string{"---"}, len(header)+1)...)
	for _, c := range chosen {
		for i, peer := range c.peers {
			cells := []string{c.what + ": " + peer, c.then[i]}
			for _, bot := range bots {
				cells = append(cells, fmt.Sprintf("%.2f / %.2f", all.ratio(c.name, bot.name, peer, rate), all.ratio(c.name, bot.name, peer, cpu)))
			}
			row(w, append(cells, c.goal[i])...)
		}
		cells := []string{c.what + ": edit p50, p99", "30 ms, 2 s"}
		for _, bot := range bots {
			p50 := all.median(c.name, bot.name, func(r *result) float64 { return float64(r.shown.p50) })
			p99 := all.median(c.name, bot.name, func(r *result) float64 { return float64(r.shown.p99) })
			cells = append(cells, fmt.Sprintf("%s, %s: × %.1f", short(p50), short(p99), p99/p50))
		}
		row(w, append(cells, "≤ 10")...)
	}
	if len(all[key(steady, bareLibrary)]) > 0 {
		b.reportSteady(w, bots, all)
	}
	fmt.Fprintln(w)
	b.details(w, bots, chosen, all)
}

// reportSteady writes the rows of the long runs.
func (b *bench) reportSteady(w io.Writer, bots []bot, all results) {
	work := []string{"Telegram, words, matches ending: CPU per press, × the library's two calls", "2.6 ms, × 4.3"}
	left := []string{"bytes that a finished match leaves", "38 kB"}
	for _, bot := range bots {
		used := all.median(steady, bot.name, cpu)
		work = append(work, fmt.Sprintf("%s, × %.1f", short(used), all.ratio(steady, bot.name, bareLibrary, cpu)))
		bytes := all.median(steady, bot.name, func(r *result) float64 { return float64(r.bytes) / float64(max(1, r.matches)) })
		deals := all.median(steady, bot.name, func(r *result) float64 { return float64(r.deals) / float64(max(1, r.matches)) })
		left = append(left, fmt.Sprintf("%.1f kB, %.0f deals", bytes/1000, deals))
	}
	row(w, append(work, "× ≤ 1.7")...)
	row(w, append(left, "≤ 12 kB")...)
}

// details writes what was measured of each program.
func (b *bench) details(w io.Writer, bots []bot, chosen []contest, all results) {
	row(w, "contest", "program", "presses/s", "CPU/press", "memory", "answer p50, p99", "edit p50, p99", "missed", "calls")
	row(w, slices.Repeat([]string{"---"}, 9)...)
	for _, c := range append(slices.Clone(chosen), contest{name: steady, peers: []string{bareLibrary}}) {
		programs := slices.Clone(c.peers)
		for i, bot := range bots {
			programs = slices.Insert(programs, i, bot.name)
		}
		for _, name := range programs {
			list := slices.DeleteFunc(slices.Clone(all[key(c.name, name)]), func(r *result) bool { return r == nil })
			if len(list) == 0 {
				continue
			}
			slices.SortFunc(list, func(a, b *result) int { return cmp.Compare(a.rate, b.rate) })
			r := list[len(list)/2]
			row(w, c.name, name, fmt.Sprintf("%.0f", r.rate), short(all.median(c.name, name, cpu)), fmt.Sprintf("%.0f MB", all.median(c.name, name, memory)/1e6),
				short(float64(r.answer.p50))+", "+short(float64(r.answer.p99)), short(float64(r.shown.p50))+", "+short(float64(r.shown.p99)),
				fmt.Sprint(r.missed), describe(r.calls))
		}
	}
}

// short returns nanoseconds with three digits or so.
func short(ns float64) string {
	d := time.Duration(ns)
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}

// row writes a row of a table in Markdown.
func row(w io.Writer, cells ...string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
