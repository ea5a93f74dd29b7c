package discord

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/discord/message"
)

// emojiPath returns the path of an application's emojis.
func emojiPath(app string) string { return "/applications/" + app + "/emojis" }

// listEmojis returns all emojis of the application.
func (c *client) listEmojis(ctx context.Context, app string) ([]message.Emoji, error) {
	var list struct {
		Items []message.Emoji `json:"items"`
	}
	err := c.persist(ctx, request{method: http.MethodGet, path: emojiPath(app), limit: "emojis"}, &list)
	return list.Items, err
}

// findEmojis makes the bot show cards as emojis, if the application has them.
func (a *Adapter) findEmojis(ctx context.Context, app application) {
	err := a.repeat(ctx, "the cards are text: discord does not tell of the emojis yet", func() error {
		all, err := a.client.listEmojis(ctx, app.ID)
		if cards := message.CardsAmong(all); len(cards) > 0 {
			a.emojis.Store(&cards)
		}
		return err
	})
	if err != nil {
		a.log.Warn("the cards are text: discord does not tell of the emojis", "platform", platform, "err", err)
	}
}

// Emojis returns how many of the cards' emojis exist, and how many there should be. Run
// doesn't have to be running.
func (a *Adapter) Emojis(ctx context.Context) (have, want int, err error) {
	app, err := a.client.application(ctx)
	if err != nil {
		return 0, 0, err
	}
	all, err := a.client.listEmojis(ctx, app.ID)
	if err != nil {
		return 0, 0, err
	}
	return len(message.CardsAmong(all)), message.CardEmojis(), nil
}

// SyncEmojis uploads the cards' emojis that the application is missing. It waits as
// Discord asks, and calls progress first and after each upload. It is safe to call it again.
func (a *Adapter) SyncEmojis(ctx context.Context, progress func(uploaded, missing int)) error {
	app, err := a.client.application(ctx)
	if err != nil {
		return err
	}
	all, err := a.client.listEmojis(ctx, app.ID)
	if err != nil {
		return err
	}
	missing, err := message.Missing(all)
	if err != nil {
		return err
	}
	progress(0, len(missing))
	for i, name := range slices.Sorted(maps.Keys(missing)) {
		if err := a.client.upload(ctx, app.ID, name, missing[name]); err != nil {
			return fmt.Errorf("upload %s: %w", name, err)
		}
		progress(i+1, len(missing))
	}
	return nil
}

// upload uploads one emoji.
// https://discord.com/developers/docs/resources/emoji#create-application-emoji
func (c *client) upload(ctx context.Context, app, name string, data []byte) error {
	body := map[string]string{"name": name, "image": "data:image/png;base64," + base64.StdEncoding.EncodeToString(data)}
	return c.persist(ctx, request{method: http.MethodPost, path: emojiPath(app), limit: "emoji", body: body}, nil)
}

// persist makes a call. It waits for Discord's rate limits and retries other failures.
func (c *client) persist(ctx context.Context, r request, out any) error {
	for failed := 0; ; {
		err := c.call(ctx, r, out)
		var d *chat.DeliveryError
		if !errors.As(deliveryError(err), &d) || d.Fault != chat.Retry {
			return err
		}
		wait := d.After
		if wait == 0 { // not a rate limit, so it counts as a failure
			failed++
			wait = time.Duration(failed) * 200 * time.Millisecond
		}
		if failed == lateTries || !chat.Pause(ctx, wait) {
			return err
		}
	}
}

// withoutEmojis switches to text if Discord refused a message because of an emoji, which
// somebody has deleted. It reports whether to draw the message again.
func (o *outbox) withoutEmojis(err error) bool {
	var e *apiError
	if !errors.As(err, &e) || e.code != codeInvalidForm || !strings.Contains(strings.ToLower(e.text), "emoji") {
		return false
	}
	if o.emojis.Swap(nil) != nil {
		o.log.Warn("an emoji of a card is gone: cards are text until the next start; sedmabot discord sync-emojis uploads what is missing", "platform", platform)
	}
	return true
}
