package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// contest is one kind of run: what people play, and whom the bot is compared to.
type contest struct {
	name, what string
	platform   string
	manner     manner
	words      bool
	peers      []string
	tables     int      // 0: as many as the bench has
	then, goal []string // for each peer: the ratios of rate and CPU when the bench was asked for, and those to reach
}

const bareLibrary = "telegram-bot-api"

var contests = []contest{
	{"telegram", "Telegram, words, one edit", "telegram", byNumbers, true, []string{"grammY", "grammY+redis"}, 0, []string{"0.88 / 1.50", "1.16 / 1.13"}, []string{"≥ 1.3 / ≤ 0.8", ""}},
	{"hands", "Telegram with private hands", "telegram", byHands, true, []string{"grammY"}, 0, []string{"1.25 / 0.97"}, []string{"≥ 2 / ≤ 0.6"}},
	{"pictures", "Telegram, a picture at each human turn", "telegram", byNumbers, false, []string{"grammY"}, 0, []string{"0.46 / 3.2"}, []string{"≥ 0.8 / ≤ 1.6"}},
	{"discord", "Discord, words", "discord", byHands, true, []string{"discord.js", "discord.js+redis"}, 0, []string{"0.27 / 4.0", ""}, []string{"≥ 0.7 / ≤ 1.5", ""}},
}

// result is what one run has measured.
type result struct {
	presses       int
	rate          float64       // presses a second
	cpu           time.Duration // of the program, per press
	memory        int           // resident bytes
	answer, shown quantiles
	calls         []planned
	missed        int
	// Long runs: how many matches ended in the window, and by how many bytes and records of deals the store has grown.
	matches, bytes, deals int
}

type quantiles struct{ p50, p99 time.Duration }

func quantilesOf(all []time.Duration) quantiles {
	if len(all) == 0 {
		return quantiles{}
	}
	slices.Sort(all)
	return quantiles{all[len(all)/2], all[len(all)*99/100]}
}

// bench has the settings of all runs.
type bench struct {
	dir     string // for logs and stores
	here    string // the folder of the peers
	tables  int
	store   string
	warm    time.Duration
	rounds  int
	window  time.Duration
	profile string // file for a CPU profile of the bot, or ""
}

// server is a running stand-in for a platform.
type server struct {
	*http.Server
	at string
}

func serve(h http.Handler) (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{&http.Server{Handler: h}, "http://" + l.Addr().String()}
	go func() { _ = s.Serve(l) }()
	return s, nil
}

// run runs one program in one contest. plan is for peers.
func (b *bench) run(c contest, name, path string, plan []planned, long bool) (*result, error) {
	dir, err := os.MkdirTemp(b.dir, name)
	if err != nil {
		return nil, err
	}
	h, handler := b.house(c, path == "")
	s, err := serve(handler)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if d, ok := handler.(*discord); ok {
		d.at = strings.TrimPrefix(s.at, "http://")
	}
	r, err := startRedis(dir)
	if err != nil {
		return nil, err
	}
	defer r.stop()
	var p *program
	if path == "" {
		p, err = b.startPeer(c, name, dir, s.at, r.at, plan)
	} else {
		p, err = b.startBot(c, path, dir, s.at, r.at)
	}
	if err != nil {
		return nil, err
	}
	defer p.stop()
	stop := make(chan struct{})
	defer close(stop)
	go h.patrol(stop)
	out, err := b.measure(h, p, r, long)
	if err != nil {
		return nil, fmt.Errorf("%s at %s: %w\n%s", name, c.name, err, p.said())
	}
	return out, nil
}

// house returns the people of a contest and the platform that they use.
func (b *bench) house(c contest, peer bool) (*house, http.Handler) {
	if c.platform == "discord" {
		d := newDiscord()
		d.house = newHouse(cmp.Or(c.tables, b.tables), d, c.manner, peer, c.words)
		return d.house, d
	}
	t := newTelegram(c.manner == byHands)
	t.house = newHouse(cmp.Or(c.tables, b.tables), t, c.manner, peer, c.words)
	return t.house, t
}

// startBot starts this bot.
func (b *bench) startBot(c contest, path, dir, api, redis string) (*program, error) {
	env := []string{
		"SEDMABOT_TEST_EAGERLY=1", "SEDMABOT_TABLE_PACE=0", "SEDMABOT_LOG_LEVEL=warn",
		"SEDMABOT_LIMITS_PRESSES=0", "SEDMABOT_LIMITS_PLAYER_TABLES=0", "SEDMABOT_LIMITS_HOME_TABLES=0",
		"SEDMABOT_STORE_PATH=" + filepath.Join(dir, "sedmabot.db"),
	}
	if b.store == "redis" {
		env = append(env, "SEDMABOT_STORE_REDIS_URL=redis://"+redis)
	}
	if c.platform == "telegram" {
		env = append(env, "SEDMABOT_TELEGRAM_TOKEN=1:AAx", "SEDMABOT_TELEGRAM_API_BASE="+api)
	} else {
		env = append(env, "SEDMABOT_DISCORD_TOKEN=x", "SEDMABOT_DISCORD_API_BASE="+api)
	}
	if b.profile != "" {
		env = append(env, "PRESSBENCH_PROFILE="+b.profile)
	}
	return start(dir, env, path)
}

// startPeer starts a bot by another maker.
func (b *bench) startPeer(c contest, name, dir, api, redis string, plan []planned) (*program, error) {
	data, err := json.Marshal(plan)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "plan.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	env := []string{"PLAN=" + file, "API=" + api, "NODE_ENV=production"}
	if strings.HasSuffix(name, "+redis") {
		env = append(env, "REDIS=redis://"+redis)
	}
	if name == bareLibrary {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		return start(dir, env, self, "bare")
	}
	return start(dir, env, "node", filepath.Join(b.here, "peers", c.platform+".mjs"))
}

// measure lets the people play, and measures a window. A long run begins when each table has ended a match, so that
// matches end all the time, and its window is at least as long as the others and until as many matches as there are tables
// have ended.
func (b *bench) measure(h *house, p *program, r *redis, long bool) (*result, error) {
	if err := h.open(p); err != nil {
		return nil, err
	}
	if err := h.warm(b.warm, p); err != nil {
		return nil, err
	}
	if !long {
		return b.watch(h, p, func() error { time.Sleep(b.window); return nil })
	}
	if err := h.until(len(h.rooms), p); err != nil {
		return nil, err
	}
	before, deals, err := settle(h, p, r)
	if err != nil {
		return nil, err
	}
	ended := h.ended()
	h.pause(false)
	out, err := b.watch(h, p, func() error {
		time.Sleep(b.window)
		return h.until(ended+len(h.rooms), p)
	})
	if err != nil {
		return nil, err
	}
	after, dealt, err := settle(h, p, r)
	if err != nil {
		return nil, err
	}
	out.matches, out.bytes, out.deals = h.ended()-ended, after-before, dealt-deals
	return out, nil
}

// A program is warm after so many presses at each table: by then, a JIT has compiled what a press needs.
const warmPresses = 20

// warm lets the people play for some time, and until the program is warm, however slow the machine is.
func (h *house) warm(least time.Duration, p *program) error {
	time.Sleep(least)
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		h.mu.Lock()
		done := h.done
		h.mu.Unlock()
		switch {
		case done >= warmPresses*len(h.rooms):
			return nil
		case p.ended() || time.Now().After(end):
			return fmt.Errorf("only %d of %d presses to get warm", done, warmPresses*len(h.rooms))
		}
	}
}

// until waits until so many matches have ended.
func (h *house) until(matches int, p *program) error {
	for end := time.Now().Add(10 * time.Minute); h.ended() < matches; {
		time.Sleep(100 * time.Millisecond)
		if p.ended() || time.Now().After(end) {
			return fmt.Errorf("only %d of %d matches have ended", h.ended(), matches)
		}
	}
	return nil
}

// settle pauses the people until the program is idle, and returns what its store keeps.
func settle(h *house, p *program, r *redis) (bytes, deals int, err error) {
	h.pause(true)
	p.quiet(time.Minute)
	return r.kept()
}

// ended returns the number of matches that have ended.
func (h *house) ended() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.matches
}

// open lets the people open their tables, a few at a time, and waits until all play.
func (h *house) open(p *program) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	h.api.wait(ctx)
	for i, r := range h.rooms {
		r.mu.Lock()
		r.step()
		r.mu.Unlock()
		if i%8 == 7 {
			time.Sleep(10 * time.Millisecond)
		}
	}
	for h.playing() < len(h.rooms) {
		if ctx.Err() != nil || p.ended() {
			return fmt.Errorf("only %d of %d tables began", h.playing(), len(h.rooms))
		}
		time.Sleep(20 * time.Millisecond)
	}
	return nil
}

// watch measures while wait runs.
func (b *bench) watch(h *house, p *program, wait func() error) (*result, error) {
	h.calls.count(true)
	if b.profile != "" {
		_ = p.Process.Signal(syscall.SIGUSR1)
	}
	h.begin()
	began, before := time.Now(), p.cpu()
	if err := wait(); err != nil {
		return nil, err
	}
	s, took, used, memory := h.end(), time.Since(began), p.cpu()-before, p.memory()
	h.calls.count(false)
	if b.profile != "" {
		_ = p.Process.Signal(syscall.SIGUSR2)
		time.Sleep(300 * time.Millisecond)
	}
	if p.ended() {
		return nil, errors.New("the program has ended")
	}
	if s.presses == 0 {
		return nil, errors.New("no press was finished")
	}
	h.mu.Lock()
	missed := h.missed
	h.mu.Unlock()
	return &result{
		presses: s.presses, rate: float64(s.presses) / took.Seconds(), cpu: used / time.Duration(s.presses), memory: memory,
		answer: quantilesOf(s.answer), shown: quantilesOf(s.shown), calls: h.calls.plan(s.presses), missed: missed,
	}, nil
}
