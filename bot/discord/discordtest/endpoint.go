package discordtest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// PublicKey is the application's, with which what goes to the interactions
// endpoint can be checked.
func (s *Server) PublicKey() string {
	return hex.EncodeToString(s.key.Public().(ed25519.PublicKey))
}

// Endpoint has interactions go to an address instead of the gateway. As Discord
// does, it tries first whether a PING is answered and a wrong signature refused,
// and reports false if not.
func (s *Server) Endpoint(url string) bool {
	ping := []byte(`{"id":"1","application_id":"` + s.app + `","type":1,"token":"x","version":1}`)
	s.mu.Lock()
	good, bad := s.sign(ping, ping), s.sign(ping, append([]byte(" "), ping...))
	s.mu.Unlock()
	status, answer := good.send(url)
	var pong struct{ Type int }
	if status != http.StatusOK || json.Unmarshal([]byte(answer), &pong) != nil || pong.Type != 1 {
		return false
	}
	if status, _ := bad.send(url); status != http.StatusUnauthorized {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endpoint = url
	return true
}

// Reached tells whether interactions reach the bot, one way or the other.
func (s *Server) Reached() bool {
	s.mu.Lock()
	there := s.endpoint != ""
	s.mu.Unlock()
	return there || s.Connected() > 0
}

// InResponse is the method of a first answer that came in the response of the
// endpoint, in the place of its request.
const InResponse = "RESPONSE"

// deliver sends an interaction to the endpoint, once. What is in the response is
// its first answer.
func (s *Server) deliver(i *Interaction, url string) {
	began := s.clock.Now()
	status, answer := i.capture.send(url)
	took := s.clock.Now() - began
	s.mu.Lock()
	defer s.mu.Unlock()
	if took > firstAnswer {
		s.wrong("%s: the endpoint answered after %v", i.what, took)
	}
	defer s.wake()
	if status == http.StatusAccepted && answer == "" {
		return // it comes by a request
	}
	c := Call{Method: http.MethodPost, Path: "/interactions/" + i.id + "/" + i.token + "/callback", Status: http.StatusOK}
	if status != http.StatusOK || json.Unmarshal([]byte(answer), &c.Body) != nil {
		s.wrong("%s: the endpoint answered %d %s", i.what, status, strings.TrimSpace(answer))
		return
	}
	for _, p := range schemaProblems(c) {
		s.wrong("%s: the endpoint's answer: %s: %s", i.what, p, c.Body)
	}
	if refused := s.answer(i.id, i.token, c); refused != nil {
		s.wrong("%s: the endpoint's answer was refused: %s", i.what, refused.text)
	}
	c.Method = InResponse
	s.calls = append(s.calls, c)
}

// signed is a request to the endpoint.
type signed struct {
	body             []byte
	stamp, signature string
}

// sign makes a request of a body with the signature of another: the same, or not.
// The lock is held.
func (s *Server) sign(body, sign []byte) *signed {
	stamp := strconv.FormatInt(s.now().Unix(), 10)
	return &signed{body, stamp, hex.EncodeToString(ed25519.Sign(s.key, append([]byte(stamp), sign...)))}
}

// send sends the request.
func (r *signed) send(url string) (status int, answer string) {
	req, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(r.body))
	if err != nil {
		panic(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Signature-Timestamp", r.stamp)
	req.Header.Set("X-Signature-Ed25519", r.signature)
	client := http.Client{Timeout: patience}
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	data, _ := io.ReadAll(resp.Body) // what was read tells enough
	return resp.StatusCode, string(data)
}
