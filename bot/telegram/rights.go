package telegram

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"sedmabot/bot/cache"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// Limits of asking Telegram who manages a chat.
const (
	rightKept     = time.Minute      // how long an answer is remembered
	unsureKept    = 5 * time.Second  // how long a failed call is remembered
	rightPatience = time.Second      // how long people wait for the answer
	rightTimeout  = 15 * time.Second // how long the call may take; a late answer serves the next press
	rightsKept    = 4096             // answers remembered
	rightsAsked   = 64               // calls in progress
)

// errUnsure reports that Telegram hasn't said yet who manages a chat.
var errUnsure = errors.New("telegram does not say who manages the chat")

// rights caches who manages which chat. It makes one call at a time about the same
// person, however often that person presses.
type rights struct {
	mu    sync.Mutex
	work  context.Context // context of the calls; nil while the bot doesn't receive
	calls sync.WaitGroup
	known cache.Cache[rightKey, *right]
	asked map[int64]*right // call in progress, by person
}

type rightKey struct{ chat, person int64 }

// right is one answer of getChatMember.
type right struct {
	rightKey
	patience time.Time     // until when people wait for the answer
	done     chan struct{} // closed when the answer is here
	manages  bool
	err      error
	until    time.Time // expiry of the answer
}

// open allows calls until end is called. end cancels the calls and waits for them.
func (r *rights) open(work context.Context) (end func()) {
	work, cancel := context.WithCancel(work)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.work = work
	return func() {
		r.mu.Lock()
		r.work = nil
		r.mu.Unlock()
		cancel()
		r.calls.Wait()
	}
}

// mayManage reports whether a person is an administrator of a chat. If the answer
// isn't cached, it calls apart and waits. Each call is waited for at most
// rightPatience.
func (a *Adapter) mayManage(ctx context.Context, chat, person int64, apart func()) (bool, error) {
	key := rightKey{chat, person}
	for {
		known, err := a.rights.find(key, a.manages)
		if err != nil {
			return false, err
		}
		select {
		case <-known.done:
		default:
			apart()
			if !known.wait(ctx) {
				return false, errUnsure
			}
		}
		switch {
		case known.rightKey != key:
		case known.err != nil:
			return false, errUnsure
		default:
			return known.manages, nil
		}
	}
}

// wait waits for the answer until k.patience, and reports whether it came.
func (k *right) wait(ctx context.Context) bool {
	ctx, cancel := context.WithDeadline(ctx, k.patience)
	defer cancel()
	select {
	case <-k.done:
		return true
	case <-ctx.Done():
		return false
	}
}

// find returns the cached answer, or the call in progress about that person, which
// may be about another chat. If there is neither, it starts a call.
func (r *rights) find(key rightKey, ask func(ctx context.Context, chat, person int64) (bool, error)) (*right, error) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	if known, ok := r.known.Get(key); ok && now.Before(known.until) {
		return known, nil
	}
	if call := r.asked[key.person]; call != nil {
		return call, nil
	}
	if r.work == nil || len(r.asked) >= rightsAsked {
		return nil, errUnsure
	}
	if r.asked == nil {
		r.asked = map[int64]*right{}
	}
	call := &right{rightKey: key, patience: now.Add(rightPatience), done: make(chan struct{})}
	r.asked[key.person] = call
	work := r.work
	r.calls.Go(func() {
		ctx, cancel := context.WithTimeout(work, rightTimeout)
		defer cancel()
		call.manages, call.err = ask(ctx, key.chat, key.person)
		now := time.Now()
		r.mu.Lock()
		defer r.mu.Unlock()
		if call.until = now.Add(rightKept); call.err != nil {
			call.until = now.Add(max(unsureKept, retryAfter(call.err)))
		}
		delete(r.asked, key.person)
		r.known.Put(key, call, rightsKept)
		close(call.done)
	})
	return call, nil
}

// manages asks Telegram whether a person is an administrator of a chat.
func (a *Adapter) manages(ctx context.Context, chat, person int64) (bool, error) {
	m, err := a.member(ctx, chat, person)
	return m.Status == "creator" || m.Status == "administrator", err
}

// Member asks Telegram whether a person is a member of a chat, or of the chat of a topic.
func (a *Adapter) Member(ctx context.Context, chat, player string) (bool, error) {
	peer, _, ok := parseChat(chat)
	person, _, ok2 := parseChat(player)
	if !ok || !ok2 || peer == person {
		return ok && ok2, nil // a private chat has one member
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	m, err := a.member(ctx, peer, person)
	switch m.Status {
	case "creator", "administrator", "member":
		return true, err
	}
	return m.Status == "restricted" && m.Member, err
}

// chatMember is what a person is in a chat. https://core.telegram.org/bots/api#chatmember
type chatMember struct {
	Status string `json:"status"`
	Member bool   `json:"is_member"` // of a restricted person
}

// member asks Telegram what a person is in a chat. If Telegram refuses to say, the answer
// is empty. It returns an error only if a retry may work.
// https://core.telegram.org/bots/api#getchatmember
func (a *Adapter) member(ctx context.Context, chat, person int64) (m chatMember, err error) {
	result, err := a.call(ctx, "getChatMember", tgbotapi.Params{
		"chat_id": strconv.FormatInt(chat, 10),
		"user_id": strconv.FormatInt(person, 10),
	})
	var refused *tgbotapi.Error
	switch {
	case errors.As(err, &refused) && refused.MigrateToChatID != 0:
		return a.member(ctx, refused.MigrateToChatID, person)
	case refused != nil && (refused.Code == http.StatusBadRequest || refused.Code == http.StatusForbidden):
		a.log.Debug("ask what someone is in a chat", "err", clean(err))
		return m, nil
	case err != nil:
		a.log.Debug("ask what someone is in a chat", "err", clean(err))
		return m, err
	}
	if err := json.Unmarshal(result, &m); err != nil {
		return chatMember{}, errNoJSON
	}
	return m, nil
}
