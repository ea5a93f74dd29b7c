package telegram

import (
	"context"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"
)

// Account is what Telegram says of the bot.
type Account struct {
	Name        string // without @
	JoinsGroups bool   // it can be added to groups
	ReadsAll    bool   // it gets every message of its groups: privacy mode is off
}

// Account asks Telegram who the bot is. Run need not run, in this process or any
// other. A token that Telegram does not know is ErrToken.
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
