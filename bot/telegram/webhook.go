package telegram

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/cache"
	"sedmabot/bot/chat"
)

// secretHeader is the header with the secret that setWebhook gave to Telegram.
// https://core.telegram.org/bots/api#setwebhook
const secretHeader = "X-Telegram-Bot-Api-Secret-Token"

// resentFor is how long after the start Telegram may send again what no process took before.
const resentFor = time.Minute

// updateLimit is the longest update that is read, in bytes.
const updateLimit = 1 << 20

// secretOf returns the secret that proves that a request comes from Telegram. It is
// derived from the bot's token, so that all processes of a bot share it.
func secretOf(token string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("sedmabot webhook"))
	return hex.EncodeToString(mac.Sum(nil))
}

// listener takes updates from Telegram's requests while Run is running.
type listener struct {
	work context.Context // ends some time after Run's ctx
	h    chat.Handler
	from time.Time // when Run began

	mu      sync.Mutex
	stopped bool // no more updates are taken
	busy    sync.WaitGroup
	pending map[int64]chan struct{} // pending updates; closed when the update was handled
	handled cache.Cache[int64, struct{}]
}

// listen sets the webhook, and takes updates there until ctx ends.
func (a *Adapter) listen(ctx, work context.Context, h chat.Handler) error {
	here := &listener{work: work, h: h, from: time.Now(), pending: map[int64]chan struct{}{}}
	a.listener.Store(here)
	defer func() {
		a.listener.Store(nil)
		here.mu.Lock()
		here.stopped = true
		here.mu.Unlock()
		here.busy.Wait()
	}()
	var pause backOff
	for ctx.Err() == nil {
		_, err := a.client.call(ctx, "setWebhook", tgbotapi.Params{
			"url": a.webhook, "secret_token": secretOf(a.client.token), "allowed_updates": a.client.wanted(),
		})
		var refused *tgbotapi.Error
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			a.token.Accept()
			a.offline.Store(false)
			a.log.Info("telegram sends its updates to the webhook")
			a.watchWebhook(ctx)
			return nil
		case errors.Is(withheld(err), ErrToken) && a.token.Refuse(time.Now()):
			return ErrToken
		case errors.As(err, &refused) && refused.Code == http.StatusBadRequest: // or it couldn't find the address just now
			a.log.Error("telegram refuses the address in telegram.webhook_url: it has to be https://, on port 443, 80, 88 or 8443, and lead to /telegram at http.listen", "err", err)
		default:
			a.log.Warn("set telegram's webhook", "err", clean(err))
		}
		a.offline.Store(true)
		pause.wait(ctx, retryAfter(err))
	}
	return nil
}

// Hook is what Telegram says about the webhook. https://core.telegram.org/bots/api#webhookinfo
type Hook struct {
	URL     string `json:"url"` // "": there is none
	Pending int    `json:"pending_update_count"`
	Failed  int64  `json:"last_error_date"`
	Message string `json:"last_error_message"`
}

// Hook asks Telegram for the webhook. Account must have been called, unless Run is running.
func (a *Adapter) Hook(ctx context.Context) (h Hook, err error) {
	result, err := a.client.call(ctx, "getWebhookInfo", tgbotapi.Params{})
	if err == nil {
		err = json.Unmarshal(result, &h)
	}
	return h, err
}

// hookEvery is how often Telegram is asked whether it reaches the webhook.
const hookEvery = time.Minute

// watchWebhook warns once of each new error of Telegram's calls, until ctx ends. It notes when no update is pending.
func (a *Adapter) watchWebhook(ctx context.Context) {
	since, warned := time.Now().Unix(), "" // an earlier error may come from a restart
	for {
		h, err := a.Hook(ctx)
		if err == nil && h.Failed > since && h.Message != warned {
			warned = h.Message
			a.log.Warn("telegram can't deliver its updates: let telegram.webhook_url lead to /telegram at http.listen", "telegram_says", h.Message)
		}
		a.arrived(err == nil && h.Pending == 0)
		if !chat.Pause(ctx, hookEvery) {
			return
		}
	}
}

// removeWebhook removes the webhook if the bot set it itself at a time when it didn't poll.
// It reports whether it removed it.
func (a *Adapter) removeWebhook(ctx context.Context) bool {
	if a.webhook == "" {
		return false
	}
	info, err := a.Hook(ctx)
	if err == nil && info.URL != a.webhook {
		return false
	}
	if err == nil {
		_, err = a.client.call(ctx, "deleteWebhook", tgbotapi.Params{})
	}
	if err != nil {
		a.log.Warn("remove telegram's webhook", "err", clean(err))
	}
	return err == nil
}

// ServeHTTP takes one update that Telegram sends to the webhook. It acknowledges the
// update after it was handled and its result committed. If an update isn't
// acknowledged, Telegram sends it again, to this process or another one. The
// acknowledgement may contain the answer to a press, which saves a request.
func (a *Adapter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if subtle.ConstantTimeCompare([]byte(r.Header.Get(secretHeader)), []byte(secretOf(a.client.token))) != 1 {
		http.Error(w, "the secret token is wrong", http.StatusUnauthorized)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, updateLimit))
	if err != nil {
		http.Error(w, "the update cannot be read", http.StatusBadRequest)
		return
	}
	here := a.listener.Load()
	if here == nil {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	var u update
	if err := json.Unmarshal(body, &u); err != nil {
		// Acknowledge it anyway, or Telegram would send it again and again.
		a.log.Error("an update that cannot be read")
		return
	}
	u.waited = time.Since(here.from) < resentFor
	var answer *webhookAnswer
	if !here.once(u.ID, func() (done bool) { answer, done = a.handle(here.work, u, here.h, true, func() {}); return done }) {
		http.Error(w, "not now", http.StatusServiceUnavailable)
		return
	}
	if answer != nil {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answer) // if it gets lost, the table still shows the result
	}
}

// once handles an update, unless it was handled before. It returns true once the
// update is handled, and false if Telegram has to send it again: no more updates are taken, or handle returns false.
func (here *listener) once(id int64, handle func() bool) (done bool) {
	here.mu.Lock()
	if here.stopped {
		here.mu.Unlock()
		return false
	}
	if other := here.pending[id]; other != nil {
		here.mu.Unlock()
		<-other
		_, done := here.handled.Get(id)
		return done
	}
	if _, done := here.handled.Get(id); done {
		here.mu.Unlock()
		return true
	}
	handled := make(chan struct{})
	here.pending[id] = handled
	here.busy.Add(1)
	here.mu.Unlock()
	defer func() {
		here.mu.Lock()
		defer here.mu.Unlock()
		if done {
			here.handled.Add(id, struct{}{}, maxKnown)
		}
		delete(here.pending, id)
		close(handled)
		here.busy.Done()
	}()
	return handle()
}
