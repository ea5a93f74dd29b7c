package telegram

import (
	"context"
	"encoding/json"
	"strings"

	tgbotapi "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"sedmabot/bot/chat"
)

// In guest mode, people mention the bot in a chat where it isn't, and it may answer each mention with one inline message
// (https://core.telegram.org/bots/api#answerguestquery). The bot's owner turns it on at @BotFather. The message becomes a
// table, which shows itself by edits. Players see their hands in their private chats or on the page.
//
// The id of the chat is never used: it may be that of another chat that the bot knows. So the table belongs to its
// message, and its matches count in no chat.

// guestInput converts a mention to the shell's input: the person asks for a table, or for what the word after the bot's
// name says.
func (a *Adapter) guestInput(m message) (chat.Input, bool) {
	who, _ := m.sender()
	if who == nil || who.Bot || m.Query == "" {
		return chat.Input{}, false
	}
	name, args := a.guestWords(m.Text)
	if name == "rules" {
		in := offerInput(*who, "")
		in.Command, in.Args = name, args
		return in, true
	}
	asked := chat.OfferTable
	if name == "daily" {
		asked = chat.OfferDaily
	}
	in := offerInput(*who, asked)
	if asked == chat.OfferTable {
		in.Args["post"] = "yes"
	}
	return in, true
}

// guestWords reads the command in a mention. Without one, it is the command that opens a table.
func (a *Adapter) guestWords(text string) (name string, args map[string]string) {
	line := "/" + strings.TrimPrefix(strings.Join(wordsFor(a.client.username(), text), " "), "/")
	switch name, args, ok := parseCommand(a.commands, line, a.client.username(), false); {
	case ok && (name == "new" || name == "rules" || name == "daily"):
		return name, args
	}
	return "new", nil
}

// guest answers a mention with the reply. If it offers a table, the table is opened for the person at the answer.
func (a *Adapter) guest(work context.Context, m message, in chat.Input, reply chat.Reply, h chat.Handler) {
	offer := chat.Offer{ID: in.Command, Title: in.Command}
	switch {
	case len(reply.Offers) > 0:
		offer = reply.Offers[0]
	case reply.Screen != nil:
		offer.Screen = *reply.Screen
		offer.Screen.Rows = nil // its buttons lead to other pages, which only one person may read
	default:
		offer.Screen = said(reply.Toast)
	}
	result, ok := a.replier.outbox.inlineResult(offer)
	if !ok {
		return
	}
	data, err := json.Marshal(result)
	if err != nil {
		a.log.Error("encode the answer to a mention", "err", err)
		return
	}
	answer, err := a.replier.answerElsewhere(work, m.by(), "answerGuestQuery", tgbotapi.Params{"guest_query_id": m.Query, "result": string(data)})
	if err != nil {
		a.log.Info("a mention without an answer", "err", err)
		return
	}
	var sent struct {
		ID string `json:"inline_message_id"`
	}
	who, masked := m.sender()
	if err := json.Unmarshal(answer, &sent); err != nil || inlineChat(sent.ID) == "" || offer.ID != chat.OfferTable || masked {
		return // the button of the message opens a table, too
	}
	a.posted(sent.ID, who.ID)
	_, args := a.guestWords(m.Text)
	ctx, cancel := context.WithTimeout(work, handleTimeout)
	defer cancel()
	a.ask(ctx, chat.Input{Player: who.player(), Chat: inlinePlace(sent.ID, *who), Command: "new", Args: args}, h)
}
