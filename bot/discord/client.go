package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"sedmabot/bot/budget"
	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
	"sedmabot/bot/discord/verdict"
	"sedmabot/bot/screen"
)

const (
	// callTimeout is the timeout of one request.
	callTimeout = 10 * time.Second
	// answerLimit is the most that is read of an answer, in bytes. The longest
	// expected answer is the list of the bot's own commands.
	answerLimit = 1 << 20
	// userAgent has the format that Discord requires
	// (https://discord.com/developers/docs/reference#user-agent).
	userAgent = "DiscordBot (sedmabot, 1)"
)

// client sends requests to Discord. It never waits for a rate limit. If a request may
// not be sent yet, its error says how long to wait.
//
// Discord counts the requests of all processes together, and each answer says how many
// are left in a channel. A process doesn't know about the requests of the others there. To stay within
// the limit, it stops while a few requests are left, for the others (see request.leave).
// The limit of all requests is divided between the processes (see package budget).
// If a table moves to another process, its limit moves along, as the time of the
// table's next delivery (see [Adapter.Gap]).
type client struct {
	http   *http.Client
	base   string // address of the API, such as https://discord.com/api/v10
	token  string // the bot's token
	shared bool   // other processes use the token too
	limits limits
	line   *budget.FairQueue[string] // for all requests together, by the channel or the kind; nil: no limit
	invalids
	clock clock // set from the dates of all answers
}

// Discord allows 50 requests a second in all, but for the answers to interactions. On their way, requests may move closer
// together. https://discord.com/developers/docs/topics/rate-limits#global-rate-limit
const (
	overall = 46
	window  = 1020 * time.Millisecond
)

// behind is how far behind others a request stands in line that nobody waits for: an edit of what a whole
// channel sees, and a deletion. A player waits for a hand, and an edit that comes later shows a later move as well.
const behind = 5 * time.Second

// request is one call. Requests with the same limit share a rate limit. It is named
// after a method, a route and the channel or interaction (the "top-level resource" in
// https://discord.com/developers/docs/topics/rate-limits).
type request struct {
	method  string
	path    string
	limit   string
	channel string // channel of the message that the request is about, or ""
	body    any    // sent as JSON, or as a form if it has files; nil: no body
	leave   int    // number of allowed requests to leave to other processes
	late    bool   // others go first if there are too many requests
	first   bool   // it doesn't stand in line: no press comes before it, and overall leaves room for a few
	open    bool   // an interaction's token in the path replaces the bot's; the global limit doesn't apply
}

// apiError is an answer that reports a failure. It contains nothing from the request.
type apiError struct {
	status int
	code   int           // Discord's error code, see https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
	text   string        // Discord's error message
	after  time.Duration // how long to wait, for status 429
	held   bool          // the request was not sent, because of the answer to an earlier one
}

func (e *apiError) Error() string {
	return fmt.Sprintf("discord answered %d, code %d: %s", e.status, e.code, e.text)
}

// errReach reports that Discord could not be reached, and errPage that somebody else answered in its place.
var (
	errReach = errors.New("reach discord")
	errPage  = errors.New("the answer is not one of its API")
)

// call sends a request and decodes the answer into out, unless out is nil. If Discord
// answers with a failure, the error is an *apiError.
func (c *client) call(ctx context.Context, r request, out any) error {
	if !r.open {
		end, err := c.limits.begin(ctx, r.limit)
		if err != nil {
			return fmt.Errorf("wait for a request of the same kind: %w", err)
		}
		defer end()
	}
	if wait := c.limits.wait(r.limit, !r.open); wait > 0 {
		return &apiError{status: http.StatusTooManyRequests, text: "asked to wait by an earlier answer", after: wait, held: true}
	}
	if wait := c.takesPart(ctx, r); wait > 0 {
		return &apiError{status: http.StatusTooManyRequests, text: "held back to keep discord's limit of all requests", after: wait, held: true}
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	body, kind, err := r.content()
	if err != nil {
		return fmt.Errorf("write a request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, body)
	if err != nil {
		return errors.New("make a request: the address is malformed") // without err: the path in it may contain a token
	}
	req.Header.Set("User-Agent", userAgent)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if !r.open {
		req.Header.Set("Authorization", "Bot "+c.token)
	}
	asked := time.Now()
	resp, err := c.http.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // without the address, which may contain an interaction's token
		}
		return fmt.Errorf("%w: %w", errReach, err)
	}
	defer resp.Body.Close()
	came := time.Now()
	data, err := io.ReadAll(io.LimitReader(resp.Body, answerLimit))
	if err != nil {
		return fmt.Errorf("read discord's answer: %w", err)
	}
	if err = c.read(r, resp, data, out); !errors.Is(err, errPage) {
		c.clock.learn(resp.Header.Get("Date"), asked, came)
		c.noteLimits(r, resp.Header)
	}
	return err
}

// read decodes an answer into out, unless out is nil.
func (c *client) read(r request, resp *http.Response, data []byte, out any) error {
	switch {
	case resp.StatusCode/100 != 2:
		return c.refused(r, resp, data)
	case out == nil && resp.StatusCode == http.StatusNoContent:
		return nil
	case out == nil:
		out = new(any)
	}
	if json.Unmarshal(data, out) != nil {
		return fmt.Errorf("%w: %w", errReach, errPage)
	}
	return nil
}

// shortWait is a wait that isn't worth coming back for later.
const shortWait = 20 * time.Millisecond

// takesPart counts a request against the limit of all requests, and returns 0. If there is no room soon, it
// returns how long to wait.
func (c *client) takesPart(ctx context.Context, r request) time.Duration {
	if r.open || r.first || c.line == nil {
		return 0
	}
	stands := time.Duration(0)
	if r.late {
		stands = behind
	}
	for tries := 0; ; tries++ {
		wait := c.line.Take(r.limit, time.Now(), stands)
		if wait == 0 {
			return c.invalids.wait(c.line.Processes(), time.Now())
		}
		if wait > shortWait || tries == 20 || !chat.Pause(ctx, wait) {
			return wait
		}
	}
}

// noteLimits remembers from an answer how many requests are left.
func (c *client) noteLimits(r request, h http.Header) {
	left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	if err != nil {
		return
	}
	if c.shared {
		left -= r.leave
	}
	reset := seconds(h.Get("X-RateLimit-Reset-After"))
	switch {
	case left <= 0:
		c.limits.set(r.limit, reset)
	case left == 1:
		c.limits.set(paceOf(r.limit), reset/2)
	}
}

// content returns the request's body and its type: JSON, or a form if it has files
// (https://discord.com/developers/docs/reference#uploading-files).
func (r request) content() (io.Reader, string, error) {
	if r.body == nil {
		return nil, "", nil
	}
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	if err := e.Encode(r.body); err != nil {
		return nil, "", err
	}
	with, ok := r.body.(interface{ Files() []screen.File })
	if !ok || len(with.Files()) == 0 {
		return &data, "application/json", nil
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	head := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="payload_json"`}, "Content-Type": {"application/json"}}
	part, err := w.CreatePart(head)
	if err == nil {
		_, err = part.Write(data.Bytes())
	}
	for i, f := range with.Files() {
		if err != nil {
			break
		}
		kind := cmp.Or(mime.TypeByExtension(path.Ext(f.Name)), "application/octet-stream")
		head := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name="files[%d]"; filename="%s"`, i, f.Name)}, "Content-Type": {kind}}
		if part, err = w.CreatePart(head); err == nil {
			_, err = part.Write(f.Data)
		}
	}
	return &form, w.FormDataContentType(), errors.Join(err, w.Close())
}

// refused turns an answer into an error, and remembers how long to wait. Nobody but Discord can refuse a request for good. But
// who asks to wait may be a proxy, and one that finds a file too large would find it so again.
func (c *client) refused(r request, resp *http.Response, data []byte) error {
	body, own := verdict.Read(resp.StatusCode, data)
	e := &apiError{status: resp.StatusCode, code: body.Code, text: message.Cut(cmp.Or(body.Message, http.StatusText(resp.StatusCode)), 100)}
	if where := fieldErrors(body.Errors, ""); len(where) > 0 {
		e.text += ": " + strings.Join(where[:min(len(where), 3)], ", ")
	}
	processes := 1
	if c.line != nil {
		processes = c.line.Processes()
	}
	c.invalids.note(e.status, resp.Header.Get("X-RateLimit-Scope"), processes, time.Now())
	if e.status == http.StatusTooManyRequests {
		e.after = time.Duration(body.RetryAfter * float64(time.Second))
		if e.after <= 0 {
			e.after = cmp.Or(seconds(resp.Header.Get("Retry-After")), time.Second)
		}
		limit := r.limit
		if body.Global && !r.open {
			limit = ""
		}
		c.limits.set(limit, e.after)
		return e
	}
	if !own && e.status != http.StatusRequestEntityTooLarge {
		return fmt.Errorf("%w: status %d: %w", errReach, e.status, errPage)
	}
	return e
}

// fieldErrors lists the errors in a request's body, each with its path, such as
// "components.0.content BASE_TYPE_MAX_LENGTH". It leaves out the wrong values.
// https://discord.com/developers/docs/reference#error-messages
func fieldErrors(v any, path string) []string {
	fields, _ := v.(map[string]any)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if name != "_errors" {
			out = append(out, fieldErrors(fields[name], strings.TrimPrefix(path+"."+name, "."))...)
			continue
		}
		list, _ := fields[name].([]any)
		for _, each := range list {
			one, _ := each.(map[string]any)
			code, _ := one["code"].(string)
			out = append(out, strings.TrimSpace(path+" "+code))
		}
	}
	return out
}

func seconds(s string) time.Duration {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f < 0 {
		return 0
	}
	return time.Duration(f * float64(time.Second))
}

// Discord's error codes that the bot handles. For all others, the status decides.
// https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
const (
	codeUnknownChannel   = 10003
	codeUnknownMember    = 10007
	codeUnknownMessage   = 10008
	codeUnknownWebhook   = 10015 // the interaction's token has expired, or the interaction was never answered
	codeOldEdits         = 30046 // too many edits of a message older than an hour: post it again
	codeTooLarge         = 40005 // the file is too large
	codeTooManyDMs       = 40003 // direct messages are being opened too fast
	codeAcknowledged     = 40060
	codeNoAccess         = 50001
	codeNoDMs            = 50007 // the person does not accept direct messages
	codeNoPermission     = 50013
	codeInvalidToken     = 50027 // the interaction's token is invalid
	codeInvalidForm      = 50035 // the body is invalid; apiError.text says where
	codeInvalidRecipient = 50033
	codeArchived         = 50083 // the thread was archived
	codeNoMutualGuilds   = 50278
)

// dmPause is the pause after Discord said that direct messages are opened too fast.
// Discord names no time, and errors count against the bot's IP address.
const dmPause = time.Minute

// deliveryError converts the error of a call to a *chat.DeliveryError, whose Fault says
// what to do next.
func deliveryError(err error) error {
	if err == nil {
		return nil
	}
	d := &chat.DeliveryError{Fault: chat.Retry, Err: err}
	var e *apiError
	if !errors.As(err, &e) {
		return d // the network failed, or the caller's deadline passed
	}
	switch e.code {
	case codeUnknownChannel, codeUnknownMessage, codeUnknownWebhook, codeInvalidToken, codeOldEdits:
		d.Fault = chat.Gone
		return d
	case codeNoAccess, codeNoDMs, codeNoPermission, codeInvalidRecipient, codeArchived, codeNoMutualGuilds:
		d.Fault = chat.Unreachable
		return d
	case codeTooManyDMs:
		d.After = dmPause
		return d
	}
	switch {
	case e.status == http.StatusTooManyRequests:
		d.After, d.Held = e.after, e.held
	case e.status == http.StatusUnauthorized:
		d.After = time.Minute // the token was reset; more failed requests would get the IP address banned
	case e.code == 0: // a general refusal says nothing about the message or its place
	case e.status == http.StatusForbidden:
		d.Fault = chat.Unreachable
	case e.status == http.StatusNotFound:
		d.Fault = chat.Gone
	case e.status < 500:
		d.Fault = chat.Invalid
	}
	return d
}
