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
// The column "then" has what was measured when the bench was asked for, on another machine and with another driver. A
// finished match of these people has more deals than that, since they always stop: compare only what one run measures.
//
// On 23 November 2026, on two cores with nothing else at work, with Redis and 64 tables, in three rounds of 4 s. "base" is
// the commit before the work on this, "now" the one that adds this table:
//
//	rate / CPU against                                                         then           base                  now                to reach
//	Telegram, words, one edit: grammY                                          0.88 / 1.50    1.33 / 1.40           2.11 / 0.78        ≥ 1.3 / ≤ 0.8
//	Telegram, words, one edit: grammY+redis                                    1.16 / 1.13    1.83 / 1.03           3.17 / 0.53
//	Telegram, words, one edit: edit p50, p99                                   30 ms, 2 s     33ms, 56ms: × 1.7     20ms, 38ms: × 1.9  ≤ 10
//	Telegram with private hands: grammY                                        1.25 / 0.97    1.99 / 0.85           3.08 / 0.52        ≥ 2 / ≤ 0.6
//	Telegram with private hands: edit p50, p99                                 30 ms, 2 s     15ms, 50ms: × 3.2     28ms, 54ms: × 1.9  ≤ 10
//	Telegram, a picture at each human turn: grammY                             0.46 / 3.2     0.44 / 4.91           1.05 / 1.90        ≥ 0.8 / ≤ 1.6
//	Telegram, a picture at each human turn: edit p50, p99                      30 ms, 2 s     87ms, 195ms: × 2.3    48ms, 75ms: × 1.6  ≤ 10
//	Discord, words: discord.js                                                 0.27 / 4.0     0.43 / 2.73           1.04 / 1.10        ≥ 0.7 / ≤ 1.5
//	Discord, words: edit p50, p99                                              30 ms, 2 s     16ms, 2.04s: × 130.5  24ms, 49ms: × 2.0  ≤ 10
//	Telegram, words, matches ending: CPU per press, × the library's two calls  2.6 ms, × 4.3  1.05ms, × 5.4         475µs, × 2.4       × ≤ 1.7
//	bytes that a finished match leaves                                         38 kB          74.5 kB, 15 deals     14.3 kB, 16 deals  ≤ 12 kB
//
// Each figure comes from a few seconds, so runs differ. In the runs of that day, a press took 0.78 to 0.97 of grammY's CPU
// with words, 0.52 to 0.63 with private hands, and 1.90 to 2.06 with pictures. With matches ending, it took 2.4 to 3.3
// times the library's two calls.
//
// The ratios to discord.js varied most: 0.68 to 1.04, and 3.32 on a busy machine. It has one thread, whose code gets
// quicker with the presses that it has seen, and it makes the calls of a press one after the other. A bot in Go is compiled,
// and uses both cores. Beside other work (a load of 25, 32 tables), the bot took 2.1 ms a press in its first 3 s and 1.0 ms after 30 s;
// discord.js made none in its first 3 s, 190 in the next 30 s at 6 to 240 ms each, and then took 4.8 ms. So after a warm-up of a second or two,
// one run measured compiled code, and the other one still a start. Now each program makes at least warmPresses at each table before it
// is measured. In two quiet runs since, the bot made 1,484 and 1,478 presses a second at 0.88 ms each, and discord.js 3,175 and
// 2,398 at 0.34 and 0.45 ms: so what varies is discord.js. Another reason is likely: with less than two free cores, the bot loses
// more of its rate than a program of one thread does.
//
// On 28 November 2026, on a slower machine of two cores with nothing else at work, in three rounds of 10 s. "base" is the
// commit d9890bda, before the lobby, the result and the page were redesigned, and "now" the one before this table. Both
// play matches to ten:
//
//	rate / CPU against                                                         base               now
//	Telegram, words, one edit: grammY                                          1.18 / 1.45        1.17 / 1.44
//	Telegram, words, one edit: grammY+redis                                    1.66 / 0.99        1.71 / 0.94
//	Telegram with private hands: grammY                                        1.64 / 1.05        1.64 / 1.04
//	Telegram, a picture at each human turn: grammY                             0.74 / 2.57        0.69 / 2.70
//	Discord, words: discord.js                                                 0.80 / 1.44        0.77 / 1.49
//	Telegram, words, matches ending: CPU per press, × the library's two calls  653µs, × 1.9       651µs, × 1.7
//	bytes that a finished match leaves                                         14.5 kB, 16 deals  15.1 kB, 17 deals
//
// In that run, a press took 605 µs of CPU at base and 561 now on Telegram in words, 765 and 766 with private hands, 1,500 and
// 1,530 with pictures, 701 and 728 on Discord. The same program differed by up to 30 % between rounds. In six more runs of
// each on Discord alone, the means were 671 and 692 µs: the first line of a table says more, and costs more to make.
//
// On 29 November 2026, on two cores beside other work, in three rounds of 4 s (-short, at nice -15). "base" is the
// commit 44985a1e, before pictures had a coder of their own and stacks grew once, and "now" the one before this table:
//
//	rate / CPU against                                                         base               now
//	Telegram, words, one edit: grammY                                          1.42 / 0.91        1.50 / 0.84
//	Telegram, words, one edit: grammY+redis                                    2.38 / 0.63        2.51 / 0.58
//	Telegram with private hands: grammY                                        2.46 / 0.59        2.62 / 0.53
//	Telegram, a picture at each human turn: grammY                             0.99 / 1.82        1.09 / 1.42
//	Discord, words: discord.js                                                 1.02 / 1.23        1.06 / 1.11
//	Discord, words: discord.js+redis                                           1.28 / 0.94        1.24 / 0.95
//
// On 29 November 2026, with nothing else at work, in three rounds of 4 s (-short). "base" is the commit b8dd8945, a day
// before, and "now" is d34338c6. Goroutines were used again at base, and a press leaves the event that it handled now:
//
//	rate / CPU against                                                         base               now
//	Telegram, words, one edit: grammY                                          1.65 / 0.87        1.48 / 0.94
//	Telegram, words, one edit: grammY+redis                                    2.05 / 0.70        1.91 / 0.77
//	Telegram with private hands: grammY                                        2.35 / 0.66        2.25 / 0.70
//	Telegram, a picture at each human turn: grammY                             0.98 / 1.84        1.09 / 1.61
//	Discord, words: discord.js                                                 1.07 / 1.05        0.99 / 1.13
//	Discord, words: discord.js+redis                                           1.20 / 0.93        1.11 / 1.00
//	Telegram, words, matches ending: CPU per press, × the library's two calls  962µs, × 2.3       1.17ms, × 2.8
//
// Since then, each delivery in a goroutine of its own grows its stack once: in profiles ("-profile /tmp/p -only hands,telegram
// base=b8dd8945 now=../.."), stacks that grow took 5.4 % of a press with private hands before that and 1.8 % after it.
//
// Beside much other work, the CPU of one program differs by a third from run to run. So valgrind's callgrind counted the
// instructions of these bots in user mode, with GOMAXPROCS=1 at four tables, on the evening of 29 November 2026. "base" is the
// commit 56ce8de2, half a day before; the other columns are before, during and after five repairs, the last one at dcbebdfb.
// These are all runs, of 91 to 424 presses each, in thousands of instructions a press:
//
//	                            base           before        during        after
//	Telegram, words, one edit   2,349  2,299   2,324  2,996  2,842         2,244
//	Telegram with private hands 2,751  14,373  2,766         2,632  2,917  2,616
//	Discord, words              2,627  2,640   2,596         2,481  2,429  2,342
//
// The 2,996 has pictures of a result in it. Why 14,373 (of only 91 presses), 2,842 and 2,917 are so many is not known. One
// round of this bench at a load of 14 had 1.12, 0.83 and 0.73 times base's CPU afterwards: in words on Telegram more.
//
// A press in words is mostly five things, as profiles of 40 s say (Telegram, Discord): carrying out deliveries (15 %, 23 %)
// and net/http's goroutines for them (10 %, 12 %); handling the press from the store's document to its commit (17 %, 14 %);
// the screens of the table and the hands, and which of them differ (16 %, 15 %); the answer to the press (4 %, 5 %); and
// receiving it (7 %, 4 %). Allocating memory, in all of these, takes 14 % and 11 %.
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
