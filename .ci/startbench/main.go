// Startbench measures how soon the program, as it is shipped, answers a press that waits when it starts, and how much memory
// it takes. Its store has many tables in play, whose turns ended long ago, so that a job of each is due at the start; or many
// chats that once had a table. A server on this machine plays Telegram's API, or Discord's and its gateway, without limits.
//
//	go run . [flags] NAME=PROGRAM...
//
// A PROGRAM is a file, built as the Dockerfile says. For example:
//
//	go run . -tables 10000 now=/tmp/sedmabot               five starts, and the memory 8 s later
//	go run . -tables 10000 -store redis now=/tmp/sedmabot  the same with a redis-server of its own
//	go run . -platform discord now=/tmp/sedmabot           Discord: the press comes when the gateway is READY
//	go run . -tables 10000 -rate 30 now=/tmp/sedmabot      30 presses a second for a minute, after one start
//	go run . -tables 0 -chats 100000 now=/tmp/sedmabot     the memory of a bot that has nothing to do
//
// Times count from the start of the process. CPU and memory come from /proc.
//
// FIGURES.md has the measurements.
package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"sedmabot/store"
)

type bench struct {
	tables, chats, starts, rate int
	redis, discord              bool
	settle, play, delay         time.Duration
	dir                         string
}

func main() {
	b := bench{}
	flag.IntVar(&b.tables, "tables", 10000, "tables in play")
	flag.IntVar(&b.chats, "chats", 0, "chats without a table")
	flag.IntVar(&b.starts, "starts", 5, "starts of each program")
	flag.IntVar(&b.rate, "rate", 0, "presses a second after the start")
	flag.DurationVar(&b.settle, "settle", 8*time.Second, "time from the start until the memory is measured")
	flag.DurationVar(&b.play, "play", time.Minute, "time of -rate")
	flag.DurationVar(&b.delay, "delay", 0, "how late the platform answers each call")
	kind, name := flag.String("store", "file", "file or redis"), flag.String("platform", "telegram", "telegram or discord")
	flag.Parse()
	b.redis, b.discord = *kind == "redis", *name == "discord"
	if b.rate > 0 {
		b.starts = 1
	}
	if err := b.run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "startbench:", err)
		os.Exit(1)
	}
}

func (b *bench) run(programs []string) (err error) {
	if b.dir, err = os.MkdirTemp("", "startbench"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	backup := filepath.Join(b.dir, "backup")
	if err := os.WriteFile(backup, b.backup(), 0o600); err != nil {
		return err
	}
	for _, arg := range programs {
		name, program, ok := strings.Cut(arg, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=PROGRAM", arg)
		}
		if err := b.measure(name, program, backup); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// The ids of groups and people on Telegram. Each table has a group and two people.
const (
	groups = 1_000_000_000_000 // -groups - i
	people = 5_000_000_000     // people + 2i, and the next one
)

func group(i int) string  { return strconv.Itoa(-groups - i) }
func person(i int) string { return strconv.Itoa(people + i) }
func quoted(v any) string { text, _ := json.Marshal(v); return string(text) }
func seated(id string) string {
	return `{"player":{"id":"` + id + `","name":"Ann","lang":"en","locale":"en"}}`
}

// place is where a table is, as the documents name it.
type place struct{ home, chat, message string }

func (b *bench) place(i int) place {
	if b.discord {
		channel := discordID(channels, i)
		return place{"discord:" + discordID(guilds, i), "discord:" + channel, "discord:m/" + channel + "/" + discordID(messages, i)}
	}
	id := "telegram:" + group(i)
	return place{id, id, fmt.Sprintf("%s:p%d", id, 10+i)}
}

// player returns a person's id, as the documents name it.
func (b *bench) player(i int) string {
	if b.discord {
		return "discord:" + discordID(users, i)
	}
	return "telegram:" + person(i)
}

// tableName returns a table's id, which names the partition of its home.
func (b *bench) tableName(i int) string {
	return fmt.Sprintf("%x%012d", store.Partition(b.place(i).home), i)
}

// began is when all tables were left.
var began = time.Now().Add(-time.Hour).UTC().Format(time.RFC3339Nano)

// backup returns a backup of the store.
func (b *bench) backup() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, `{"sedmabot_backup":1,"schema":2,"at":%q}`+"\n", time.Now().UTC().Format(time.RFC3339Nano))
	count := 0
	var partitions [store.Partitions]bytes.Buffer
	add := func(partition int, name, doc string) {
		count++
		fmt.Fprintf(&partitions[partition], `{"p":%d,"name":%q,"doc":{"v":2,"d":%s}}`+"\n", partition, name, doc)
	}
	var open []string // the tables of a home
	for i := range b.tables {
		id, at := b.tableName(i), b.place(i)
		p := store.Partition(at.home)
		open = append(open, fmt.Sprintf("%q:%q", at.chat, id))
		if i+1 == b.tables || b.place(i+1).home != at.home {
			add(p, "home:"+at.home, `{"open":{`+strings.Join(open, ",")+"}}")
			open = nil
		}
		ann, ben := b.player(2*i), b.player(2*i+1)
		for _, who := range []string{ann, ben} {
			add(store.Partition(who), "player:"+who, fmt.Sprintf(`{"tables":[%q]}`, id))
		}
		add(p, "shown:"+id, fmt.Sprintf(`{"posts":{"%[1]s lobby:1":{"address":%[2]q,"seq":0,"hash":"56a01e52799658b4","picture":"6e614e7a894dd216","count":2,"sent":%[3]q}},"places":{%[1]q:{"not_before":%[3]q,"count":2,"asked":true}},"seated":[%[4]q,%[5]q]}`,
			at.chat, at.message, began, ann, ben))
		seed := make([]byte, 32)
		_, _ = rand.Read(seed)
		add(p, "table:"+id, fmt.Sprintf(`{"id":%[1]q,"home":%[2]q,"chats":[{"id":%[3]q}],"host":%[4]q,"rules":"sedma-4p","seats":[%[5]s,%[6]s,{"ai":"medium"},{"ai":"medium"}],"phase":"playing","match_no":1,"began":%[7]q,"deal_no":1,"match":{"rules":"sedma-4p","dealer":1,"home":0,"scores":[0,0],"pool":0,"abeyance":0,"hands":0,"over":false,"winner":-1},"deal":{"rules":"sedma-4p","dealer":1,"deck":%[8]q,"moves":""},"seed":%[9]q,"pace":1500000000,"limit":120000000000,"since":%[7]q,"touched":%[7]q}`,
			id, at.home, at.chat, ann, seated(ann), seated(ben), began, deck, hex.EncodeToString(seed)))
	}
	for i := range b.chats {
		home := b.place(b.tables + i).home
		add(store.Partition(home), "home:"+home, `{"default":{"rules":"sedma-2p"}}`)
		who := b.player(2*b.tables + i)
		add(store.Partition(who), "player:"+who, `{"lang":"cs"}`)
	}
	for p := range partitions {
		out.Write(partitions[p].Bytes())
	}
	fmt.Fprintf(&out, `{"p":0,"documents":%d}`+"\n", count)
	return out.Bytes()
}

const deck = "9h7lOaAa8hKh7bAlTl7a9a9lThOh9bAb7h8l8bKlKaAhKbUlTbUbOlUaObUhTa8a"

func (b *bench) measure(name, program, backup string) error {
	var api platform = newTelegram(b.delay)
	if b.discord {
		api = newDiscord(b.delay, b.tables+b.chats)
	}
	server := httptest.NewServer(api)
	defer server.Close()
	env := []string{"SEDMABOT_TELEGRAM_TOKEN=1:" + strings.Repeat("a", 35), "SEDMABOT_TELEGRAM_API_BASE=" + server.URL, "SEDMABOT_MONITOR_LISTEN="}
	if b.discord {
		env = []string{"SEDMABOT_DISCORD_TOKEN=x", "SEDMABOT_DISCORD_API_BASE=" + server.URL, "SEDMABOT_MONITOR_LISTEN="}
	}
	if b.redis {
		address, stop, err := b.startRedis()
		if err != nil {
			return err
		}
		defer stop()
		env = append(env, "SEDMABOT_STORE_REDIS_URL=redis://"+address)
	} else {
		env = append(env, "SEDMABOT_STORE_PATH="+filepath.Join(b.dir, name+".db"))
	}
	restore := exec.Command(program, "restore", backup)
	restore.Env = append(os.Environ(), env...)
	if out, err := restore.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for range b.starts {
		if err := b.start(name, program, env, api); err != nil {
			return err
		}
	}
	return nil
}

// start starts the program once, with a press that waits.
func (b *bench) start(name, program string, env []string, api platform) error {
	table := random(max(1, b.tables))
	api.begin()
	answered := api.press(table, table*2, "cards:"+b.tableName(table))
	log, err := os.Create(filepath.Join(b.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	c := exec.Command(program)
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), env...), log, log
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	at := time.Now()
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }()
	defer func() {
		_ = c.Process.Signal(syscall.SIGTERM)
		<-ended
	}()
	line := name + ":"
	select {
	case when := <-answered:
		line += fmt.Sprintf(" answered after %s and %s of CPU;", when.Sub(at).Round(time.Millisecond), cpu(c.Process.Pid))
		polled, calls := api.before(when)
		line += fmt.Sprintf(" listened after %s, %d calls before the answer;", polled.Sub(at).Round(time.Millisecond), calls)
	case <-ended:
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("the program ended: %s", text)
	case <-time.After(30 * time.Second):
		text, _ := os.ReadFile(log.Name())
		return fmt.Errorf("no answer: %s", text)
	}
	most := 0
	for time.Since(at) < b.settle {
		now, _ := resident(c.Process.Pid)
		most = max(most, now)
		time.Sleep(20 * time.Millisecond)
	}
	now, own := resident(c.Process.Pid)
	line += fmt.Sprintf(" after %s: resident %d MB, %d without files, at most %d, %s of CPU", b.settle, now, own, most, cpu(c.Process.Pid))
	fmt.Println(line)
	if b.rate > 0 {
		b.presses(name, c.Process.Pid, api)
	}
	return nil
}

// presses lets people press at a steady rate: half of them see their cards, and half play one.
func (b *bench) presses(name string, pid int, api platform) {
	var (
		waits sync.WaitGroup
		mu    sync.Mutex
		took  []time.Duration
	)
	most, mostOwn, sum, n := 0, 0, 0, 0
	before, began := cpu(pid), time.Now()
	for i := 0; time.Since(began) < b.play; i++ {
		time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / time.Duration(b.rate))))
		table := random(b.tables)
		data := "cards:" + b.tableName(table)
		if i%2 == 0 {
			data = api.play(table, data)
		}
		at := time.Now()
		answered := api.press(table, table*2+random(2), data)
		waits.Go(func() {
			select {
			case when := <-answered:
				mu.Lock()
				took = append(took, when.Sub(at))
				mu.Unlock()
			case <-time.After(10 * time.Second):
			}
		})
		now, own := resident(pid)
		most, mostOwn, sum, n = max(most, now), max(mostOwn, own), sum+now, n+1
	}
	waits.Wait()
	slices.Sort(took)
	if len(took) == 0 {
		fmt.Println(name + ": nothing was answered")
		return
	}
	fmt.Printf("%s: %d of %d presses answered, half within %s, 99 %% within %s; resident %d MB on average, at most %d, without files %d, %s of CPU\n",
		name, len(took), n, took[len(took)/2].Round(100*time.Microsecond), took[len(took)*99/100].Round(100*time.Microsecond), sum/n, most, mostOwn, cpu(pid)-before)
}

func random(n int) int {
	i, _ := rand.Int(rand.Reader, big.NewInt(int64(n)))
	return int(i.Int64())
}

// resident returns the resident memory of a process in MB, with its pages of the data file, and without those.
func resident(pid int) (all, own int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text))
	if len(fields) < 3 {
		return 0, 0
	}
	all, _ = strconv.Atoi(fields[1])
	shared, _ := strconv.Atoi(fields[2])
	return all * os.Getpagesize() >> 20, (all - shared) * os.Getpagesize() >> 20
}

// cpu returns the CPU time of a process.
func cpu(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // from the third field on
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond // a clock tick of /proc
}

// startRedis starts a redis-server that writes each change to its file, as the pages about running the bot advise.
func (b *bench) startRedis() (address string, stop func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	address = l.Addr().String()
	l.Close()
	_, port, _ := net.SplitHostPort(address)
	dir, err := os.MkdirTemp(b.dir, "redis")
	if err != nil {
		return "", nil, err
	}
	c := exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", dir, "--appendonly", "yes", "--save", "")
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		return "", nil, err
	}
	stop = func() { _ = c.Process.Kill(); _ = c.Wait() }
	for range 100 {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			return address, stop, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	stop()
	return "", nil, errors.New("redis-server doesn't answer")
}

// platform plays a platform's API.
type platform interface {
	http.Handler
	begin()
	before(when time.Time) (listened time.Time, calls int)
	play(table int, other string) string
	press(table, who int, data string) chan time.Time
}

// record is what a program did on a platform.
type record struct {
	delay time.Duration // of each answer

	mu       sync.Mutex
	last     int                       // number of the last press
	waiting  map[string]chan time.Time // by the id of a press
	shown    map[string]string         // by the chat of a table: the data of a button that plays a card
	listened time.Time                 // from when on the program got presses
	calls    []time.Time               // that it made, without polls
}

func newRecord(delay time.Duration) record {
	return record{delay: delay, waiting: map[string]chan time.Time{}, shown: map[string]string{}}
}

// begin forgets what the process before this one did.
func (r *record) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listened, r.calls = time.Time{}, nil
}

// before returns from when on the program got presses, and the number of calls before a moment.
func (r *record) before(when time.Time) (listened time.Time, calls int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, at := range r.calls {
		if at.Before(when) {
			calls++
		}
	}
	return r.listened, calls
}

// playIn returns the data of a button in a chat that plays a card, or other.
func (r *record) playIn(chat, other string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return cmp.Or(r.shown[chat], other)
}

// show notes a message of a table. begin is the text before the data of a button that plays a card. The caller holds r.mu.
func (r *record) show(chat, message, begin string) {
	r.shown[chat] = ""
	if _, after, ok := strings.Cut(message, begin); ok {
		data, _, _ := strings.Cut(after, `"`)
		r.shown[chat] = "place:" + data
	}
}

// wait returns a new press and the channel that gets the time of its answer. The caller holds r.mu.
func (r *record) wait() (id string, answered chan time.Time) {
	r.last++
	id, answered = "press"+strconv.Itoa(r.last), make(chan time.Time, 1)
	r.waiting[id] = answered
	return id, answered
}

// answer notes the answer to a press. The caller holds r.mu.
func (r *record) answer(id string, at time.Time) {
	if answered := r.waiting[id]; answered != nil {
		answered <- at
		delete(r.waiting, id)
	}
}

// telegram plays the Bot API.
type telegram struct {
	record
	pending []string // updates
	first   int      // id of the first pending one
	wake    chan struct{}
	message int
}

func newTelegram(delay time.Duration) *telegram {
	return &telegram{record: newRecord(delay), wake: make(chan struct{}), first: 1, message: 1 << 20}
}

func (t *telegram) play(table int, other string) string { return t.playIn(group(table), other) }

// press delivers a press in a table's group. It returns a channel that gets the time of the answer.
func (t *telegram) press(table, who int, data string) chan time.Time {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, answered := t.wait()
	t.pending = append(t.pending, fmt.Sprintf(`{"update_id":%d,"callback_query":{"id":%q,"from":{"id":%s,"is_bot":false,"first_name":"Ann","language_code":"en"},"message":{"message_id":%d,"from":{"id":1,"is_bot":true,"first_name":"Bot","username":"SedmaBot"},"date":%d,"chat":{"id":%s,"type":"supergroup","title":"Room"},"text":"A table"},"chat_instance":"1","data":%q}}`,
		t.last, id, person(who), 10+table, time.Now().Unix(), group(table), data))
	close(t.wake)
	t.wake = make(chan struct{})
	return answered
}

func (t *telegram) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	time.Sleep(t.delay)
	at := time.Now()
	method := q.URL.Path[strings.LastIndexByte(q.URL.Path, '/')+1:]
	p := fields(q)
	w.Header().Set("Content-Type", "application/json")
	if method == "getUpdates" {
		io.WriteString(w, `{"ok":true,"result":[`+strings.Join(t.updates(q, at, p), ",")+"]}")
		return
	}
	io.WriteString(w, t.call(method, at, p))
}

// fields returns the parameters of a call, without its files.
func fields(q *http.Request) url.Values {
	if form, err := q.MultipartReader(); err == nil {
		out := url.Values{}
		for {
			part, err := form.NextPart()
			if err != nil {
				return out
			}
			data, _ := io.ReadAll(part)
			if part.FileName() == "" {
				out.Set(part.FormName(), string(data))
			}
		}
	}
	body, _ := io.ReadAll(q.Body)
	if bytes.HasPrefix(body, []byte("{")) {
		var raw map[string]any
		_ = json.Unmarshal(body, &raw)
		out := url.Values{}
		for k, v := range raw {
			if s, ok := v.(string); ok {
				out.Set(k, s)
			} else {
				out.Set(k, quoted(v))
			}
		}
		return out
	}
	out, _ := url.ParseQuery(string(body))
	return out
}

func (t *telegram) updates(q *http.Request, at time.Time, p url.Values) []string {
	offset, _ := strconv.Atoi(p.Get("offset"))
	seconds, _ := strconv.Atoi(p.Get("timeout"))
	end := time.After(time.Duration(seconds) * time.Second)
	for {
		t.mu.Lock()
		if t.listened.IsZero() {
			t.listened = at
		}
		for t.first < offset && len(t.pending) > 0 {
			t.first, t.pending = t.first+1, t.pending[1:]
		}
		all, wake := slices.Clone(t.pending[:min(100, len(t.pending))]), t.wake
		t.mu.Unlock()
		if len(all) > 0 {
			return all
		}
		select {
		case <-wake:
		case <-end:
			return nil
		case <-q.Context().Done():
			return nil
		}
	}
}

// call returns the answer to a call.
func (t *telegram) call(method string, at time.Time, p url.Values) string {
	const done = `{"ok":true,"result":true}`
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = append(t.calls, at)
	switch method {
	case "getMe":
		return `{"ok":true,"result":{"id":1,"is_bot":true,"first_name":"Bot","username":"SedmaBot","can_join_groups":true,"can_read_all_group_messages":false,"supports_inline_queries":false}}`
	case "getChatMember":
		return `{"ok":true,"result":{"status":"creator","is_anonymous":false,"user":{"id":` + p.Get("user_id") + `,"is_bot":false,"first_name":"X"}}}`
	case "getChatAdministrators", "getMyCommands":
		return `{"ok":true,"result":[]}`
	case "deleteEphemeralMessage", "editEphemeralMessageText":
		return `{"ok":false,"error_code":404,"description":"Not Found"}`
	case "answerCallbackQuery":
		t.answer(p.Get("callback_query_id"), at)
		return done
	}
	chat := p.Get("chat_id")
	id, _ := strconv.Atoi(p.Get("message_id"))
	switch {
	case strings.HasPrefix(method, "send") && method != "sendChatAction":
		t.message++
		id = t.message
	case !strings.HasPrefix(method, "edit"):
		return done
	}
	if !strings.HasPrefix(chat, "-") {
		return `{"ok":false,"error_code":403,"description":"Forbidden: bot can't initiate conversation with a user"}`
	}
	t.show(chat, p.Get("reply_markup"), `"callback_data":"place:`)
	photo := ""
	if method == "sendPhoto" || method == "editMessageMedia" {
		photo = fmt.Sprintf(`,"photo":[{"file_id":"f%[1]d","file_unique_id":"u%[1]d","width":800,"height":600,"file_size":9000}]`, id)
	}
	return fmt.Sprintf(`{"ok":true,"result":{"message_id":%d,"from":{"id":1,"is_bot":true,"first_name":"Bot"},"chat":{"id":%s,"type":"supergroup","title":"Room"},"date":1%s}}`, id, chat, photo)
}
