// Visitor runs a program with pages, and plays on the page of one person. It stands between the program and the
// platforms, and waits for a private message to that person with the personal link to a table. It opens the page with
// the link and plays the first card that it can, until the match is over. Then it prints how often the page has played.
// It ends on SIGINT or SIGTERM, or when the page or the program ends.
//
//	visitor PERSON PROGRAM [ARGUMENTS]
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/coder/websocket"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "visitor:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: visitor PERSON PROGRAM [ARGUMENTS]")
	}
	v := &visitor{person: args[0], direct: map[string]bool{}, links: make(chan string, 1)}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	listen := l.Addr().String()
	l.Close()
	v.public = "http://" + listen

	cmd := exec.Command(args[1], args[2:]...)
	cmd.Env = append(os.Environ(), "SEDMABOT_HTTP_LISTEN="+listen, "SEDMABOT_WEB_URL="+v.public)
	for _, name := range []string{"SEDMABOT_TELEGRAM_API_BASE", "SEDMABOT_DISCORD_API_BASE"} {
		if base := os.Getenv(name); base != "" {
			to, err := url.Parse(base)
			if err != nil {
				return err
			}
			proxy := httputil.NewSingleHostReverseProxy(to)
			proxy.ModifyResponse, proxy.ErrorLog = v.look, log.New(io.Discard, "", 0) // polls are cut off at the end
			between := httptest.NewServer(proxy)
			cmd.Env = append(cmd.Env, name+"="+between.URL)
		}
	}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	if err := cmd.Start(); err != nil {
		return err
	}
	exits, failed := make(chan error, 1), make(chan error, 1)
	go func() { exits <- cmd.Wait() }()
	go func() {
		if err := v.play(<-v.links); err != nil {
			failed <- err
		}
	}()
	select {
	case err := <-exits:
		return fmt.Errorf("the program ended unexpectedly: %w", errors.Join(err, errors.New("not asked to")))
	case err = <-failed:
	case <-stop:
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	return errors.Join(err, <-exits)
}

// visitor is a person on the page.
type visitor struct {
	person string
	public string // address of the pages
	links  chan string

	mu     sync.Mutex
	direct map[string]bool // ids of Discord's private channels with the person
}

// link is the token of a personal link in a button.
var link = regexp.MustCompile(`/#t=([A-Za-z0-9._-]+)"`)

// look reads an answer of a platform. If it is a private message to the person, with a link, the page is opened.
func (v *visitor) look(r *http.Response) error {
	if r.Request.Method == http.MethodGet || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return nil
	}
	data, err := io.ReadAll(r.Body)
	r.Body.Close()
	r.Body = io.NopCloser(bytes.NewReader(data))
	if err != nil {
		return err
	}
	var answer struct {
		ID         string // of a channel on Discord
		Channel    string `json:"channel_id"`
		Recipients []struct {
			Name string `json:"username"`
		}
		Result struct {
			Chat struct {
				Type string
				Name string `json:"first_name"`
			}
		}
	}
	_ = json.Unmarshal(data, &answer) // other answers have another form
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, to := range answer.Recipients {
		if strings.EqualFold(to.Name, v.person) {
			v.direct[answer.ID] = true
		}
	}
	private := answer.Result.Chat
	if found := link.FindSubmatch(data); found != nil && (v.direct[answer.Channel] || private.Type == "private" && private.Name == v.person) {
		select {
		case v.links <- string(found[1]):
		default: // the page was opened with an earlier one
		}
	}
	return nil
}

// button is a card, or another move.
type button struct {
	Press string
	Off   bool
}

// live is what the visitor looks at on the page.
type live struct {
	Table, Phase string
	Me           int
	Felt         *struct {
		Turn        int
		Hand, Moves []button
	}
}

// choice returns the press of the first card or move that can be played now, or "".
func (l live) choice() string {
	if l.Felt == nil || l.Felt.Turn != l.Me {
		return ""
	}
	for _, b := range append(l.Felt.Hand, l.Felt.Moves...) {
		if strings.HasPrefix(b.Press, "play:") && !b.Off {
			return b.Press
		}
	}
	return ""
}

// play opens the page with a link and plays until the match is over.
func (v *visitor) play(token string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 9*time.Minute)
	defer cancel()
	conn, err := v.open(ctx, token)
	if err != nil {
		return fmt.Errorf("open the page: %w", err)
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 20)
	fmt.Printf("visitor: %s has opened the page\n", v.person)
	done, plays := "", 0
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return fmt.Errorf("the page after %d plays: %w", plays, err)
		}
		var m struct {
			T, Toast, Text string
			Live           live
		}
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		switch {
		case m.T == "gone":
			return fmt.Errorf("the page after %d plays is told: %s", plays, m.Text)
		case m.T == "answer" && m.Toast == "":
			plays++
		case m.T == "answer" && !strings.HasSuffix(done, ":stop"): // the bot itself makes a forced stop
			return fmt.Errorf("the answer to %s: %s", done, m.Toast)
		case m.T == "live" && m.Live.Phase == "over":
			fmt.Printf("visitor: the match is over, and %s has played %d times\n", v.person, plays)
			return nil
		case m.T == "live" && m.Live.choice() != "" && m.Live.choice() != done:
			done = m.Live.choice()
			up, err := json.Marshal(map[string]any{"t": "press", "id": plays + 1, "press": done, "at": m.Live.Table})
			if err != nil {
				return err
			}
			if err := conn.Write(ctx, websocket.MessageText, up); err != nil {
				return err
			}
		}
	}
}

// open redeems a link and opens the line of the page.
func (v *visitor) open(ctx context.Context, token string) (*websocket.Conn, error) {
	knock, err := json.Marshal(map[string]string{"door": "link", "token": token})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, v.public+"/api/door", bytes.NewReader(knock))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Origin", v.public)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var out struct{ As, Error string }
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil || len(response.Cookies()) != 1 {
		return nil, fmt.Errorf("%s %s %w", response.Status, out.Error, err)
	}
	cookie := response.Cookies()[0]
	conn, _, err := websocket.Dial(ctx, strings.Replace(v.public, "http", "ws", 1)+"/api/live?as="+out.As,
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {v.public}, "Cookie": {cookie.Name + "=" + cookie.Value}}})
	return conn, err
}
