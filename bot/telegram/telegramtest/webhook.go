package telegramtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"time"
)

// hook is the webhook: the address to which updates are sent.
type hook struct {
	url, secret string
	client      *http.Client
}

// again is the delay before an update that was not acknowledged is sent again.
const again = 50 * time.Millisecond

// webhookMethod runs setWebhook, deleteWebhook and getWebhookInfo. s.mu must be held.
// https://core.telegram.org/bots/api#getting-updates
func (s *Server) webhookMethod(method string, p map[string]string) (any, *refusal) {
	switch method {
	case "setWebhook":
		if p["url"] == "" || p["secret_token"] == "" || p["allowed_updates"] == "" {
			s.problem("setWebhook: without an address, a secret or the kinds of updates")
		}
		s.hook = &hook{url: p["url"], secret: p["secret_token"], client: &http.Client{Timeout: 20 * time.Second}}
		for _, u := range s.updates {
			go s.deliver(s.hook, u)
		}
	case "deleteWebhook":
		s.hook = nil
	case "getWebhookInfo":
		url := ""
		if s.hook != nil {
			url = s.hook.url
		}
		info := map[string]any{"url": url, "has_custom_certificate": false, "pending_update_count": len(s.updates)}
		if s.hookError != "" {
			info["last_error_message"], info["last_error_date"] = s.hookError, s.hookFailed.Unix()
		}
		return info, nil
	}
	return true, nil
}

// deliver sends one update to the webhook until it is acknowledged or the webhook changes.
func (s *Server) deliver(h *hook, u update) {
	defer h.client.CloseIdleConnections()
	body, err := json.Marshal(u.body)
	if err != nil {
		panic(err)
	}
	for {
		s.mu.Lock()
		over := s.hook != h || s.stopping
		s.mu.Unlock()
		if over {
			return
		}
		req, err := http.NewRequest(http.MethodPost, h.url, bytes.NewReader(body))
		if err != nil {
			panic(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("X-Telegram-Bot-Api-Secret-Token", h.secret)
		if resp, err := h.client.Do(req); err == nil {
			answer, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				s.called(answer)
				break
			}
		}
		time.Sleep(again)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range s.updates {
		if other.id == u.id {
			s.updates = append(s.updates[:i:i], s.updates[i+1:]...)
			break
		}
	}
	s.change()
}

// called makes the call that is in the response to an update, if there is one.
// https://core.telegram.org/bots/api#making-requests-when-getting-updates
func (s *Server) called(answer []byte) {
	if len(answer) == 0 {
		return
	}
	var params map[string]any
	if err := json.Unmarshal(answer, &params); err != nil || params["method"] == nil {
		s.mu.Lock()
		s.problem("a webhook's response that is no call")
		s.mu.Unlock()
		return
	}
	form := url.Values{}
	for name, v := range params {
		if name != "method" {
			form.Set(name, fmt.Sprint(v))
		}
	}
	r := httptest.NewRequest(http.MethodPost, fmt.Sprintf("/bot%s/%s", s.Token, params["method"]), strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	s.ServeHTTP(httptest.NewRecorder(), r)
}

// FailWebhook makes getWebhookInfo report that a call of the webhook failed.
func (s *Server) FailWebhook(message string, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hookError, s.hookFailed = message, at
}

// Webhook returns the address to which updates are sent, or "".
func (s *Server) Webhook() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hook == nil {
		return ""
	}
	return s.hook.url
}
