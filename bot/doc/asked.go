package doc

import (
	"cmp"
	"context"

	"sedmabot/bot/chat"
)

// Ask remembers the chat where a person asks for something. The answer may have buttons and come to the person's private
// chat, if it can't be shown to them alone in the chat.
func (d *Docs) Ask(ctx context.Context, in chat.Input) error {
	if in.Chat.Private {
		return nil
	}
	var own Player
	return Set(ctx, d, "", PlayerKey(in.Player.ID), &own, func() error {
		if expires, _ := own.Expiry(d.Now()); own.Asked == in.Chat.Home && own.AskedIn == in.Chat.ID && expires.IsZero() {
			return ErrSame
		}
		own.Asked, own.AskedIn = in.Chat.Home, in.Chat.ID
		return nil
	})
}

// Where returns the input of a press that confirms what the person asked for, as if the button was in the chat that Ask
// remembers. The error is chat.ErrForged if there is none, or if the person is no longer there.
func (d *Docs) Where(ctx context.Context, in chat.Input) (chat.Input, error) {
	if !in.Chat.Private {
		return in, nil
	}
	own, err := d.Own(ctx, in.Player.ID)
	if err == nil && own.AskedIn == "" {
		err = chat.ErrForged
	}
	if err != nil {
		return in, err
	}
	if in.Belongs != nil {
		belongs, err := in.Belongs(ctx, own.Asked)
		if err == nil && !belongs {
			err = chat.ErrForged
		}
		if err != nil {
			return in, err
		}
	}
	home, err := d.Home(ctx, own.Asked)
	in.Chat = chat.Chat{ID: own.AskedIn, Home: own.Asked, Lang: cmp.Or(home.Locale, in.Chat.Lang)}
	in.Admin = false
	return in, err
}
