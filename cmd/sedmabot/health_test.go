package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sedmabot/bot/clocktest"
	"sedmabot/store/redistest"
)

// noRoom is the answer of /readyz while the store refuses changes.
const noRoom = "the store takes no changes: its disk or its memory may be full; the log says more\n"

// ready asks a process for its readiness, once the bot has begun: until then, the answer says nothing of the store.
func (p *process) ready(t *testing.T) (status int, text string) {
	t.Helper()
	line := p.stderr.wait(t, `msg=monitoring listen=\S+$`)
	for {
		status, text = asked(t, line[strings.LastIndex(line, "=")+1:]+"/readyz")
		if !strings.HasPrefix(text, "the bot is starting") {
			return status, text
		}
	}
}

// readyWhile checks a bot's readiness before its store is full, while it is full, and afterwards.
func readyWhile(t *testing.T, store string, fill, empty func(*process)) {
	t.Helper()
	p := launch(t, []string{store, "SEDMABOT_PLAYGROUND_LISTEN=127.0.0.1:0"})
	c := newPage(t, "Ann")
	c.connect(strings.TrimPrefix(p.stdout.wait(t, "^The playground is at "), "The playground is at "))
	command := func() string {
		answer, ok := c.post("/command", map[string]string{"person": "playground:ann", "chat": "playground:ann", "line": "/new 2", "lang": "en"})
		if !ok {
			t.Errorf("a command wasn't answered: %v", c.failed)
		}
		return answer
	}
	expect := func(when string, status int, want string) {
		t.Helper()
		for range 2 {
			if got, text := p.ready(t); got != status || text != want {
				t.Errorf("%s: %d %s", when, got, text)
			}
		}
	}
	expect("at first", http.StatusOK, "ready\n")
	for range 2 {
		fill(p)
		if answer := command(); answer != trouble {
			t.Errorf("a command with a full store was answered with %q", answer)
		}
		expect("while the store is full", http.StatusServiceUnavailable, noRoom)
		p.stderr.wait(t, `level=WARN msg="the store refuses changes`)
		empty(p)
		expect("when there is room again", http.StatusOK, "ready\n")
		p.stderr.wait(t, `level=INFO msg="the store takes changes again"`)
	}
	if answer := command(); answer == trouble {
		t.Errorf("a command at the end was answered with %q", answer)
	}
}

func TestReadyOnAFullRedis(t *testing.T) {
	t.Parallel()
	clocktest.Waits(t)
	server := redistest.Start(t)
	limit := func(bytes int) func(*process) {
		return func(*process) {
			if answer, err := server.Do("CONFIG", "SET", "maxmemory", fmt.Sprint(bytes)); answer != "+OK" {
				t.Error(answer, err)
			}
		}
	}
	readyWhile(t, "SEDMABOT_STORE_REDIS_URL="+server.URL(), limit(1), limit(0))
}
