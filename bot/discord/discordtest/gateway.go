package discordtest

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/gorilla/websocket"
)

// privileged are the intents that a bot gets only on request.
const privileged = 1<<1 | 1<<8 | 1<<15

// session is a gateway session. It can outlive its connection.
type session struct {
	id     string
	conn   *websocket.Conn
	mute   *websocket.Conn // a connection that gets nothing any more
	seq    int
	sent   [][]byte // all events, for resuming
	resume int      // number of times it was resumed
	shard  [2]int   // shard number, and number of shards
}

// Connected returns the number of connected sessions.
func (s *Server) Connected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, x := range s.sessions {
		if x.conn != nil {
			n++
		}
	}
	return n
}

// Resumed returns how many times a session was resumed.
func (s *Server) Resumed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, x := range s.sessions {
		n += x.resume
	}
	return n
}

// Sessions returns the number of sessions that have begun.
func (s *Server) Sessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}

// Heartbeat sets how often new connections must send a heartbeat. It is 40 s otherwise.
func (s *Server) Heartbeat(every time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heartbeat = every
}

// Mute makes the connections so far go silent: Discord neither acknowledges their heartbeats nor sends them events.
func (s *Server) Mute() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.sessions {
		x.mute = x.conn
	}
}

// Closed returns the code with which the bot has closed the latest connection that it closed, or 0.
func (s *Server) Closed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// ResumeAnywhere makes the address for resuming sessions unreachable, so that sessions are resumed at the gateway's own.
func (s *Server) ResumeAnywhere() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.anywhere = true
}

// Drop cuts all connections.
func (s *Server) Drop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.sessions {
		if x.conn != nil {
			x.conn.Close()
			x.conn = nil
		}
	}
	s.wake()
}

// CloseWith closes all connections with that code, and every new one as soon as it identifies. 0 accepts connections
// again.
func (s *Server) CloseWith(code int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse = code
	for _, x := range s.sessions {
		if x.conn != nil && code != 0 {
			closeWith(x.conn, code)
			x.conn = nil
		}
	}
	s.wake()
}

// Forget ends all sessions that are not connected, so they can't be resumed.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, x := range s.sessions {
		if x.conn == nil {
			delete(s.sessions, id)
		}
	}
}

// AskToReconnect sends the opcode that Discord sends before it restarts a gateway.
func (s *Server) AskToReconnect() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.sessions {
		if x.conn != nil {
			_ = x.conn.WriteJSON(object{"op": 7, "d": nil})
		}
	}
}

func closeWith(c *websocket.Conn, code int) {
	_ = c.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, "as the test wants it"), time.Now().Add(time.Second))
	c.Close()
}

// Shards sets how many shards the bot is told to have, and how many of them may start within five seconds.
func (s *Server) Shards(count, concurrency int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shards, s.concurrency = count, concurrency
}

// On returns the number of connected sessions of a shard.
func (s *Server) On(shard int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, x := range s.sessions {
		if x.conn != nil && x.shard[0] == shard {
			n++
		}
	}
	return n
}

// Apart sets the minimum time between two starts of shards in one group. It is five seconds otherwise.
func (s *Server) Apart(gap time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.apart = gap
}

// late is a tolerance for delays on the way from the bot.
const late = 100 * time.Millisecond

// begins checks that a session may begin. s.mu must be held.
func (s *Server) begins(shard [2]int) {
	group := shard[0] % s.concurrency
	if since := time.Since(s.begun[group]); shard[1] > 1 && since < s.apart-late {
		s.wrong("gateway: shard %d began %v after another of its group", shard[0], since)
	}
	s.begun[group] = time.Now()
	s.started++
}

// dispatch sends an event to the sessions of the guild's shard. guild is "" for a private chat. s.mu must be held.
// It returns how many connections received it: several while sessions of two numbers of shards overlap.
func (s *Server) dispatch(guild, kind string, data any) (received int) {
	id, _ := strconv.ParseUint(guild, 10, 64)
	for _, name := range slices.Sorted(maps.Keys(s.sessions)) { // in the same order each time
		if x := s.sessions[name]; int(id>>22%uint64(x.shard[1])) == x.shard[0] {
			x.dispatch(kind, data)
			if x.conn != nil {
				received++
			}
		}
	}
	return received
}

func (x *session) dispatch(kind string, data any) {
	x.seq++
	event, err := json.Marshal(object{"op": 0, "t": kind, "s": x.seq, "d": data})
	if err != nil {
		panic(err)
	}
	x.sent = append(x.sent, event)
	if x.conn != nil && x.conn != x.mute {
		_ = x.conn.WriteMessage(websocket.TextMessage, event)
	}
}

// New sessions begin at gatewayPath, and are resumed at resumePath.
const gatewayPath, resumePath = "/gateway/", "/resume/"

var upgrader = websocket.Upgrader{}

// serveGateway serves one connection. All writes happen with s.mu held.
func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	every, anywhere, resuming := s.heartbeat, s.anywhere, r.URL.Path == resumePath
	s.mu.Unlock()
	if resuming && anywhere {
		http.Error(w, "no such gateway", http.StatusNotFound)
		return
	}
	c, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	_ = c.WriteJSON(object{"op": 10, "d": object{"heartbeat_interval": every.Milliseconds()}})
	var x *session
	for {
		var p struct {
			Op   int `json:"op"`
			Data struct {
				Token   string `json:"token"`
				Intents int    `json:"intents"`
				Session string `json:"session_id"`
				Seq     int    `json:"seq"`
				Shard   [2]int `json:"shard"`
			} `json:"d"`
		}
		var raw struct {
			Op   int             `json:"op"`
			Data json.RawMessage `json:"d"`
		}
		_ = c.SetReadDeadline(time.Now().Add(2*every + patience/10)) // without a heartbeat, Discord gives up the connection
		if err := c.ReadJSON(&raw); err != nil {
			s.ended(x, err)
			if resuming && x == nil {
				s.mu.Lock()
				s.tried = true
				s.mu.Unlock()
			}
			break
		}
		p.Op = raw.Op
		_ = json.Unmarshal(raw.Data, &p.Data) // a heartbeat has a number instead
		s.mu.Lock()
		known := p.Data.Token == "Bot "+s.token || p.Data.Token == s.token
		switch {
		case p.Op == 1 && x != nil && x.mute == c:
		case p.Op == 1:
			_ = c.WriteJSON(object{"op": 11, "d": nil})
		case s.refuse != 0:
			closeWith(c, s.refuse)
		case !known:
			closeWith(c, 4004)
		case p.Data.Intents&privileged != 0:
			closeWith(c, 4014)
		case p.Op == 2:
			if resuming {
				s.wrong("gateway: a new session at the address for resuming others")
			}
			x = s.identified(c, p.Data.Shard)
		case p.Op == 6 && s.sessions[p.Data.Session] == nil:
			s.saw("the gateway refused to resume a session")
			_ = c.WriteJSON(object{"op": 9, "d": false})
		case p.Op == 6:
			if !resuming && !anywhere && !s.tried {
				s.wrong("gateway: a session was not resumed at its resume_gateway_url")
			}
			x = s.sessions[p.Data.Session]
			x.conn = c
			x.resume++
			s.saw("the gateway resumed a session")
			if p.Data.Seq < len(x.sent) {
				s.saw("the gateway sent what was missed")
			}
			for _, event := range x.sent[min(p.Data.Seq, len(x.sent)):] {
				_ = c.WriteMessage(websocket.TextMessage, event)
			}
			x.dispatch("RESUMED", object{})
		default:
			s.wrong("gateway: op %d", p.Op)
			closeWith(c, 4001)
		}
		s.wake()
		s.mu.Unlock()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if x != nil && x.conn == c {
		x.conn = nil
		s.wake()
	}
}

// identified begins a session on a connection. s.mu must be held.
func (s *Server) identified(c *websocket.Conn, shard [2]int) *session {
	if shard[1] == 0 {
		shard[1] = 1
	}
	s.begins(shard)
	x := &session{id: "session-" + s.id(), conn: c, shard: shard}
	s.sessions[x.id] = x
	guilds := []any{}
	has := func(g *Guild) bool {
		id, _ := strconv.ParseUint(g.ID, 10, 64)
		return !g.gone && int(id>>22%uint64(shard[1])) == shard[0]
	}
	for _, g := range s.guilds {
		if has(g) {
			guilds = append(guilds, object{"id": g.ID, "unavailable": true})
		}
	}
	x.dispatch("READY", object{
		"v": 9, "session_id": x.id, "guilds": guilds, "application": object{"id": s.app},
		"user":               object{"id": s.app, "username": "sedmabot", "bot": true},
		"resume_gateway_url": s.socket(resumePath),
	})
	for _, g := range s.guilds {
		if g.told && has(g) {
			x.dispatch("GUILD_CREATE", g.event())
		}
	}
	return x
}

// ended notes how a session's connection ended. A normal close ends the session, too. x is nil if none has begun.
func (s *Server) ended(x *session, err error) {
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || closed.Code == websocket.CloseAbnormalClosure {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = closed.Code
	if x != nil && (closed.Code == websocket.CloseNormalClosure || closed.Code == websocket.CloseGoingAway) {
		delete(s.sessions, x.id)
	}
}
