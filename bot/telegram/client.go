package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
)

// callTimeout is the timeout of every call but a long poll. It is well below half
// the time for which the shell holds a table's lease.
const callTimeout = 5 * time.Second

// errNotConnected reports a call made before Telegram accepted the token.
var errNotConnected = errors.New("not connected to telegram yet")

// client calls the Bot API.
type client struct {
	token    string
	endpoint string // the library's format string, for the token and the method
	http     *http.Client
	log      *slog.Logger
	api      atomic.Pointer[tgbotapi.BotAPI] // nil until Telegram accepted the token
	guests   atomic.Bool                     // people can mention the bot in chats where it isn't
	lost     atomic.Bool                     // a connection failed, so another server may answer now
	ahead    atomic.Int64                    // how far Telegram's clock is ahead of this machine's, in ns
}

// open asks Telegram for the bot's account with one call. Its error is that of the library.
func (c *client) open(ctx context.Context) (*tgbotapi.BotAPI, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	api := &tgbotapi.BotAPI{Token: c.token, Client: carrier{ctx: ctx, client: c}, Buffer: 100}
	api.SetAPIEndpoint(c.endpoint)
	resp, err := api.MakeRequest("getMe", nil)
	if err != nil {
		return nil, err
	}
	var newer struct {
		Guests bool `json:"supports_guest_queries"` // since Bot API 10.0
	}
	if err := errors.Join(json.Unmarshal(resp.Result, &api.Self), json.Unmarshal(resp.Result, &newer)); err != nil {
		return nil, err
	}
	c.guests.Store(newer.Guests)
	return api, nil
}

// unconnected returns an error until Run has connected. A screen rendered earlier
// would contain links without the bot's name.
func (c *client) unconnected() error {
	if c.api.Load() == nil {
		return deliveryError(errNotConnected, 0)
	}
	return nil
}

// username returns the bot's name as used in links, or "" before it is known.
func (c *client) username() string {
	if api := c.api.Load(); api != nil {
		return api.Self.UserName
	}
	return ""
}

// inline reports whether people can ask the bot in chats where it isn't: the bot's owner has turned that on.
func (c *client) inline() bool {
	api := c.api.Load()
	return api != nil && api.Self.SupportsInlineQueries
}

// call makes one call of the Bot API, with any files, and returns its result. If
// the server refused, the error is a *tgbotapi.Error. No error contains the token.
func (c *client) call(ctx context.Context, method string, params tgbotapi.Params, files ...tgbotapi.RequestFile) (json.RawMessage, error) {
	api := c.api.Load()
	if api == nil {
		return nil, errNotConnected
	}
	with := carrier{ctx: ctx, client: c}
	if len(files) > 0 {
		if err := with.upload(params, files); err != nil {
			return nil, fmt.Errorf("write a file: %w", err)
		}
		params = nil
	}
	bound := *api
	bound.Client = with
	resp, err := bound.MakeRequest(method, params)
	if err == nil && len(resp.Result) == 0 {
		err = errNoJSON
	}
	if err != nil {
		return nil, clean(fmt.Errorf("%s: %w", method, err))
	}
	return resp.Result, nil
}

// lateAfter is the age from which a message gets no answer. The people who saw it have gone.
const lateAfter = 5 * time.Minute

// late reports whether a message of that date has waited too long, by Telegram's own clock.
func (c *client) late(date int64) bool {
	now := time.Now().Round(0).Add(time.Duration(c.ahead.Load()))
	return date != 0 && now.Sub(time.Unix(date, 0)) > lateAfter
}

// carrier is the library's HTTP client for one call. It adds the call's context,
// and strips the token from errors.
type carrier struct {
	ctx context.Context
	*client
	form []byte // the content of a call with files; nil: that of the library's request
	kind string // the form's
}

// upload makes these parameters and files the call's content. The library would write them bit by bit, from another goroutine.
func (c *carrier) upload(params tgbotapi.Params, files []tgbotapi.RequestFile) error {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for field, value := range params {
		if err := w.WriteField(field, value); err != nil {
			return err
		}
	}
	for _, file := range files {
		name, data, err := file.Data.UploadData()
		if err != nil {
			return err
		}
		part, err := w.CreateFormFile(file.Name, name)
		if err != nil {
			return err
		}
		if _, err := io.Copy(part, data); err != nil {
			return err
		}
	}
	err := w.Close()
	c.form, c.kind = form.Bytes(), w.FormDataContentType()
	return err
}

// Do sends the request.
func (c carrier) Do(req *http.Request) (*http.Response, error) {
	if c.form != nil {
		req.Header.Set("Content-Type", c.kind)
		req.ContentLength = int64(len(c.form))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(c.form)), nil }
		req.Body, _ = req.GetBody()
	}
	resp, err := c.http.Do(req.WithContext(c.ctx))
	if err == nil {
		if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
			c.ahead.Store(int64(date.Sub(time.Now().Round(0))))
		}
		resp.Body = drained{resp.Body}
		return resp, nil
	}
	var with *url.Error
	for errors.As(err, &with) {
		err = with.Err
	}
	if c.ctx.Err() == nil {
		c.lost.Store(true)
	}
	if strings.Contains(err.Error(), c.token) {
		err = errors.New("no connection")
	}
	return nil, fmt.Errorf("reach telegram: %w", err)
}

// drained is a body that Close reads to its end, so that the connection is used again. The
// library stops reading after the JSON.
type drained struct{ io.ReadCloser }

// Close reads what is left, up to some length, and closes the body.
func (d drained) Close() error {
	_, _ = io.CopyN(io.Discard, d.ReadCloser, 4096)
	return d.ReadCloser.Close()
}

// clean replaces the error of an answer that isn't the Bot API's: one that can't be decoded, which may quote a server or a
// proxy, and one without the API's error code.
func clean(err error) error {
	var refused *tgbotapi.Error
	switch {
	case errors.As(err, &refused) && refused.Code == 0:
		return errNoJSON
	case refused != nil || err == nil:
		return err
	}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	if errors.As(err, &syntax) || errors.As(err, &kind) {
		return errNoJSON
	}
	return err
}

// errNoJSON reports an answer that isn't the Bot API's, such as a proxy's error page.
var errNoJSON = errors.New("the answer is not one of the Bot API")

// withheld returns the reason why Telegram gives the bot no updates, if err means one, else nil.
func withheld(err error) error {
	var refused *tgbotapi.Error
	if !errors.As(err, &refused) {
		return nil
	}
	switch {
	case refused.Code == http.StatusUnauthorized, refused.Code == http.StatusNotFound:
		return ErrToken
	case refused.Code == http.StatusConflict && strings.Contains(refused.Message, "webhook"):
		return errWebhook
	case refused.Code == http.StatusConflict:
		return errConflict
	}
	return nil
}

// retryAfter returns how long the server asks to wait, or 0.
func retryAfter(err error) time.Duration {
	var refused *tgbotapi.Error
	if errors.As(err, &refused) {
		return time.Duration(refused.RetryAfter) * time.Second
	}
	return 0
}

// deliveryError converts the error of a call about a chat into a DeliveryError, which says
// what the shell should do next. It matches the error texts of the Bot API server
// (https://github.com/tdlib/telegram-bot-api), since the codes are too general.
func deliveryError(err error, peer int64) *chat.DeliveryError {
	var refused *tgbotapi.Error
	if !errors.As(err, &refused) {
		d := &chat.DeliveryError{Fault: chat.Retry, Err: err}
		if errors.Is(err, errNotConnected) {
			d.After = time.Second
		}
		return d
	}
	d := &chat.DeliveryError{Err: err}
	mentions := func(texts ...string) bool {
		for _, s := range texts {
			if strings.Contains(refused.Message, s) {
				return true
			}
		}
		return false
	}
	switch {
	case refused.MigrateToChatID != 0:
		d.Fault, d.Chat = chat.Gone, chatID(refused.MigrateToChatID, 0)
	case refused.RetryAfter > 0 || refused.Code == http.StatusTooManyRequests:
		d.Fault, d.After = chat.Retry, retryAfter(err)
	case refused.Code == http.StatusForbidden:
		d.Fault = chat.Unreachable
	case refused.Code == http.StatusUnauthorized, refused.Code == http.StatusNotFound:
		d.Fault, d.After = chat.Retry, time.Minute // Run reports the bad token
	case refused.Code == http.StatusRequestEntityTooLarge:
		d.Fault = chat.Invalid
	case refused.Code != http.StatusBadRequest:
		d.Fault = chat.Retry
	case mentions("chat not found", "PEER_ID_INVALID"):
		d.Fault = chat.Gone
		if peer > 0 { // the person has never started the bot
			d.Fault = chat.Unreachable
		}
	case mentions("message to edit not found", "message can't be edited", "message can't be deleted", "MESSAGE_ID_INVALID",
		"message thread not found", "TOPIC_DELETED"):
		d.Fault = chat.Gone
	case mentions("not enough rights", "have no rights", "CHAT_WRITE_FORBIDDEN", "CHAT_RESTRICTED", "TOPIC_CLOSED"):
		d.Fault = chat.Unreachable
	default:
		d.Fault = chat.Invalid
	}
	return d
}

// unanswered reports whether nobody answered a call, so that it may have had its effect.
func unanswered(err error) bool {
	var refused *tgbotapi.Error
	return !errors.Is(err, errNoJSON) && !errors.As(err, &refused)
}

// unknownMethod reports whether the server may be too old for the method of a call.
func unknownMethod(err error) bool {
	var refused *tgbotapi.Error
	return errors.As(err, &refused) && refused.Code == http.StatusNotFound
}

// refusedWith reports whether the server refused with a message that contains text.
func refusedWith(err error, text string) bool {
	var refused *tgbotapi.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, text)
}
