package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"sedmabot/bot/discord/discordtest"
	"sedmabot/bot/telegram/telegramtest"
	"sedmabot/bot/view"
	"sedmabot/game"
	"sedmabot/game/table"
	"sedmabot/store/redistest"
)

// visitor is one person's page of a table. It asks a process directly, as a proxy would.
type visitor struct {
	t      *testing.T
	at     string // address of the process
	public string // web.url
	cookie *http.Cookie
	conn   *websocket.Conn

	mu      sync.Mutex
	live    *view.Live
	changed chan struct{} // closed at the next message
	plays   int           // cards and moves that were accepted
	toast   string        // answer to the latest press that was refused
	ended   error         // why the line ended
}

// post sends a request of the page.
func (v *visitor) post(path string, body any) (*http.Response, map[string]string) {
	v.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		v.t.Fatal(err)
	}
	_, folder, _ := strings.Cut(strings.TrimPrefix(v.public, "http://"), "/")
	r, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, "http://"+v.at+"/"+folder+path, bytes.NewReader(data))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Origin", v.public[:len(v.public)-len(folder)-1])
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer response.Body.Close()
	var out map[string]string
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
		v.t.Fatalf("%s: %s: %v", path, response.Status, err)
	}
	return response, out
}

// visit opens a page at a process through a door.
func visit(t *testing.T, at, public string, knock map[string]string) *visitor {
	t.Helper()
	v := &visitor{t: t, at: at, public: public, changed: make(chan struct{})}
	response, out := v.post("/api/door", knock)
	if response.StatusCode != http.StatusOK || len(response.Cookies()) != 1 {
		t.Fatalf("the door: %s %v", response.Status, out)
	}
	v.cookie = response.Cookies()[0]
	_, folder, _ := strings.Cut(strings.TrimPrefix(public, "http://"), "/")
	conn, _, err := websocket.Dial(t.Context(), "ws://"+at+"/"+folder+"/api/live?as="+out["as"], &websocket.DialOptions{HTTPHeader: http.Header{
		"Origin": {public[:len(public)-len(folder)-1]}, "Cookie": {v.cookie.Name + "=" + v.cookie.Value},
	}})
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 20)
	v.conn = conn
	done := make(chan struct{})
	go func() {
		defer close(done)
		v.read(t.Context())
	}()
	t.Cleanup(func() { _ = conn.CloseNow(); <-done })
	v.until("the table", func() bool { return v.live != nil })
	return v
}

// read takes the messages of the line until it ends.
func (v *visitor) read(ctx context.Context) {
	for {
		_, data, err := v.conn.Read(ctx)
		var m struct {
			T     string
			Live  *view.Live
			Toast string
			Text  string
		}
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		v.mu.Lock()
		switch {
		case err != nil:
			v.ended = err
		case m.T == "live":
			v.live = m.Live
		case m.T == "answer" && m.Toast == "":
			v.plays++
		case m.T == "answer":
			v.toast = m.Toast
		case m.T == "gone":
			v.ended = fmt.Errorf("the page is told: %s", m.Text)
		}
		close(v.changed)
		v.changed = make(chan struct{})
		v.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// until waits until ok, which is called with mu held.
func (v *visitor) until(what string, ok func() bool) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), patience)
	defer cancel()
	for {
		v.mu.Lock()
		done, changed, ended, live := ok(), v.changed, v.ended, v.live
		v.mu.Unlock()
		if done {
			return
		}
		if ended != nil {
			v.t.Fatalf("the page waits for %s: %v", what, ended)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			v.t.Fatalf("the page waits for %s: %+v", what, live)
		}
	}
}

// choice returns the press of the first card or move that the page can play now, or "".
// The caller holds mu.
func (v *visitor) choice() string {
	if v.live.Felt == nil || v.live.Felt.Turn != v.live.Me {
		return ""
	}
	for _, c := range v.live.Felt.Hand {
		if c.Press != "" && !c.Off {
			return c.Press
		}
	}
	for _, b := range v.live.Felt.Moves {
		if strings.HasPrefix(b.Press, "play:") && !b.Off {
			return b.Press
		}
	}
	return ""
}

// act plays a card or makes a move, once it is the page's turn. It reports false if the
// match is over.
func (v *visitor) act() bool {
	v.t.Helper()
	press, at := "", ""
	over := false
	v.until("its turn", func() bool {
		press, at, over = v.choice(), v.live.Table, v.live.Phase == table.Over
		return over || press != ""
	})
	if over {
		return false
	}
	v.mu.Lock()
	plays := v.plays
	v.toast = ""
	v.mu.Unlock()
	data, err := json.Marshal(map[string]any{"t": "press", "id": plays + 1, "press": press, "at": at})
	if err == nil {
		err = v.conn.Write(v.t.Context(), websocket.MessageText, data)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	v.until("the answer to "+press, func() bool { return v.plays > plays || v.toast != "" })
	v.until("the table after "+press, func() bool { return v.live.Phase == table.Over || v.choice() != press })
	v.mu.Lock()
	defer v.mu.Unlock()
	// The bot makes a forced stop on its own, maybe just before the press.
	if v.toast != "" && !strings.HasSuffix(press, ":"+game.Stop.String()) {
		v.t.Fatalf("the answer to %s: %s", press, v.toast)
	}
	return true
}

// playThrough plays to the end of the match, and returns the number of accepted plays.
func (v *visitor) playThrough() int {
	v.t.Helper()
	for v.act() {
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.plays
}

// personalLink waits for the link to a person's page in their private messages, and
// returns its token.
func personalLink(c *onTelegram, who int) (token string) {
	c.t.Helper()
	c.until(func() bool {
		for _, m := range c.people[who].Private().Messages() {
			for _, row := range m.Buttons {
				for _, b := range row {
					if _, t, ok := strings.Cut(b.URL, "#t="); ok {
						token = t
					}
				}
			}
		}
		return token != ""
	})
	return token
}

// Four people sit at one table: Ann with messages on Discord, Ben on the page in Discord's
// Activity, Cat with messages on Telegram, and Dan on the page by a personal link.
func TestOneTableInFourWays(t *testing.T) {
	t.Parallel()
	unhurried(t)
	d, tg := discordtest.New(t), telegramtest.New(t)
	secret := d.Activities()
	at := redistest.Address(t)
	public := "http://" + at + "/sedma"
	program := startEager(t, dataFile(t), "discord.token: "+d.Token(), "discord.api_base: "+d.URL(),
		"discord.client_id: \""+d.App()+"\"", "discord.client_secret: "+secret,
		"telegram.token: "+tg.Token, "telegram.api_base: "+tg.URL, "table.pace: 0", "http.listen: "+at, "web.url: "+public)
	defer program.end()
	c := onBoth{newDiscord(t, d, "Ann", "Ben"), newTelegram(t, tg, "Cat", "Dan")}
	c.open()
	c.discord.lastDeal()

	knock := map[string]string{"door": "link", "token": personalLink(c.telegram, 1)}
	dan := visit(t, at, public, knock)
	asking := &visitor{t: t, at: at, public: public}
	if response, out := asking.post("/api/door", knock); response.StatusCode != http.StatusForbidden {
		t.Errorf("Dan's link once more: %s %v", response.Status, out)
	}
	running := d.Launch(c.discord.channel, c.discord.people[1])
	response, granted := asking.post("/api/token", map[string]string{"code": d.Authorize(c.discord.people[1])})
	if response.StatusCode != http.StatusOK {
		t.Fatalf("Ben's code: %s %v", response.Status, granted)
	}
	ben := visit(t, at, public, map[string]string{"door": "discord", "token": granted["access_token"], "instance": running.ID})

	var pages sync.WaitGroup
	plays := make([]int, 2)
	for i, v := range []*visitor{ben, dan} {
		pages.Go(func() { plays[i] = v.playThrough() })
	}
	all := everybody(c, 1)
	playUntil(c, []*person{all[0], all[2]}, func(crowd) bool { return finished(c.discord) && finished(c.telegram) })
	pages.Wait()
	if plays[0] == 0 || plays[1] == 0 {
		t.Errorf("Ben and Dan have played %v cards on their pages", plays)
	}
	for _, side := range []crowd{c.discord, c.telegram} {
		checkSharedBoard(t, c, side)
	}
}
