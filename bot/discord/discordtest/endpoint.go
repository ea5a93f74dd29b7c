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

// PublicKey returns the application's public key. It verifies requests to the interactions endpoint.
func (s *Server) PublicKey() string {
	return hex.EncodeToString(s.key.Public().(ed25519.PublicKey))
}

// Endpoint sends interactions to a URL instead of the gateway. Like Discord, it first checks that the URL answers a
// PING and refuses a wrong signature. It reports whether that worked.
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

// Reached reports whether interactions can reach the bot, through the gateway or the endpoint.
func (s *Server) Reached() bool {
	s.mu.Lock()
	there := s.endpoint != ""
	s.mu.Unlock()
	return there || s.Connected() > 0
}

// InResponse is the Call.Method of a first answer that came in the endpoint's response instead of in a request.
const InResponse = "RESPONSE"

// deliver sends an interaction to the endpoint, once. The response is its first answer.
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
		return // the bot will answer with a REST call
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

// signed is a signed request to the endpoint.
type signed struct {
	body             []byte
	stamp, signature string
}

// sign returns a request with a body and the signature of another text, which for a genuine request is the body too.
// s.mu must be held.
func (s *Server) sign(body, text []byte) *signed {
	stamp := strconv.FormatInt(s.now().Unix(), 10)
	return &signed{body, stamp, hex.EncodeToString(ed25519.Sign(s.key, append([]byte(stamp), text...)))}
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
	data, _ := io.ReadAll(resp.Body) // a partial answer is good enough
	return resp.StatusCode, string(data)
}
