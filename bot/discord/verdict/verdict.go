// Package verdict tells the refusals of Discord's API from the pages that others send in its place: a proxy, a captive
// portal, Cloudflare. A refusal decides what becomes of a message or a person. A page decides nothing, so the request is
// made again.
package verdict

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Refusal is what Discord's API says with a status other than success.
// https://discord.com/developers/docs/reference#error-messages
type Refusal struct {
	Code       int     `json:"code"` // 0: a general refusal, which its status explains
	Message    string  `json:"message"`
	RetryAfter float64 `json:"retry_after"` // in seconds
	Global     bool    `json:"global"`
	Errors     any     `json:"errors"`
}

// The codes that Discord gives to its errors, but for 0.
// https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
const (
	firstCode = 10_001
	// codeNetwork is Cloudflare's, "internal network error": Discord's API has not seen the request.
	codeNetwork = 40333
)

// Read reads an answer. own reports whether Discord's API itself has refused the request.
func Read(status int, data []byte) (r Refusal, own bool) {
	if json.Unmarshal(data, &r) != nil {
		return Refusal{}, false
	}
	general := r.Code == 0 && r.Message == fmt.Sprintf("%d: %s", status, http.StatusText(status))
	return r, general || r.Code >= firstCode && r.Code != codeNetwork
}
