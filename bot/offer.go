package bot

import (
	"context"
	"slices"

	"sedmabot/bot/chat"
)

// offer replies with what a person may post in a chat where the bot isn't: all of it, or what they asked for.
func (b *Bot) offer(ctx context.Context, in chat.Input) chat.Reply {
	asked := in.Args["id"]
	results, err := b.review.Offers(ctx, in)
	if err != nil {
		return in.Refuse(err)
	}
	all := append([]chat.Offer{b.play.Offer(in)}, results...)
	all = append(all, b.daily.Posts(in)...)
	if !b.review.Asked(in) && asked != chat.OfferTable && asked != chat.OfferDaily {
		return chat.Reply{Offers: all} // the person is still typing, or has asked for nothing
	}
	return chat.Reply{Offers: slices.DeleteFunc(all, func(o chat.Offer) bool { return o.ID != asked })}
}
