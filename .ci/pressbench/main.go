// Pressbench compares what a press costs this bot with what it costs bots by other makers that do nothing but make the
// same calls: grammY on Telegram and discord.js on Discord, with and without a session in Redis, and the bare library that
// the bot uses on Telegram. Each is a process of its own. A driver plays the platform's API, without limits, and the
// people: at each table two of them press in a closed loop, so the next press comes when the last one was answered and
// the table's message has changed. From the bot's calls in a run, the driver makes a plan of calls per press, with
// their texts and the sizes of their pictures, which the peers follow.
//
//	go run . [flags] [NAME=WHAT]...
//
// WHAT is a bot to measure: a folder with its source, or a commit of this repository, or an executable. Without any, it
// is this source. Bots that are built here are test binaries, which leave no gaps between deliveries (see build). An
// executable as it is shipped keeps its gaps, and then measures only those. The calls of the peers are those of the
// first bot. For example:
//
//	go run . base=8c5238b now=../..            the whole table in three rounds
//	go run . -short base=8c5238b now=../..     in less than ten minutes
//	go run . -only telegram -rounds 1          one kind of run
//	go run . -profile /tmp/p -only pictures    write /tmp/p/pictures-now.pprof, for go tool pprof -top
//
// It needs node, npm (once, for the peers) and redis-server. CPU is user and system time of the bot's process from
// /proc, and memory is its resident memory. Other work on the machine changes the rates more than the CPU per press; as
// root, "nice -n -15" before the command helps.
//
// FIGURES.md has the measurements.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// bot is a version of this bot.
type bot struct{ name, what, path string }

// steady is the name of the long runs, in which matches end all the time.
const steady = "steady"

func main() {
	if len(os.Args) > 1 && os.Args[1] == "bare" {
		fmt.Fprintln(os.Stderr, bare())
		os.Exit(1)
	}
	if err := compare(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pressbench:", err)
		os.Exit(1)
	}
}

// compare does what the command line asks for.
func compare(args []string) error {
	b := &bench{}
	flags := flag.NewFlagSet("pressbench", flag.ContinueOnError)
	flags.IntVar(&b.tables, "tables", 64, "tables that play at once")
	flags.StringVar(&b.store, "store", "redis", "redis or file")
	flags.IntVar(&b.rounds, "rounds", 3, "rounds, in each of which every program runs once")
	flags.DurationVar(&b.warm, "warm", 2*time.Second, "least time to play before a measurement")
	flags.DurationVar(&b.window, "window", 10*time.Second, "time of a measurement")
	short := flags.Bool("short", false, "measure for 4 s, and do the long runs only once, with a quarter of the tables")
	only := flags.String("only", "", "the runs to do, with commas: telegram, hands, pictures, discord, steady; default all")
	profiles := flags.String("profile", "", "a folder: run the bots alone, once, and write their CPU profiles there")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if b.store != "redis" && b.store != "file" {
		return fmt.Errorf("no store is called %q", b.store)
	}
	long, longRun := b.rounds, contests[0]
	longRun.peers = []string{bareLibrary}
	if *short {
		b.warm, b.window, long, longRun.tables = time.Second, 4*time.Second, 1, max(1, b.tables/4)
	}
	chosen, err := choose(*only)
	if err != nil {
		return err
	}
	if *only != "" && !slices.Contains(strings.Split(*only, ","), steady) || b.store != "redis" {
		long = 0
	}
	if b.dir, err = os.MkdirTemp("", "pressbench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	bots, err := b.prepare(flags.Args())
	if err != nil {
		return err
	}
	if *profiles != "" {
		return b.profileAll(*profiles, bots, chosen, long > 0)
	}
	all := results{}
	for round := range b.rounds {
		for _, c := range chosen {
			b.round(round, c, c.name, bots, all)
		}
		if round < long {
			b.round(round, longRun, steady, bots, all)
		}
	}
	b.report(os.Stdout, bots, chosen, all)
	return nil
}

// choose returns the contests with those names.
func choose(names string) ([]contest, error) {
	if names == "" {
		return contests, nil
	}
	var out []contest
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(contests, func(c contest) bool { return c.name == name })
		switch {
		case i >= 0:
			out = append(out, contests[i])
		case name != steady:
			return nil, fmt.Errorf("no run is called %q", name)
		}
	}
	return out, nil
}

// prepare builds the bots, and installs the peers.
func (b *bench) prepare(args []string) ([]bot, error) {
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		return nil, errors.New("the source of pressbench is not here")
	}
	b.here = filepath.Dir(file)
	if _, err := os.Stat(filepath.Join(b.here, "node_modules")); err != nil {
		c := exec.Command("npm", "ci", "--no-audit", "--no-fund")
		c.Dir, c.Stderr = b.here, os.Stderr
		if err := c.Run(); err != nil {
			return nil, fmt.Errorf("install the peers: %w", err)
		}
	}
	if len(args) == 0 {
		args = []string{"now=" + filepath.Join(b.here, "../..")}
	}
	var bots []bot
	for _, arg := range args {
		name, what, ok := strings.Cut(arg, "=")
		if !ok {
			return nil, fmt.Errorf("%q is not NAME=WHAT", arg)
		}
		dir := filepath.Join(b.dir, "build-"+name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			return nil, err
		}
		path, err := b.build(what, dir)
		if err != nil {
			return nil, err
		}
		bots = append(bots, bot{name, what, path})
	}
	return bots, nil
}

// round runs all programs of a contest once. The bots take turns in going first.
func (b *bench) round(round int, c contest, name string, bots []bot, all results) {
	var plan []planned
	note := func(program string, r *result, err error) {
		all[key(name, program)] = append(all[key(name, program)], r)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
			return
		}
		fmt.Fprintf(os.Stderr, "round %d, %s, %s: %.0f presses/s, %s each, edit %s, %s\n", round+1, name, program, r.rate, short(float64(r.cpu)), short(float64(r.shown.p50)), short(float64(r.shown.p99)))
	}
	for i := range bots {
		bot := bots[(i+round)%len(bots)]
		r, err := b.run(c, bot.name, bot.path, nil, name == steady)
		note(bot.name, r, err)
		if err == nil && (plan == nil || bot.name == bots[0].name) {
			plan = r.calls
		}
	}
	if plan == nil {
		return
	}
	for i := range c.peers {
		peer := c.peers[(i+round)%len(c.peers)]
		r, err := b.run(c, peer, "", plan, false)
		note(peer, r, err)
	}
}

// profileAll writes a CPU profile of each bot in each contest.
func (b *bench) profileAll(dir string, bots []bot, chosen []contest, long bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	one := func(c contest, name string, bot bot) error {
		b.profile = filepath.Join(dir, name+"-"+bot.name+".pprof")
		r, err := b.run(c, bot.name, bot.path, nil, name == steady)
		if err == nil {
			fmt.Printf("%s: %.0f presses/s, %s each: %s\n", b.profile, r.rate, short(float64(r.cpu)), describe(r.calls))
		}
		return err
	}
	for _, bot := range bots {
		for _, c := range chosen {
			if err := one(c, c.name, bot); err != nil {
				return err
			}
		}
		if long {
			if err := one(contests[0], steady, bot); err != nil {
				return err
			}
		}
	}
	return nil
}
