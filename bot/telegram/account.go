package telegram

import "context"

// Account describes the bot's account on Telegram.
type Account struct {
	Name        string // without @
	JoinsGroups bool   // the bot can be added to groups
	ReadsAll    bool   // privacy mode is off: the bot gets every message of its groups
	Inline      bool   // people can ask the bot in any chat: inline mode is on
	Guest       bool   // people can mention the bot in chats where it isn't: guest mode is on
}

// Account asks Telegram for the bot's account. It works whether or not Run is
// running. If Telegram doesn't know the token, the error is ErrToken.
// https://core.telegram.org/bots/api#getme
func (a *Adapter) Account(ctx context.Context) (Account, error) {
	api, err := a.client.open(ctx)
	if err != nil {
		if turned := withheld(err); turned != nil {
			return Account{}, turned
		}
		return Account{}, clean(err)
	}
	a.client.api.Store(api)
	return Account{api.Self.UserName, api.Self.CanJoinGroups, api.Self.CanReadAllGroupMessages, api.Self.SupportsInlineQueries, a.client.guests.Load()}, nil
}
