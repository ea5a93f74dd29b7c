package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sedmabot/bot"
	"sedmabot/bot/clocktest"
	"sedmabot/bot/doc"
	"sedmabot/bot/league"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/upkeep"
	"sedmabot/store"
	"sedmabot/store/redistest"
)

// At its start, the program must say in one line what it is, and what it works with.
func TestStartIsALine(t *testing.T) {
	t.Parallel()
	config := dataFile(t)
	p := start(t, config, "playground.listen: 127.0.0.1:0")
	p.stderr.wait(t, `level=INFO msg=starting version=\S+ store=`+strings.TrimPrefix(config, "store.path: ")+` platforms=playground`)
}

// A port that another program uses must not stop the first start. An address that somebody chose is another matter: see
// TestFatal.
func TestABusyPort(t *testing.T) {
	t.Parallel()
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	file := strings.TrimPrefix(dataFile(t), "store.path: ")
	c, err := loadConfig("", variables("SEDMABOT_STORE_PATH", file))
	if err != nil {
		t.Fatal(err)
	}
	c.Playground.Listen = busy.Addr().String() // as if it were the default
	p := begin(t, func(ctx context.Context, stdout, stderr io.Writer) error { return serve(ctx, c, stdout, stderr) })
	if url := p.playgroundURL(); url == "http://"+busy.Addr().String() {
		t.Errorf("the playground is at the busy address %s", url)
	}
}

// A Redis that may lose tables must be named at the start.
func TestARedisThatLosesTables(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t, "--maxmemory-policy", "allkeys-lru", "--appendonly", "no")
	p := start(t, "store.redis_url: "+redis.URL(), "playground.listen: 127.0.0.1:0")
	p.stderr.wait(t, `level=WARN msg=".*CONFIG SET maxmemory-policy noeviction.*maxmemory-policy=allkeys-lru`)
	p.stderr.wait(t, `level=WARN msg=".*CONFIG SET appendonly yes`)
}

// A managed Redis may forbid INFO and CONFIG. Everything runs, and the doctor says what it couldn't check.
func TestARedisWithoutINFOAndCONFIG(t *testing.T) {
	t.Parallel()
	unhurried(t)
	redis := redistest.Start(t, "--user", "bot", "on", ">s3cret", "~sedma:*", "&sedma:*", "+@all", "-@dangerous", "-info", "-config")
	url := "store.redis_url: redis://bot:s3cret@" + redis.Addr
	k := kept{url, keptIn(t, redis, redis.Addr).open}
	p, c, people := onPlayground(t, k)
	c.lastDeal()
	playUntil(c, people, finished)
	checkBoard(t, c)
	backup := filepath.Join(t.TempDir(), "backup")
	for _, args := range [][]string{{"backup", backup}, {"boards", "check"}} {
		if out, err := with(t, []string{url}, args...); err != nil {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	out, err := with(t, []string{url, "playground.listen: 127.0.0.1:0"}, "doctor")
	if err != nil || !strings.Contains(out, "note   redis version, maxmemory-policy and appendonly: couldn't check: ") || strings.Contains(out, "wrong") {
		t.Errorf("%v\n%s", err, out)
	}
	if status := p.status(syscall.SIGTERM); status != 0 || strings.Contains(p.stderr.String(), "level=WARN") || strings.Contains(p.stderr.String(), "level=ERROR") {
		t.Errorf("exit status %d\n%s", status, p.stderr)
	}
	checkRecords(t, k, 1)
}

// A process whose clock is an hour ahead must say so once, and follow the clock of Redis.
func TestAClockThatDiffersFromRedis(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	c, err := loadConfig("", variables("SEDMABOT_STORE_REDIS_URL", redis.URL(), "SEDMABOT_PLAYGROUND_LISTEN", "127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	now := make(chan time.Time, 1)
	c.now = func() time.Time { return time.Now().Add(time.Hour) }
	c.tune = func(made *bot.Config) { now <- made.Now() }
	p := begin(t, func(ctx context.Context, stdout, stderr io.Writer) error { return serve(ctx, c, stdout, stderr) })
	if off := time.Until(<-now); off.Abs() > time.Minute {
		t.Errorf("the bot's clock is %v ahead", off)
	}
	p.stderr.wait(t, `level=WARN msg="this machine's clock differs from that of redis.* redis_ahead=-1h0m0s`)
}

// A restore and a rebuild of the boards store times by the clock of Redis, here two hours ahead of this machine's.
func TestCommandsGoByTheClockOfRedis(t *testing.T) {
	t.Parallel()
	redis, ahead := redistest.Start(t), redistest.Listen(t)
	go func() {
		for {
			in, err := ahead.Accept()
			if err != nil {
				return
			}
			out, err := net.Dial("tcp", redis.Addr)
			if err != nil {
				in.Close()
				continue
			}
			go func() { _, _ = io.Copy(out, in) }()
			go tellLater(in, out)
		}
	}()
	url := "store.redis_url: redis://" + ahead.Addr().String()
	for _, args := range [][]string{{"restore", "../../bot/upkeep/testdata/schema2.jsonl"}, {"boards", "rebuild"}} {
		if out, err := with(t, []string{url}, args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	count := func(from, to time.Duration) string {
		t.Helper()
		at := func(d time.Duration) string { return strconv.FormatInt(time.Now().Add(d).UnixMilli(), 10) }
		n, err := redis.Do("EVAL", "local n = 0; for _, key in ipairs(redis.call('KEYS', '*:due')) do n = n + redis.call('ZCOUNT', key, ARGV[1], ARGV[2]) end; return n", "0", at(from), at(to))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if now, later := count(-time.Hour, time.Hour), count(time.Hour, 3*time.Hour); now != ":0" || later == ":0" {
		t.Errorf("jobs that are due by the clock of this machine%s, that of redis%s", now, later)
	}
}

// tellLater passes on what a Redis answers, with its time two hours later.
func tellLater(to, from net.Conn) {
	defer to.Close()
	told := regexp.MustCompile(`\*2\r\n\$10\r\n\d{10}\r\n`)
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		later := fmt.Appendf(nil, "*2\r\n$10\r\n%d\r\n", time.Now().Add(2*time.Hour).Unix())
		if _, err := to.Write(told.ReplaceAllLiteral(buffer[:n], later)); err != nil {
			return
		}
	}
}

// While Redis is away, the log must say so in a few lines, and at once when it is back.
func TestTheLogOfAnOutage(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	redis, telegram := redistest.Start(t), telegramtest.New(t)
	p := launch(t, []string{"SEDMABOT_STORE_REDIS_URL=" + redis.URL(), "SEDMABOT_TELEGRAM_TOKEN=" + telegram.Token, "SEDMABOT_TELEGRAM_API_BASE=" + telegram.URL})
	p.stderr.wait(t, "it is this process's turn")
	redis.Kill()
	p.stderr.wait(t, `level=WARN msg="the store can't be reached"`)
	p.stderr.wait(t, `level=WARN msg="keep a turn"`)
	redis.Start()
	p.stderr.wait(t, `level=INFO msg="the store takes changes again"`)
	if status := p.status(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
	log := p.stderr.String()
	if strings.Contains(log, "make room") {
		t.Errorf("it advises to make room:\n%s", log)
	}
	if n := strings.Count(log, `msg="keep a turn"`); n > 3 { // at once, before the recovery, and at the end
		t.Errorf("%d lines of one message", n)
	}
}

// A command with a wrong path must say so, and leave no file there.
func TestCommandsMakeNoFile(t *testing.T) {
	t.Parallel()
	bad := write(t, "backup", `{"sedmabot_backup":1,"schema":1}`+"\n")
	for _, args := range [][]string{{"boards", "check"}, {"boards", "rebuild"}, {"restore", bad}, {"backup", bad + ".new"}} {
		config := dataFile(t)
		out, err := with(t, []string{config}, args...)
		if err == nil {
			t.Errorf("%s: %s", args, out)
		}
		if _, err := os.Stat(strings.TrimPrefix(config, "store.path: ")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s leaves a data file: %v", args, err)
		}
	}
}

// The output of boards check must name nobody: people show it to others.
func TestBoardsCheckNamesNobody(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	add := func(v any) {
		if err := lines.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	add(upkeep.BackupHead{Backup: upkeep.BackupFormat, Schema: doc.Schema})
	const home = "test:1"
	add(upkeep.BackupLine{Partition: store.Partition(home), Name: doc.HomeName(home), Doc: doc.Encode(doc.Home{Played: 3})})
	add(upkeep.BackupLine{Partition: store.Partition(home), Name: doc.MemberName(home, "test:77"), Doc: doc.Encode(league.Member{Name: "Zuzana"})})
	add(upkeep.BackupLine{Documents: new(2)})
	config := []string{dataFile(t)}
	if out, err := with(t, config, "restore", write(t, "backup", text.String())); err != nil {
		t.Fatal(out, err)
	}
	out, err := with(t, config, "boards", "check")
	if !errors.Is(err, errBoards) || !strings.Contains(out, "members without a match: 1\n") || !strings.Contains(out, "compare the two files") {
		t.Errorf("%s, %v", out, err)
	}
	if strings.Contains(out, "test:") || strings.Contains(out, "Zuzana") {
		t.Errorf("it names somebody: %s", out)
	}
}

// systemd must learn when the service has started and when it stops, and not start it again with a refused token.
func TestSystemd(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("systemd is for Linux")
	}
	unit, err := os.ReadFile("deploy/sedmabot.service")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"\nType=notify\n", "\nRestartPreventExitStatus=78\n", "\nTimeoutStartSec=infinity\n"} {
		if !strings.Contains(string(unit), line) {
			t.Errorf("the unit has no %q", line)
		}
	}
	dir, err := os.MkdirTemp("", "systemd-*") // a short name: a socket's has 108 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "notify"), Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	heard := func(want string) {
		t.Helper()
		b := make([]byte, 100)
		if err := socket.SetReadDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		if n, err := socket.Read(b); string(b[:n]) != want {
			t.Errorf("systemd heard %q, %v", b[:n], err)
		}
	}
	telegram := telegramtest.New(t)
	accepts := make(chan struct{})
	telegram.Fail(telegramtest.Failure{Method: "getMe", Times: 1, Hold: accepts})
	p := launch(t, []string{"NOTIFY_SOCKET=" + filepath.Join(dir, "notify"), "SEDMABOT_TELEGRAM_TOKEN=" + telegram.Token, "SEDMABOT_TELEGRAM_API_BASE=" + telegram.URL})
	if err := socket.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if n, err := socket.Read(make([]byte, 100)); err == nil {
		t.Errorf("systemd heard something of %d bytes before the token was accepted", n)
	}
	close(accepts)
	heard("READY=1")
	if status := p.status(syscall.SIGTERM); status != 0 {
		t.Errorf("exit status %d", status)
	}
	heard("STOPPING=1")
}
