package telegram

import (
	"time"

	"sedmabot/bot/chat"
	"sedmabot/bot/telegram/rates"
)

// Gap returns the pause to leave between two deliveries: a group takes 20 a minute.
func (o *outbox) Gap(to chat.Target) time.Duration {
	_, inline := parseInline(to.Chat)
	switch id, _, ok := targetChat(to); {
	case o.limits.Off():
		return 0
	case ok && id < 0 || inline && to.Player == "":
		return rates.GroupGap
	}
	return rates.PrivateGap
}

// Lasts returns 0, for no expiry: a bot may edit its messages at any time
// (https://core.telegram.org/bots/api#updating-messages).
func (*outbox) Lasts() time.Duration { return 0 }
