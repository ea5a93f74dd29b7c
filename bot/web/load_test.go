package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"sedmabot/bot"
	"sedmabot/bot/chat"
	"sedmabot/bot/screen"
	"sedmabot/bot/tables"
	"sedmabot/bot/web"
	"sedmabot/store/boltstore"
)

// ample is a platform that accepts everything at once.
type ample struct{ last *atomic.Int64 }

func (ample) Name() string                                  { return "test" }
func (ample) Run(ctx context.Context, _ chat.Handler) error { <-ctx.Done(); return nil }
func (p ample) Send(context.Context, chat.Target, screen.Screen, string) (chat.Address, error) {
	return chat.Address(fmt.Sprintf("test:%d", p.last.Add(1))), nil
}
func (ample) Edit(context.Context, chat.Address, screen.Screen) error { return nil }
func (ample) Delete(context.Context, chat.Address) error              { return nil }
func (ample) Reach(context.Context, chat.Target) error                { return nil }
func (ample) PrivateChat(context.Context, string, func() chat.Address) (chat.Address, error) {
	return "", nil
}
func (ample) Link(string, chat.Address) string         { return "" }
func (ample) Spelling(c chat.Command, _ string) string { return "/" + c.Name }
func (ample) Ready() error                             { return nil }
func (ample) Gap(chat.Target) time.Duration            { return time.Second }
func (ample) Lasts() time.Duration                     { return 0 }
func (ample) Abilities() chat.Abilities                { return chat.Abilities{} }

// crowded is what the server's process reports to the test.
type crowded struct {
	URL     string   `json:"url"`
	Cookies []string `json:"cookies"` // one session for each player
	Guests  []string `json:"guests"`  // one session for each spectator of the first table
	Table   string   `json:"table"`   // the first table
}

// serveCrowd is the server's process: it has n tables for four, whose first deal has begun,
// and serves their pages until its input ends. Spectators watch the first table.
func serveCrowd(t *testing.T, n, guests int) {
	t.Helper()
	s, err := boltstore.Open(filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := bot.New(bot.Config{Store: s, Platforms: []chat.Platform{ample{new(atomic.Int64)}}, Limits: tables.Limits{PlayerTables: 10, HomeTables: 10}, Pages: map[string]string{"test": "https://table.example/"}, Log: slog.New(slog.DiscardHandler)})
	site, err := web.New(web.Config{Pages: b.Pages, Handler: b})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, run := range []func(context.Context) error{b.Run, site.Run} {
		wg.Go(func() { _ = run(ctx) })
	}
	defer wg.Wait()
	defer stop()
	server := httptest.NewServer(site)
	defer server.Close()
	out := crowded{URL: server.URL}
	out.Cookies = make([]string, 4*n)
	begin := func(i int) error {
		for seat, command := range []string{"new", "join", "join", "join", "start"} {
			in := chat.Input{Player: chat.Player{ID: fmt.Sprintf("test:p%d-%d", i, seat%4), Name: fmt.Sprintf("Player %d", seat), Lang: "en"}, Chat: chat.Chat{ID: fmt.Sprintf("test:c%d", i), Home: fmt.Sprintf("test:c%d", i), Lang: "en"}, Command: command}
			if reply := b.Handle(ctx, in); reply.Outcome != chat.Done {
				return fmt.Errorf("%s: %+v", command, reply)
			}
			if command == "start" {
				continue
			}
			id, err := b.Pages().OpenIn(ctx, in.Chat)
			if err != nil || id == "" {
				return fmt.Errorf("no table is open: %w", err)
			}
			if out.Cookies[4*i+seat], err = web.Begin(ctx, b.Pages(), chat.Visitor{Player: in.Player}, ""); err != nil {
				return err
			}
			if i == 0 {
				out.Table = id
			}
		}
		return nil
	}
	if err := together(n, begin); err != nil { // the store writes at once what comes together
		t.Fatal(err)
	}
	for i := range guests {
		cookie, err := web.Begin(ctx, b.Pages(), chat.Visitor{Player: chat.Player{ID: fmt.Sprintf("test:g%d", i), Lang: "en"}, Chats: []string{"test:c0"}}, "test:c0")
		if err != nil {
			t.Fatal(err)
		}
		out.Guests = append(out.Guests, cookie)
	}
	debug.FreeOSMemory() // what making the tables has needed
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// watcher is a page of the load. It plays a card when its turn has come, after a pause.
type watcher struct {
	conn  *websocket.Conn
	pause time.Duration
	plays func(ply int) // called when it plays; nil: nobody asks
	mu    sync.Mutex
	sent  map[int64]time.Time
	took  []time.Duration
}

// loads reads the socket until it ends.
func (w *watcher) loads(ctx context.Context) {
	done := ""
	for id := int64(1); ; {
		_, data, err := w.conn.Read(ctx)
		if err != nil {
			return
		}
		if bytes.HasPrefix(data, []byte(`{"t":"ping"`)) {
			continue
		}
		var m message
		if json.Unmarshal(data, &m) != nil {
			return
		}
		if m.T == "answer" {
			w.mu.Lock()
			w.took = append(w.took, time.Since(w.sent[m.ID]))
			w.mu.Unlock()
			continue
		}
		if m.T != "live" {
			continue
		}
		p := page{live: *m.Live}
		press := p.choice()
		if press == "" || press == done {
			continue
		}
		done = press
		no := id
		id++
		wait := w.pause
		if no == 1 && m.Live.Felt.Ply == 0 {
			wait = rand.N(wait) // the tables move at different times
		}
		time.AfterFunc(wait, func() {
			w.mu.Lock()
			w.sent[no] = time.Now()
			w.mu.Unlock()
			if w.plays != nil {
				w.plays(m.Live.Felt.Ply)
			}
			_ = w.conn.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"t":"press","id":%d,"press":%q,"at":%q}`, no, press, m.Live.Table))
		})
	}
}

// cpu returns how much CPU time a process has used, and its memory now and at most, in MB.
func cpu(t *testing.T, pid int) (spent time.Duration, now, most int) {
	t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	for _, f := range fields[11:13] {
		ticks, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		spent += time.Duration(ticks) * 10 * time.Millisecond
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		kb := 0
		if _, err := fmt.Sscanf(line, "VmRSS: %d", &kb); err == nil {
			now = kb / 1024
		}
		if _, err := fmt.Sscanf(line, "VmHWM: %d", &kb); err == nil {
			most = kb / 1024
		}
	}
	return spent, now, most
}

// crowd starts the server's process, whose garbage collector has Go's usual settings, with n tables and spectators of the first one. It ends with the test.
func crowd(t *testing.T, test string, n, guests int) (crowded, *os.Process) {
	t.Helper()
	server := exec.Command(os.Args[0], "-test.run=^"+test+"$")
	server.Env = append(os.Environ(), "GOGC=100", fmt.Sprintf("SEDMABOT_TEST_CROWD_SERVER=%d %d", n, guests))
	in, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = server.Wait() })
	var c crowded
	line, err := bufio.NewReaderSize(out, 1<<20).ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &c) != nil {
		t.Fatalf("the server: %v %.300s", err, line)
	}
	return c, server.Process
}

// together calls f for each number below n, many at once, and returns an error that f returned.
func together(n int, f func(i int) error) error {
	var next atomic.Int64
	failed := make(chan error, 16)
	for range cap(failed) {
		go func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := f(i); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}()
	}
	var all []error
	for range cap(failed) {
		all = append(all, <-failed)
	}
	return errors.Join(all...)
}

// dial opens the socket of a page with a session's cookie.
func (c crowded) dial(ctx context.Context, cookie string) (*websocket.Conn, error) {
	conn, _, err := websocket.Dial(ctx, strings.Replace(c.URL, "http", "ws", 1)+"/api/live?as=test",
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {c.URL}, "Cookie": {web.CookiePrefix + "test=" + cookie}}})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(1 << 20)
	return conn, nil
}

// servesCrowd reports whether this process is the server's, after it has served.
func servesCrowd(t *testing.T) bool {
	t.Helper()
	n, guests := 0, 0
	if _, err := fmt.Sscan(os.Getenv("SEDMABOT_TEST_CROWD_SERVER"), &n, &guests); err != nil {
		return false
	}
	serveCrowd(t, n, guests)
	return true
}

// TestManyPages opens 2,000 pages at 500 tables, and makes a move at each table every 5 s. It
// measures the CPU and memory of the server's process, and the time from a press to its answer; the CPU of this process,
// which has the pages, is told apart. SEDMABOT_TEST_CROWD=500 runs it, and SEDMABOT_TEST_CROWD_PAUSE=8s is another pause.
func TestManyPages(t *testing.T) {
	if servesCrowd(t) {
		return
	}
	n, err := strconv.Atoi(os.Getenv("SEDMABOT_TEST_CROWD"))
	if err != nil {
		t.Skip("a measurement: it runs with SEDMABOT_TEST_CROWD=500, the number of tables")
	}
	pause := 5 * time.Second
	if p, err := time.ParseDuration(os.Getenv("SEDMABOT_TEST_CROWD_PAUSE")); err == nil {
		pause = p
	}
	crowd, server := crowd(t, "TestManyPages", n, 0)
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer stop()
	all := make([]*watcher, len(crowd.Cookies))
	if err := together(len(all), func(i int) error {
		conn, err := crowd.dial(ctx, crowd.Cookies[i])
		all[i] = &watcher{conn: conn, pause: pause, sent: map[int64]time.Time{}}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, w := range all {
		wg.Go(func() { w.loads(ctx) })
	}
	settled, window := 2*pause, 30*time.Second
	<-time.After(settled)
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", server.Pid), []byte("5"), 0); err != nil { // the most memory from now on
		t.Fatal(err)
	}
	for _, w := range all {
		w.mu.Lock()
		w.took = nil
		w.mu.Unlock()
	}
	began := time.Now()
	before, _, _ := cpu(t, server.Pid)
	own, _, _ := cpu(t, os.Getpid())
	<-time.After(window)
	after, now, most := cpu(t, server.Pid)
	ownAfter, _, _ := cpu(t, os.Getpid())
	var took []time.Duration
	for _, w := range all {
		w.mu.Lock()
		took = append(took, w.took...)
		w.mu.Unlock()
	}
	if len(took) < n {
		t.Fatalf("only %d presses", len(took))
	}
	slices.Sort(took)
	passed := time.Since(began).Seconds()
	t.Logf("%d pages at %d tables, %.1f presses/s: %.2f cores (and %.2f for the pages), %d MB now, %d MB at most; a press is answered in %v, p95 %v, p99 %v",
		len(all), n, float64(len(took))/passed, (after-before).Seconds()/passed, (ownAfter-own).Seconds()/passed, now, most, took[len(took)/2], took[len(took)*95/100], took[len(took)*99/100])
}

// TestManySpectators lets 1,000 people watch one table. It measures how long a move takes until all of them have it.
// SEDMABOT_TEST_GUESTS=1000 runs it.
func TestManySpectators(t *testing.T) {
	if servesCrowd(t) {
		return
	}
	n, err := strconv.Atoi(os.Getenv("SEDMABOT_TEST_GUESTS"))
	if err != nil {
		t.Skip("a measurement: it runs with SEDMABOT_TEST_GUESTS=1000, the number of spectators")
	}
	crowd, server := crowd(t, "TestManySpectators", 1, n)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var mu sync.Mutex
	seen := map[int]int{} // how many spectators have seen a move, by its number
	all := make(chan int, 1000)
	for _, cookie := range crowd.Guests {
		conn, err := crowd.dial(ctx, cookie)
		if err != nil {
			t.Fatal(err)
		}
		if err := conn.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"t":"table","table":%q}`, crowd.Table)); err != nil {
			t.Fatal(err)
		}
		go func() {
			latest := -1
			for {
				_, data, err := conn.Read(ctx)
				if err != nil {
					return
				}
				var m message
				if json.Unmarshal(data, &m) != nil || m.T != "live" || m.Live.Felt == nil {
					continue
				}
				mu.Lock()
				for ; latest < m.Live.Felt.Ply; latest++ { // a merged state has several moves
					if seen[latest+1]++; seen[latest+1] == n {
						all <- latest + 1
					}
				}
				mu.Unlock()
			}
		}()
	}
	began := map[int]time.Time{} // when a move was sent, by the number of moves before it
	before, _, _ := cpu(t, server.Pid)
	for _, cookie := range crowd.Cookies {
		conn, err := crowd.dial(ctx, cookie)
		if err != nil {
			t.Fatal(err)
		}
		w := &watcher{conn: conn, pause: 500 * time.Millisecond, sent: map[int64]time.Time{}, plays: func(ply int) {
			mu.Lock()
			defer mu.Unlock()
			began[ply] = time.Now()
		}}
		go w.loads(ctx)
	}
	var took []time.Duration
	for len(took) < 20 {
		select {
		case got := <-all:
			mu.Lock()
			if sent, ok := began[got-1]; ok { // else the bot made the move
				took = append(took, time.Since(sent))
			}
			mu.Unlock()
		case <-time.After(30 * time.Second):
			t.Fatalf("only %d moves have reached all", len(took))
		}
	}
	after, now, most := cpu(t, server.Pid)
	slices.Sort(took)
	t.Logf("%d spectators of a table: all have a move after %v, at most %v; %v of CPU for %d moves, %d MB now, %d MB at most", n, took[len(took)/2], took[len(took)-1], after-before, len(took), now, most)
}
