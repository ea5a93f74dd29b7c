package telegram

import (
	"context"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// Account describes the bot's account on Telegram.
type Account struct {
	Name        string // without @
	JoinsGroups bool   // the bot can be added to groups
	ReadsAll    bool   // privacy mode is off: the bot gets every message of its groups
}

// Account asks Telegram for the bot's account. It works whether or not Run is
// running. If Telegram doesn't know the token, the error is ErrToken.
// https://core.telegram.org/bots/api#getme
func (a *Adapter) Account(ctx context.Context) (Account, error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	api, err := tgbotapi.NewBotAPIWithClient(a.token, a.endpoint, carrier{ctx, a})
	if err != nil {
		if turned := turnedAway(err); turned != nil {
			return Account{}, turned
		}
		return Account{}, clean(err)
	}
	return Account{api.Self.UserName, api.Self.CanJoinGroups, api.Self.CanReadAllGroupMessages}, nil
}
